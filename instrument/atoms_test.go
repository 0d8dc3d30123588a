package instrument

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// lost is what a part of a predicate comes to that cannot be evaluated; others come to 0 or 1.
const lost = 2

// testAtoms are atoms in C and what they come to for x, y and p, which leads to nothing,
// to four characters of which the last is not to be read, or to nowhere.
var testAtoms = []struct {
	text  string
	value func(x, y, p int) int
}{
	{"x > 1", func(x, _, _ int) int { return number(x > 1) }},
	{"x == y", func(x, y, _ int) int { return number(x == y) }},
	{"y", func(_, y, _ int) int { return number(y != 0) }},
	{"p", func(_, _, p int) int { return number(p != 0) }},
	{"p[x] == 'b'", func(x, _, p int) int {
		if p != 1 || x < 0 || x > 2 {
			return lost
		}
		return number(x == 1)
	}},
	{"x / y > 0", func(x, y, _ int) int {
		if y == 0 {
			return lost
		}
		return number(x/y > 0)
	}},
	{"table[x] == y", func(x, y, _ int) int {
		if x < 0 || x > 2 {
			return lost
		}
		return number([]int{1, 0, 2}[x] == y)
	}},
	{"even(x)", func(x, _, _ int) int { return number(x%2 == 0) }},
}

func number(b bool) int {
	if b {
		return 1
	}
	return 0
}

// tree is a random predicate: its text, and its value as C evaluates it, lost once a part
// is come to that is lost.
type tree struct {
	text  string
	value func(x, y, p int) int
}

func randomTree(r *rand.Rand, depth int) tree {
	if depth == 0 || r.IntN(4) == 0 {
		a := testAtoms[r.IntN(len(testAtoms))]
		return tree{"(" + a.text + ")", a.value}
	}
	a, b := randomTree(r, depth-1), randomTree(r, depth-1)
	switch r.IntN(7) {
	case 0:
		return a.negation()
	case 1, 2:
		return tree{"(" + a.text + " || " + b.text + ")", func(x, y, p int) int {
			if v := a.value(x, y, p); v != 0 {
				return v
			}
			return b.value(x, y, p)
		}}
	case 3:
		c := randomTree(r, depth-1)
		return tree{"(" + c.text + " ? " + a.text + " : " + b.text + ")", func(x, y, p int) int {
			switch c.value(x, y, p) {
			case 1:
				return a.value(x, y, p)
			case 0:
				return b.value(x, y, p)
			}
			return lost
		}}
	default:
		return a.and(b)
	}
}

// negation is what C makes of !t.
func (t tree) negation() tree {
	return tree{"!" + t.text, func(x, y, p int) int {
		if v := t.value(x, y, p); v != lost {
			return 1 - v
		}
		return lost
	}}
}

// and is t && u.
func (t tree) and(u tree) tree {
	return tree{"(" + t.text + " && " + u.text + ")", func(x, y, p int) int {
		if v := t.value(x, y, p); v != 1 {
			return v
		}
		return u.value(x, y, p)
	}}
}

// randomChain is what most labels are: atoms that hold, or do not.
func randomChain(r *rand.Rand) tree {
	var chain tree
	for i := range 3 {
		next := randomTree(r, 0)
		if r.IntN(2) == 0 {
			next = next.negation()
		}
		if chain = chain.and(next); i == 0 {
			chain = next
		}
	}
	return chain
}

// Labels at one place hold where each by itself holds, for all inputs, as an
// interpreter of their predicates says; nothing that cannot be evaluated is.
func TestAtoms(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 4))
	var trees []tree
	var src strings.Builder
	src.WriteString("static int table[3] = { 1, 0, 2 };\n" +
		"static int even(int x) { return x % 2 == 0; }\n")
	const groups, each = 60, 6
	for g := range groups {
		fmt.Fprintf(&src, "void f%d(int x, int y, const char *p)\n{\n", g)
		for i := range each {
			trees = append(trees, randomTree(r, 3))
			if i%2 == 0 {
				trees[len(trees)-1] = randomChain(r)
			}
			fmt.Fprintf(&src, "    cov_label(%s, %d);\n", trees[len(trees)-1].text, g*each+i+1)
		}
		src.WriteString("}\n")
	}
	dir := t.TempDir()
	c := filepath.Join(dir, "p.c")
	writeFile(t, c, []byte(src.String()))
	out, err := Rewrite(load(t, c), Options{Mode: Replay})
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "klabel_atom1 ="); n < groups*3/4 {
		t.Errorf("%d of %d groups share an atom", n, groups)
	}
	var main strings.Builder
	main.WriteString(`int printf(const char *, ...);
static char letters[] = "abcd";
void klabel_hit(int id) { printf("%d ", id); }
int klabel_can_read(const void *p, unsigned long n)
{
    return (const char *)p >= letters && (const char *)p + n <= letters + 3 ||
           (const char *)p >= (char *)table && (const char *)p + n <= (char *)(table + 3);
}
int main(void)
{
    const char *places[] = { 0, letters, (const char *)16 };
    int x, y, p;
    for (x = -2; x < 5; x++) for (y = -2; y < 3; y++) for (p = 0; p < 3; p++) {
`)
	for g := range groups {
		fmt.Fprintf(&main, "        f%d(x, y, places[p]);\n", g)
	}
	main.WriteString("        printf(\"\\n\");\n    }\n    return 0;\n}\n")
	writeFile(t, filepath.Join(dir, "out.c"), append(out, main.String()...))
	exe := filepath.Join(dir, "p")
	compile(t, exe, "-g", "-fwrapv", "-fsanitize=undefined", "-fno-sanitize-recover=all",
		"-fno-sanitize=pointer-overflow", filepath.Join(dir, "out.c"))
	got, code := run(t, exe)
	if code != 0 {
		t.Fatalf("exit %d", code)
	}
	lines := strings.Split(got, "\n")
	for x := -2; x < 5; x++ {
		for y := -2; y < 3; y++ {
			for p := range 3 {
				want := ""
				for i, tr := range trees {
					if tr.value(x, y, p) == 1 {
						want += fmt.Sprint(i+1, " ")
					}
				}
				if lines[0] != want {
					t.Errorf("x=%d y=%d p=%d: hits\n%s\nwant\n%s", x, y, p, lines[0], want)
				}
				lines = lines[1:]
			}
		}
	}
}
