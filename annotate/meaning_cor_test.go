package annotate

import (
	"fmt"
	"math/rand"
	"path/filepath"
	"sort"
	"strings"
	"testing"
)

// node is a decision as this test knows it: an atom, a negation or a
// connective. It knows nothing of how annotate sees decisions.
type node struct {
	op         string // "&&", "||", "!" or "" for an atom
	l, r       *node
	text       string // of an atom
	effects    bool   // an atom with side effects
	fails      bool   // an atom that fails where the decision does not evaluate it
	evaluating string // C, in the reference: the decision evaluates this node
}

// c is the decision in C; in the reference atoms have no side effects.
func (n *node) c(reference bool) string {
	switch n.op {
	case "":
		if reference {
			return strings.ReplaceAll(n.text, "eff(", "(")
		}
		return n.text
	case "!":
		return "!" + n.l.c(reference)
	}
	return "(" + n.l.c(reference) + " " + n.op + " " + n.r.c(reference) + ")"
}

func (n *node) any(is func(*node) bool) bool {
	return n != nil && (is(n) || n.l.any(is) || n.r.any(is))
}

// guarded: the right side has a value only where the original evaluates it.
func (n *node) guarded() bool {
	return n.any(func(x *node) bool { return x.effects }) || n.r.any(func(x *node) bool { return x.fails })
}

// connectives lists the mutated nodes, and says when each is evaluated.
func (n *node) connectives(evaluating string) []*node {
	if n == nil || n.op == "" {
		return nil
	}
	n.evaluating = evaluating
	if n.op == "!" {
		return n.l.connectives(evaluating)
	}
	enter := "(" + evaluating + " && " + n.l.c(true) + ")"
	if n.op == "||" {
		enter = "(" + evaluating + " && !" + n.l.c(true) + ")"
	}
	return append(append([]*node{n}, n.l.connectives(evaluating)...), n.r.connectives(enter)...)
}

// randomDecision has at most 5 atoms over a..e (0, 1 or 2 each) and p (NULL or
// a's address).
func randomDecision(r *rand.Rand) *node {
	vars := []string{"a", "b", "c", "d", "e"}
	r.Shuffle(len(vars), func(i, j int) { vars[i], vars[j] = vars[j], vars[i] })
	atom := func(x string) *node {
		switch r.Intn(6) {
		case 0:
			return &node{text: "eff(" + x + ")", effects: true}
		case 1:
			return &node{text: "(" + x + " > 0)"}
		case 2:
			return &node{text: "(" + x + " == 1)"}
		case 3:
			return &node{text: "(" + x + " & 2)"}
		}
		return &node{text: x}
	}
	// Two atoms, the second of which needs the first.
	pair := func(x, y string) *node {
		switch r.Intn(4) {
		case 0:
			return &node{op: "&&", l: &node{text: "p"}, r: &node{text: "*p", fails: true}}
		case 1:
			return &node{op: "||", l: &node{text: "(p == 0)"}, r: &node{text: "(*p > " + x + ")", fails: true}}
		case 2:
			return &node{op: "&&", l: &node{text: x}, r: &node{text: "(2 / " + x + " > " + y + ")", fails: true}}
		}
		return &node{op: "||", l: &node{text: "!" + x}, r: &node{text: "(2 % " + x + " == " + y + ")", fails: true}}
	}
	var build func(vars []string) *node
	build = func(vars []string) *node {
		var n *node
		switch {
		case len(vars) == 1:
			n = atom(vars[0])
		case len(vars) == 2 && r.Intn(3) == 0:
			n = pair(vars[0], vars[1])
		default:
			k := 1 + r.Intn(len(vars)-1)
			n = &node{op: []string{"&&", "||"}[r.Intn(2)], l: build(vars[:k]), r: build(vars[k:])}
		}
		if r.Intn(4) == 0 {
			n = &node{op: "!", l: n}
		}
		return n
	}
	return build(vars[:2+r.Intn(4)])
}

