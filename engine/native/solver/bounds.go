package solver

import (
	"math"
	"math/bits"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// bound is what is known of a node's value while the inputs lie in a box: ranges
// of it as an unsigned and as a signed number, and, where it is a floating-point
// number, of its rank. Nodes of more than 64 bits have none.
type bound struct {
	u0, u1 uint64
	s0, s1 int64
	f0, f1 int64 // ranks; none if f0 > f1
	float  bool  // they are known
	nan    bool  // it may be a NaN
	open   bool  // nothing is known: wider than 64 bits
}

func topBound(w int) bound {
	if w > 64 {
		return bound{open: true}
	}
	return bound{u1: onesOf(w), s0: math.MinInt64 >> (64 - w), s1: math.MaxInt64 >> (64 - w)}
}

func onesOf(w int) uint64 { return ^uint64(0) >> (64 - w) }

func extendSign(v uint64, w int) int64 { return int64(v<<(64-w)) >> (64 - w) }

// unsignedBound is what lies between two unsigned numbers.
func unsignedBound(w int, lo, hi uint64) bound {
	b := topBound(w)
	b.u0, b.u1 = lo, hi
	if lo>>(w-1) == hi>>(w-1) {
		b.s0, b.s1 = extendSign(lo, w), extendSign(hi, w)
	}
	return b
}

// signedBound is what lies between two signed numbers.
func signedBound(w int, lo, hi int64) bound {
	b := topBound(w)
	b.s0, b.s1 = lo, hi
	if (lo < 0) == (hi < 0) {
		b.u0, b.u1 = uint64(lo)&onesOf(w), uint64(hi)&onesOf(w)
	}
	return b
}

// and keeps what both know; the two are of one width.
func (b bound) and(c bound) bound {
	b.u0, b.u1 = max(b.u0, c.u0), min(b.u1, c.u1)
	b.s0, b.s1 = max(b.s0, c.s0), min(b.s1, c.s1)
	return b
}

// or is what either allows.
func (b bound) or(c bound) bound {
	if b.open || c.open {
		return bound{open: true}
	}
	r := bound{u0: min(b.u0, c.u0), u1: max(b.u1, c.u1), s0: min(b.s0, c.s0), s1: max(b.s1, c.s1)}
	if b.float && c.float {
		r.float, r.nan = true, b.nan || c.nan
		switch {
		case b.f0 > b.f1:
			r.f0, r.f1 = c.f0, c.f1
		case c.f0 > c.f1:
			r.f0, r.f1 = b.f0, b.f1
		default:
			r.f0, r.f1 = min(b.f0, c.f0), max(b.f1, c.f1)
		}
	}
	return r
}

var (
	isFalse = unsignedBound(1, 0, 0)
	isTrue  = unsignedBound(1, 1, 1)
	isOpen  = topBound(1)
)

func truth(yes, no bool) bound {
	switch {
	case yes:
		return isTrue
	case no:
		return isFalse
	}
	return isOpen
}

// integer bounds an operation on integers.
func integerBound(e *expr.Expr, x, y, z bound) bound {
	w := e.Width()
	if w > 64 {
		return bound{open: true}
	}
	if x.open || y.open || z.open {
		if e.Op() == expr.OpIte && !x.open {
			return choice(x, y, z)
		}
		return topBound(w)
	}
	switch e.Op() {
	case expr.OpNot:
		return unsignedBound(w, onesOf(w)-x.u1, onesOf(w)-x.u0)
	case expr.OpAdd:
		return sumBound(w, x, y)
	case expr.OpSub:
		return differenceBound(w, x, y)
	case expr.OpMul:
		return productBound(w, x, y)
	case expr.OpAnd:
		if w == 1 {
			return truth(x.u0 == 1 && y.u0 == 1, x.u1 == 0 || y.u1 == 0)
		}
		return unsignedBound(w, 0, min(x.u1, y.u1))
	case expr.OpOr:
		if w == 1 {
			return truth(x.u0 == 1 || y.u0 == 1, x.u1 == 0 && y.u1 == 0)
		}
	case expr.OpXor:
		if w == 1 && x.u0 == x.u1 && y.u0 == y.u1 {
			return truth(x.u0 != y.u0, x.u0 == y.u0)
		}
	case expr.OpEq:
		return truth(x.u0 == x.u1 && y.u0 == y.u1 && x.u0 == y.u0,
			x.u1 < y.u0 || y.u1 < x.u0 || x.s1 < y.s0 || y.s1 < x.s0)
	case expr.OpUlt:
		return truth(x.u1 < y.u0, x.u0 >= y.u1)
	case expr.OpUle:
		return truth(x.u1 <= y.u0, x.u0 > y.u1)
	case expr.OpSlt:
		return truth(x.s1 < y.s0, x.s0 >= y.s1)
	case expr.OpSle:
		return truth(x.s1 <= y.s0, x.s0 > y.s1)
	case expr.OpZExt:
		return unsignedBound(w, x.u0, x.u1)
	case expr.OpSExt:
		return signedBound(w, x.s0, x.s1)
	case expr.OpExtract:
		if lo, hi := x.u0>>e.Low(), x.u1>>e.Low(); hi <= onesOf(w) {
			return unsignedBound(w, lo, hi)
		}
		if m := topBound(w); e.Low() == 0 && x.s0 >= m.s0 && x.s1 <= m.s1 {
			return signedBound(w, x.s0, x.s1)
		}
	case expr.OpConcat:
		k := e.Kid(1).Width()
		return unsignedBound(w, x.u0<<k|y.u0, x.u1<<k|y.u1)
	case expr.OpIte:
		return choice(x, y, z)
	}
	return topBound(w)
}

func choice(c, y, z bound) bound {
	switch {
	case c.u0 == 1:
		return y
	case c.u1 == 0:
		return z
	}
	return y.or(z)
}

func sumBound(w int, x, y bound) bound {
	b, m := topBound(w), topBound(w)
	if hi, carry := bits.Add64(x.u1, y.u1, 0); carry == 0 && hi <= m.u1 {
		b = unsignedBound(w, x.u0+y.u0, hi)
	}
	lo, hi := x.s0+y.s0, x.s1+y.s1
	if w < 64 && lo >= m.s0 && hi <= m.s1 {
		b = b.and(signedBound(w, lo, hi))
	}
	return b
}

func differenceBound(w int, x, y bound) bound {
	b, m := topBound(w), topBound(w)
	if x.u0 >= y.u1 {
		b = unsignedBound(w, x.u0-y.u1, x.u1-y.u0)
	}
	lo, hi := x.s0-y.s1, x.s1-y.s0
	if w < 64 && lo >= m.s0 && hi <= m.s1 {
		b = b.and(signedBound(w, lo, hi))
	}
	return b
}

func productBound(w int, x, y bound) bound {
	b, m := topBound(w), topBound(w)
	if high, hi := bits.Mul64(x.u1, y.u1); high == 0 && hi <= m.u1 {
		b = unsignedBound(w, x.u0*y.u0, hi)
	}
	if w > 32 {
		return b
	}
	p := [4]int64{x.s0 * y.s0, x.s0 * y.s1, x.s1 * y.s0, x.s1 * y.s1}
	lo, hi := min(p[0], p[1], p[2], p[3]), max(p[0], p[1], p[2], p[3])
	if lo >= m.s0 && hi <= m.s1 {
		b = b.and(signedBound(w, lo, hi))
	}
	return b
}

// Ranks of numbers: they grow with them, and both zeros have rank 0.

func rankOf(f ieee.Format, v ieee.Bits) int64 {
	m := int64(v.Lo & onesOf(f.Width()-1))
	if v.Lo>>(f.Width()-1) != 0 {
		return -m
	}
	return m
}

func ofRank(f ieee.Format, r int64) ieee.Bits {
	if r < 0 {
		return ieee.Bits{Lo: uint64(-r) | 1<<(f.Width()-1)}
	}
	return ieee.Bits{Lo: uint64(r)}
}

// ranked reports whether a format's numbers have ranks of 64 bits.
func ranked(f ieee.Format) bool { return f == ieee.Half || f == ieee.Single || f == ieee.Double }

func infinite(f ieee.Format) int64 { return int64(f.Inf(false).Lo) }

// rankBound is what lies between two ranks, which may be NaNs'.
func rankBound(f ieee.Format, lo, hi int64) bound {
	inf := infinite(f)
	b := topBound(f.Width())
	b.float, b.nan = true, lo < -inf || hi > inf
	b.f0, b.f1 = max(lo, -inf), min(hi, inf)
	return b
}

// anyFloat is any number, or NaN.
func anyFloat(f ieee.Format) bound { return rankBound(f, -infinite(f)-1, infinite(f)+1) }
