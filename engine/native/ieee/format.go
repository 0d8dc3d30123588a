// Package ieee is binary floating point on encodings: what the machine computes,
// bit for bit, for every format that C programs on x86-64 use.
//
// It exists so that a float in the native engine is simply its bits: an
// expression evaluates to what the processor gives, and the circuits of package
// solver have one definition to agree with.
//
// Promises: results are rounded once, to nearest with ties to even (IEEE 754),
// denormals and signed zeros included. A NaN operand comes out quiet, the first
// one if there are several; an invalid operation gives the processor's default,
// a quiet NaN with its sign set. Conversions to integers give what the
// processor gives, also out of range.
//
// Limits: no exception flags, no other rounding direction (Rint excepted). Of two
// NaNs the x87 takes the larger one, this package the first: C leaves it open.
package ieee

import "math/big"

// Bits is an encoding of up to 128 bits; those above the width are zero.
type Bits struct{ Lo, Hi uint64 }

// Format is a binary format.
type Format uint8

// The formats. Tiny and TinyX (as X87, with an explicit integer bit) are small
// enough to test every pair of values.
const (
	Half Format = iota
	Single
	Double
	X87
	Quad
	Tiny
	TinyX
)

var formats = [...]struct {
	width, exp, prec int
	explicit         bool
}{
	Half: {16, 5, 11, false}, Single: {32, 8, 24, false}, Double: {64, 11, 53, false}, X87: {80, 15, 64, true},
	Quad: {128, 15, 113, false}, Tiny: {8, 4, 4, false}, TinyX: {9, 4, 4, true},
}

// Width is the number of bits of an encoding.
func (f Format) Width() int { return formats[f].width }

// Exp is the number of bits of the exponent.
func (f Format) Exp() int { return formats[f].exp }

// Precision is the number of bits of the significand, the integer bit included.
func (f Format) Precision() int { return formats[f].prec }

// Explicit reports whether the integer bit is part of the encoding.
func (f Format) Explicit() bool { return formats[f].explicit }

// Bias is what is added to an exponent.
func (f Format) Bias() int { return 1<<(f.Exp()-1) - 1 }

// top is the exponent field of infinities and NaNs.
func (f Format) top() uint64 { return 1<<f.Exp() - 1 }

// OfWidth returns the format of C's type of a width.
func OfWidth(w int) (f Format, ok bool) {
	for f := Half; f <= Quad; f++ {
		if f.Width() == w {
			return f, true
		}
	}
	return 0, false
}

// Mode is a rounding direction of Rint.
type Mode uint8

// The directions.
const (
	NearestEven Mode = iota
	NearestAway
	TowardZero
	Up
	Down
)

func (v Bits) shl(n uint) Bits {
	switch {
	case n == 0:
		return v
	case n >= 128:
		return Bits{}
	case n >= 64:
		return Bits{0, v.Lo << (n - 64)}
	}
	return Bits{v.Lo << n, v.Hi<<n | v.Lo>>(64-n)}
}

func (v Bits) shr(n uint) Bits {
	switch {
	case n == 0:
		return v
	case n >= 128:
		return Bits{}
	case n >= 64:
		return Bits{v.Hi >> (n - 64), 0}
	}
	return Bits{v.Lo>>n | v.Hi<<(64-n), v.Hi >> n}
}

func (v Bits) or(u Bits) Bits { return Bits{v.Lo | u.Lo, v.Hi | u.Hi} }

func (v Bits) mask(n int) Bits {
	if n >= 128 {
		return v
	}
	return v.shl(uint(128 - n)).shr(uint(128 - n))
}

func (v Bits) bit(n int) bool { return v.shr(uint(n)).Lo&1 != 0 }
func (v Bits) zero() bool     { return v.Lo|v.Hi == 0 }

func (v Bits) big() *big.Int {
	n := new(big.Int).SetUint64(v.Hi)
	return n.Or(n.Lsh(n, 64), new(big.Int).SetUint64(v.Lo))
}

// fromBig returns the low 128 bits of n, which is not negative.
func fromBig(n *big.Int) Bits {
	low := new(big.Int).And(n, new(big.Int).SetUint64(^uint64(0)))
	return Bits{low.Uint64(), new(big.Int).And(new(big.Int).Rsh(n, 64), new(big.Int).SetUint64(^uint64(0))).Uint64()}
}

