package annotate

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// event is what a run of the program as it was written prints: a label that
// holds, with what it binds, a member of a sequence, or a condition that ends some.
type event struct {
	kind   byte // L, S, C
	id     label.ID
	member int
	name   string
	values map[string]bool
}

const tracing = `#include <stdarg.h>
#include <stdio.h>
static void bound(int id, int n, ...) {
    va_list v; va_start(v, n); printf("L %d", id);
    while (n-- > 0) { const char *s = va_arg(v, const char *); printf(" %s=%d", s, va_arg(v, int)); }
    printf("\n"); va_end(v);
}
#define pc_label(p, id, tag) do { if (p) printf("L %d\n", id); } while (0)
#define pc_label_bindings(p, id, tag, b, n, ...) do { if (p) bound(id, n, __VA_ARGS__); } while (0)
#define pc_label_sequence(p, id, k, n, name, z) do { if (p) printf("S %d %d %s\n", id, k, name); } while (0)
#define pc_label_sequence_condition(p, name) do { if (!(p)) printf("C %s\n", name); } while (0)
`

// hyperProgram draws a program with labels of all kinds, and hyperlabels over them.
func hyperProgram(r *rand.Rand, functions int) (program string, hs []objective.Hyperlabel,
	lengths map[label.ID]int) {
	lengths = map[label.ID]int{}
	var b strings.Builder
	id, sid := 1, 1
	preds := []string{"a == 1", "b != 2 && c", "a > b", "(a ^ b) == 3", "c || a == 2", "b < 1"}
	pred := func() string { return preds[r.Intn(len(preds))] }
	var calls strings.Builder
	for f := range functions {
		var stmts []string
		var terms, binders []string
		names := map[string]string{}
		for range 3 + r.Intn(3) {
			l := "l" + strconv.Itoa(id)
			terms = append(terms, l)
			if r.Intn(2) == 0 {
				stmts = append(stmts, fmt.Sprintf("pc_label(%s, %d, \"T\");", pred(), id))
			} else {
				names[l], binders = fmt.Sprintf("v%d", id), append(binders, l)
				stmts = append(stmts, fmt.Sprintf(
					"pc_label_bindings(%s, %d, \"T\", 1, 2, \"v%d\", %s, \"w%d\", a - c);",
					pred(), id, id, []string{"a", "b - 1", "c"}[r.Intn(3)], id))
			}
			id++
		}
		labels := slices.Clone(terms)
		for range 2 {
			n := 2 + r.Intn(2)
			lengths[label.ID(sid)] = n
			terms = append(terms, "s"+strconv.Itoa(sid))
			for k := 1; k <= n; k++ {
				for range 1 + r.Intn(2) {
					stmts = append(stmts, fmt.Sprintf("pc_label_sequence(%s, %d, %d, %d, \"t%d\", 0);", pred(), sid,
						k, n, (sid*k)%3))
				}
			}
			sid++
		}
		for range 2 {
			stmts = append(stmts, fmt.Sprintf("pc_label_sequence_condition(%s, \"t%d\");", pred(), r.Intn(3)))
		}
		for i := range stmts {
			if r.Intn(3) == 0 {
				stmts[i] = fmt.Sprintf("if (a %s b) %s", []string{"<", "!="}[r.Intn(2)], stmts[i])
			}
		}
		r.Shuffle(len(stmts), func(i, j int) { stmts[i], stmts[j] = stmts[j], stmts[i] })
		fmt.Fprintf(&b, "static void f%d(unsigned s) {\nfor (int i = 0; i < 3; i++) {\ns = s * 1103515245u + 12345u;\n"+
			"int a = s >> 16 & 3, b = s >> 18 & 3, c = s >> 20 & 1;\n%s\n}\n}\n", f, strings.Join(stmts, "\n"))
		fmt.Fprintf(&calls, "    f%d(s + %du);\n", f, f*7)
		one := func() string { return terms[r.Intn(len(terms))] }
		exprs := []string{one() + "." + one(), "(" + one() + "+" + one() + ")." + one(), one(),
			labels[r.Intn(len(labels))] + "->" + labels[r.Intn(len(labels))],
			labels[0] + "->" + labels[1] + "->" + labels[r.Intn(len(labels))]}
		if len(binders) > 1 {
			p, q := binders[0], binders[1]
			op := []string{"==", "!="}[r.Intn(2)]
			exprs = append(exprs, fmt.Sprintf("<%s.%s|;%s%s%s;>", p, q, names[p], op, names[q]), fmt.Sprintf(
				"<%s.%s.%s|;%s!=%s && w%s==%s;>+%s", p, q, labels[r.Intn(len(labels))],
				names[p], names[q], p[1:], names[q], one()))
		}
		for _, x := range exprs {
			h := objective.Hyperlabel{ID: label.ID(len(hs) + 1), Expr: new(objective.Expr)}
			if err := h.Expr.UnmarshalText([]byte(x)); err != nil {
				panic(err)
			}
			hs = append(hs, h)
		}
	}
	fmt.Fprintf(&b, "int main(int argc, char **argv) {\nunsigned s = argc * 77u + argv[1][0];\n%sreturn 0;\n}\n",
		calls.String())
	return b.String(), hs, lengths
}

