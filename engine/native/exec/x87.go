package exec

import (
	"math"
	"math/big"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Numbers of type x86_fp80: 64 bits of significand with an explicit integer
// bit, 15 of exponent, a sign. Arithmetic rounds to 64 bits by package big; a
// result too small for a normal number would be rounded twice and is refused.

type x87 struct {
	neg  bool
	nan  bool
	inf  bool
	zero bool
	num  *big.Float
}

const bias87 = 16383

func unpack87(v expr.Value) x87 {
	x := x87{neg: v.Hi>>15&1 != 0}
	exp := int(v.Hi & 0x7fff)
	switch {
	case exp == 0x7fff:
		x.inf = v.Lo<<1 == 0
		x.nan = !x.inf
	case v.Lo == 0:
		x.zero = true
	default:
		x.num = new(big.Float).SetPrec(64).SetUint64(v.Lo)
		x.num.SetMantExp(x.num, max(exp, 1)-bias87-63)
		if x.neg {
			x.num.Neg(x.num)
		}
	}
	return x
}

func special87(neg bool, hi, lo uint64) expr.Value {
	if neg {
		hi |= 1 << 15
	}
	return expr.Value{Lo: lo, Hi: hi}
}

func zero87(neg bool) expr.Value { return special87(neg, 0, 0) }
func inf87(neg bool) expr.Value  { return special87(neg, 0x7fff, 1<<63) }
func nan87() expr.Value          { return special87(true, 0x7fff, 3<<62) }

// pack87 packs a non-zero number of at most 64 bits of precision.
func pack87(f *big.Float) (expr.Value, bool) {
	neg := f.Signbit()
	m := new(big.Float)
	e := f.MantExp(m) // 0.5 <= |m| < 1
	if e-1 > bias87 {
		return inf87(neg), true
	}
	if e-1 < 1-bias87 {
		return expr.Value{}, false
	}
	m.Abs(m).SetMantExp(m, 64)
	lo, _ := m.Uint64()
	return special87(neg, uint64(e-1+bias87), lo), true
}

func (x x87) float() *big.Float {
	if x.zero {
		z := new(big.Float).SetPrec(64)
		if x.neg {
			z.Neg(z)
		}
		return z
	}
	return x.num
}

func x87Arith(op ir.Op, av, bv expr.Value) (expr.Value, bool) {
	a, b := unpack87(av), unpack87(bv)
	if a.nan {
		return av, true
	}
	if b.nan {
		return bv, true
	}
	neg := a.neg != b.neg
	switch op {
	case ir.FSub:
		b.neg = !b.neg
		if b.num != nil {
			b.num = new(big.Float).Neg(b.num)
		}
		fallthrough
	case ir.FAdd:
		switch {
		case a.inf && b.inf && a.neg != b.neg:
			return nan87(), true
		case a.inf:
			return inf87(a.neg), true
		case b.inf:
			return inf87(b.neg), true
		case a.zero && b.zero:
			return zero87(a.neg && b.neg), true
		}
		return finish87(new(big.Float).SetPrec(64).Add(a.float(), b.float()), false)
	case ir.FMul:
		switch {
		case a.inf && b.zero || a.zero && b.inf:
			return nan87(), true
		case a.inf || b.inf:
			return inf87(neg), true
		case a.zero || b.zero:
			return zero87(neg), true
		}
		return finish87(new(big.Float).SetPrec(64).Mul(a.num, b.num), neg)
	case ir.FDiv:
		switch {
		case a.inf && b.inf || a.zero && b.zero:
			return nan87(), true
		case a.inf || b.zero:
			return inf87(neg), true
		case b.inf || a.zero:
			return zero87(neg), true
		}
		return finish87(new(big.Float).SetPrec(64).Quo(a.num, b.num), neg)
	}
	return expr.Value{}, false
}

func finish87(f *big.Float, negZero bool) (expr.Value, bool) {
	if f.Sign() == 0 {
		return zero87(negZero), true
	}
	return pack87(f)
}

func x87Order(av, bv expr.Value) (int, bool) {
	a, b := unpack87(av), unpack87(bv)
	if a.nan || b.nan {
		return 2, true
	}
	rank := func(x x87) *big.Float {
		if x.inf {
			return new(big.Float).SetInf(x.neg)
		}
		return x.float()
	}
	return rank(a).Cmp(rank(b)), true
}

func toX87(from int, v expr.Value) expr.Value {
	var d float64
	if from == 32 {
		d = float64(f32(v))
	} else {
		d = f64(v)
	}
	neg := math.Signbit(d)
	switch {
	case d != d:
		return special87(neg, 0x7fff, 1<<63|math.Float64bits(d)<<11|1<<62)
	case math.IsInf(d, 0):
		return inf87(neg)
	case d == 0:
		return zero87(neg)
	}
	r, _ := pack87(new(big.Float).SetPrec(64).SetFloat64(d))
	return r
}

func fromX87(to int, v expr.Value) (expr.Value, bool) {
	x := unpack87(v)
	var d float64
	switch {
	case x.nan:
		d = math.NaN()
	case x.inf:
		d = math.Inf(1)
		if x.neg {
			d = math.Inf(-1)
		}
	case x.zero:
		d = 0
		if x.neg {
			d = math.Copysign(0, -1)
		}
	case to == 32:
		f, _ := x.num.Float32()
		return bits32(f), true
	default:
		d, _ = x.num.Float64()
	}
	if to == 32 {
		return bits32(float32(d)), true
	}
	return bits64(d), to == 64
}

func x87ToInt(v expr.Value, w int, sign bool) (expr.Value, bool) {
	x := unpack87(v)
	lowest := bigToValue(new(big.Int).Lsh(big.NewInt(1), uint(w-1)))
	if x.nan || x.inf {
		return lowest, true
	}
	if x.zero {
		return expr.Value{}, true
	}
	n, _ := x.num.Int(nil)
	limit := new(big.Int).Lsh(big.NewInt(1), uint(w))
	if sign {
		limit.Rsh(limit, 1)
	}
	if n.CmpAbs(limit) > 0 || n.Cmp(limit) == 0 || n.Sign() < 0 && !sign && w >= 64 {
		return lowest, true
	}
	return bigToValue(n).Mask(w), true
}

// bigToValue returns the low 128 bits in two's complement.
func bigToValue(n *big.Int) expr.Value {
	m := new(big.Int).Set(n)
	if m.Sign() < 0 {
		m.Add(m, new(big.Int).Lsh(big.NewInt(1), 128))
	}
	low := new(big.Int).And(m, new(big.Int).SetUint64(math.MaxUint64))
	return expr.Value{Lo: low.Uint64(), Hi: new(big.Int).Rsh(m, 64).Uint64()}
}

func bigIntToFloat(from, to int, a expr.Value, sign bool) (expr.Value, bool) {
	n := new(big.Int).SetUint64(a.Hi)
	n.Lsh(n, 64).Or(n, new(big.Int).SetUint64(a.Lo))
	if sign && n.Bit(from-1) == 1 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(from)))
	}
	if n.Sign() == 0 {
		return expr.Value{}, true
	}
	f := new(big.Float).SetPrec(200).SetInt(n)
	switch to {
	case 32:
		d, _ := f.Float32()
		return bits32(d), true
	case 64:
		d, _ := f.Float64()
		return bits64(d), true
	case 80:
		return pack87(new(big.Float).SetPrec(64).Set(f))
	}
	return expr.Value{}, false
}
