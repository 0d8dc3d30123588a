package annotate

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/label"
	"klabel/objective"
)

// Every condition is C(i, text), every decision D(text): labelled, they are
// nothing; in the reference they write down what is evaluated, as the decision
// runs, and know nothing of labels.
const evaluated = `
#ifndef C
#define C(i, x) (x)
#define D(x) (x)
#endif
static int eff(int *p) { return ++*p; }
struct s { int v; unsigned f : 3; };
int decide(int n, int a, int b, int c, int d, struct s *p) {
  switch (n) {
  case 0: return D((C(0, a) && C(1, b)) || C(2, c)) ? 1 : 0;
  case 1: if (D(C(0, a > 1) && !(C(1, b) || C(2, c == 2)))) return 2; break;
  case 2: return D(C(0, p) && (C(1, p->v > a) || C(2, p->f))) ? 3 : 4;
  case 3: if (D(C(0, eff(&a) > 2) || (C(1, eff(&a) > 2) && C(2, b)))) return a; break;
  case 4: while (D(C(0, a > 0) && (C(1, b) || C(2, c > a)))) a--; break;
  case 5: return D((C(0, a) && C(1, b)) || (!C(2, a) && C(3, c))) ? 5 : 6;
  case 6: return D((C(0, a) && C(1, b)) || (C(2, a) && C(3, c))) ? 5 : 6;
  case 7: return D(C(0, a > 1) && C(1, a > 0)) ? 7 : 8;
  case 8: return D(C(0, a)) ? 9 : 10;
  case 9: do { b--; } while (D(C(0, b > 0) && C(1, d != b))); break;
  case 10: return D(!(C(0, a) && C(1, b) && C(2, c) && C(3, d))) ? 11 : 12;
  case 11: return D((C(0, a) || C(1, b)) && (C(2, c) || C(3, d)));
  }
  return 0;
}
`

const runsAll = `
int main(void) {
  for (int n = 0; n < 12; n++)
    for (int k = 0; k < 3 * 3 * 3 * 3 * 3; k++) {
      struct s x = {k / 81, k % 8};
      int was = k;
      BEFORE
      decide(n, k % 3, k / 3 % 3, k / 9 % 3, k / 27 % 3, k / 81 == 2 ? 0 : &x);
      AFTER
      k = was;
    }
}
`

// TestVectorsAreEvaluations: on every run, the rows that labels say are hit are
// those that the decision's evaluations give.
func TestVectorsAreEvaluations(t *testing.T) {
	dir := t.TempDir()
	source := write(t, filepath.Join(dir, "d.c"), evaluated)
	for _, criterion := range []string{"MCDC", "UMCDC", "UMMCDC"} {
		l := labelFile(t, source, Options{Criteria: []string{criterion}})
		if len(l.Decisions) != 12 {
			t.Fatalf("%s: %d decisions, want 12", criterion, len(l.Decisions))
		}
		var hits strings.Builder
		hits.WriteString("#include <stdio.h>\nstatic unsigned char hit[1000];\n" +
			"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n")
		hits.Write(l.Text)
		hits.WriteString(strings.NewReplacer("BEFORE", "for (int i = 0; i < 99; i++) hit[i] = 0;", "AFTER",
			`printf("%d:", n); for (int i = 0; i < 99; i++) if (hit[i]) printf(" %d", i); printf("\n");`).Replace(runsAll))
		labelled := run(t, dir, build(t, dir, "labelled", map[string][]string{write(t, filepath.Join(dir, "l.c"),
			hits.String()): nil}))

		reference := "#include <stdio.h>\n#include <string.h>\n" +
			"static char rows[99][9]; static int count; static char row[9];\n" +
			"static int cond(int i, int v) { row[i] = v ? 'T' : 'F'; return v; }\n" +
			"static int begin(void) { strcpy(row, \"--------\"); return 1; }\n" +
			"static int end(int v) { for (int i = 0; i < count; i++) if (!strcmp(rows[i], row)) return v;\n" +
			"  strcpy(rows[count++], row); return v; }\n" +
			"#define C(i, x) cond(i, !!(x))\n#define D(x) (begin(), end(x))\n" + evaluated +
			strings.NewReplacer("BEFORE", "count = 0;", "AFTER", `printf("%d:", n);
				for (int i = 0; i < count; i++) printf(" %s", rows[i]); printf("\n");`).Replace(runsAll)
		want := run(t, dir, build(t, dir, "reference", map[string][]string{write(t, filepath.Join(dir, "r.c"),
			reference): nil}))

		got, expect := strings.Split(labelled, "\n"), strings.Split(want, "\n")
		if len(got) != len(expect) || len(got) < 12*243 {
			t.Fatalf("%d and %d runs", len(got), len(expect))
		}
		for i := range got {
			if g, w := rowsHit(l.Decisions, got[i]), sortedRows(expect[i]); g != w {
				t.Fatalf("%s, run %d: the labels say %q, the evaluations are %q", criterion, i, g, w)
			}
		}
	}
}

