package expr

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func (v Value) big() *big.Int {
	x := new(big.Int).SetUint64(v.Hi)
	x.Lsh(x, 64)
	return x.Or(x, new(big.Int).SetUint64(v.Lo))
}

func (v Value) signedBig(w int) *big.Int {
	x := v.big()
	if v.Bit(w - 1) {
		x.Sub(x, new(big.Int).Lsh(big.NewInt(1), uint(w)))
	}
	return x
}

func fromBig(x *big.Int, w int) Value {
	m := new(big.Int).Lsh(big.NewInt(1), uint(w))
	x = new(big.Int).Mod(x, m)
	lo := new(big.Int).And(x, new(big.Int).SetUint64(^uint64(0)))
	return Value{lo.Uint64(), new(big.Int).Rsh(x, 64).Uint64()}
}

func corner(r *rand.Rand, w int) Value {
	switch r.IntN(8) {
	case 0:
		return Value{}
	case 1:
		return Value{Lo: 1}.Mask(w)
	case 2:
		return Ones(w)
	case 3:
		return Value{}.flipSign(w)
	case 4:
		return Value{}.flipSign(w).sub(Value{Lo: 1}).Mask(w)
	case 5:
		return Value{Lo: r.Uint64N(200)}.Mask(w)
	case 6:
		return Value{Lo: 1}.shl(uint(r.IntN(w)))
	}
	return Value{r.Uint64(), r.Uint64()}.Mask(w)
}

// reference computes an operation with math/big.
func reference(op Op, w int, a, b Value) Value {
	x, y := a.big(), b.big()
	sx, sy := a.signedBig(w), b.signedBig(w)
	z := new(big.Int)
	truth := func(t bool) Value { return boolValue(t) }
	switch op {
	case OpAdd:
		z.Add(x, y)
	case OpSub:
		z.Sub(x, y)
	case OpMul:
		z.Mul(x, y)
	case OpUDiv:
		if b.IsZero() {
			return Ones(w)
		}
		z.Quo(x, y)
	case OpURem:
		if b.IsZero() {
			return a
		}
		z.Rem(x, y)
	case OpSDiv:
		if b.IsZero() {
			z.SetInt64(-1)
			if sx.Sign() < 0 {
				z.SetInt64(1)
			}
			break
		}
		z.Quo(sx, sy)
	case OpSRem:
		if b.IsZero() {
			return a
		}
		z.Rem(sx, sy)
	case OpAnd:
		z.And(x, y)
	case OpOr:
		z.Or(x, y)
	case OpXor:
		z.Xor(x, y)
	case OpShl, OpLShr, OpAShr:
		n := uint(w)
		if y.Cmp(big.NewInt(int64(w))) < 0 {
			n = uint(y.Uint64())
		}
		switch op {
		case OpShl:
			z.Lsh(x, n)
		case OpLShr:
			z.Rsh(x, n)
		default:
			z.Rsh(sx, n)
		}
	case OpEq:
		return truth(x.Cmp(y) == 0)
	case OpUlt:
		return truth(x.Cmp(y) < 0)
	case OpUle:
		return truth(x.Cmp(y) <= 0)
	case OpSlt:
		return truth(sx.Cmp(sy) < 0)
	case OpSle:
		return truth(sx.Cmp(sy) <= 0)
	}
	return fromBig(z, w)
}

// TestApply checks the arithmetic that folding and evaluation rest on.
func TestApply(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for w := 1; w <= 128; w++ {
		for op := OpAdd; op <= OpSle; op++ {
			if op == OpNot {
				continue
			}
			for i := 0; i < 40; i++ {
				a, b := corner(r, w), corner(r, w)
				if got, want := Apply(op, w, a, b), reference(op, w, a, b); got != want {
					t.Fatalf("%v width %d of %x and %x is %x, want %x", op, w, a, b, got, want)
				}
			}
		}
	}
}