func anyID(label.ID) bool { return true }

// What is wrong with hyperlabels, or with what they speak of, is said with its place.
func TestHyperlabelErrors(t *testing.T) {
	t.Parallel()
	const bound = "pc_label_bindings(a > 1, 1, \"T\", 1, 1, \"pa\", a == 3); pc_label(a, 2, \"T\");"
	for _, c := range []struct{ body, hyper, want string }{
		{bound, "<l1.l2|;pa!=pc;>", "hyperlabel 1: the guard speaks of pc, which no label beside it binds"},
		{bound, "l1.l7", "u.hyperlabels: hyperlabel 1: there is no label 7"},
		{bound, "l1->l7", "u.hyperlabels: hyperlabel 1: l1->l7: one of these labels does not exist"},
		{bound, "s4", "u.hyperlabels: hyperlabel 1: there is no sequence 4 that has an end"},
		{"pc_label_sequence(a, 1, 3, 2, \"x\", 0);", "s1", "u.c:3:1: sequence 1: a member is a number from 1 to"},
		{"pc_label_sequence(a, 1, 1, 2, \"x\", 0); pc_label_sequence(a, 1, 3, 3, \"x\", 0);", "s1",
			"u.c:3:40: sequence 1 has 3 members here and 2 at "},
		{"pc_label_sequence(a++, 1, 1, 2, \"x\", 0);", "s1", "has a side effect: a++"},
		{"pc_label_sequence_condition(a, b);", "l1", "the name in this pc_label_sequence_condition is no string"},
		{"pc_label_bindings(a, 1, \"T\", 1, 1, \"pa\");", "l1", "label 1: after the tag of pc_label_bindings stand"},
		{"pc_label_bindings(a, 1, \"T\", 1, 1, \"pa\", a++);", "l1", "label 1: the value of pa has a side effect"},
		{"pc_label_bindings(a, 1, \"T\", 1, 2, \"pa\", a, \"pa\", b);", "l1", "label 1 binds pa twice"},
	} {
		dir := t.TempDir()
		path := write(t, filepath.Join(dir, "u.c"), "int a, b;\nvoid f(void) {\n"+c.body+"\n}\n")
		u, err := csource.Load(context.Background(), path, csource.Options{Clang: clang(t)})
		if err != nil {
			t.Fatal(err)
		}
		h := objective.Hyperlabel{ID: 1, Expr: new(objective.Expr)}
		if err := h.Expr.UnmarshalText([]byte(c.hyper)); err != nil {
			t.Fatal(err)
		}
		_, err = Hyperlabels([]*csource.Unit{u}, []HyperFile{{"u.hyperlabels", []objective.Hyperlabel{h}}}, anyID, 1)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s with %s: %v, want %q", c.body, c.hyper, err, c.want)
		}
	}
}

