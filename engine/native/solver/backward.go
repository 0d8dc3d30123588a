package solver

import (
	"math"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Backwards: what must hold of a node says something of its operands, down to the
// inputs (HC4-revise: Benhamou, Goualard, Granvilliers and Puget, Revising Hull
// and Box Consistency, 1999). A result of at least r means an exact result above
// the number before r, whatever the rounding; each bound computed from that is
// taken one number wider than it came out.

// meet keeps what both bounds of a node know, and reports whether anything is left.
func (b bound) meet(c bound) (bound, bool) {
	if b.open {
		return c, true
	}
	if c.open {
		return b, true
	}
	r := b.and(c)
	switch {
	case b.float && c.float:
		r.f0, r.f1, r.nan = max(b.f0, c.f0), min(b.f1, c.f1), b.nan && c.nan
	case c.float:
		r.float, r.f0, r.f1, r.nan = true, c.f0, c.f1, c.nan
	}
	return r, r.u0 <= r.u1 && r.s0 <= r.s1 && (!r.float || r.nan || !r.none())
}

// narrow notes that a node lies within t. It reports false when nothing is left.
func (x *boxes) narrow(i int32, t bound) bool {
	v, ok := x.vals[i].meet(t)
	x.vals[i] = v
	return ok
}

// narrowFloat notes that a node is a number of ranks lo to hi; nan: or none at all.
func (x *boxes) narrowFloat(i int32, f ieee.Format, lo, hi int64, nan bool) bool {
	v := x.vals[i].asFloat(f)
	v.f0, v.f1, v.nan = max(v.f0, lo), min(v.f1, hi), v.nan && nan
	x.vals[i] = v
	return v.nan || !v.none()
}

func (x *boxes) narrowSigned(i int32, lo, hi int64) bool {
	v := &x.vals[i]
	if v.open {
		return true
	}
	v.s0, v.s1 = max(v.s0, lo), min(v.s1, hi)
	return v.s0 <= v.s1
}

func (x *boxes) narrowUnsigned(i int32, lo, hi uint64) bool {
	v := &x.vals[i]
	if v.open {
		return true
	}
	v.u0, v.u1 = max(v.u0, lo), min(v.u1, hi)
	return v.u0 <= v.u1
}

// back narrows the operands of node i, or the box, by what is known of it. It
// reports false when there is no model.
func (x *boxes) back(i int32, b *box) bool {
	n := &x.nodes[i]
	t := x.vals[i]
	switch n.kind {
	case fixed, unseen:
		return true
	case input:
		return x.backInput(n, t, b)
	case ranks:
		lo, hi, inf := t.s0, t.s1, infinite(n.f)
		if n.minus {
			lo, hi = -hi, -max(lo, -math.MaxInt64)
		}
		if k := &x.nodes[n.kids[0]]; k.kind == input && k.number && !b.clip(int(k.unit), lo, hi) {
			return false
		}
		return x.narrowFloat(n.kids[0], n.f, lo, hi, lo < -inf || hi > inf)
	case negated:
		return !t.float || x.narrowFloat(n.kids[0], n.f, -t.f1, -t.f0, t.nan)
	}
	if op := n.e.Op(); (op == expr.OpFAdd || op == expr.OpFSub) && n.number && t.float && !t.nan {
		p, q := x.vals[n.kids[0]].asFloat(n.f), x.vals[n.kids[1]].asFloat(n.f)
		if t = coarse(grain(n.f, p, q), t); t.none() {
			return false
		}
		x.vals[i] = t
	}
	if n.e.IsFloat() {
		return x.backFloat(n, t)
	}
	return t.open || x.backInteger(n, t)
}

// clip cuts a unit to a range.
func (b *box) clip(i int, lo, hi int64) bool {
	b.lo[i], b.hi[i] = max(b.lo[i], lo), min(b.hi[i], hi)
	return b.lo[i] <= b.hi[i]
}

func (x *boxes) backInput(n *node, t bound, b *box) bool {
	i, u := int(n.unit), &x.k.units[n.unit]
	w := u.width
	if n.e != nil {
		w = n.e.Width()
	}
	switch {
	case n.low == 0 && w == u.width && u.float:
		return !t.float || t.nan || b.clip(i, t.f0, t.f1)
	case n.low == 0 && w == u.width && x.unsigned[i]:
		if t.s0 >= 0 && !b.clip(i, t.s0, t.s1) {
			return false
		}
		return b.clip(i, int64(t.u0), int64(t.u1))
	case n.low == 0 && w == u.width:
		if t.u1 <= onesOf(w-1) || t.u0 > onesOf(w-1) { // one sign
			if !b.clip(i, extendSign(t.u0, w), extendSign(t.u1, w)) {
				return false
			}
		}
		return b.clip(i, t.s0, t.s1)
	case n.low == u.width-1 && t.u0 == t.u1: // the sign
		switch {
		case t.u0 == 0 && !x.unsigned[i]:
			return b.clip(i, 0, math.MaxInt64)
		case u.float:
			return b.clip(i, math.MinInt64, 0)
		case x.unsigned[i]:
			return true
		}
		return b.clip(i, math.MinInt64, -1)
	case n.low == 0 && w == u.width-1 && u.float: // the magnitude
		lo, hi := int64(t.u0), int64(t.u1)
		if !b.clip(i, -hi, hi) {
			return false
		}
		return x.awayFromZero(b.lo[i], b.hi[i], lo, func(lo, hi int64) bool { return b.clip(i, lo, hi) })
	}
	return true
}

// awayFromZero cuts a range of what is at least m from zero.
func (x *boxes) awayFromZero(lo, hi, m int64, clip func(lo, hi int64) bool) bool {
	if m > 0 && lo > -m && !clip(m, math.MaxInt64) {
		return false
	}
	return m <= 0 || hi >= m || clip(math.MinInt64, -m)
}

// disjoint reports that two bounds of one width share no value.
func disjoint(p, q bound) bool {
	if p.open || q.open {
		return false
	}
	return p.u1 < q.u0 || q.u1 < p.u0 || p.s1 < q.s0 || q.s1 < p.s0 || p.float && q.float && floatsDiffer(p, q)
}

func (x *boxes) backInteger(n *node, t bound) bool {
	e, k := n.e, n.kids
	w := e.Width()
	var p, q bound
	p = x.vals[k[0]]
	if e.NumKids() > 1 {
		q = x.vals[k[1]]
	}
	known := t.u0 == t.u1
	switch e.Op() {
	case expr.OpIte:
		r := x.vals[k[2]]
		switch {
		case p.u0 == 1:
			return x.narrow(k[1], t)
		case p.u1 == 0:
			return x.narrow(k[2], t)
		case disjoint(t, q):
			return x.narrow(k[0], isFalse) && x.narrow(k[2], t)
		case disjoint(t, r):
			return x.narrow(k[0], isTrue) && x.narrow(k[1], t)
		}
		return true
	case expr.OpNot:
		return x.narrowUnsigned(k[0], onesOf(w)-t.u1, onesOf(w)-t.u0)
	case expr.OpAnd:
		switch {
		case w > 1:
		case t.u0 == 1:
			return x.narrow(k[0], isTrue) && x.narrow(k[1], isTrue)
		case known && p.u0 == 1:
			return x.narrow(k[1], isFalse)
		case known && q.u0 == 1:
			return x.narrow(k[0], isFalse)
		}
		return true
	case expr.OpOr:
		switch {
		case w > 1:
		case t.u1 == 0:
			return x.narrow(k[0], isFalse) && x.narrow(k[1], isFalse)
		case known && p.u1 == 0:
			return x.narrow(k[1], isTrue)
		case known && q.u1 == 0:
			return x.narrow(k[0], isTrue)
		}
		return true
	case expr.OpExtract:
		return x.backExtract(n, t, p)
	case expr.OpZExt:
		return x.narrowUnsigned(k[0], t.u0, t.u1)
	case expr.OpSExt:
		return x.narrowSigned(k[0], t.s0, t.s1)
	}
	if p.open || q.open {
		return true
	}
	switch e.Op() {
	case expr.OpEq:
		if known && t.u0 == 1 {
			return x.narrow(k[0], q) && x.narrow(k[1], x.vals[k[0]])
		}
	case expr.OpSlt:
		return !known || x.backOrder(k, t.u0 == 1, true, true)
	case expr.OpSle:
		return !known || x.backOrder(k, t.u0 == 1, false, true)
	case expr.OpUlt:
		return !known || x.backOrder(k, t.u0 == 1, true, false)
	case expr.OpUle:
		return !known || x.backOrder(k, t.u0 == 1, false, false)
	case expr.OpAdd, expr.OpSub:
		return w >= 64 || x.backSum(e.Op() == expr.OpSub, w, k, t)
	}
	return true
}

// backOrder narrows the operands of an order; if it does not hold, the opposite one does.
func (x *boxes) backOrder(k [3]int32, holds, strict, signed bool) bool {
	less, more := k[0], k[1]
	if !holds {
		less, more, strict = more, less, !strict
	}
	p, q := x.vals[less], x.vals[more]
	if signed {
		hi, lo := q.s1, p.s0
		if strict {
			if hi == math.MinInt64 || lo == math.MaxInt64 {
				return false
			}
			hi, lo = hi-1, lo+1
		}
		return x.narrowSigned(less, math.MinInt64, hi) && x.narrowSigned(more, lo, math.MaxInt64)
	}
	hi, lo := q.u1, p.u0
	if strict {
		if hi == 0 || lo == math.MaxUint64 {
			return false
		}
		hi, lo = hi-1, lo+1
	}
	return x.narrowUnsigned(less, 0, hi) && x.narrowUnsigned(more, lo, math.MaxUint64)
}

// backSum narrows the operands of a sum or difference of less than 64 bits that
// does not leave the signed numbers.
func (x *boxes) backSum(minus bool, w int, k [3]int32, t bound) bool {
	p, q, m := x.vals[k[0]], x.vals[k[1]], topBound(w)
	if minus {
		if p.s0-q.s1 < m.s0 || p.s1-q.s0 > m.s1 {
			return true
		}
		return x.narrowSigned(k[0], t.s0+q.s0, t.s1+q.s1) && x.narrowSigned(k[1], p.s0-t.s1, p.s1-t.s0)
	}
	if p.s0+q.s0 < m.s0 || p.s1+q.s1 > m.s1 {
		return true
	}
	return x.narrowSigned(k[0], t.s0-q.s1, t.s1-q.s0) && x.narrowSigned(k[1], t.s0-p.s1, t.s1-p.s0)
}

// backExtract narrows what a part is taken of: the sign or the magnitude of a
// number, or the low bits of a number that has no others.
func (x *boxes) backExtract(n *node, t, p bound) bool {
	e, k := n.e, n.kids[0]
	w, width := e.Width(), e.Kid(0).Width()
	f, ok := ieee.OfWidth(width)
	switch {
	case p.open:
		return true
	case p.float && ok && ranked(f) && e.Low() == 0 && w == width-1:
		hi := int64(t.u1)
		if !x.narrowFloat(k, f, -hi, hi, hi > infinite(f)) {
			return false
		}
		if v := x.vals[k]; !v.nan {
			return x.awayFromZero(v.f0, v.f1, int64(t.u0), func(lo, hi int64) bool {
				return x.narrowFloat(k, f, lo, hi, false)
			})
		}
	case p.float && ok && ranked(f) && e.Low() == width-1 && t.u0 == t.u1:
		if t.u0 == 0 {
			return x.narrowFloat(k, f, 0, math.MaxInt64, true)
		}
		return x.narrowFloat(k, f, math.MinInt64, 0, true)
	case !p.float && e.Low() == 0 && p.u1 <= onesOf(w):
		return x.narrowUnsigned(k, t.u0, t.u1)
	}
	return true
}
