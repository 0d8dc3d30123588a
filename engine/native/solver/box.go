package solver

import (
	"math/bits"
	"slices"
	"time"

	"klabel/engine/native/expr"
)

// A box gives each input a range. Where bounds show that no constraint can hold
// in it, there is no model in it; else it is cut in two (branch and prune: Van
// Hentenryck, Michel and Deville, Numerica, 1997). That proves what holds for
// reasons of size (a mean of small numbers is small), which a SAT core does not
// see in circuits of multiplications, and now and then meets a model. Numbers are
// cut by their ranks, or in the middle, so that the cuts come close to both zero
// and large numbers. Before a box is cut, what holds no model is cut off from it
// (backward.go, linear.go, ordered.go); and what other sums are made of is cut as
// inputs are.

// Evaluated nodes: before the local search, which finds most models, and after.
const (
	proveFirst = 100_000
	proveMost  = 5_000_000
)

// boxes is a search.
type boxes struct {
	k        *seeker
	nodes    []node
	roots    []int32 // by constraint
	vals     []bound
	sums     [][]term        // by node: what it is a sum of
	rows     [][]row         // by node: sums that it is
	errs     []float64       // by node: how far the sum is from it
	arms     []int32         // by node: the one that a choice is known to take; 0: none
	bases    []int32         // nodes that others are sums of
	wholes   map[int32]int32 // by unit: its node
	unsigned []bool          // by unit: it is a number without a sign
	extra    []int32         // nodes that are cut, too; their ranges follow those of the units
	used     []bool          // constraints that refuted a box
	forms    []form          // by node, where bends
	bends    bool
	ties     []tie
	pairs    []pair         // of tied inputs; the ranges of their differences follow those of extra
	tiedTo   map[int32]tied // by input
	loose    bool           // a bit of an input is of no unit: a box of one point has several models
	vain     int            // boxes that their inequalities did not refute, in a row
	work     int
	most     int
	until    time.Time
}

// box holds the ranges of the units: ranks of numbers, else signed numbers.
type box struct {
	lo, hi []int64
	cuts   []uint16
}

// prove looks for a proof that cs cannot hold, or a model, within a number of
// evaluated nodes.
func (s *Solver) prove(k *seeker, most int, until time.Time) (Result, *expr.Model, []*expr.Expr) {
	x := &boxes{k: k, most: most, until: until, used: make([]bool, len(k.cs))}
	first, ok := x.start()
	if !ok {
		return Unknown, nil, nil
	}
	var stack []box
	if !x.refuted(&first) {
		m, some := x.begin(&first)
		if m != nil {
			return Sat, m, nil
		}
		if some {
			stack = []box{first}
		}
	}
	for turn := 0; len(stack) > 0; turn++ {
		at := len(stack) - 1
		if turn%4 == 3 { // an old one, lest all time goes into one corner
			at = turn / 4 % len(stack)
		}
		b := stack[at]
		stack[at] = stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if !x.contracted(&b, 3) {
			continue
		}
		if x.over() {
			return Unknown, nil, nil
		}
		m, some := x.straight(&b)
		if !some {
			continue
		}
		if m == nil {
			m = x.inside(&b)
		}
		if m != nil {
			return Sat, m, nil
		}
		i := x.next(&b)
		if i < 0 {
			switch m, all := x.point(&b); {
			case m != nil:
				return Sat, m, nil
			case !all:
				return Unknown, nil, nil
			}
			continue
		}
		c, d := b.cut(i, x.middle(i, &b))
		stack = append(stack, c, d)
	}
	var core []*expr.Expr
	for i, c := range k.cs {
		if x.used[i] {
			core = append(core, c)
		}
	}
	return Unsat, nil, core
}

// begin cuts from the box of all inputs what holds no model, by all means; some is false
// if none is left.
func (x *boxes) begin(b *box) (m *expr.Model, some bool) {
	x.linear()
	x.findTies()
	x.bends = len(x.ties) > 0 || x.bent()
	if !x.contracted(b, 20) {
		return nil, false
	}
	x.linear() // with the choices that are known by now
	if m, some := x.straight(b); m != nil || !some {
		return m, some
	}
	if x.most > splitEach {
		x.shave(b, 6)
	}
	if !x.contracted(b, 5) {
		return nil, false
	}
	x.cutNodes(b)
	x.cutTies(b)
	return nil, true
}

func (x *boxes) over() bool { return x.work > x.most || time.Now().After(x.until) }

