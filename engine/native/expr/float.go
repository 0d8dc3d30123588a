package expr

import "klabel/engine/native/ieee"

// Arithmetic on floating-point numbers is one node an operation, so that models
// are evaluated by the machine's own arithmetic. All that needs no arithmetic
// (comparisons, signs, classes) is made of bit-vector operations at once, so
// that it simplifies with everything else.

// IsFloat reports an operation of floating point.
func (e *Expr) IsFloat() bool { return e.op >= OpFAdd }

// Format is the format of a floating-point operation's operands; for a
// conversion from an integer, of its result.
func (e *Expr) Format() ieee.Format { return ieee.Format(e.low & 15) }

// To is the format that OpFConvert converts to.
func (e *Expr) To() ieee.Format { return ieee.Format(e.low >> 4) }

// Mode is the direction in which OpFRint rounds.
func (e *Expr) Mode() ieee.Mode { return ieee.Mode(e.low >> 4) }

// Signed reports whether OpFToInt and OpIntToF mean a signed integer.
func (e *Expr) Signed() bool { return e.low>>4 != 0 }

func (e *Expr) applyFloat(x, y, z Value) Value {
	f, a, c := e.Format(), ieee.Bits(x), ieee.Bits(y)
	switch e.op {
	case OpFAdd:
		return Value(f.Add(a, c))
	case OpFSub:
		return Value(f.Sub(a, c))
	case OpFMul:
		return Value(f.Mul(a, c))
	case OpFDiv:
		return Value(f.Div(a, c))
	case OpFRem:
		return Value(f.Rem(a, c))
	case OpFMA:
		return Value(f.FMA(a, c, ieee.Bits(z)))
	case OpFSqrt:
		return Value(f.Sqrt(a))
	case OpFRint:
		return Value(f.Rint(a, e.Mode()))
	case OpFConvert:
		return Value(f.Convert(a, e.To()))
	case OpFToInt:
		return Value(f.ToInt(a, int(e.width), e.Signed()))
	}
	return Value(f.FromInt(a, int(e.x.width), e.Signed()))
}

// float makes the node of a floating-point operation; constants are folded, also
// through a choice between constants.
func (b *Builder) float(op Op, low uint8, w int, x, y, z *Expr) *Expr {
	n := Expr{op: op, low: low, width: uint8(w), x: x, y: y, z: z}
	constY, constZ := y == nil || y.op == OpConst, z == nil || z.op == OpConst
	value := func(e *Expr) Value {
		if e == nil {
			return Value{}
		}
		return e.Value()
	}
	switch {
	case constY && constZ && x.op == OpConst:
		return b.ConstValue(w, n.applyFloat(value(x), value(y), value(z)))
	case constY && constZ:
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.float(op, low, w, v, y, z) }); e != nil {
			return e
		}
	case x.op == OpConst && constZ:
		if e := b.mapTree(y, func(v *Expr) *Expr { return b.float(op, low, w, x, v, z) }); e != nil {
			return e
		}
	}
	if e := b.floatIdentity(&n); e != nil {
		return e
	}
	return b.intern(n)
}

// floatIdentity finds a simpler way to an operation's result, or nil.
func (b *Builder) floatIdentity(n *Expr) *Expr {
	f := n.Format()
	k := n.y
	if k == nil || k.op != OpConst || n.z != nil {
		return nil
	}
	v := ieee.Bits(k.Value())
	one := Value(f.One()) == k.Value()
	switch {
	case n.op == OpFMul && one, n.op == OpFDiv && one:
		return b.quiet(f, n.x)
	case n.op == OpFAdd && v == f.Zero(true), n.op == OpFSub && v == f.Zero(false):
		return b.quiet(f, n.x)
	case n.op == OpFDiv: // by a power of two: no division
		if r := f.Div(f.One(), v); !f.Explicit() && powerOfTwo(f, v) && normal(f, r) {
			return b.float(OpFMul, n.low, int(n.width), n.x, b.ConstValue(int(n.width), Value(r)), nil)
		}
	}
	return nil
}

// powerOfTwo reports whether x is one of the normal numbers whose reciprocal is
// exact. That 1/(1/x) is x says nothing: it is of 3 as well.
func powerOfTwo(f ieee.Format, x ieee.Bits) bool {
	return normal(f, x) && Value(x).Mask(f.Precision()-1).IsZero()
}