// TestConditionalMutantsMeanWhatTheySay evaluates each && and || of random
// decisions, and its mutants (the other connective, the left side, the right
// side), on all inputs: as many labels as mutants, each covered by exactly the
// inputs on which original and mutant differ where the original evaluates them.
// A right side that may not be evaluated without the left one has a value only
// where the original evaluates it. There the left side and the other connective
// are the same mutant, and one label; the right side is the original, and none.
func TestConditionalMutantsMeanWhatTheySay(t *testing.T) {
	dir := t.TempDir()
	n := 150
	if testing.Short() {
		n = 30
	}
	contexts := []string{"int r = 0; if (%s) r = 1; return r;", "int r = 0; while (%s) { r = 1; break; } return r;",
		"return %s ? 1 : 0;",
		"int r = %s; return r;", "int r = 0; do { if (r++) break; } while (%s); return r - 1;",
		"for (; %s;) return 1; return 0;", "return !!eff(%s);"}
	const params = "int a, int b, int c, int d, int e, int *p"
	var src, ref, calls strings.Builder
	src.WriteString("int calls; int eff(int x) { calls++; return x; }\n")
	ref.WriteString("typedef unsigned char B;\n")
	r := newRand(11)
	var all [][]*node
	mutants := 0
	for i := range n {
		d := randomDecision(r)
		nodes := d.connectives("1")
		all = append(all, nodes)
		fmt.Fprintf(&src, "int f%d(%s) { "+contexts[i%len(contexts)]+" }\n", i, params, d.c(false))
		fmt.Fprintf(&ref, "int f%d(%s); static int r%d(%s, B *want) {\n", i, params, i, params)
		for k, m := range nodes {
			when := m.evaluating
			if m.guarded() {
				when += map[string]string{"&&": " && ", "||": " && !"}[m.op] + m.l.c(true)
			}
			left, right := m.l.c(true), m.r.c(true)
			other := map[string]string{"&&": "||", "||": "&&"}[m.op]
			for j, mutant := range []string{left + " " + other + " " + right, "!!" + left, "!!" + right} {
				fmt.Fprintf(&ref, "want[%d] = %s && (%s) != (%s);\n", 3*k+j, when, m.c(true), mutant)
				mutants++
			}
		}
		fmt.Fprintf(&ref, "return !!%s; }\n", d.c(true))
		fmt.Fprintf(&calls, "one(%d, %d, f%d, r%d);\n", i, 3*len(nodes), i, i)
	}
	file := write(t, filepath.Join(dir, "d.c"), src.String())
	l := labelFile(t, file, Options{Criteria: []string{"COR"}})
	ref.WriteString(fmt.Sprintf(`#include <stdio.h>
#include <string.h>
#include <stdlib.h>
enum { INPUTS = 486, LABELS = %d };
extern B hit[LABELS];
static B got[LABELS][INPUTS], want[100][INPUTS];
static void show(const B *x) { for (int i = 0; i < INPUTS; i++) putchar('0' + x[i]); putchar('\n'); }
static void one(int n, int mutants, int (*f)(%s), int (*r)(%s, B *)) {
  for (int i = 0; i < INPUTS; i++) {
    int a = i %% 3, b = i / 3 %% 3, c = i / 9 %% 3, d = i / 27 %% 3, e = i / 81 %% 3, *p = i / 243 ? &a : 0;
    B w[100];
    memset(hit, 0, sizeof hit);
    if (f(a, b, c, d, e, p) != r(a, b, c, d, e, p, w)) { printf("f%%d(%%d,%%d,%%d,%%d,%%d,%%p) is wrong\n", n, a, b, c, d, e, (void *)p); exit(1); }
    for (int k = 0; k < mutants; k++) want[k][i] = w[k];
    for (int k = 0; k < LABELS; k++) got[k][i] |= hit[k];
  }
  for (int k = 0; k < mutants; k++) { printf("want %%d %%d ", n, k); show(want[k]); }
}
int main(void) {
%s
for (int k = 1; k < LABELS; k++) { printf("got %%d 0 ", k); show(got[k]); }
return 0; }
`, len(l.Labels)+1, params, params, calls.String()))
	out := runHits(t, dir, l, ref.String(), "-O0")

	want, got := map[string][]string{}, map[string][]string{}
	rows := map[string]string{}
	for _, line := range strings.Split(strings.TrimSpace(out), "\n") {
		w := strings.Fields(line)
		if len(w) != 4 {
			t.Fatalf("the program prints %q", line)
		}
		rows[w[0]+" "+w[1]+" "+w[2]] = w[3]
	}
	for i, nodes := range all {
		f := fmt.Sprintf("f%d", i)
		for k, m := range nodes {
			var v [3]string
			for j := range v {
				v[j] = rows[fmt.Sprintf("want %d %d", i, 3*k+j)]
			}
			if !m.guarded() {
				want[f] = append(want[f], v[:]...)
				continue
			}
			if v[1] != v[0] || strings.Contains(v[2], "1") {
				t.Fatalf("%s: %s: the mutants behind the guard are %q", f, m.c(false), v)
			}
			want[f] = append(want[f], v[0])
		}
	}
	asked := 0
	for _, x := range l.Labels {
		got[x.Function] = append(got[x.Function], rows[fmt.Sprintf("got %d 0", x.ID)])
		asked++
	}
	for i, nodes := range all {
		f := fmt.Sprintf("f%d", i)
		sort.Strings(want[f])
		sort.Strings(got[f])
		if strings.Join(want[f], "\n") != strings.Join(got[f], "\n") {
			t.Errorf("%s: %s: covered by\n%s\nwant\n%s", f, nodes[0].c(false), strings.Join(got[f], "\n"),
				strings.Join(want[f], "\n"))
		}
	}
	t.Logf("%d decisions, %d mutants, %d labels on 486 inputs each", n, mutants, asked)
}

// runHits builds the labelled text, in which labels fill hit[], with a program
// that calls it, and runs that. The sanitizer watches the labels.
func runHits(t *testing.T, dir string, l *Labelled, program string, flags ...string) string {
	t.Helper()
	size := len(l.Labels) + 1
	labelled := write(t, filepath.Join(dir, "labelled.c"), string(l.Text))
	hits := write(t, filepath.Join(dir, "hit.h"), "extern unsigned char hit[];\n"+
		"#define cov_label(p, id, ...) do { if (p) hit[id] = 1; } while (0)\n")
	array := write(t, filepath.Join(dir, "hits.c"), fmt.Sprintf("unsigned char hit[%d];\n", size))
	exe := build(t, dir, "hits", map[string][]string{
		labelled: append([]string{"-fsanitize=undefined,float-cast-overflow", "-fno-sanitize-recover=all", "-include",
			hits}, flags...),
		array: {},
		write(t, filepath.Join(dir, "ref.c"), program): {"-O0", "-fwrapv"},
	}, "-fsanitize=undefined")
	return run(t, dir, exe)
}