// rowsHit turns `n: id id` into `n: row row`, sorted.
func rowsHit(ds []objective.Decision, line string) string {
	n, rest, _ := strings.Cut(line, ":")
	var rows []string
	for _, d := range ds {
		for _, v := range d.Vectors {
			if slices.Contains(strings.Fields(rest), v.Label.String()) {
				rows = append(rows, v.Values+strings.Repeat("-", 8-len(v.Values)))
			}
		}
	}
	return sortedRows(n + ": " + strings.Join(rows, " "))
}

func sortedRows(line string) string {
	n, rest, _ := strings.Cut(line, ":")
	rows := strings.Fields(rest)
	slices.Sort(rows)
	return n + ":" + strings.Join(rows, " ")
}

// TestCoupledComparisons: what is called impossible is what no value of the
// integer does, tried with all of them.
func TestCoupledComparisons(t *testing.T) {
	dir := t.TempDir()
	var c, calls strings.Builder
	n := 0
	for _, typ := range []string{"signed char", "unsigned char", "_Bool", "short", "int", "unsigned", "long long"} {
		for _, d := range []string{"x > 5 && x > 0", "x > 0 && x > 5", "x == 1 || x == 2 || x > 1",
			"x && x != 1 && x <= 2", "-3 < x && x < 4 && x", "x < 3u && x >= 3", "x != 300 && x < 301 && x == 0",
			"(x > 0 && y) || (x <= 0 && !y)", "x >= 7 && (y || x < 7)"} {
			fmt.Fprintf(&c, "int f%d(%s x, int y) { return %s; }\n", n, typ, d)
			from, to := "-33000", "70000"
			switch typ {
			case "signed char":
				from, to = "-128", "127"
			case "unsigned char":
				from, to = "0", "255"
			case "_Bool":
				from, to = "0", "1"
			case "short":
				from, to = "-32768", "32767"
			case "unsigned":
				from = "0"
			}
			fmt.Fprintf(&calls, "  for (long long v = %s; v <= %s; v++) { f%d((%s)v, 0); f%d((%s)v, 1); }\n", from,
				to, n, typ, n, typ)
			n++
		}
	}
	l := labelFile(t, write(t, filepath.Join(dir, "x.c"), c.String()), Options{Criteria: []string{"MCDC"}})
	text := "#include <stdio.h>\nstatic unsigned char hit[9999];\n" +
		"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n" + string(l.Text) +
		"int main(void) {\n" + calls.String() + "  for (int i = 0; i < 9999; i++) if (hit[i]) printf(\" %d\", i);\n}\n"
	out := strings.Fields(run(t, dir, build(t, dir, "x", map[string][]string{write(t, filepath.Join(dir, "m.c"),
		text): {"-O1"}})))
	hit := map[string]bool{}
	for _, id := range out {
		hit[id] = true
	}
	impossible, missed := 0, 0
	for _, x := range l.Labels {
		why := l.Reasons[x.ID]
		switch {
		case why != "" && hit[x.ID.String()]:
			t.Errorf("%s: %s is called infeasible (%s), and is hit", x.Function, x.Predicate, why)
		case why != "":
			impossible++
		case !hit[x.ID.String()]:
			missed++
			t.Logf("%s: %s is not hit", x.Function, x.Predicate)
		}
	}
	if impossible < 50 || missed > 6 { // of mixed signs, which are not looked at, and values not tried
		t.Errorf("%d labels are called impossible, %d others are not hit", impossible, missed)
	}
}