// TestHyperlabels holds what labels in the text say of hyperlabels against what the
// words of the language say of the traces of the same runs: sequences are looked for
// in each trace, guards are tried on every combination of what was bound.
func TestHyperlabels(t *testing.T) {
	t.Parallel()
	const functions, runs = 60, 6
	program, hs, lengths := hyperProgram(rand.New(rand.NewSource(11)), functions)
	dir := t.TempDir()
	build := func(name, text string) func(arg string) string {
		bin := filepath.Join(dir, name+".bin")
		c := exec.Command(clang(t).Path, "-w", "-o", bin, write(t, filepath.Join(dir, name+".c"), text))
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return func(arg string) string {
			out, err := exec.Command(bin, arg).CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			return string(out)
		}
	}
	ctx := context.Background()
	u, err := csource.Load(ctx, write(t, filepath.Join(dir, "u.c"), program), csource.Options{Clang: clang(t)})
	if err != nil {
		t.Fatal(err)
	}
	h, err := Hyperlabels([]*csource.Unit{u}, []HyperFile{{"u.hyperlabels", hs}}, anyID, 1)
	if err != nil {
		t.Fatal(err)
	}
	lowered := build("lowered", "int printf(const char *, ...);\n#define cov_label(p, id, tag) do { if (p) "+
		"printf(\"%d\\n\", id); } while (0)\n#define pc_label cov_label\n"+
		"#define pc_label_bindings(p, id, tag, ...) cov_label(p, id, tag)\n"+string(h.Texts[0]))
	plain := build("plain", tracing+program)
	hit := map[label.ID]bool{}
	var traces [][]event
	for n := range runs {
		arg := string(rune('a' + n))
		for _, f := range strings.Fields(lowered(arg)) {
			id, _ := label.ParseID(f)
			hit[id] = true
		}
		traces = append(traces, readTrace(t, plain(arg)))
	}
	yes := 0
	for i, d := range h.Objectives {
		got := d.Conditions[0].Pairs.Covered(func(id label.ID) bool { return hit[id] })
		want := meant(hs[i].Expr, traces, lengths)
		if got != want {
			t.Errorf("%s: labels say %v, the traces %v", hs[i].Expr, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < len(hs)/5 || yes > len(hs)*4/5 {
		t.Errorf("%d of %d hyperlabels are covered: too few of one kind", yes, len(hs))
	}
	t.Logf("%d of %d hyperlabels are covered", yes, len(hs))
}

// Bound integers are told apart by their values: small ones one by one, so that the
// same value is seen in different runs; of large ones that they differ from small ones.
func TestIntegerBindings(t *testing.T) {
	t.Parallel()
	const program = "int seen(int a, unsigned char b, unsigned long c) {\n" +
		"  cov_label_bind_values(a < 100, 1, \"NI\", 1, 2, \"a\", a, \"c\", c);\n" +
		"  cov_label_bind_values(1, 2, \"NI\", 2, 1, \"b\", b);\n" +
		"  pc_label_bindings(1, 3, \"T\", 3, 1, \"t\", a);\n  return 0;\n}\n"
	dir := t.TempDir()
	const declared = "#define cov_label_bind_values(...) ((void)0)\n#define pc_label_bindings(...) ((void)0)\n"
	u, err := csource.Load(context.Background(), write(t, filepath.Join(dir, "u.c"), declared+program),
		csource.Options{Clang: clang(t)})
	if err != nil {
		t.Fatal(err)
	}
	texts := []string{"<l1.l2|;a==b;>", "<l1.l2|;a!=b;>", "<l1.l3|;a==t;>", "<l1.l3|;a!=t;>", "<l1.l2|;c==b;>",
		"<l1|;a==c;>", "<l1|;a!=c;>", "<l1.l2|;a==b && c!=a;>", "<l1|;a!=a;>",
		"<l1|;a==70;>", "<l1|;c > 5000000000 && a<0;>", "<l1.l2|;a<b && b!=9;>", "<l1.l2|;70<=a && b<=70;>",
		"<l1.l2.l3|;a==b && t==1;>"}
	for _, c := range []struct{ calls, want string }{
		{"seen(2, 1, 9)", "01010010" + "00000"},                 // 2 and 1, 9 beyond
		{"seen(2, 1, 9); seen(50, 2, 2)", "11011011" + "00001"}, // b is 2 in another run: a==b, c==b
		{"seen(-7, 200, 0)", "01010010" + "00100"},              // below and above differ
		{"seen(70, 70, 70)", "10011100" + "10010"},              // equal, and large
		{"seen(100, 3, 3)", "00000000" + "00000"},               // the label does not hold
		{"seen(-1, 255, -1)", "01010100" + "00100"},             // an unsigned long as a long long
		{"seen(1, 1, 3)", "10100011" + "00001"},
		{"seen(-3, 9, 5000000001)", "01010010" + "01000"},
		{"seen(-3, 9, 5000000000); seen(80, 60, 1)", "01010010" + "00110"},
	} {
		var out, bad []string
		for i, text := range texts {
			h := objective.Hyperlabel{ID: label.ID(i + 1), Expr: new(objective.Expr)}
			if err := h.Expr.UnmarshalText([]byte(text)); err != nil {
				t.Fatal(err)
			}
			files := []HyperFile{{"u.hyperlabels", []objective.Hyperlabel{h}}}
			l, err := Hyperlabels([]*csource.Unit{u}, files, anyID, 1)
			if err != nil {
				bad = append(bad, err.Error())
				continue
			}
			bin := filepath.Join(dir, fmt.Sprintf("%d.bin", i))
			if _, err := os.Stat(bin); err != nil {
				c := exec.Command(clang(t).Path, "-w", "-o", bin, "-x", "c", "-")
				c.Stdin = strings.NewReader("int printf(const char *, ...);\n" +
					"#define cov_label(p, id, tag) do { if (p) printf(\"%d\\n\", id); } while (0)\n" +
					"#define cov_label_bind_values(p, id, tag, ...) " +
					"cov_label(p, id, tag)\n#define pc_label_bindings cov_label_bind_values\n" + string(l.Texts[0]) +
					"int atoi(const char *);\nlong atol(const char *);\nint main(int n, char **v) {\n" +
					"  for (int i = 1; i + 2 < n; i += 3) seen(atoi(v[i]), atoi(v[i + 1]), atol(v[i + 2]));\n}\n")
				if out, err := c.CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			args := strings.Fields(strings.NewReplacer("seen(", "", ")", "", ",", "", ";", "").Replace(c.calls))
			text, err := exec.Command(bin, args...).Output()
			if err != nil {
				t.Fatal(err)
			}
			hit := map[label.ID]bool{}
			for _, f := range strings.Fields(string(text)) {
				id, _ := label.ParseID(f)
				hit[id] = true
			}
			pairs := l.Objectives[0].Conditions[0].Pairs
			covered := pairs.Covered(func(id label.ID) bool { return hit[id] })
			out = append(out, map[bool]string{true: "1", false: "0"}[covered])
			if s := pairs.Status(func(label.ID) label.Status { return label.Unknown }); s != label.Unknown {
				t.Errorf("%s: %v when nothing is known", texts[i], s)
			}
		}
		if got := strings.Join(out, ""); got != c.want {
			t.Errorf("%s: %s, want %s", c.calls, got, c.want)
		}
		if len(bad) != 1 { // a!=a
			t.Errorf("%d are refused: %q", len(bad), bad)
		}
	}
}

func readTrace(t *testing.T, text string) (out []event) {
	for _, line := range strings.Split(strings.TrimSpace(text), "\n") {
		f := strings.Fields(line)
		if len(f) == 0 {
			continue
		}
		e := event{kind: f[0][0], values: map[string]bool{}}
		if e.kind == 'C' {
			e.name = f[1]
			out = append(out, e)
			continue
		}
		n, err := strconv.Atoi(f[1])
		if err != nil {
			t.Fatal(line)
		}
		e.id = label.ID(n)
		if e.kind == 'S' {
			e.member, _ = strconv.Atoi(f[2])
			e.name = f[3]
		} else {
			for _, v := range f[2:] {
				name, value, _ := strings.Cut(v, "=")
				e.values[name] = value != "0"
			}
		}
		out = append(out, e)
	}
	return out
}

// meant says whether a hyperlabel holds for a set of runs, from its definition.
func meant(e *objective.Expr, traces [][]event, lengths map[label.ID]int) bool {
	switch e.Op {
	case objective.OpLabel:
		return len(bindings(e.ID, traces)) > 0
	case objective.OpSequence:
		return slices.ContainsFunc(traces, func(tr []event) bool {
			return inOrder(tr, lengths[e.ID], func(v event, k int) bool {
				return v.kind == 'S' && v.id == e.ID && v.member == k
			})
		})
	case objective.OpThen:
		return slices.ContainsFunc(traces, func(tr []event) bool {
			return inOrder(tr, len(e.Args), func(v event, k int) bool {
				return v.kind == 'L' && v.id == e.Args[k-1].ID
			})
		})
	case objective.OpOr:
		return slices.ContainsFunc(e.Args, func(a *objective.Expr) bool { return meant(a, traces, lengths) })
	case objective.OpAnd:
		return !slices.ContainsFunc(e.Args, func(a *objective.Expr) bool { return !meant(a, traces, lengths) })
	}
	all := []map[string]bool{{}}
	for _, l := range e.Args[0].Args {
		var next []map[string]bool
		for _, values := range bindings(l.ID, traces) {
			for _, old := range all {
				both := map[string]bool{}
				for k, v := range old {
					both[k] = v
				}
				for k, v := range values {
					both[k] = v
				}
				next = append(next, both)
			}
		}
		all = next
	}
	return slices.ContainsFunc(all, func(v map[string]bool) bool {
		return !slices.ContainsFunc(e.Guard, func(g objective.Guard) bool {
			return (v[g.Left] == v[g.Right]) != (g.Op == "==")
		})
	})
}

// inOrder looks for members 1 to n in a trace, between which no condition ends it.
func inOrder(tr []event, n int, is func(event, int) bool) bool {
	var from func(at, k int, name string) bool
	from = func(at, k int, name string) bool {
		for i := at; i < len(tr); i++ {
			if k > 1 && tr[i].kind == 'C' && tr[i].name == name {
				return false
			}
			if is(tr[i], k) && (k == n || from(i+1, k+1, tr[i].name)) {
				return true
			}
		}
		return false
	}
	return from(0, 1, "")
}

// bindings are the different values that hits of a label have bound.
func bindings(id label.ID, traces [][]event) (out []map[string]bool) {
	seen := map[string]bool{}
	for _, tr := range traces {
		for _, v := range tr {
			if v.kind == 'L' && v.id == id && !seen[fmt.Sprint(v.values)] {
				seen[fmt.Sprint(v.values)] = true
				out = append(out, v.values)
			}
		}
	}
	return out
}