// normal reports whether x is neither zero, denormal, infinite nor NaN.
func normal(f ieee.Format, x ieee.Bits) bool {
	exp := Value(x).shr(uint(f.Precision() - 1)).Mask(f.Exp())
	return !exp.IsZero() && exp != Ones(f.Exp())
}

// quiet returns x, with the NaNs as an operation passes them on.
func (b *Builder) quiet(f ieee.Format, x *Expr) *Expr {
	if x.canonical() {
		return x
	}
	if f.Explicit() {
		return nil
	}
	q := b.ConstValue(f.Width(), Value{Lo: 1}.shl(uint(f.Precision()-2)))
	return b.Ite(b.FIsNaN(f, x), b.Or(x, q), x)
}

// canonical reports whether e came out of arithmetic: no signalling NaN, no
// encoding that the x87 would not make.
func (e *Expr) canonical() bool {
	return e.op >= OpFAdd && e.op != OpFToInt || e.op == OpIte && e.y.canonical() && e.z.canonical()
}

// number reports whether e cannot be a NaN.
func (e *Expr) number(f ieee.Format) bool {
	switch e.op {
	case OpConst:
		return !f.IsNaN(ieee.Bits(e.Value()))
	case OpIntToF:
		return true
	case OpFConvert:
		return e.x.number(e.Format())
	case OpFRint:
		return e.x.number(f)
	case OpIte:
		return e.y.number(f) && e.z.number(f)
	}
	return false
}

func (b *Builder) fbinary(op Op, f ieee.Format, x, y *Expr) *Expr {
	return b.float(op, uint8(f), f.Width(), x, y, nil)
}

// FAdd returns x + y in format f.
func (b *Builder) FAdd(f ieee.Format, x, y *Expr) *Expr { return b.fbinary(OpFAdd, f, x, y) }

// FSub returns x - y.
func (b *Builder) FSub(f ieee.Format, x, y *Expr) *Expr { return b.fbinary(OpFSub, f, x, y) }

// FMul returns x * y.
func (b *Builder) FMul(f ieee.Format, x, y *Expr) *Expr {
	if x.op == OpConst && !f.IsNaN(ieee.Bits(x.Value())) { // a constant goes right: with one NaN the order is the same
		x, y = y, x
	}
	return b.fbinary(OpFMul, f, x, y)
}

// FDiv returns x / y.
func (b *Builder) FDiv(f ieee.Format, x, y *Expr) *Expr { return b.fbinary(OpFDiv, f, x, y) }

// FRem returns fmod(x, y).
func (b *Builder) FRem(f ieee.Format, x, y *Expr) *Expr { return b.fbinary(OpFRem, f, x, y) }

// FMA returns x * y + z, rounded once.
func (b *Builder) FMA(f ieee.Format, x, y, z *Expr) *Expr {
	return b.float(OpFMA, uint8(f), f.Width(), x, y, z)
}

// FSqrt returns the square root of x.
func (b *Builder) FSqrt(f ieee.Format, x *Expr) *Expr {
	return b.float(OpFSqrt, uint8(f), f.Width(), x, nil, nil)
}

// FRint rounds x to an integer, as a floating-point number.
func (b *Builder) FRint(f ieee.Format, m ieee.Mode, x *Expr) *Expr {
	return b.float(OpFRint, uint8(f)|uint8(m)<<4, f.Width(), x, nil, nil)
}

// FConvert converts x from one format to another.
func (b *Builder) FConvert(from, to ieee.Format, x *Expr) *Expr {
	if from == to {
		return x
	}
	if x.op == OpFConvert && x.Format() == to && to.Precision() <= from.Precision() && to.Exp() <= from.Exp() {
		if r := b.quiet(to, x.x); r != nil { // there and back
			return r
		}
	}
	return b.float(OpFConvert, uint8(from)|uint8(to)<<4, to.Width(), x, nil, nil)
}

// FToInt converts x to an integer of width w, as package ieee says.
func (b *Builder) FToInt(f ieee.Format, x *Expr, w int, signed bool) *Expr {
	return b.float(OpFToInt, uint8(f)|signBit(signed), w, x, nil, nil)
}

// IntToF converts the integer x to format f.
func (b *Builder) IntToF(f ieee.Format, x *Expr, signed bool) *Expr {
	return b.float(OpIntToF, uint8(f)|signBit(signed), f.Width(), x, nil, nil)
}

func signBit(signed bool) uint8 {
	if signed {
		return 1 << 4
	}
	return 0
}
