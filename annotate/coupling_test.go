package annotate

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/label"
)

// TestCoupledIntegers: of decisions that compare several integers with each other
// and with constants, those vectors are called impossible that no values give,
// tried with the values at which anything may change.
func TestCoupledIntegers(t *testing.T) {
	types := []string{"signed char", "unsigned char", "char", "_Bool", "int", "unsigned", "long long"}
	limits := map[string][2]string{"signed char": {"-128", "127"}, "unsigned char": {"0", "255"},
		"char": {"-128", "127"}, "_Bool": {"0", "1"}, "int": {"(-2147483647 - 1)", "2147483647"},
		"unsigned":  {"0", "4294967295u"},
		"long long": {"(-9223372036854775807LL - 1)", "9223372036854775807LL"}}
	rnd := rand.New(rand.NewPCG(3, 5))
	ops := []string{"<", "<=", ">", ">=", "==", "!="}
	vars := []string{"x", "y", "z", "x", "(y)"}
	atom := func() string {
		a := vars[rnd.IntN(len(vars))]
		switch rnd.IntN(5) {
		case 0:
			return a
		case 1:
			return fmt.Sprintf("%d %s %s", rnd.IntN(4)-1, ops[rnd.IntN(6)], a)
		}
		return a + " " + ops[rnd.IntN(6)] + " " + vars[rnd.IntN(len(vars))]
	}
	forms := []string{"%s && %s && %s", "(%s || %s) && %s", "%s || (%s && %s)",
		"!(%s && %s) && %s",
		"%s && %s && %s && %s"}
	decisions := []string{"x < y && y < z && x < z", "x == y && y == z && x == z", "x == y && y == z && x != z",
		"x <= y && y <= x && x == y", "x < y && y < x + 1 && x + 1 > y"}
	for range 60 {
		f := forms[rnd.IntN(len(forms))]
		var atoms []any
		for range strings.Count(f, "%s") {
			atoms = append(atoms, atom())
		}
		decisions = append(decisions, fmt.Sprintf(f, atoms...))
	}
	var c, calls strings.Builder
	for n, d := range decisions {
		kinds := make([]string, 3)
		for i := range kinds {
			kinds[i] = types[rnd.IntN(len(types))]
			if n < 5 || rnd.IntN(2) == 0 { // not all different
				kinds[i] = types[n%len(types)]
			}
			fmt.Fprintf(&calls, "  static const %s v%d_%d[] = {%s, %s, %s, %s, 0, 1, 2, 3, 4};\n", kinds[i], n, i,
				limits[kinds[i]][0], limits[kinds[i]][1], limits[kinds[i]][0]+" + 1", limits[kinds[i]][1]+" - 1")
			if kinds[i] != "_Bool" && !strings.HasPrefix(kinds[i], "unsigned") {
				fmt.Fprintf(&calls, "  static const %s w%d_%d[] = {-1, -2, -3};\n", kinds[i], n, i)
			}
		}
		fmt.Fprintf(&c, "int f%d(%s x, %s y, %s z) { return %s; }\n", n, kinds[0], kinds[1], kinds[2], d)
		at := func(i int) string {
			if strings.HasPrefix(kinds[i], "unsigned") || kinds[i] == "_Bool" {
				return fmt.Sprintf("v%d_%d[%c %% 9]", n, i, 'i'+i)
			}
			return fmt.Sprintf("(%c < 9 ? v%d_%d[%c %% 9] : w%d_%d[%c %% 3])", 'i'+i, n, i, 'i'+i, n, i, 'i'+i)
		}
		fmt.Fprintf(&calls, "  for (int i = 0; i < 12; i++) for (int j = 0; j < 12; j++)\n"+
			"    for (int k = 0; k < 12; k++) f%d(%s, %s, %s);\n", n, at(0), at(1), at(2))
	}
	dir := t.TempDir()
	l := labelFile(t, write(t, filepath.Join(dir, "x.c"), c.String()), Options{Criteria: []string{"MCDC", "CACC"}})
	text := "#include <stdio.h>\nstatic unsigned char hit[9999];\n" +
		"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n" + string(l.Text) +
		"int main(void) {\n" + calls.String() + "  for (int i = 0; i < 9999; i++) if (hit[i]) printf(\" %d\", i);\n}\n"
	out := strings.Fields(run(t, dir, build(t, dir, "x", map[string][]string{write(t, filepath.Join(dir, "m.c"),
		text): {"-O1", "-fwrapv"}})))
	impossible, missed := 0, 0
	for _, x := range l.Labels {
		why, hit := l.Reasons[x.ID], slices.Contains(out, x.ID.String())
		switch {
		case why != "" && hit:
			t.Errorf("%s: %s is called infeasible (%s), and is hit", x.Function, x.Predicate, why)
		case why != "":
			impossible++
		case !hit:
			missed++
			t.Logf("%s: %s is not hit", x.Function, x.Predicate)
		}
	}
	if impossible < 100 || missed > 20 { // where signs are mixed a value is two
		t.Errorf("%d labels are called impossible, %d others are not hit", impossible, missed)
	}
}

