package ieee

import (
	"math"
	"math/big"
)

func f64(v Bits) float64    { return math.Float64frombits(v.Lo) }
func f32(v Bits) float32    { return math.Float32frombits(uint32(v.Lo)) }
func of64(d float64) Bits   { return Bits{Lo: math.Float64bits(d)} }
func of32(d float32) Bits   { return Bits{Lo: uint64(math.Float32bits(d))} }
func (f Format) fast() bool { return f == Single || f == Double }

// IsNaN reports whether x is no number, an encoding that the x87 refuses included.
func (f Format) IsNaN(x Bits) bool {
	switch f {
	case Single:
		return f32(x) != f32(x)
	case Double:
		return f64(x) != f64(x)
	}
	return f.unpack(x).kind >= isNaN
}

// Add returns x + y.
func (f Format) Add(x, y Bits) Bits {
	if f.fast() && !f.IsNaN(x) && !f.IsNaN(y) {
		if f == Single {
			return f.invalid(of32(f32(x) + f32(y)))
		}
		return f.invalid(of64(f64(x) + f64(y)))
	}
	return f.sum(x, y, false)
}

// Sub returns x - y.
func (f Format) Sub(x, y Bits) Bits {
	if f.fast() && !f.IsNaN(x) && !f.IsNaN(y) {
		if f == Single {
			return f.invalid(of32(f32(x) - f32(y)))
		}
		return f.invalid(of64(f64(x) - f64(y)))
	}
	return f.sum(x, y, true)
}

// invalid replaces a NaN that came from numbers by the default.
func (f Format) invalid(x Bits) Bits {
	if f.IsNaN(x) {
		return f.NaN()
	}
	return x
}

func (f Format) sum(x, y Bits, minus bool) Bits {
	a, b := f.unpack(x), f.unpack(y)
	if r, ok := f.quiet(a, b); ok {
		return r
	}
	b.neg = b.neg != minus
	return f.addNumbers(a, b)
}

// addNumbers adds what are no NaNs and rounds.
func (f Format) addNumbers(a, b number) Bits {
	switch {
	case a.kind == isInf && b.kind == isInf && a.neg != b.neg:
		return f.NaN()
	case a.kind == isInf:
		return f.Inf(a.neg)
	case b.kind == isInf:
		return f.Inf(b.neg)
	case a.kind == isZero && b.kind == isZero:
		return f.Zero(a.neg && b.neg)
	case a.kind == isZero:
		return f.round(b.neg, b.m, b.e, false)
	case b.kind == isZero:
		return f.round(a.neg, a.m, a.e, false)
	}
	if a.e < b.e {
		a, b = b, a
	}
	var am *big.Int
	bm, e, rest := b.m, b.e, false
	if d := a.e - b.e; d <= 3*f.Precision()+8 {
		am = new(big.Int).Lsh(a.m, uint(d))
	} else { // b only breaks ties
		n := 2*f.Precision() + 4
		am, e, rest = new(big.Int).Lsh(a.m, uint(n)), a.e-n, true
		bm = new(big.Int)
	}
	s := new(big.Int)
	if a.neg == b.neg {
		s.Add(am, bm)
	} else if s.Sub(am, bm); rest {
		s.Sub(s, big.NewInt(1))
	}
	switch s.Sign() {
	case 0:
		return f.Zero(false)
	case -1:
		return f.round(b.neg, s.Neg(s), e, false)
	}
	return f.round(a.neg, s, e, rest)
}

// product multiplies what are no NaNs, exactly; a kind above isInf is invalid.
func product(a, b number) number {
	p := number{neg: a.neg != b.neg}
	switch {
	case a.kind == isInf && b.kind == isZero || a.kind == isZero && b.kind == isInf:
		p.kind = isNaN
	case a.kind == isInf || b.kind == isInf:
		p.kind = isInf
	case a.kind == isZero || b.kind == isZero:
		p.kind = isZero
	default:
		p.m, p.e = new(big.Int).Mul(a.m, b.m), a.e+b.e
	}
	return p
}

// Mul returns x * y.
func (f Format) Mul(x, y Bits) Bits {
	if f.fast() && !f.IsNaN(x) && !f.IsNaN(y) {
		if f == Single {
			return f.invalid(of32(f32(x) * f32(y)))
		}
		return f.invalid(of64(f64(x) * f64(y)))
	}
	a, b := f.unpack(x), f.unpack(y)
	if r, ok := f.quiet(a, b); ok {
		return r
	}
	switch p := product(a, b); p.kind {
	case isNaN:
		return f.NaN()
	case isInf:
		return f.Inf(p.neg)
	case isZero:
		return f.Zero(p.neg)
	default:
		return f.round(p.neg, p.m, p.e, false)
	}
}

