package objective

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"klabel/label"
)

// Guard compares two bound names, or one with an integer.
type Guard struct {
	Left  string
	Op    string // one of relations
	Right string
}

// relations are told apart from the left: <= before <.
var relations = []string{"==", "!=", "<=", ">=", "<", ">"}

func (g Guard) String() string { return g.Left + g.Op + g.Right }

// Constant is the integer that an operand is; false of a name.
func Constant(operand string) (int64, bool) {
	n, err := strconv.ParseInt(operand, 0, 64)
	return n, err == nil
}

// names are the operands that are no integers.
func (g Guard) names() (out []string) {
	for _, s := range []string{g.Left, g.Right} {
		if _, ok := Constant(s); !ok {
			out = append(out, s)
		}
	}
	return out
}

// never reports whether no value of its one name satisfies a guard.
func (g Guard) never() bool {
	return g.Left == g.Right && !slices.Contains([]string{"==", "<=", ">="}, g.Op)
}

func parseGuard(s string) (Guard, error) {
	for _, op := range relations {
		l, r, ok := strings.Cut(s, op)
		if !ok {
			continue
		}
		g := Guard{strings.TrimSpace(l), op, strings.TrimSpace(r)}
		names := g.names()
		if len(names) > 0 && !slices.ContainsFunc(names, func(n string) bool {
			return !label.IsName(n) || n[0] >= '0' && n[0] <= '9'
		}) {
			return g, nil
		}
		break
	}
	return Guard{}, fmt.Errorf("guard %q is no comparison (== != < <= > >=) of two names, or of a name and an integer",
		short(strings.TrimSpace(s)))
}

// Value is a set of values that are not told apart: all from Low to High.
type Value struct{ Low, High int64 }

// Truths are the values of what is true or false.
var Truths = []Value{{0, 0}, {1, 1}}

// Integers are the sets of values of names that guards compare: each integer that
// they are compared with stands alone, so do small ones where two names are
// compared, and what lies between is a set.
func Integers(guards [][]Guard) map[string][]Value {
	points := map[string][]int64{}
	for _, gs := range guards {
		for range gs { // what a name is compared with goes to all that are compared with it
			for _, g := range gs {
				names := g.names()
				var all []int64
				if len(names) > 1 {
					all = []int64{-1, 0, 1, 2, 3}
				}
				for _, s := range []string{g.Left, g.Right} {
					if c, ok := Constant(s); ok {
						all = append(all, c)
					} else {
						all = append(all, points[s]...)
					}
				}
				slices.Sort(all)
				for _, n := range names {
					points[n] = slices.Compact(slices.Clone(all))
				}
			}
		}
	}
	out := map[string][]Value{}
	for n, ps := range points {
		out[n] = between(ps)
	}
	return out
}

// between are the points, which are in order, and the ranges between them.
func between(points []int64) (out []Value) {
	low := int64(math.MinInt64)
	for _, p := range points {
		if p > low {
			out = append(out, Value{low, p - 1})
		}
		out = append(out, Value{p, p})
		if p == math.MaxInt64 {
			return out
		}
		low = p + 1
	}
	return append(out, Value{low, math.MaxInt64})
}

// decided says whether a guard holds of two sets of values; sure is false if it
// holds of some and not of others.
func (g Guard) decided(l, r Value) (holds, sure bool) {
	if g.Left == g.Right {
		return !g.never(), true
	}
	less, equal, more := l.Low < r.High, l.Low <= r.High && r.Low <= l.High, l.High > r.Low // may be
	can := func(a, b, c bool) bool { return a && less || b && equal || c && more }
	var yes, no bool
	switch g.Op {
	case "==":
		yes, no = can(false, true, false), can(true, false, true)
	case "!=":
		yes, no = can(true, false, true), can(false, true, false)
	case "<":
		yes, no = can(true, false, false), can(false, true, true)
	case ">=":
		yes, no = can(false, true, true), can(true, false, false)
	case ">":
		yes, no = can(false, false, true), can(true, true, false)
	default:
		yes, no = can(true, true, false), can(false, false, true)
	}
	return yes, !yes || !no
}

// Together are labels that stand together in a product under a guard that speaks of
// names which they bind.
type Together struct {
	IDs   []label.ID // in order
	Guard []Guard
}

// Key names it.
func (t Together) Key() string {
	var b strings.Builder
	for _, id := range t.IDs {
		fmt.Fprintf(&b, "l%s.", id)
	}
	return b.String() + fmt.Sprint(t.Guard)
}

// Together finds what guards of an expression speak of.
func (t *Terms) Together(e *Expr) (out []Together) {
	if e.Op == OpGuard && len(e.Guard) > 0 {
		ps, _ := products(e.Args[0]) // Lower says what is wrong with it
		for _, p := range ps {
			x := Together{Guard: e.Guard}
			for _, a := range p {
				if t.binds(a, e.Guard) && !slices.Contains(x.IDs, a.ID) {
					x.IDs = append(x.IDs, a.ID)
				}
			}
			slices.Sort(x.IDs)
			out = append(out, x)
		}
	}
	for _, a := range e.Args {
		out = append(out, t.Together(a)...)
	}
	return out
}

// binds reports whether an expression is a label that binds a name of the guard's.
func (t *Terms) binds(e *Expr, guard []Guard) bool {
	return e.Op == OpLabel && t.Labels[e.ID] && slices.ContainsFunc(guard, func(g Guard) bool {
		return slices.ContainsFunc(g.names(), func(n string) bool { return slices.Contains(t.Binds[e.ID], n) })
	})
}
