package solver

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Bounds of floating-point operations. Rounding keeps the order, so that the
// results at the ends of the operands' ranges bound all others; package ieee
// computes them as the machine does.

// asFloat is what a bound says of a number of a format.
func (b bound) asFloat(f ieee.Format) bound {
	switch {
	case b.float:
		return b
	case b.open:
		return anyFloat(f)
	case b.u0 > onesOf(f.Width()-1): // negative
		m := onesOf(f.Width() - 1)
		return rankBound(f, -int64(b.u1&m), -int64(b.u0&m))
	case b.u1 > onesOf(f.Width()-1): // the sign is not known
		return anyFloat(f)
	}
	return rankBound(f, int64(b.u0), int64(b.u1))
}

// none reports that it is no number.
func (b bound) none() bool { return b.f0 > b.f1 }

func (b bound) has(r int64) bool { return b.f0 <= r && r <= b.f1 }

func (b bound) hasInfinity(f ieee.Format) bool { return b.has(infinite(f)) || b.has(-infinite(f)) }

// hull bounds an operation by its results at corners; a NaN among them is beyond
// what the ends tell.
func hull(f ieee.Format, nan bool, corners ...ieee.Bits) bound {
	lo, hi := infinite(f), -infinite(f)
	for _, c := range corners {
		if f.IsNaN(c) {
			return anyFloat(f)
		}
		r := rankOf(f, c)
		lo, hi = min(lo, r), max(hi, r)
	}
	b := rankBound(f, lo, hi)
	b.nan = nan
	return b
}

// floatBound bounds a floating-point operation.
func floatBound(e *expr.Expr, x, y, z bound) bound {
	f := e.Format()
	if !ranked(f) || e.Op() == expr.OpFConvert && !ranked(e.To()) {
		if e.Op() == expr.OpFConvert && ranked(e.To()) {
			return anyFloat(e.To())
		}
		return topBound(e.Width())
	}
	if e.Op() == expr.OpIntToF {
		return fromIntBound(e, x)
	}
	x = x.asFloat(f)
	nan := x.nan
	var a, b, c, d ieee.Bits // the ends of x and y
	if !x.none() {
		a, b = ofRank(f, x.f0), ofRank(f, x.f1)
	}
	if e.NumKids() > 1 {
		y = y.asFloat(f)
		nan = nan || y.nan
		if !y.none() {
			c, d = ofRank(f, y.f0), ofRank(f, y.f1)
		}
	}
	if x.none() || e.NumKids() > 1 && y.none() {
		switch e.Op() {
		case expr.OpFToInt:
			return topBound(e.Width())
		case expr.OpFConvert:
			f = e.To()
		}
		r := rankBound(f, 1, 0)
		r.nan = true
		return r
	}
	inf := infinite(f)
	switch e.Op() {
	case expr.OpFAdd:
		return coarse(grain(f, x, y), hull(f, nan || x.has(inf) && y.has(-inf) || x.has(-inf) && y.has(inf),
			f.Add(a, c), f.Add(b, d)))
	case expr.OpFSub:
		return coarse(grain(f, x, y), hull(f, nan || x.has(inf) && y.has(inf) || x.has(-inf) && y.has(-inf),
			f.Sub(a, d), f.Sub(b, c)))
	case expr.OpFMul:
		if x.has(0) && y.hasInfinity(f) || y.has(0) && x.hasInfinity(f) {
			return anyFloat(f)
		}
		return hull(f, nan, f.Mul(a, c), f.Mul(a, d), f.Mul(b, c), f.Mul(b, d))
	case expr.OpFDiv:
		if y.has(0) || x.hasInfinity(f) && y.hasInfinity(f) {
			return anyFloat(f)
		}
		return hull(f, nan, f.Div(a, c), f.Div(a, d), f.Div(b, c), f.Div(b, d))
	case expr.OpFSqrt:
		if x.f1 < 0 {
			r := rankBound(f, 1, 0)
			r.nan = true
			return r
		}
		if x.f0 < 0 {
			nan, a = true, f.Zero(false)
		}
		return hull(f, nan, f.Sqrt(a), f.Sqrt(b))
	case expr.OpFRint:
		return hull(f, nan, f.Rint(a, e.Mode()), f.Rint(b, e.Mode()))
	case expr.OpFConvert:
		return hull(e.To(), nan, f.Convert(a, e.To()), f.Convert(b, e.To()))
	case expr.OpFRem: // as far from 0 as x, less than y, of the sign of x
		nan = nan || y.has(0) || x.hasInfinity(f)
		most := max(y.f1, -y.f0)
		return withNaN(rankBound(f, max(min(x.f0, 0), -most), min(max(x.f1, 0), most)), nan)
	case expr.OpFToInt:
		return toIntBound(e, f, x, a, b)
	}
	return anyFloat(f)
}

