package csource

import "testing"

func TestUnnamedParameters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"void *p = (void (*)(struct S *gc, int n))q;", "void*p=(void(*)(struct S*  ,int  ))q;"},
		{"int f(int (*)(const T, T a, unsigned int, T const x), int a);",
			"int f(int(*)(const T,T  ,unsigned int,T const x),int a);"},
		{"x = ((int (*const)(int (*cb)(int gc), char s[4]))p)(n);", "x=((int(*const)(int(*  )(int   ),char  [4]))p)(n);"},
		{"x = (int (*)(int n, int a[n]))p;", "x=(int(*)(int n,int a[n]))p;"},
		{"int (*g)(int n);", "int(*g)(int n);"},
		{"int x = (*p)(n, m);", "int x=(*p)(n,m);"},
		{"x = (int (*)(", "x=(int(*)("},
		{"char s[] = \"[static 5]\";", "char s[]=\"[static 5]\";"},
		{"int f(int [static const 5], char s[static n], int [ static5 ]);",
			"int f(int[5],char s[n],int[static5]);"},
	} {
		if v := parserView([]byte(c.text), false); string(v.text) != c.want || len(v.text) != len(v.at) {
			t.Errorf("%s\nis read as %s\nwant       %s", c.text, v.text, c.want)
		}
	}
}

func TestUnnamedParametersAreNobodysNames(t *testing.T) {
	u := mustLoad(t, `struct S { int n; };
static int f(struct S *s, int n) { return s->n + n; }
int g(struct S *s, int n) {
	int (*h)(struct S *s, int n) = n ? f : (int (*)(struct S *s, int n))0;
	if (((int (*)(struct S *s, char n))h)(s, 1) && s->n > n)
		return n > 3;
	return 0;
}
`)
	if len(u.Functions()) != 2 {
		t.Errorf("functions: %v", u.Functions())
	}
}