// frac is the number of bits below the exponent field.
func (f Format) frac() int {
	if f.Explicit() {
		return f.Precision()
	}
	return f.Precision() - 1
}

// make joins the fields of an encoding; the fraction has Precision-1 bits.
func (f Format) make(neg bool, exp uint64, frac Bits) Bits {
	if f.Explicit() && exp != 0 {
		frac = frac.or(Bits{Lo: 1}.shl(uint(f.Precision() - 1)))
	}
	if neg {
		exp |= 1 << f.Exp()
	}
	return frac.or(Bits{Lo: exp}.shl(uint(f.frac())))
}

// Zero returns a zero.
func (f Format) Zero(neg bool) Bits { return f.make(neg, 0, Bits{}) }

// Inf returns an infinity.
func (f Format) Inf(neg bool) Bits { return f.make(neg, f.top(), Bits{}) }

// NaN returns what an invalid operation gives.
func (f Format) NaN() Bits { return f.make(true, f.top(), f.quietBit()) }

// One returns 1.0.
func (f Format) One() Bits { return f.make(false, uint64(f.Bias()), Bits{}) }

func (f Format) quietBit() Bits { return Bits{Lo: 1}.shl(uint(f.Precision() - 2)) }

// Neg returns x with its sign flipped.
func (f Format) Neg(x Bits) Bits {
	s := Bits{Lo: 1}.shl(uint(f.Width() - 1))
	return Bits{x.Lo ^ s.Lo, x.Hi ^ s.Hi}
}

// kind is the class of a value.
type kind uint8

const (
	finite kind = iota // not zero
	isZero
	isInf
	isNaN
	unsupported // an encoding that the x87 refuses, as an invalid operation
)

// number is a value taken apart: (-1)^neg * m * 2^e.
type number struct {
	kind kind
	neg  bool
	m    *big.Int
	e    int
	raw  Bits
}

func (f Format) unpack(v Bits) number {
	n := number{neg: v.bit(f.Width() - 1), raw: v}
	exp := v.shr(uint(f.frac())).Lo & f.top()
	frac := v.mask(f.Precision() - 1)
	whole := exp != 0
	if f.Explicit() {
		if whole = v.bit(f.Precision() - 1); exp != 0 && !whole {
			n.kind = unsupported
			return n
		}
	}
	switch {
	case exp == f.top() && frac.zero():
		n.kind = isInf
	case exp == f.top():
		n.kind = isNaN
	case !whole && frac.zero():
		n.kind = isZero
	default:
		if whole {
			frac = frac.or(Bits{Lo: 1}.shl(uint(f.Precision() - 1)))
		}
		n.m, n.e = frac.big(), max(int(exp), 1)-f.Bias()-f.Precision()+1
	}
	return n
}

// round packs (-1)^neg * m * 2^e, m > 0, rounded to nearest even; rest says that
// a little was cut off m.
func (f Format) round(neg bool, m *big.Int, e int, rest bool) Bits {
	low := max(m.BitLen()+e-f.Precision(), 2-f.Bias()-f.Precision()) // weight of the last bit kept
	switch {
	case low > e:
		n := uint(low - e)
		half := new(big.Int).Lsh(big.NewInt(1), n-1)
		q := new(big.Int).Rsh(m, n)
		r := new(big.Int).Sub(m, new(big.Int).Lsh(q, n))
		if c := r.Cmp(half); c > 0 || c == 0 && (rest || q.Bit(0) == 1) {
			q.Add(q, big.NewInt(1))
		}
		m = q
	case low < e:
		m = new(big.Int).Lsh(m, uint(e-low))
	}
	if m.Sign() == 0 {
		return f.Zero(neg)
	}
	if m.BitLen() > f.Precision() {
		m, low = new(big.Int).Rsh(m, 1), low+1
	}
	exp := low + f.Bias() + f.Precision() - 1
	if m.BitLen() < f.Precision() {
		exp = 0
	}
	if exp >= int(f.top()) {
		return f.Inf(neg)
	}
	return f.make(neg, uint64(exp), fromBig(m).mask(f.Precision()-1))
}

// quiet returns the result of an operation on NaNs; ok is false if there is none.
func (f Format) quiet(ops ...number) (r Bits, ok bool) {
	for _, x := range ops {
		switch x.kind {
		case isNaN:
			return x.raw.or(f.quietBit()), true
		case unsupported:
			return f.NaN(), true
		}
	}
	return Bits{}, false
}