// refuted reports whether no model lies in the box, for one constraint's sake.
func (x *boxes) refuted(b *box) bool {
	x.work += len(x.nodes)
	for i := range x.nodes {
		x.vals[i] = x.ordered(&x.nodes[i], x.eval(&x.nodes[i], b))
	}
	for i, r := range x.roots {
		if x.vals[r].u1 == 0 {
			x.used[i] = true
			return true
		}
	}
	return false
}

// contracted cuts from a box what holds no model, in rounds backwards and
// forwards; false: it holds none.
func (x *boxes) contracted(b *box, rounds int) bool {
	if x.refuted(b) {
		return false
	}
	for i := range x.used { // what is cut off goes with all of them, whatever refutes the rest
		x.used[i] = true
	}
	return x.narrowed(b, rounds) && (!x.bends || x.affine(b))
}

func (x *boxes) narrowed(b *box, rounds int) bool {
	for i, n := range x.extra {
		if k := len(x.k.units) + i; !x.narrowFloat(n, x.nodes[n].f, b.lo[k], b.hi[k], false) {
			return false
		}
	}
	for i := range x.nodes {
		if x.nodes[i].number {
			x.errs[i] = x.rounding(int32(i))
		}
	}
	for size := b.size(); rounds > 0; rounds-- {
		x.work += 2 * len(x.nodes)
		for _, r := range x.roots {
			if !x.narrow(r, isTrue) {
				return false
			}
		}
		for i := len(x.nodes) - 1; i >= 0; i-- {
			for k := range x.rows[i] {
				if !x.along(&x.rows[i][k], true) {
					return false
				}
			}
			if !x.back(int32(i), b) {
				return false
			}
		}
		for i := range x.nodes {
			if !x.narrow(int32(i), x.ordered(&x.nodes[i], x.eval(&x.nodes[i], b))) {
				return false
			}
			if x.nodes[i].number {
				x.errs[i] = x.rounding(int32(i))
			}
			for k := range x.rows[i] {
				if !x.along(&x.rows[i][k], false) {
					return false
				}
			}
		}
		for i, n := range x.extra {
			if v := x.vals[n]; !b.clip(len(x.k.units)+i, v.f0, v.f1) {
				return false
			}
		}
		if now := b.size(); now < size {
			size = now
		} else {
			break
		}
	}
	return true
}

// size grows with a box, by halves of its sides.
func (b *box) size() (n int) {
	for i := range b.lo {
		n += bits.Len64(uint64(b.hi[i] - b.lo[i]))
	}
	return n
}

// cutNodes lets numbers be cut that others are sums of.
func (x *boxes) cutNodes(b *box) {
	for _, n := range x.bases {
		if v := x.vals[n]; v.float && !v.nan && !v.none() && len(x.extra) < maxExtra {
			x.extra = append(x.extra, n)
			b.lo, b.hi, b.cuts = append(b.lo, v.f0), append(b.hi, v.f1), append(b.cuts, 0)
		}
	}
}

const maxExtra = 3

// inside looks for a model in a box: at its middle and its ends.
func (x *boxes) inside(b *box) *expr.Model {
	for pick := range 3 {
		m := &expr.Model{}
		for i := range x.k.units {
			r := b.lo[i]
			switch pick {
			case 0:
				r = x.middle(i, b)
			case 1:
				r = b.hi[i]
			}
			u := &x.k.units[i]
			m = u.with(m, u.unrank(expr.Value{Lo: uint64(r)}.Mask(u.width)))
		}
		x.work += len(x.nodes)
		if x.k.ev.All(x.k.cs, m) {
			return m
		}
	}
	return nil
}

// point looks for a model in a box of one rank each: a zero has two signs. all
// reports that every one was tried.
func (x *boxes) point(b *box) (m *expr.Model, all bool) {
	var zeros []int
	for i, u := range x.k.units {
		if u.float && b.lo[i] == 0 {
			zeros = append(zeros, i)
		}
	}
	if len(zeros) > 6 {
		return nil, false
	}
	for signs := range 1 << len(zeros) {
		m := &expr.Model{}
		for i := range x.k.units {
			u := &x.k.units[i]
			v := u.unrank(expr.Value{Lo: uint64(b.lo[i])}.Mask(u.width))
			if k := slices.Index(zeros, i); k >= 0 && signs>>k&1 != 0 {
				v.Lo |= 1 << (u.width - 1)
			}
			m = u.with(m, v)
		}
		x.work += len(x.nodes)
		if x.k.ev.All(x.k.cs, m) {
			return m, true
		}
	}
	for i := range x.used { // it takes all of them
		x.used[i] = true
	}
	return nil, !x.loose
}
