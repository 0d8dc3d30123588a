package instrument

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/engine"
)

// predicate draws a predicate over the parameters of f below.
func predicate(r *rand.Rand, depth int) string {
	leaf := []string{"a", "b", "c", "u", "x", "*p", "a + b", "u - 3u", "q[b & 3]", "7", "-2", "x / 2",
		"(a, b)", "(int[]){a, 3, b}[u & 1]"}
	ops := []string{"==", "!=", "<", "<=", ">", ">="}
	if depth == 0 || r.IntN(4) == 0 {
		switch r.IntN(6) {
		case 0:
			return "a"
		case 1:
			return []string{"!c", "!(c, b)"}[r.IntN(2)]
		}
		return leaf[r.IntN(len(leaf))] + " " + ops[r.IntN(len(ops))] + " " + leaf[r.IntN(len(leaf))]
	}
	a, b := predicate(r, depth-1), predicate(r, depth-1)
	switch r.IntN(5) {
	case 0:
		return "!(" + a + ")"
	case 1, 2:
		return "(" + a + ") && (" + b + ")"
	}
	return "(" + a + ") || (" + b + ")"
}

// A distance is 0 exactly where the predicate holds, and no operand is evaluated
// that C would not evaluate: p is NULL where the first operand says so.
func TestDistance(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var labels, truth strings.Builder
	const n = 120
	for i := range n {
		p := predicate(r, 3)
		fmt.Fprintf(&labels, "    pc_label(%s, %d, \"X\");\n", p, i)
		fmt.Fprintf(&truth, "    want[%d] = !!(%s);\n", i, p)
	}
	fmt.Fprintf(&labels, "    pc_label(a > 0 && *r == 3, %d, \"X\");\n", n)
	fmt.Fprintf(&truth, "    want[%d] = a > 0 && *r == 3;\n", n)
	const head = "void pc_label(int, int, const char *);\n" +
		"void f(int a, short b, signed char c, unsigned u, double x, int *p, int *q, int *r) {\n"
	u, err := csource.Parse(context.Background(), "d.c", []byte(head+labels.String()+"}\n"), csource.Options{
		Clang: clangOf(t), LabelMacros: []string{"pc_label"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := Rewrite(u, Options{Mode: engine.Fuzz})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "d.c"), text)
	main := fmt.Sprintf(`#include <stdio.h>
static unsigned char view[%[1]d];
const volatile unsigned char *klabel_fuzz_view = view;
static int want[%[1]d], got[%[1]d];
void klabel_fuzz_label(int id, unsigned distance) { got[id] = distance == 0; }
void f(int, short, signed char, unsigned, double, int *, int *, int *);
%[2]s%[3]s}
int main(void) {
    static const int v[] = {-2147483647 - 1, -3, -2, -1, 0, 1, 2, 3, 7, 8, 2147483647};
    int i, q[4] = {-1, 0, 5, 7}, one = 3, bad = 0;
    for (i = 0; i < 11 * 11 * 11; i++) {
        int a = v[i %% 11], b = v[i / 11 %% 11], k;
        int *r = a > 0 ? &one : 0;
        truth(a, (short)b, (signed char)v[i / 121], (unsigned)b, a / 4.0, &q[i & 3], q, r);
        f(a, (short)b, (signed char)v[i / 121], (unsigned)b, a / 4.0, &q[i & 3], q, r);
        for (k = 0; k < %[1]d; k++)
            if (want[k] != got[k] && bad++ < 5)
                printf("label %%d: %%d, want %%d\n", k, got[k], want[k]);
    }
    return bad != 0;
}
`, n+1, strings.Replace(strings.SplitAfterN(head, "\n", 2)[1], "void f(", "static void truth(", 1), truth.String())
	writeFile(t, filepath.Join(dir, "main.c"), []byte(main))
	bin := filepath.Join(dir, "run")
	compile(t, bin, "-fwrapv", filepath.Join(dir, "d.c"), filepath.Join(dir, "main.c"))
	if out, err := exec.Command(bin).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// What is nearer to holding has the smaller distance.
func TestDistanceLeads(t *testing.T) {
	t.Parallel()
	u, err := csource.Parse(context.Background(), "d.c", []byte("void pc_label(int, int, const char *);\n"+
		"void f(unsigned a, double x) {\n    pc_label(a == 0xdeadbeef, 0, \"X\");\n    pc_label(x == 0.5, 1, \"X\");\n"+
		"    pc_label(a > 100 && x < 2, 2, \"X\");\n}\n"),
		csource.Options{Clang: clangOf(t), LabelMacros: []string{"pc_label"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := Rewrite(u, Options{Mode: engine.Fuzz})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "d.c"), text)
	writeFile(t, filepath.Join(dir, "main.c"), []byte(`
static unsigned char view[3];
const volatile unsigned char *klabel_fuzz_view = view;
static unsigned d[3];
void klabel_fuzz_label(int id, unsigned distance) { d[id] = distance; }
void f(unsigned, double);
static unsigned of(int id, unsigned a, double x) { d[id] = 999; f(a, x); return d[id]; }
int main(void) {
    if (!(of(0, 0, 0) > of(0, 0xdead0000, 0) && of(0, 0xdead0000, 0) > of(0, 0xdeadbe00, 0))) return 1;
    if (!(of(1, 0, 1e300) > of(1, 0, 0.75) && of(1, 0, 0.75) > of(1, 0, 0.5000001) && of(1, 0, 0.5) == 0)) return 2;
    if (!(of(2, 0, 9) > of(2, 99, 9) && of(2, 99, 9) > of(2, 101, 9) && of(2, 101, 9) > of(2, 101, 2))) return 3;
    view[0] = 1; view[1] = 3; view[2] = 7; /* covered, infeasible, refused */
    if (of(0, 0, 0) != 999 || of(1, 0, 0) != 999 || of(2, 0, 0) == 999) return 4;
    return 0;
}
`))
	bin := filepath.Join(dir, "run")
	compile(t, bin, filepath.Join(dir, "d.c"), filepath.Join(dir, "main.c"))
	if out, err := exec.Command(bin).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
