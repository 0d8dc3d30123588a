package csource

import "testing"

func TestTargetsOfAssembler(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`asm goto ("jmp %l[out]" : : : : out);`, `asm goto("jmp %l[out]"::::);`},
		{`__asm__ volatile goto("x" : [a] "=m" (p[i ? 1 : 0]) : "i" (q) : "memory" : l_yes, no); y: z();`,
			`__asm__ volatile goto("x":"=m"(p[i?1:0]):"i"(q):"memory":);y:z();`},
		{`s = "asm goto (:::: "; goto out; f(a ? b : c ? d : e);`, `s="asm goto (:::: ";goto out;f(a?b:c?d:e);`},
		{`asm goto("x" : "=r"(a)); b(c);`, `asm goto("x":"=r"(a));b(c);`},
		{`asm volatile("x" : "=r"(a) : "r"(b) : "memory");`, `asm volatile("x":"=r"(a):"r"(b):"memory");`},
		{`asm goto("x" :::: out`, `asm goto("x"::::out`},
	} {
		if v := parserView([]byte(c.text), false); string(v.text) != c.want || len(v.text) != len(v.at) {
			t.Errorf("%s\nis read as %s\nwant       %s", c.text, v.text, c.want)
		}
	}
}

func TestTargetsOfAssemblerAreNoVariables(t *testing.T) {
	u := mustLoad(t, `int f(int a)
{
	asm goto("testl %0, %0; jz %l[zero]" : : "r"(a) : "cc" : zero);
	return a > 1 && a < 5;
zero:
	return 2;
}
`)
	if u.Mentioned()["zero"] {
		t.Error("the label is mentioned as a variable")
	}
}

func TestNamesOfOperandsAreNoVariables(t *testing.T) {
	u := mustLoad(t, `int f(int a)
{
	int b, c;
	asm("nop" : [first] "=r"(b), [second] "=r"(c) : [third] "r"(a), "r"(a ? b : c));
	return b > 1 && c < 5;
}
`)
	for _, name := range []string{"first", "second", "third"} {
		if u.Mentioned()[name] {
			t.Errorf("%s is mentioned as a variable", name)
		}
	}
}
