package solver

import (
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// What the evaluation of a box goes through: the constraints' expressions as a
// list, in which numbers that were taken apart into bits are seen as what they are.

// node is a step of the evaluation of all constraints, after its operands.
type node struct {
	e      *expr.Expr
	kids   [3]int32
	kind   nodeKind
	unit   int32 // of leaves
	low    int   // of leaves: the lowest bit of the unit
	value  bound // of constants
	f      ieee.Format
	number bool // of format f, if it is one
	minus  bool // of ranks: the negated one
}

type nodeKind uint8

const (
	compute nodeKind = iota
	fixed
	input   // bits of a unit
	ranks   // the rank of kid 0, a number
	negated // kid 0 with the other sign
	unseen  // anything
)

// start lists the nodes, and makes the box of all inputs.
func (x *boxes) start() (box, bool) {
	var b box
	x.unsigned = make([]bool, len(x.k.units))
	for _, c := range x.k.cs {
		x.findUnsigned(c, map[*expr.Expr]bool{})
	}
	for i, u := range x.k.units {
		if u.width > 64 || u.float && !ranked(u.format) {
			return b, false
		}
		m := topBound(u.width)
		switch {
		case u.float:
			m.s0++ // two zeros, one rank
		case x.unsigned[i]:
			m.s0, m.s1 = 0, int64(m.u1)
		}
		b.lo, b.hi, b.cuts = append(b.lo, m.s0), append(b.hi, m.s1), append(b.cuts, 0)
	}
	at := map[*expr.Expr]int32{}
	for _, c := range x.k.cs {
		x.roots = append(x.roots, x.list(c, at))
	}
	x.vals, x.errs = make([]bound, len(x.nodes)), make([]float64, len(x.nodes))
	x.rows, x.arms = make([][]row, len(x.nodes)), make([]int32, len(x.nodes))
	return b, true
}

func (x *boxes) list(e *expr.Expr, at map[*expr.Expr]int32) int32 {
	if i, ok := at[e]; ok {
		return i
	}
	at[e] = x.listNew(e, at)
	return at[e]
}

func (x *boxes) listNew(e *expr.Expr, at map[*expr.Expr]int32) int32 {
	n := node{e: e}
	n.f, n.number = ieee.OfWidth(e.Width())
	n.number = n.number && ranked(n.f)
	parts := partsOf(e, n.f, n.number)
	switch {
	case e.IsConst():
		n.kind, n.value = fixed, topBound(e.Width())
		if e.Width() <= 64 {
			n.value = unsignedBound(e.Width(), e.Uint64(), e.Uint64())
		}
	case e.Op() == expr.OpLeaf:
		if n.unit = x.unitOf(e.LeafPos(), e.Width()); n.unit >= 0 {
			return x.whole(n.unit, e)
		}
		n.kind = unseen
		for i, u := range x.k.units {
			if p := e.LeafPos(); p >= u.pos && p+uint64(e.Width()) <= u.pos+uint64(u.width) {
				n.kind, n.unit, n.low = input, int32(i), int(p-u.pos)
			}
		}
		x.loose = x.loose || !x.held(e.LeafPos(), uint64(e.Width()))
	case parts.kind == compute, parts.number == nil && x.unitOf(parts.pos, e.Width()) < 0:
		for i := range e.NumKids() {
			n.kids[i] = x.list(e.Kid(i), at)
		}
	default:
		n.kind, n.minus = parts.kind, parts.minus
		if parts.number != nil {
			n.kids[0] = x.list(parts.number, at)
		} else {
			n.kids[0] = x.whole(x.unitOf(parts.pos, e.Width()), nil)
		}
	}
	x.nodes = append(x.nodes, n)
	return int32(len(x.nodes) - 1)
}

// findUnsigned finds the units that are extended by zeros.
func (x *boxes) findUnsigned(e *expr.Expr, seen map[*expr.Expr]bool) {
	if seen[e] {
		return
	}
	seen[e] = true
	for i := range e.NumKids() {
		k := e.Kid(i)
		if e.Op() == expr.OpZExt && k.Op() == expr.OpLeaf && k.Width() < 64 {
			if n := x.unitOf(k.LeafPos(), k.Width()); n >= 0 && !x.k.units[n].float {
				x.unsigned[n] = true
			}
		}
		x.findUnsigned(k, seen)
	}
}

// whole is the node of all bits of a unit.
func (x *boxes) whole(unit int32, e *expr.Expr) int32 {
	if x.wholes == nil {
		x.wholes = map[int32]int32{}
	}
	i, ok := x.wholes[unit]
	if !ok {
		u := &x.k.units[unit]
		n := node{kind: input, unit: unit}
		n.f, n.number = ieee.OfWidth(u.width)
		n.number = n.number && ranked(n.f)
		i = int32(len(x.nodes))
		x.nodes = append(x.nodes, n)
		x.wholes[unit] = i
	}
	if e != nil {
		x.nodes[i].e = e
	}
	return i
}

// unitOf is the unit at a place, -1 if there is none of this width.
func (x *boxes) unitOf(pos uint64, width int) int32 {
	return int32(slices.IndexFunc(x.k.units, func(u unit) bool { return u.pos == pos && u.width == width }))
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

// parts is a number that an expression takes apart: its rank, or with the other sign.
type parts struct {
	kind   nodeKind // ranks or negated; else compute
	minus  bool     // of the rank
	number *expr.Expr
	pos    uint64 // of inputs, where number is nil
}

// partsOf recognises the rank of a number, which is the choice between its
// magnitude and the negated one, by its sign; and a number's other sign above its
// magnitude.
func partsOf(e *expr.Expr, f ieee.Format, ok bool) parts {
	if !ok {
		return parts{}
	}
	switch e.Op() {
	case expr.OpIte:
		neg, mag, minus := e.Kid(1), e.Kid(2), false
		if neg.Op() == expr.OpZExt {
			neg, mag, minus = mag, neg, true
		}
		if mag.Op() != expr.OpZExt || neg.Op() != expr.OpSub || neg.Kid(1) != mag || !neg.Kid(0).IsConst() ||
			neg.Kid(0).Uint64() != 0 {
			return parts{}
		}
		return joined(ranks, minus, e.Kid(0), mag.Kid(0), e.Width())
	case expr.OpConcat:
		if s := e.Kid(0); s.Op() == expr.OpNot {
			return joined(negated, false, s.Kid(0), e.Kid(1), e.Width())
		}
	}
	return parts{}
}

// joined is the number of a sign and a magnitude, if they are of one.
func joined(kind nodeKind, minus bool, sign, mag *expr.Expr, w int) parts {
	if sign.Op() != mag.Op() || sign.Width() != 1 || mag.Width() != w-1 {
		return parts{}
	}
	switch sign.Op() {
	case expr.OpExtract:
		if n := mag.Kid(0); sign.Kid(0) == n && sign.Low() == w-1 && mag.Low() == 0 && n.Width() == w {
			return parts{kind: kind, minus: minus, number: n}
		}
	case expr.OpLeaf:
		if sign.LeafPos() == mag.LeafPos()+uint64(w-1) {
			return parts{kind: kind, minus: minus, pos: mag.LeafPos()}
		}
	}
	return parts{}
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
		if k := &x.nodes[n.kids[0]]; k.kind == input && k.number { // of NaNs, too
			v.f0, v.f1, v.nan = b.lo[k.unit], b.hi[k.unit], false
		}
		switch {
		case v.nan || v.none():
			return topBound(e.Width())
		case n.minus:
			return signedBound(e.Width(), -v.f1, -v.f0)
		}
		return signedBound(e.Width(), v.f0, v.f1)
	case negated:
		v := x.vals[n.kids[0]].asFloat(n.f)
		return withNaN(rankBound(n.f, -v.f1, -v.f0), v.nan)
	}
	p, q, r := x.vals[n.kids[0]], bound{}, bound{}
	if e.NumKids() > 1 {
		q = x.vals[n.kids[1]]
	}
	if e.NumKids() > 2 {
		r = x.vals[n.kids[2]]
	}
	if e.Op() == expr.OpFMul && n.kids[0] == n.kids[1] && ranked(n.f) {
		return squareBound(n.f, p.asFloat(n.f))
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
	u := &x.k.units[n.unit]
	w := u.width
	if n.e != nil {
		w = n.e.Width()
	}
	lo, hi := b.lo[n.unit], b.hi[n.unit]
	if u.float {
		v := rankBound(u.format, lo, hi)
		if n.low == 0 && w == u.width {
			return v
		}
		v.f0, v.f1, v.nan = lo, hi, false // of NaNs, too
		return partOfFloat(n.low, w, u.width, v)
	}
	v := signedBound(u.width, lo, hi)
	if x.unsigned[n.unit] {
		v = unsignedBound(u.width, uint64(lo), uint64(hi))
	}
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