// squareBound bounds a number times itself.
func squareBound(f ieee.Format, x bound) bound {
	if x.none() {
		return withNaN(rankBound(f, 1, 0), true)
	}
	lo, hi := ofRank(f, max(x.f0, -x.f1, 0)), ofRank(f, max(x.f1, -x.f0))
	return hull(f, x.nan, f.Mul(lo, lo), f.Mul(hi, hi))
}

// grain is the rank of a number of which every sum and difference of numbers in two
// ranges is a multiple: the last bit of the smallest of them.
func grain(f ieee.Format, x, y bound) int64 {
	least := min(max(x.f0, -x.f1, 0), max(y.f0, -y.f1, 0))
	p := f.Precision() - 1
	switch e := least >> p; {
	case e > int64(p):
		return (e - int64(p)) << p
	case e > 0:
		return 1 << (e - 1)
	}
	return 1
}

// coarse bounds a sum that is a multiple of a grain: it is 0, or not less than that.
func coarse(grain int64, b bound) bound {
	if !b.float || b.none() {
		return b
	}
	if b.f0 > 0 {
		b.f0 = max(b.f0, grain)
	} else if b.f0 > -grain {
		b.f0 = 0
	}
	if b.f1 < 0 {
		b.f1 = min(b.f1, -grain)
	} else if b.f1 < grain {
		b.f1 = 0
	}
	return b
}

func withNaN(b bound, nan bool) bound {
	b.nan = nan
	return b
}

// fromIntBound bounds a conversion from an integer.
func fromIntBound(e *expr.Expr, x bound) bound {
	f, w := e.Format(), e.Kid(0).Width()
	switch {
	case x.open:
		return withNaN(anyFloat(f), false)
	case e.Signed():
		return hull(f, false, f.FromInt(ieee.Bits{Lo: uint64(x.s0) & onesOf(w)}, w, true),
			f.FromInt(ieee.Bits{Lo: uint64(x.s1) & onesOf(w)}, w, true))
	}
	return hull(f, false, f.FromInt(ieee.Bits{Lo: x.u0}, w, false), f.FromInt(ieee.Bits{Lo: x.u1}, w, false))
}

// toIntBound bounds a conversion to an integer where all numbers between a and b
// fit: they do if a and b, read as wider signed numbers, do.
func toIntBound(e *expr.Expr, f ieee.Format, x bound, a, b ieee.Bits) bound {
	w := e.Width()
	limit := rankOf(f, f.FromInt(ieee.Bits{Lo: 1 << 62}, 64, true))
	if w > 64 || x.nan || x.f1 >= limit || x.f0 <= -limit {
		return topBound(w)
	}
	lo, hi := int64(f.ToInt(a, 64, true).Lo), int64(f.ToInt(b, 64, true).Lo)
	switch m := topBound(w); {
	case e.Signed() && lo >= m.s0 && hi <= m.s1:
		return signedBound(w, lo, hi)
	case !e.Signed() && lo >= 0 && uint64(hi) <= m.u1:
		return unsignedBound(w, uint64(lo), uint64(hi))
	}
	return topBound(w)
}
