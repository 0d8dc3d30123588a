package objective

import (
	"math/rand"
	"slices"
	"testing"

	"klabel/label"
)

// TestCompleting: a label completes an expression if it alone is wanting. Held against
// trying each, on random expressions.
func TestCompleting(t *testing.T) {
	for _, c := range []struct {
		expr, known string
		want        []label.ID
	}{
		{"l0", "?", []label.ID{0}},
		{"l0.l1", "??", nil},
		{"l0.l1", "c?", []label.ID{1}},
		{"l0.l1", "ci", nil},
		{"l0.(l1+l2)", "c?d", []label.ID{1, 2}},
		{"l0.(l1+l2)", "c?c", nil},
		{"l0.l1+l2.l3", "c???", []label.ID{1}}, // of the other both are wanting
		{"<l0.l1|;a!=b;>", "c?", nil},          // nobody knows a and b
		{"s7.l0", "?", nil},
	} {
		var got []label.ID
		parse(t, c.expr).Completing(statuses(c.known), func(id label.ID) { got = append(got, id) })
		if !slices.Equal(got, c.want) {
			t.Errorf("%s with %s: %v, want %v", c.expr, c.known, got, c.want)
		}
	}
	r := rand.New(rand.NewSource(9))
	for range 2000 {
		// Pairs, as decisions write them.
		e := &Expr{Op: OpOr}
		side := func() *Expr {
			s := &Expr{Op: OpOr}
			for range 2 {
				s.Args = append(s.Args, &Expr{Op: OpLabel, ID: label.ID(r.Intn(4)*2 + r.Intn(2))})
			}
			return s
		}
		for range 1 + r.Intn(3) {
			e.Args = append(e.Args, &Expr{Op: OpAnd, Args: []*Expr{side(), side()}})
		}
		letters := make([]byte, 8)
		for i := range letters {
			letters[i] = "c??id"[r.Intn(5)]
		}
		known := statuses(string(letters))
		var got, want []label.ID
		e.Completing(known, func(id label.ID) { got = append(got, id) })
		slices.Sort(got)
		got = slices.Compact(got)
		for id := range label.ID(8) {
			alone := !known.covers(e) && known(id) != label.Infeasible &&
				e.Covered(func(x label.ID) bool { return x == id || known(x) == label.Covered })
			if alone {
				want = append(want, id)
			}
		}
		for _, id := range got {
			if !slices.Contains(want, id) {
				t.Errorf("%s with %s: label %s does not complete it", e, letters, id)
			}
		}
		for _, id := range want { // one that stands on both sides is left out
			if !slices.Contains(got, id) && !twice(e, id) {
				t.Errorf("%s with %s: label %s completes it", e, letters, id)
			}
		}
	}
}

func (k Known) covers(e *Expr) bool { return e.Status(k) == label.Covered }

// twice reports whether a label stands on both sides of a pair.
func twice(e *Expr, id label.ID) bool {
	for _, pair := range e.Args {
		if slices.Contains(pair.Args[0].Labels(), id) && slices.Contains(pair.Args[1].Labels(), id) {
			return true
		}
	}
	return false
}
