package logic

import (
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
)

// expr is a decision as a tree with two operands each, with a definition of its
// own for everything that pairs.go says.
type expr struct {
	op   byte // '&', '|' or 0: a leaf
	not  bool
	leaf int
	a, b *expr
}

func (e *expr) form(number func(int) int) *Form {
	var f *Form
	switch e.op {
	case 0:
		f = Atom(number(e.leaf))
	case '&':
		f = And(e.a.form(number), e.b.form(number))
	default:
		f = Or(e.a.form(number), e.b.form(number))
	}
	if e.not {
		f = Not(f)
	}
	return f
}

// eval is C's: row notes what was evaluated.
func (e *expr) eval(val func(leaf int) bool, row []byte) bool {
	var v bool
	switch e.op {
	case 0:
		if v = val(e.leaf); row != nil {
			row[e.leaf] = "FT"[map[bool]int{true: 1}[v]]
		}
	case '&':
		v = e.a.eval(val, row) && e.b.eval(val, row)
	default:
		v = e.a.eval(val, row) || e.b.eval(val, row)
	}
	return v != e.not
}

// trees are all shapes with leaves from..to-1, with every choice of operators.
func trees(from, to int) []*expr {
	if to-from == 1 {
		return []*expr{{leaf: from}}
	}
	var out []*expr
	for mid := from + 1; mid < to; mid++ {
		for _, a := range trees(from, mid) {
			for _, b := range trees(mid, to) {
				out = append(out, &expr{op: '&', a: a, b: b}, &expr{op: '|', a: a, b: b})
			}
		}
	}
	return out
}

// couplings are all ways in which n leaves can be the same condition.
func couplings(n int) [][]int {
	out := [][]int{{}}
	for range n {
		var next [][]int
		for _, c := range out {
			most := -1
			for _, x := range c {
				most = max(most, x)
			}
			for x := range most + 2 {
				next = append(next, append(append([]int(nil), c...), x))
			}
		}
		out = next
	}
	return out
}

func (e *expr) negate(r *rand.Rand) *expr {
	out := &expr{op: e.op, leaf: e.leaf, not: r.Intn(4) == 0}
	if e.op != 0 {
		out.a, out.b = e.a.negate(r), e.b.negate(r)
	}
	return out
}

// TestPairs: for every decision of up to five conditions (every shape, every choice
// of operators, every way in which conditions are the same one), the vectors and the
// pairs of each rule are those of the definitions, with short circuit and without.
// Negations are drawn; with KLABEL_TABLES set, every choice of negated conditions is
// tried, too. (! before a group is a group with the other operator.)
func TestPairs(t *testing.T) {
	r := rand.New(rand.NewSource(4))
	checked := 0
	check := func(e *expr, n int, same []int) {
		checkShort(t, e, n, same)
		checkWhole(t, e, n, same)
		checked++
	}
	all := os.Getenv("KLABEL_TABLES") != ""
	for n := 1; n <= 5; n++ {
		for _, tree := range trees(0, n) {
			for _, same := range couplings(n) {
				check(tree.negate(r), n, same)
				for bits := 0; all && bits < 1<<n; bits++ {
					check(tree.inverted(bits), n, same)
				}
			}
		}
	}
	if checked < 12_000 {
		t.Errorf("only %d decisions", checked)
	}
	t.Logf("%d decisions", checked)
}

// inverted negates the leaves of a set.
func (e *expr) inverted(leaves int) *expr {
	if e.op == 0 {
		return &expr{leaf: e.leaf, not: leaves>>e.leaf&1 != 0}
	}
	return &expr{op: e.op, a: e.a.inverted(leaves), b: e.b.inverted(leaves)}
}

func checkShort(t *testing.T, e *expr, n int, same []int) {
	t.Helper()
	first := make([]int, n)
	for i := range n {
		for first[i] = 0; same[first[i]] != same[i]; first[i]++ {
		}
	}
	c := &Conditions{Form: e.form(func(i int) int { return i }), Count: n, Same: first}
	want := map[string]bool{} // rows and their outcomes
	for bits := range 1 << n {
		row := []byte(strings.Repeat("-", n))
		out := e.eval(func(i int) bool { return bits>>same[i]&1 != 0 }, row)
		want[string(row)] = out
	}
	truths := make([]bool, 1<<n)
	for bits := range truths {
		truths[bits] = e.eval(func(i int) bool { return bits>>i&1 != 0 }, nil)
	}
	compare(t, c, n, want, "short circuit", truths, same)
}

// checkWhole: clauses stand for all their occurrences, and all are seen.
func checkWhole(t *testing.T, e *expr, n int, same []int) {
	t.Helper()
	count := 0
	for _, s := range same {
		count = max(count, s+1)
	}
	number := func(i int) int { return same[i] }
	f := e.form(number)
	if f.Op == OpTrue || f.Op == OpFalse {
		return // a && !a
	}
	c := &Conditions{Form: f, Count: count, Same: make([]int, count), Whole: true}
	for i := range count {
		c.Same[i] = i
	}
	truths := make([]bool, 1<<count)
	want := map[string]bool{}
	for bits := range 1 << count {
		row := make([]byte, count)
		for i := range count {
			row[i] = "FT"[bits>>i&1]
		}
		truths[bits] = e.eval(func(i int) bool { return bits>>same[i]&1 != 0 }, nil)
		want[string(row)] = truths[bits]
	}
	compare(t, c, count, want, "whole", truths, c.Same)
}

