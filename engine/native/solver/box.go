package solver

import (
	"math"
	"math/bits"
	"slices"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// A box gives each input a range. Where bounds show that no constraint can hold
// in it, there is no model in it; else it is cut in two (branch and prune: Van
// Hentenryck, Michel and Deville, Numerica, 1997). That proves what holds for
// reasons of size (a mean of small numbers is small), which a SAT core does not
// see in circuits of multiplications, and now and then meets a model. Numbers are
// cut by their ranks, or in the middle, so that the cuts come close to both zero
// and large numbers.

// Evaluated nodes: before the local search, which finds most models, and after.
const (
	proveFirst = 100_000
	proveMost  = 5_000_000
)

// node is a step of the evaluation of all constraints, after its operands.
type node struct {
	e     *expr.Expr
	kids  [3]int32
	kind  nodeKind
	unit  int32 // of leaves
	low   int   // of leaves: the lowest bit of the unit
	value bound // of constants
	f     ieee.Format
}

type nodeKind uint8

const (
	compute nodeKind = iota
	fixed
	input  // bits of a unit
	ranks  // the rank of kid 0, a number
	unseen // anything
)

// boxes is a search.
type boxes struct {
	k     *seeker
	nodes []node
	roots []int32 // by constraint
	vals  []bound
	used  []bool // constraints that refuted a box
	loose bool   // a bit of an input is of no unit: a box of one point has several models
	work  int
	most  int
	until time.Time
}

// box holds the ranges of the units: ranks of numbers, else signed numbers.
type box struct {
	lo, hi []int64
	depth  int
}

// prove looks for a proof that cs cannot hold, or a model, within a number of
// evaluated nodes.
func (s *Solver) prove(k *seeker, most int, until time.Time) (Result, *expr.Model, []*expr.Expr) {
	x := &boxes{k: k, most: most, until: until, used: make([]bool, len(k.cs))}
	first, ok := x.start()
	if !ok {
		return Unknown, nil, nil
	}
	stack := []box{first}
	x.shave(&stack[0], 6)
	for len(stack) > 0 {
		b := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if x.refuted(&b) {
			continue
		}
		if x.over() {
			return Unknown, nil, nil
		}
		if m := x.inside(&b); m != nil {
			return Sat, m, nil
		}
		i := x.widest(&b)
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

func (x *boxes) over() bool { return x.work > x.most || time.Now().After(x.until) }

// start lists the nodes, and makes the box of all inputs.
func (x *boxes) start() (box, bool) {
	var b box
	for _, u := range x.k.units {
		if u.width > 64 || u.float && !ranked(u.format) {
			return b, false
		}
		m := topBound(u.width)
		if u.float {
			m.s0++ // two zeros, one rank
		}
		b.lo, b.hi = append(b.lo, m.s0), append(b.hi, m.s1)
	}
	at := map[*expr.Expr]int32{}
	for _, c := range x.k.cs {
		x.roots = append(x.roots, x.list(c, at))
	}
	x.vals = make([]bound, len(x.nodes))
	return b, true
}

func (x *boxes) list(e *expr.Expr, at map[*expr.Expr]int32) int32 {
	if i, ok := at[e]; ok {
		return i
	}
	n := node{e: e}
	switch number, f, isRank := rankedNumber(e); {
	case e.IsConst():
		n.kind, n.value = fixed, topBound(e.Width())
		if e.Width() <= 64 {
			n.value = unsignedBound(e.Width(), e.Uint64(), e.Uint64())
		}
	case e.Op() == expr.OpLeaf:
		n.kind = unseen
		for i, u := range x.k.units {
			if p := e.LeafPos(); p >= u.pos && p+uint64(e.Width()) <= u.pos+uint64(u.width) {
				n.kind, n.unit, n.low = input, int32(i), int(p-u.pos)
			}
		}
		x.loose = x.loose || !x.held(e.LeafPos(), uint64(e.Width()))
	case isRank:
		n.kind, n.f = ranks, f
		n.kids[0] = x.list(number, at)
	default:
		for i := range e.NumKids() {
			n.kids[i] = x.list(e.Kid(i), at)
		}
	}
	x.nodes = append(x.nodes, n)
	at[e] = int32(len(x.nodes) - 1)
	return at[e]
}

// held reports whether each of w bits is of a unit.
func (x *boxes) held(pos, w uint64) bool {
	for p := pos; p < pos+w; p++ {
		if !slices.ContainsFunc(x.k.units, func(u unit) bool { return p >= u.pos && p < u.pos+uint64(u.width) }) {
			return false
		}
	}
	return true
}

// rankedNumber recognises the rank of a number that is no input by itself: the
// choice between its magnitude and the negated one, by its sign.
func rankedNumber(e *expr.Expr) (*expr.Expr, ieee.Format, bool) {
	f, ok := ieee.OfWidth(e.Width())
	if e.Op() != expr.OpIte || !ok || !ranked(f) {
		return nil, 0, false
	}
	sign, neg, mag := e.Kid(0), e.Kid(1), e.Kid(2)
	if mag.Op() != expr.OpZExt || neg.Op() != expr.OpSub || neg.Kid(1) != mag || !neg.Kid(0).IsConst() ||
		neg.Kid(0).Uint64() != 0 {
		return nil, 0, false
	}
	m := mag.Kid(0)
	if sign.Op() != expr.OpExtract || m.Op() != expr.OpExtract || sign.Kid(0) != m.Kid(0) ||
		sign.Low() != e.Width()-1 || m.Low() != 0 || m.Width() != e.Width()-1 || m.Kid(0).Width() != e.Width() {
		return nil, 0, false
	}
	return m.Kid(0), f, true
}

// refuted reports whether no model lies in the box.
func (x *boxes) refuted(b *box) bool {
	x.work += len(x.nodes)
	for i := range x.nodes {
		x.vals[i] = x.eval(&x.nodes[i], b)
	}
	for i, r := range x.roots {
		if x.vals[r].u1 == 0 {
			x.used[i] = true
			return true
		}
	}
	return false
}

func (x *boxes) eval(n *node, b *box) bound {
	e := n.e
	switch n.kind {
	case fixed:
		return n.value
	case unseen:
		return topBound(e.Width())
	case input:
		return x.leaf(n, b)
	case ranks:
		v := x.vals[n.kids[0]].asFloat(n.f)
		if v.nan || v.none() {
			return topBound(e.Width())
		}
		return signedBound(e.Width(), v.f0, v.f1)
	}
	p, q, r := x.vals[n.kids[0]], bound{}, bound{}
	if e.NumKids() > 1 {
		q = x.vals[n.kids[1]]
	}
	if e.NumKids() > 2 {
		r = x.vals[n.kids[2]]
	}
	if e.IsFloat() {
		return floatBound(e, p, q, r)
	}
	switch {
	case e.Op() == expr.OpExtract && p.float:
		return partOfFloat(e.Low(), e.Width(), e.Kid(0).Width(), p)
	case e.Op() == expr.OpIte && q.float != r.float:
		if f, ok := ieee.OfWidth(e.Width()); ok {
			q, r = q.asFloat(f), r.asFloat(f)
		}
	case e.Op() == expr.OpEq && (p.float || q.float):
		if f, ok := ieee.OfWidth(e.Kid(0).Width()); ok && floatsDiffer(p.asFloat(f), q.asFloat(f)) {
			return isFalse
		}
	}
	v := integerBound(e, p, q, r)
	if lo, hi, ok := e.URange(); ok && !v.float && !v.open && (lo > v.u0 || hi < v.u1) {
		v = v.and(unsignedBound(e.Width(), lo, hi))
	}
	return v
}

// floatsDiffer reports that two numbers have different encodings for sure.
func floatsDiffer(p, q bound) bool {
	return !(p.nan && q.nan) && (p.f1 < q.f0 || q.f1 < p.f0)
}

// leaf bounds bits of a unit.
func (x *boxes) leaf(n *node, b *box) bound {
	u, w := &x.k.units[n.unit], n.e.Width()
	lo, hi := b.lo[n.unit], b.hi[n.unit]
	if u.float {
		v := rankBound(u.format, lo, hi)
		if n.low == 0 && w == u.width {
			return v
		}
		return partOfFloat(n.low, w, u.width, v)
	}
	v := signedBound(u.width, lo, hi)
	if n.low == 0 && w == u.width {
		return v
	}
	if low, high := v.u0>>n.low, v.u1>>n.low; high <= onesOf(w) {
		return unsignedBound(w, low, high)
	}
	return topBound(w)
}

// partOfFloat bounds the sign and the magnitude of a number of a width.
func partOfFloat(low, w, width int, v bound) bound {
	switch {
	case v.nan || v.none():
	case low == width-1:
		return truth(v.f1 < 0, v.f0 > 0)
	case low == 0 && w == width-1:
		least := max(v.f0, -v.f1, 0)
		return unsignedBound(w, uint64(least), uint64(max(v.f1, -v.f0)))
	}
	return topBound(w)
}

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

// widest chooses the unit to cut: in turns, those that have more than one value.
func (x *boxes) widest(b *box) int {
	best, size := -1, 0
	for i := range b.lo {
		n := bits.Len64(uint64(b.hi[i] - b.lo[i]))
		if x.k.units[i].float {
			n = n * 12 / x.k.units[i].width * 4
		} else {
			n *= 2
		}
		if b.hi[i] > b.lo[i] && (best < 0 || n > size) {
			best, size = i, n
		}
	}
	return best
}

// middle is where a unit is cut: the upper part begins after it.
func (x *boxes) middle(i int, b *box) int64 {
	lo, hi, u := b.lo[i], b.hi[i], &x.k.units[i]
	mid := lo + int64(uint64(hi-lo)/2)
	if !u.float || b.depth%2 == 1 {
		return mid
	}
	inf := infinite(u.format)
	if lo < -inf || hi > inf { // NaNs first
		if hi > inf {
			return max(lo, inf)
		}
		return -inf - 1
	}
	v := (valueOf(u.format, lo) + valueOf(u.format, hi)) / 2
	if math.IsInf(v, 0) || math.IsNaN(v) {
		return mid
	}
	r := rankOf(u.format, ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(v)}, u.format))
	if r < lo || r >= hi {
		return mid
	}
	return r
}

// valueOf is the number of a rank.
func valueOf(f ieee.Format, r int64) float64 {
	return math.Float64frombits(f.Convert(ofRank(f, r), ieee.Double).Lo)
}

// cut divides a box: unit i up to at, and above it.
func (b *box) cut(i int, at int64) (low, high box) {
	low, high = b.copy(), b.copy()
	low.hi[i], high.lo[i] = at, at+1
	return low, high
}

func (b *box) copy() box {
	return box{lo: slices.Clone(b.lo), hi: slices.Clone(b.hi), depth: b.depth + 1}
}

// shave cuts refuted ends off the ranges: halves, then smaller parts.
func (x *boxes) shave(b *box, finest int) {
	for again := true; again && !x.over(); {
		again = false
		for i := range b.lo {
			for part := 1; part <= finest; part++ {
				for _, upper := range [2]bool{true, false} {
					for b.lo[i] < b.hi[i] && !x.over() {
						step := int64(uint64(b.hi[i]-b.lo[i]) >> part)
						low, high := b.cut(i, b.lo[i]+step)
						end, rest := &low, &high
						if upper {
							low, high = b.cut(i, b.hi[i]-step-1)
							end, rest = &high, &low
						}
						if !x.refuted(end) {
							break
						}
						rest.depth = 0
						*b, again = *rest, true
					}
				}
			}
		}
	}
}
