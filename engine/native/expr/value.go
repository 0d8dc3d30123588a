package expr

import "math/bits"

// Value is a bit-vector of up to 128 bits; bits above the width are zero.
type Value struct{ Lo, Hi uint64 }

// mask64 is the all-ones value of a width of at most 64.
func mask64(w int) uint64 {
	if w >= 64 {
		return ^uint64(0)
	}
	return 1<<uint(w) - 1
}

// Ones is the all-ones value of a width.
func Ones(w int) Value {
	if w <= 64 {
		return Value{Lo: mask64(w)}
	}
	return Value{Lo: ^uint64(0), Hi: mask64(w - 64)}
}

// Mask cuts v to width w.
func (v Value) Mask(w int) Value {
	if w <= 64 {
		return Value{Lo: v.Lo & mask64(w)}
	}
	return Value{Lo: v.Lo, Hi: v.Hi & mask64(w-64)}
}

// IsZero reports whether v is zero.
func (v Value) IsZero() bool { return v.Lo|v.Hi == 0 }

// Bit returns bit i.
func (v Value) Bit(i int) bool {
	if i < 64 {
		return v.Lo>>uint(i)&1 != 0
	}
	return v.Hi>>uint(i-64)&1 != 0
}

// Cmp compares v and u as unsigned numbers.
func (v Value) Cmp(u Value) int {
	switch {
	case v.Hi != u.Hi:
		if v.Hi < u.Hi {
			return -1
		}
		return 1
	case v.Lo != u.Lo:
		if v.Lo < u.Lo {
			return -1
		}
		return 1
	}
	return 0
}

// SCmp compares v and u as two's complement numbers of width w.
func (v Value) SCmp(u Value, w int) int {
	return v.flipSign(w).Cmp(u.flipSign(w))
}

func (v Value) flipSign(w int) Value {
	if w <= 64 {
		return Value{Lo: v.Lo ^ 1<<uint(w-1)}
	}
	return Value{Lo: v.Lo, Hi: v.Hi ^ 1<<uint(w-65)}
}

func (v Value) add(u Value) Value {
	lo, c := bits.Add64(v.Lo, u.Lo, 0)
	return Value{lo, v.Hi + u.Hi + c}
}

func (v Value) sub(u Value) Value {
	lo, b := bits.Sub64(v.Lo, u.Lo, 0)
	return Value{lo, v.Hi - u.Hi - b}
}

func (v Value) neg() Value { return Value{}.sub(v) }

func (v Value) not() Value { return Value{^v.Lo, ^v.Hi} }

func (v Value) mul(u Value) Value {
	hi, lo := bits.Mul64(v.Lo, u.Lo)
	return Value{lo, hi + v.Lo*u.Hi + v.Hi*u.Lo}
}

func (v Value) shl(n uint) Value {
	switch {
	case n == 0:
		return v
	case n >= 128:
		return Value{}
	case n >= 64:
		return Value{0, v.Lo << (n - 64)}
	}
	return Value{v.Lo << n, v.Hi<<n | v.Lo>>(64-n)}
}

func (v Value) shr(n uint) Value {
	switch {
	case n == 0:
		return v
	case n >= 128:
		return Value{}
	case n >= 64:
		return Value{v.Hi >> (n - 64), 0}
	}
	return Value{v.Lo>>n | v.Hi<<(64-n), v.Hi >> n}
}

// bitLen is the number of bits needed for v.
func (v Value) bitLen() int {
	if v.Hi != 0 {
		return 64 + bits.Len64(v.Hi)
	}
	return bits.Len64(v.Lo)
}

func (v Value) trailingZeros() int {
	if v.Lo != 0 {
		return bits.TrailingZeros64(v.Lo)
	}
	return 64 + bits.TrailingZeros64(v.Hi)
}

// isPow2 reports whether exactly one bit is set.
func (v Value) isPow2() bool {
	return bits.OnesCount64(v.Lo)+bits.OnesCount64(v.Hi) == 1
}

// divMod divides; u must not be zero.
func (v Value) divMod(u Value) (q, r Value) {
	if v.Hi == 0 && u.Hi == 0 {
		return Value{Lo: v.Lo / u.Lo}, Value{Lo: v.Lo % u.Lo}
	}
	if u.Hi == 0 {
		q.Hi = v.Hi / u.Lo
		q.Lo, r.Lo = bits.Div64(v.Hi%u.Lo, v.Lo, u.Lo)
		return q, r
	}
	r = v
	for n := v.bitLen() - u.bitLen(); n >= 0; n-- {
		if d := u.shl(uint(n)); d.Cmp(r) <= 0 {
			r = r.sub(d)
			q.Lo |= 1 << uint(n)
		}
	}
	return q, r
}

// signExtend extends v of width from to width to.
func (v Value) signExtend(from, to int) Value {
	if v.Bit(from - 1) {
		up := Ones(from).not()
		v = Value{v.Lo | up.Lo, v.Hi | up.Hi}
	}
	return v.Mask(to)
}

func (v Value) abs(w int) (Value, bool) {
	if v.Bit(w - 1) {
		return v.neg().Mask(w), true
	}
	return v, false
}

// Apply computes a binary operation on values of width w (the operands' width).
func Apply(op Op, w int, a, b Value) Value {
	switch op {
	case OpAdd:
		return a.add(b).Mask(w)
	case OpSub:
		return a.sub(b).Mask(w)
	case OpMul:
		return a.mul(b).Mask(w)
	case OpUDiv:
		if b.IsZero() {
			return Ones(w)
		}
		q, _ := a.divMod(b)
		return q
	case OpURem:
		if b.IsZero() {
			return a
		}
		_, r := a.divMod(b)
		return r
	case OpSDiv:
		x, nx := a.abs(w)
		y, ny := b.abs(w)
		q := Apply(OpUDiv, w, x, y)
		if nx != ny {
			q = q.neg()
		}
		return q.Mask(w)
	case OpSRem:
		x, nx := a.abs(w)
		y, _ := b.abs(w)
		r := Apply(OpURem, w, x, y)
		if nx {
			r = r.neg()
		}
		return r.Mask(w)
	case OpAnd:
		return Value{a.Lo & b.Lo, a.Hi & b.Hi}
	case OpOr:
		return Value{a.Lo | b.Lo, a.Hi | b.Hi}
	case OpXor:
		return Value{a.Lo ^ b.Lo, a.Hi ^ b.Hi}
	case OpShl:
		return a.shl(b.shiftAmount(w)).Mask(w)
	case OpLShr:
		return a.shr(b.shiftAmount(w))
	case OpAShr:
		n := b.shiftAmount(w)
		if n >= uint(w) {
			n = uint(w) - 1
		}
		return a.shr(n).signExtend(w-int(n), w)
	case OpEq:
		return boolValue(a == b)
	case OpUlt:
		return boolValue(a.Cmp(b) < 0)
	case OpUle:
		return boolValue(a.Cmp(b) <= 0)
	case OpSlt:
		return boolValue(a.SCmp(b, w) < 0)
	case OpSle:
		return boolValue(a.SCmp(b, w) <= 0)
	}
	return Value{}
}

// shiftAmount clips a shift distance to 128, which shifts everything out.
func (v Value) shiftAmount(w int) uint {
	if v.Hi != 0 || v.Lo >= uint64(w) {
		return 128
	}
	return uint(v.Lo)
}

func boolValue(b bool) Value {
	if b {
		return Value{Lo: 1}
	}
	return Value{}
}