// What is coupled over several integers is said in words, of no more conditions than
// it needs.
func TestCoupledIntegersInWords(t *testing.T) {
	dir := t.TempDir()
	source := write(t, filepath.Join(dir, "w.c"), "int f(int a, int b, int c, int o) {\n"+
		"  return (a < b && o > 3 && b < c && a < c) + (a == b && b == c && a == c) + (a < b && b < c && c > 7);\n}\n")
	l := labelFile(t, source, Options{Criteria: []string{"UMCDC"}})
	known := func(id label.ID) label.Status {
		if l.Reasons[id] != "" {
			return label.Infeasible
		}
		return label.Unknown
	}
	var got []string
	for _, d := range l.Decisions {
		for i := range d.Conditions {
			r := d.Result(i, known, func(id label.ID) string { return l.Reasons[id] })
			if r.Status == label.Infeasible {
				got = append(got, r.Reason)
			}
		}
	}
	want := []string{
		"a < c cannot change alone: a < b and b < c change with it; every pair needs a vector that cannot be: " +
			"TTTF (label 2: no values of a, b and c make a < b true and b < c true and a < c false)",
		"a == c cannot change alone: a == b and b == c change with it; every pair needs a vector that cannot be: " +
			"TTF (label 7: no values of a, b and c make a == b true and b == c true and a == c false)",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// What may change by itself between two conditions couples nothing.
func TestNothingCoupledByItself(t *testing.T) {
	l := labelFile(t, write(t, filepath.Join(t.TempDir(), "x.c"), `typedef _Atomic(int) counter;
counter n;
struct box { counter n; };
int a(int *p) { return *(volatile int *)p > 5 && *(volatile int *)p > 0; }
int b(int k) { return *(const volatile __typeof__(k) *)&k > 5 && *(const volatile __typeof__(k) *)&k > 0; }
int c(void) { return n > 5 && n > 0; }
int d(counter *p, struct box *q) { return *p > 5 && *p > 0 && q->n > 5 && q->n > 0; }
extern int unknown(int), *__errno_location(void) __attribute__((const)); double sqrt(double);
static int next(void) { static int n; return n++; }
static int sense(const volatile int *p) { return *p; }
static int by(int (*f)(void)) { return f(); }
int e(int k) { return next() > 5 && next() > 0 && unknown(k) > 5 && unknown(k) > 0; }
int f(int *p, int (*f)(void)) { return sense(p) > 5 && sense(p) > 0 && by(f) > 5 && by(f) > 0; }
int g(double x) { return *__errno_location() < 1 && !(sqrt(x) > 2) && *__errno_location() < 2; }
`), Options{Criteria: []string{"MCDC", "CACC"}})
	for _, x := range l.Labels {
		if why := l.Reasons[x.ID]; why != "" {
			t.Errorf("%s is called infeasible: %s", x.Predicate, why)
		}
	}
	for _, d := range l.Decisions {
		for _, c := range d.Conditions {
			if c.Coupled != "" {
				t.Error(c.Coupled)
			}
		}
	}
}

// What a call that changes nothing says twice is one: the other occurrence is masked.
func TestCoupledCalls(t *testing.T) {
	l := labelFile(t, write(t, filepath.Join(t.TempDir(), "x.c"), `static int digit(int c) { return c >= '0' && c <= '9'; }
int f(int a, int b) { return (digit(a) || b > 3) && digit(a); }
int g(int a) { return digit(a) > 5 && digit(a) > 0; }
`), Options{Criteria: []string{"UMMCDC"}, Functions: []string{"f", "g"}})
	var got []string
	for _, d := range l.Decisions {
		for _, c := range d.Conditions {
			got = append(got, fmt.Sprintf("%s|%s|%v", c.Text, c.Coupled, c.Pairs))
		}
	}
	want := []string{
		"digit(a)||l1.l3", "b > 3||<nil>", "digit(a)||l1.l2", // T-T, FTF, FF-
		"digit(a) > 5||l4.l6",
		"digit(a) > 0|digit(a) > 0 cannot change alone: digit(a) > 5 changes with it|l4.l5",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}