// decides reports whether condition i decides in a row: by trying all values of what
// was not evaluated.
func decides(i int, row string, truths []bool) bool {
	for bits := range truths {
		fits := true
		for j := range row {
			fits = fits && (row[j] == '-' || row[j] == "FT"[bits>>j&1])
		}
		if fits && truths[bits] != truths[bits^1<<i] {
			return true
		}
	}
	return false
}

// accepts says which rules accept two rows, in both of which condition i decides.
func accepts(i int, v, w string, same []int) [3]bool {
	unique, coupled := true, true
	for j := range same {
		if j != i && v[j] != '-' && w[j] != '-' && v[j] != w[j] {
			unique = false
			coupled = coupled && same[j] == same[i]
		}
	}
	return [3]bool{true, unique, coupled}
}

// compare holds vectors and pairs against the rows and their outcomes; truths is the
// decision for all values of its conditions.
func compare(t *testing.T, c *Conditions, n int, want map[string]bool, how string, truths []bool, same []int) {
	t.Helper()
	vs, ok := c.Vectors(1 << n)
	if !ok || len(vs) != len(want) {
		t.Fatalf("%s %s: %d vectors, want %d", how, show(c.Form), len(vs), len(want))
	}
	rows := make([]string, len(vs))
	for k, v := range vs {
		row := []byte(strings.Repeat("-", n))
		for i := range n {
			if v.Seen>>i&1 != 0 {
				row[i] = "FT"[v.Values>>i&1]
			}
		}
		rows[k] = string(row)
		if out, known := want[rows[k]]; !known || out != v.Outcome || slices.Contains(rows[:k], rows[k]) {
			t.Fatalf("%s %s: vector %s with outcome %v", how, show(c.Form), row, v.Outcome)
		}
	}
	for i := range n {
		var got [3]map[Pair]bool
		for rule := range got {
			got[rule] = map[Pair]bool{}
			for _, p := range c.Pairs(vs, i, Rule(rule)) {
				got[rule][p] = true
			}
		}
		alone := make([]bool, len(rows))
		for k, row := range rows {
			alone[k] = row[i] != '-' && decides(i, row, truths)
		}
		for k, v := range rows {
			for m, w := range rows {
				var a [3]bool
				if v[i] == 'T' && w[i] == 'F' && alone[k] && alone[m] && want[v] != want[w] {
					a = accepts(i, v, w, same)
				}
				for rule := range got {
					if got[rule][Pair{k, m}] != a[rule] {
						t.Fatalf("%s %s same %v: rule %d, condition %d: %s and %s accepted: %v", how, show(c.Form),
							c.Same, rule, i, v, w, !a[rule])
					}
				}
			}
		}
	}
}

// TestPairsAsClang: unique cause with short circuit is what clang's coverage
// looks for: outcomes differ, and exactly one condition that both evaluate.
func TestPairsAsClang(t *testing.T) {
	for n := 1; n <= 5; n++ {
		for _, e := range trees(0, n) {
			c := &Conditions{Form: e.form(func(i int) int { return i }), Count: n, Same: []int{0, 1, 2, 3, 4}[:n]}
			vs, _ := c.Vectors(1 << n)
			for i := range n {
				got := map[Pair]bool{}
				for _, p := range c.Pairs(vs, i, UniqueCause) {
					got[p] = true
				}
				for a, v := range vs {
					for b, w := range vs {
						differ := v.Seen & w.Seen & (v.Values ^ w.Values)
						want := v.Outcome != w.Outcome && v.Values>>i&1 != 0 && differ == 1<<i
						if got[Pair{a, b}] != want {
							t.Fatalf("%s condition %d: %b/%b and %b/%b: %v", show(c.Form), i, v.Seen, v.Values, w.Seen,
								w.Values, !want)
						}
					}
				}
			}
		}
	}
}

func TestVectorsLimit(t *testing.T) {
	var groups []*Form
	var same []int
	for i := range 12 { // (a || b) && (c || d) && ...
		groups = append(groups, Or(Atom(2*i), Atom(2*i+1)))
		same = append(same, 2*i, 2*i+1)
	}
	c := &Conditions{Form: And(groups...), Count: 24, Same: same}
	if vs, ok := c.Vectors(100); ok || len(vs) > 101 {
		t.Errorf("%d vectors within a limit of 100", len(vs))
	}
	c = &Conditions{Form: And(Atom(0), Atom(1), Atom(2)), Count: 3, Same: same}
	if vs, ok := c.Vectors(4); !ok || len(vs) != 4 {
		t.Errorf("%d vectors, want 4", len(vs))
	}
}
