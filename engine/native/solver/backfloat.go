package solver

import (
	"math"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// beyond are the numbers next to a range of results: the exact results lie
// strictly between them.
func beyond(f ieee.Format, t bound) (p, q ieee.Bits) {
	inf := infinite(f)
	return ofRank(f, max(t.f0-1, -inf)), ofRank(f, min(t.f1+1, inf))
}

// around is the range of some corners, one number wider; ok is false if one is
// no number.
func around(f ieee.Format, corners ...ieee.Bits) (lo, hi int64, ok bool) {
	inf := infinite(f)
	lo, hi = inf, -inf
	for _, c := range corners {
		if f.IsNaN(c) {
			return 0, 0, false
		}
		r := rankOf(f, c)
		lo, hi = min(lo, r), max(hi, r)
	}
	return lo - 1, hi + 1, true
}

// backFloat narrows the operands of a floating-point operation whose result is a
// number.
func (x *boxes) backFloat(n *node, t bound) bool {
	e, f := n.e, n.e.Format()
	if !ranked(f) || e.Op() == expr.OpFConvert && !ranked(e.To()) {
		return true
	}
	switch e.Op() {
	case expr.OpFToInt:
		return x.backToInt(n, f, t)
	case expr.OpIntToF:
		return x.backFromInt(n, f, t)
	}
	if !t.float || t.nan || t.none() {
		return true
	}
	switch e.Op() {
	case expr.OpFAdd, expr.OpFSub, expr.OpFMul, expr.OpFDiv:
		return x.backBinary(e.Op(), f, n.kids[0], n.kids[1], t)
	case expr.OpFSqrt:
		p, q := beyond(f, t)
		lo, hi := int64(0), infinite(f)
		if rankOf(f, p) > 0 {
			lo, _, _ = around(f, f.Mul(p, p))
		}
		if rankOf(f, q) >= 0 {
			_, hi, _ = around(f, f.Mul(q, q))
		}
		return x.narrowFloat(n.kids[0], f, max(lo, 0), hi, false)
	case expr.OpFRint:
		p, q := ofRank(f, t.f0), ofRank(f, t.f1)
		lo, hi, ok := around(f, f.Sub(p, f.One()), f.Add(q, f.One()))
		return !ok || x.narrowFloat(n.kids[0], f, lo, hi, false)
	case expr.OpFConvert:
		p, q := beyond(e.To(), t)
		lo, hi, ok := around(f, e.To().Convert(p, f), e.To().Convert(q, f))
		return !ok || x.narrowFloat(n.kids[0], f, lo, hi, false)
	case expr.OpFRem: // of what is infinite, or by zero, it is no number
		inf := infinite(f)
		return x.narrowFloat(n.kids[0], f, 1-inf, inf-1, false) && x.narrowFloat(n.kids[1], f, -inf, inf, false)
	}
	return true
}

// backBinary narrows both operands: a result that is a number has such operands.
func (x *boxes) backBinary(op expr.Op, f ieee.Format, i, k int32, t bound) bool {
	inf := infinite(f)
	if !x.narrowFloat(i, f, -inf, inf, false) || !x.narrowFloat(k, f, -inf, inf, false) {
		return false
	}
	p, q := beyond(f, t)
	ends := func(i int32) (lo, hi ieee.Bits) { return ofRank(f, x.vals[i].f0), ofRank(f, x.vals[i].f1) }
	cut := func(i int32, lo, hi int64, ok bool) bool { return !ok || x.narrowFloat(i, f, lo, hi, false) }
	// half cuts one side where the other is beyond what the ends tell.
	half := func(i int32, lo, hi ieee.Bits) bool {
		l, _, okLow := around(f, lo)
		_, h, okHigh := around(f, hi)
		return cut(i, l, math.MaxInt64, okLow) && cut(i, math.MinInt64, h, okHigh)
	}
	c, d := ends(k)
	switch op {
	case expr.OpFAdd:
		if !half(i, f.Sub(p, d), f.Sub(q, c)) {
			return false
		}
		a, b := ends(i)
		return half(k, f.Sub(p, b), f.Sub(q, a))
	case expr.OpFSub:
		if !half(i, f.Add(p, c), f.Add(q, d)) {
			return false
		}
		a, b := ends(i)
		return half(k, f.Sub(a, q), f.Sub(b, p))
	case expr.OpFMul:
		if i == k {
			return x.backSquare(f, i, t, q)
		}
		return x.backFactor(f, i, k, t, p, q) && x.backFactor(f, k, i, t, p, q)
	}
	finite := func(v bound) bool { return v.f0 > -inf && v.f1 < inf }
	if v := x.vals[k]; finite(v) && (finite(t) || !v.has(0)) {
		lo, hi, ok := around(f, f.Mul(p, c), f.Mul(p, d), f.Mul(q, c), f.Mul(q, d))
		if !cut(i, lo, hi, ok) {
			return false
		}
	}
	if v := x.vals[i]; finite(v) && (t.f0 > 1 || t.f1 < -1) {
		a, b := ends(i)
		lo, hi, ok := around(f, f.Div(a, p), f.Div(a, q), f.Div(b, p), f.Div(b, q))
		return cut(k, lo, hi, ok)
	}
	return true
}

// backSquare narrows a number whose square is t, and is below q for sure.
func (x *boxes) backSquare(f ieee.Format, i int32, t bound, q ieee.Bits) bool {
	if t.f1 < 0 {
		return false
	}
	_, hi, _ := around(f, f.Sqrt(q))
	if !x.narrowFloat(i, f, -hi, hi, false) {
		return false
	}
	v, lo := x.vals[i], int64(0)
	if t.f0 > 1 {
		lo, _, _ = around(f, f.Sqrt(ofRank(f, t.f0-1)))
	}
	return x.awayFromZero(v.f0, v.f1, lo, func(lo, hi int64) bool { return x.narrowFloat(i, f, lo, hi, false) })
}

// backFactor narrows the factor i of a product with k, whose exact value lies
// between p and q.
func (x *boxes) backFactor(f ieee.Format, i, k int32, t bound, p, q ieee.Bits) bool {
	y := x.vals[k]
	c, d := ofRank(f, y.f0), ofRank(f, y.f1)
	if !y.has(0) {
		lo, hi, ok := around(f, f.Div(p, c), f.Div(p, d), f.Div(q, c), f.Div(q, d))
		return !ok || x.narrowFloat(i, f, lo, hi, false)
	}
	least := p // the product is farther from zero than this
	switch {
	case t.f0 > 0:
	case t.f1 < 0:
		least = ofRank(f, max(-t.f1-1, 0))
	default:
		return true
	}
	same, other := y.f0 >= 0, y.f1 <= 0 // the sign of the factor is known by the other's
	if t.f1 < 0 {
		same, other = other, same
	}
	if same && !x.narrowFloat(i, f, 1, math.MaxInt64, false) ||
		other && !x.narrowFloat(i, f, math.MinInt64, -1, false) {
		return false
	}
	most := ofRank(f, max(y.f1, -y.f0))
	lo, _, ok := around(f, f.Div(least, most))
	v := x.vals[i]
	return !ok || x.awayFromZero(v.f0, v.f1, lo, func(lo, hi int64) bool { return x.narrowFloat(i, f, lo, hi, false) })
}

// backToInt narrows a number whose integer part is known. What is out of range
// comes out as the lowest integer, so that this one says nothing.
func (x *boxes) backToInt(n *node, f ieee.Format, t bound) bool {
	w := n.e.Width()
	if w > 64 || t.open {
		return true
	}
	m := topBound(w)
	lo, hi := t.s0, t.s1
	if n.e.Signed() {
		if lo == m.s0 {
			return true
		}
	} else if t.u1 > uint64(m.s1) { // the lowest, or what comes of negative numbers
		return true
	} else {
		lo, hi = int64(t.u0), int64(t.u1)
	}
	inf := infinite(f)
	most := inf - 1
	if hi < math.MaxInt64 {
		_, most, _ = around(f, f.FromInt(ieee.Bits{Lo: uint64(hi + 1)}, 64, true))
	}
	least, _, _ := around(f, f.FromInt(ieee.Bits{Lo: uint64(lo - 1)}, 64, true))
	return x.narrowFloat(n.kids[0], f, least, min(most, inf-1), false)
}

// backFromInt narrows an integer by the number that it became.
func (x *boxes) backFromInt(n *node, f ieee.Format, t bound) bool {
	k := n.kids[0]
	if x.vals[k].open || !t.float || t.none() {
		return true
	}
	p, q := beyond(f, t)
	lo, hi := math.Floor(asDouble(f, p)), math.Ceil(asDouble(f, q))
	const far = 1 << 62
	if n.e.Signed() {
		return (lo < -far || lo > far || x.narrowSigned(k, int64(lo), math.MaxInt64)) &&
			(hi < -far || hi > far || x.narrowSigned(k, math.MinInt64, int64(hi)))
	}
	return (lo <= 0 || lo > far || x.narrowUnsigned(k, uint64(lo), math.MaxUint64)) &&
		(hi < 0 || hi > far || x.narrowUnsigned(k, 0, uint64(hi)))
}

// asDouble is a number that is no NaN, as a double.
func asDouble(f ieee.Format, v ieee.Bits) float64 {
	return math.Float64frombits(f.Convert(v, ieee.Double).Lo)
}