// Div returns x / y.
func (f Format) Div(x, y Bits) Bits {
	if f.fast() && !f.IsNaN(x) && !f.IsNaN(y) {
		if f == Single {
			return f.invalid(of32(f32(x) / f32(y)))
		}
		return f.invalid(of64(f64(x) / f64(y)))
	}
	a, b := f.unpack(x), f.unpack(y)
	if r, ok := f.quiet(a, b); ok {
		return r
	}
	neg := a.neg != b.neg
	switch {
	case a.kind == b.kind && a.kind != finite:
		return f.NaN()
	case a.kind == isInf || b.kind == isZero:
		return f.Inf(neg)
	case a.kind == isZero || b.kind == isInf:
		return f.Zero(neg)
	}
	n := max(0, f.Precision()+3+b.m.BitLen()-a.m.BitLen())
	q, r := new(big.Int).QuoRem(new(big.Int).Lsh(a.m, uint(n)), b.m, new(big.Int))
	return f.round(neg, q, a.e-b.e-n, r.Sign() != 0)
}

// Rem returns what fmod returns: x - n*y, n the quotient without its fraction.
func (f Format) Rem(x, y Bits) Bits {
	a, b := f.unpack(x), f.unpack(y)
	if r, ok := f.quiet(a, b); ok {
		return r
	}
	switch {
	case a.kind == isInf || b.kind == isZero:
		return f.NaN()
	case a.kind == isZero || b.kind == isInf:
		return x
	}
	m := b.m
	d := a.e - b.e
	var r *big.Int
	if d >= 0 {
		r = new(big.Int).Exp(big.NewInt(2), big.NewInt(int64(d)), m)
		r.Mod(r.Mul(r, a.m), m)
	} else {
		m = new(big.Int).Lsh(m, uint(-d))
		r = new(big.Int).Mod(a.m, m)
	}
	if r.Sign() == 0 {
		return f.Zero(a.neg)
	}
	return f.round(a.neg, r, min(a.e, b.e), false)
}

// FMA returns x * y + z, rounded once.
func (f Format) FMA(x, y, z Bits) Bits {
	a, b, c := f.unpack(x), f.unpack(y), f.unpack(z)
	if r, ok := f.quiet(a, b, c); ok {
		return r
	}
	p := product(a, b)
	if p.kind == isNaN {
		return f.NaN()
	}
	if p.kind == finite && c.kind == finite {
		g := f // the product may have twice the precision: add without a shortcut
		d := p.e - c.e
		if d > 4*g.Precision()+8 || d < -4*g.Precision()-8 {
			return f.addFar(p, c)
		}
		e := min(p.e, c.e)
		s := new(big.Int).Lsh(p.m, uint(p.e-e))
		u := new(big.Int).Lsh(c.m, uint(c.e-e))
		if p.neg {
			s.Neg(s)
		}
		if c.neg {
			u.Neg(u)
		}
		if s.Add(s, u).Sign() == 0 {
			return f.Zero(false)
		}
		return f.round(s.Sign() < 0, new(big.Int).Abs(s), e, false)
	}
	return f.addNumbers(p, c)
}

// addFar adds numbers of which the one only breaks ties of the other.
func (f Format) addFar(a, b number) Bits {
	if a.e < b.e {
		a, b = b, a
	}
	n := 3*f.Precision() + 4
	m := new(big.Int).Lsh(a.m, uint(n))
	if a.neg != b.neg {
		m.Sub(m, big.NewInt(1))
	}
	return f.round(a.neg, m, a.e-n, true)
}

// Sqrt returns the square root of x.
func (f Format) Sqrt(x Bits) Bits {
	a := f.unpack(x)
	if r, ok := f.quiet(a); ok {
		return r
	}
	switch {
	case a.kind == isZero:
		return x
	case a.neg:
		return f.NaN()
	case a.kind == isInf:
		return x
	}
	n := 2*f.Precision() + 4
	if (a.e-n)%2 != 0 {
		n++
	}
	m := new(big.Int).Lsh(a.m, uint(n))
	r := new(big.Int).Sqrt(m)
	rest := new(big.Int).Mul(r, r).Cmp(m) != 0
	return f.round(false, r, (a.e-n)/2, rest)
}
