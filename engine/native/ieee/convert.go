package ieee

import (
	"math/big"
)

// Rint rounds x to an integer.
func (f Format) Rint(x Bits, mode Mode) Bits {
	a := f.unpack(x)
	if r, ok := f.quiet(a); ok {
		return r
	}
	if a.kind != finite || a.e >= 0 {
		return x
	}
	n := uint(-a.e)
	q := new(big.Int).Rsh(a.m, n)
	r := new(big.Int).Sub(a.m, new(big.Int).Lsh(q, n))
	half := r.Cmp(new(big.Int).Lsh(big.NewInt(1), n-1))
	up := false
	switch mode {
	case NearestEven:
		up = half > 0 || half == 0 && q.Bit(0) == 1
	case NearestAway:
		up = half >= 0
	case Up:
		up = !a.neg && r.Sign() > 0
	case Down:
		up = a.neg && r.Sign() > 0
	}
	if up {
		q.Add(q, big.NewInt(1))
	}
	if q.Sign() == 0 {
		return f.Zero(a.neg)
	}
	return f.round(a.neg, q, 0, false)
}

// Convert returns x in another format.
func (f Format) Convert(x Bits, to Format) Bits {
	if f.fast() && to.fast() && !f.IsNaN(x) {
		switch {
		case f == to:
			return x
		case f == Single:
			return of64(float64(f32(x)))
		}
		return of32(float32(f64(x)))
	}
	return f.convert(x, to)
}

// convert is Convert without the shortcut for float and double.
func (f Format) convert(x Bits, to Format) Bits {
	a := f.unpack(x)
	switch a.kind {
	case isNaN:
		frac := x.mask(f.Precision() - 1)
		if d := to.Precision() - f.Precision(); d >= 0 {
			frac = frac.shl(uint(d))
		} else {
			frac = frac.shr(uint(-d))
		}
		return to.make(a.neg, to.top(), frac.or(to.quietBit()))
	case unsupported:
		return to.NaN()
	case isInf:
		return to.Inf(a.neg)
	case isZero:
		return to.Zero(a.neg)
	}
	return to.round(a.neg, a.m, a.e, false)
}

// ToInt returns x without its fraction as an integer of width w. Out of range it
// gives what x86-64 gives: the lowest integer; for unsigned ones negative
// numbers wrap as far as the signed integers reach.
func (f Format) ToInt(x Bits, w int, signed bool) Bits {
	lowest := Bits{Lo: 1}.shl(uint(w - 1))
	a := f.unpack(x)
	switch a.kind {
	case isZero:
		return Bits{}
	case finite:
	default:
		return lowest
	}
	if a.m.BitLen()+a.e > w {
		return lowest
	}
	q := a.m
	if a.e < 0 {
		q = new(big.Int).Rsh(q, uint(-a.e))
	} else {
		q = new(big.Int).Lsh(q, uint(a.e))
	}
	if q.BitLen() == w && (a.neg || signed) { // below, or just, the lowest integer
		return lowest
	}
	if a.neg && q.Sign() != 0 {
		q = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), q)
	}
	return fromBig(q)
}

// FromInt converts an integer of width w.
func (f Format) FromInt(v Bits, w int, signed bool) Bits {
	n := v.mask(w).big()
	neg := signed && n.Bit(w-1) == 1
	if neg {
		n.Sub(new(big.Int).Lsh(big.NewInt(1), uint(w)), n)
	}
	if n.Sign() == 0 {
		return f.Zero(false)
	}
	return f.round(neg, n, 0, false)
}

// Order compares: -1, 0 or 1, or 2 if one is no number.
func (f Format) Order(x, y Bits) int {
	if f.IsNaN(x) || f.IsNaN(y) {
		return 2
	}
	a, b := f.unpack(x), f.unpack(y)
	return rank(a, f).Cmp(rank(b, f))
}

// rank is an integer that grows with the number.
func rank(a number, f Format) *big.Int {
	n := new(big.Int)
	switch a.kind {
	case isZero:
		return n
	case finite:
		n.Lsh(a.m, uint(a.e+f.Bias()+f.Precision()))
	default:
		n.Lsh(big.NewInt(1), uint(2*f.Bias()+2*f.Precision()))
	}
	if a.neg {
		n.Neg(n)
	}
	return n
}