func TestCoupledInWords(t *testing.T) {
	dir := t.TempDir()
	source := write(t, filepath.Join(dir, "w.c"), "int f(int a, int b, int x) {\n"+
		"  return (x > 5 && x > 0) + ((a || b) && (a || b)) + (a && b);\n}\n")
	known := func(l *Labelled) objective.Known {
		return func(id label.ID) label.Status {
			if l.Reasons[id] != "" {
				return label.Infeasible
			}
			return label.Unknown
		}
	}
	l := labelFile(t, source, Options{Criteria: []string{"UMCDC"}})
	var got []string
	for _, d := range l.Decisions {
		for i := range d.Conditions {
			r := d.Result(i, known(l), func(id label.ID) string { return l.Reasons[id] })
			if r.Status == label.Infeasible {
				got = append(got, r.Reason)
			}
		}
	}
	want := []string{
		"x > 0 cannot change alone: x > 5 changes with it; every pair needs a vector that cannot be: " +
			"TF (label 2: no value of x makes x > 5 true and x > 0 false)",
		"a cannot change alone: it stands in the decision twice, and both change",
		"b cannot change alone: it stands in the decision twice, and both change", // the second ones
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// More conditions than ten are no matter while their decision is evaluated in few ways: eight
// groups of two in 511.
func TestTooManyVectors(t *testing.T) {
	dir := t.TempDir()
	var groups []string
	for i := range 10 {
		groups = append(groups, fmt.Sprintf("(a[%d] || b[%d])", i, i))
	}
	eight := labelFile(t, write(t, filepath.Join(dir, "eight.c"), "int f(int *a, int *b) { return "+
		strings.Join(groups[:8], " && ")+"; }\n"), Options{Criteria: []string{"UMCDC"}})
	if len(eight.Labels) != 511 || len(eight.Warnings) != 0 {
		t.Errorf("%d labels, %q", len(eight.Labels), eight.Warnings)
	}
	source := write(t, filepath.Join(dir, "big.c"),
		"int f(int *a, int *b) { return "+strings.Join(groups, " && ")+"; }\n")
	l := labelFile(t, source, Options{Criteria: []string{"MCDC"}})
	if len(l.Labels) != 40 || len(l.Decisions) != 1 || len(l.Warnings) != 1 ||
		!strings.Contains(l.Warnings[0], "each condition is true and false instead (CC)") {
		t.Fatalf("%d labels, %d decisions, %q", len(l.Labels), len(l.Decisions), l.Warnings)
	}
	r := l.Decisions[0].Result(3, nil, nil)
	if r.Status != label.Unknown || r.Reason != l.Decisions[0].Instead {
		t.Errorf("condition 4: %+v", r)
	}
}

// Ten conditions always have a row for each way, of however many there are.
func TestTenConditions(t *testing.T) {
	names := []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"}
	for n, want := range map[int]int{10: 1024, 11: 22} {
		source := write(t, filepath.Join(t.TempDir(), "ten.c"), "int t(int "+strings.Join(names, ", int ")+
			") { return "+strings.Join(names[:n], " && ")+"; }\n")
		if l := labelFile(t, source, Options{Criteria: []string{"RACC"}}); len(l.Labels) != want {
			t.Errorf("%d conditions: %d labels, want %d; %q", n, len(l.Labels), want, l.Warnings)
		}
	}
}

// A decision that its own conditions make constant has conditions without a pair; what a
// constant makes constant has none.
func TestConstantDecisions(t *testing.T) {
	for text, want := range map[string]int{"x && y && !x": 3, "x > 3 || !(x > 3)": 2, "x && 0": 0, "1 || y": 0,
		"(x && 0) || (y && !y)": 3} {
		for _, criterion := range []string{"MCDC", "UMCDC"} {
			l := labelFile(t, write(t, filepath.Join(t.TempDir(), "x.c"),
				"int f(int x, int y) { return "+text+"; }\n"), Options{Criteria: []string{criterion}})
			var conditions []objective.Condition
			for _, d := range l.Decisions {
				conditions = append(conditions, d.Conditions...)
				for i := range d.Conditions {
					if r := d.Result(i, func(label.ID) label.Status { return label.Unknown },
						func(label.ID) string { return "" }); r.Status != label.Infeasible {
						t.Errorf("%s %s, condition %d: %+v", criterion, text, i, r)
					}
				}
			}
			if len(conditions) != want {
				t.Errorf("%s %s: %d conditions, want %d", criterion, text, len(conditions), want)
			}
		}
	}
}

// What divides by a constant cannot fail, but for 0 and -1: it is seen where the decision
// skips it.
func TestSeenThoughSkipped(t *testing.T) {
	for text, want := range map[string]int{
		"x % 2": 4, "y / 7u": 4, "(unsigned)y % 4294967295u": 4, "y % -2": 4,
		"y / x": 3, "y % -1": 3, "y / -1": 3, "y / 0u": 3, "y % 0": 3,
	} {
		l := labelFile(t, write(t, filepath.Join(t.TempDir(), "x.c"),
			"int f(int x, int y) { return x > 3 && ("+text+"); }\n"), Options{Criteria: []string{"CACC"}})
		if len(l.Labels) != want {
			t.Errorf("x > 3 && (%s) has %d rows, want %d", text, len(l.Labels), want)
		}
	}
}

// Decisions are listed as they stand in the source, those within another one, too.
func TestDecisionsInOrder(t *testing.T) {
	l := labelFile(t, write(t, filepath.Join(t.TempDir(), "o.c"), "int f(int a, int b, int c, int d) {\n"+
		"  if ((a ? b : c) && d) return 1;\n  if (a && (b ? c > 2 : d > 2)) return 2;\n  return a || b;\n}\n"),
		Options{Criteria: []string{"MCDC"}})
	var got []string
	for _, d := range l.Decisions {
		got = append(got, fmt.Sprintf("%d:%d", d.Position.Line, d.Position.Column))
	}
	if want := []string{"2:7", "2:8", "3:7", "3:13", "4:10"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
