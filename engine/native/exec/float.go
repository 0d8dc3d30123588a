package exec

import (
	"math"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// Floating point is exact on concrete values: float and double by Go's own
// arithmetic, which is the processor's, x86_fp80 by package math/big. A symbolic
// operand is made concrete first, with a warning, as KLEE does.

// float executes an instruction on floating-point numbers.
func (ex *Engine) float(st *State, in *code.Inst) {
	f := st.own()
	a, ok := ex.concretise(st, f.val(in.A), int(in.W), "floating point")
	if !ok {
		return
	}
	var b expr.Value
	if in.Op <= ir.FRem || in.Op == ir.FCmp {
		if b, ok = ex.concretise(st, f.val(in.B), int(in.W), "floating point"); !ok {
			return
		}
	}
	var r expr.Value
	switch in.Op {
	case ir.FCmp:
		r, ok = floatCompare(in.Pred, int(in.W), a, b)
	case ir.FPToSI, ir.FPToUI:
		r, ok = floatToInt(int(in.W), int(in.RW), a, in.Op == ir.FPToSI)
	case ir.SIToFP, ir.UIToFP:
		r, ok = intToFloat(int(in.W), int(in.RW), a, in.Op == ir.SIToFP)
	case ir.FPExt, ir.FPTrunc:
		r, ok = floatConvert(int(in.W), int(in.RW), a)
	case ir.FNeg:
		r, ok = floatNeg(int(in.W), a), true
	default:
		r, ok = floatArith(in.Op, int(in.W), a, b)
	}
	if !ok {
		ex.incomplete("a floating-point result could not be computed exactly")
		ex.errorAt(st, "not supported: floating-point operation", "unsupported.err", "")
		return
	}
	w := int(in.RW)
	switch in.Op {
	case ir.FCmp:
		w = 1
	case ir.FNeg:
		w = int(in.W)
	}
	st.own().regs[in.Dst] = ex.constant(r, w)
}

// constant makes a register value.
func (ex *Engine) constant(v expr.Value, w int) Value {
	if w > 64 {
		return Value{E: ex.b.ConstValue(w, v)}
	}
	return Value{C: v.Mask(w).Lo}
}

func f64(v expr.Value) float64 { return math.Float64frombits(v.Lo) }
func f32(v expr.Value) float32 { return math.Float32frombits(uint32(v.Lo)) }

func bits64(d float64) expr.Value { return expr.Value{Lo: math.Float64bits(d)} }
func bits32(d float32) expr.Value { return expr.Value{Lo: uint64(math.Float32bits(d))} }

func floatNeg(w int, a expr.Value) expr.Value {
	switch w {
	case 32:
		a.Lo ^= 1 << 31
	case 64:
		a.Lo ^= 1 << 63
	default:
		a.Hi ^= 1 << 15
	}
	return a
}

func floatArith(op ir.Op, w int, a, b expr.Value) (expr.Value, bool) {
	switch w {
	case 32:
		x, y := f32(a), f32(b)
		switch op {
		case ir.FAdd:
			return bits32(x + y), true
		case ir.FSub:
			return bits32(x - y), true
		case ir.FMul:
			return bits32(x * y), true
		case ir.FDiv:
			return bits32(x / y), true
		}
		return bits32(float32(math.Mod(float64(x), float64(y)))), true
	case 64:
		x, y := f64(a), f64(b)
		switch op {
		case ir.FAdd:
			return bits64(x + y), true
		case ir.FSub:
			return bits64(x - y), true
		case ir.FMul:
			return bits64(x * y), true
		case ir.FDiv:
			return bits64(x / y), true
		}
		return bits64(math.Mod(x, y)), true
	case 80:
		return x87Arith(op, a, b)
	}
	return expr.Value{}, false
}

// floatOrder compares two numbers: -1, 0, 1, or 2 if unordered.
func floatOrder(w int, a, b expr.Value) (int, bool) {
	var x, y float64
	switch w {
	case 32:
		x, y = float64(f32(a)), float64(f32(b))
	case 64:
		x, y = f64(a), f64(b)
	case 80:
		return x87Order(a, b)
	default:
		return 0, false
	}
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	case x == y:
		return 0, true
	}
	return 2, true
}

func floatCompare(p ir.Pred, w int, a, b expr.Value) (expr.Value, bool) {
	o, ok := floatOrder(w, a, b)
	un := o == 2
	var r bool
	switch p {
	case ir.FFalse:
	case ir.OEQ:
		r = o == 0
	case ir.OGT:
		r = o == 1
	case ir.OGE:
		r = o == 0 || o == 1
	case ir.OLT:
		r = o == -1
	case ir.OLE:
		r = o == 0 || o == -1
	case ir.ONE:
		r = o == 1 || o == -1
	case ir.ORD:
		r = !un
	case ir.UNO:
		r = un
	case ir.UEQ:
		r = o == 0 || un
	case ir.FUGT:
		r = o == 1 || un
	case ir.FUGE:
		r = o == 0 || o == 1 || un
	case ir.FULT:
		r = o == -1 || un
	case ir.FULE:
		r = o == 0 || o == -1 || un
	case ir.UNE:
		r = o != 0
	default:
		r = true
	}
	if r {
		return expr.Value{Lo: 1}, ok
	}
	return expr.Value{}, ok
}

func floatConvert(from, to int, a expr.Value) (expr.Value, bool) {
	switch {
	case from == to:
		return a, true
	case from == 32 && to == 64:
		return bits64(float64(f32(a))), true
	case from == 64 && to == 32:
		return bits32(float32(f64(a))), true
	case to == 80:
		return toX87(from, a), true
	case from == 80:
		return fromX87(to, a)
	}
	return a, false
}

// floatToInt truncates. Values that do not fit are undefined in C; they give
// what the processor gives: the smallest integer.
func floatToInt(from, to int, a expr.Value, sign bool) (expr.Value, bool) {
	if to > 128 {
		return a, false
	}
	if from != 80 {
		a = toX87(from, a)
	}
	return x87ToInt(a, to, sign)
}

func intToFloat(from, to int, a expr.Value, sign bool) (expr.Value, bool) {
	if from <= 64 && to == 64 {
		if sign {
			return bits64(float64(signed(a.Lo, uint8(from)))), true
		}
		return bits64(float64(a.Lo)), true
	}
	if from <= 64 && to == 32 {
		if sign {
			return bits32(float32(signed(a.Lo, uint8(from)))), true
		}
		return bits32(float32(a.Lo)), true
	}
	return bigIntToFloat(from, to, a, sign)
}

// floatIntrinsic runs the intrinsics and library functions on floats that have
// exact results.
func floatIntrinsic(ex *Engine, st *State, c *callContext) {
	name := kind(c)
	if c.fn.Name[0] != 'l' || len(c.fn.Name) < 5 || c.fn.Name[:5] != "llvm." {
		name = c.fn.Name
	}
	var v [3]expr.Value
	for i := 0; i < c.count() && i < 3; i++ {
		x, ok := ex.concretise(st, c.arg(i), c.width(i), "floating point")
		if !ok {
			return
		}
		v[i] = x
	}
	w := c.width(0)
	r, ok := floatFunction(name, w, v)
	if !ok {
		ex.incomplete("not supported: %s on this type", name)
		ex.errorAt(st, "not supported: "+name+" on this type", "unsupported.err", "")
		return
	}
	rw := w
	if len(c.site.RetTypes) > 0 {
		rw = c.site.RetTypes[0].Width()
	}
	c.setAt(0, ex.constant(r, rw))
}

func floatFunction(name string, w int, v [3]expr.Value) (expr.Value, bool) {
	if w == 32 && name[len(name)-1] == 'f' && name != "floorf" {
		name = name[:len(name)-1]
	} else if name == "floorf" {
		name = "floor"
	}
	switch name { // sign operations work at any width
	case "fabs", "fabsl":
		switch w {
		case 32:
			v[0].Lo &^= 1 << 31
		case 64:
			v[0].Lo &^= 1 << 63
		default:
			v[0].Hi &^= 1 << 15
		}
		return v[0], true
	case "is.fpclass":
		return fpClass(w, v[0], v[1].Lo)
	}
	if w != 32 && w != 64 {
		return v[0], false
	}
	get := func(i int) float64 {
		if w == 32 {
			return float64(f32(v[i]))
		}
		return f64(v[i])
	}
	put := func(d float64) (expr.Value, bool) {
		if w == 32 {
			return bits32(float32(d)), true
		}
		return bits64(d), true
	}
	x, y := get(0), get(1)
	switch name {
	case "sqrt":
		return put(math.Sqrt(x)) // the double root of a float rounds correctly to float
	case "floor":
		return put(math.Floor(x))
	case "ceil":
		return put(math.Ceil(x))
	case "trunc":
		return put(math.Trunc(x))
	case "rint", "nearbyint":
		return put(math.RoundToEven(x))
	case "round":
		return put(math.Round(x))
	case "copysign":
		return put(math.Copysign(x, y))
	case "fmod":
		return put(math.Mod(x, y))
	case "minnum", "fmin", "maxnum", "fmax":
		switch {
		case x != x:
			return put(y)
		case y != y:
			return put(x)
		case (x < y) == (name == "minnum" || name == "fmin"):
			return put(x)
		}
		return put(y)
	case "fma":
		if w == 64 {
			return put(math.FMA(x, y, get(2)))
		}
	case "fmuladd":
		if w == 32 {
			return bits32(float32(f32(v[0])*f32(v[1])) + f32(v[2])), true
		}
		return put(float64(x*y) + get(2))
	}
	return v[0], false
}

// fpClass evaluates llvm.is.fpclass.
func fpClass(w int, a expr.Value, test uint64) (expr.Value, bool) {
	var neg, quiet bool
	var exp, frac, top uint64
	switch w {
	case 32:
		neg, exp, frac, top = a.Lo>>31 != 0, a.Lo>>23&0xff, a.Lo&(1<<23-1), 0xff
		quiet = frac>>22 != 0
	case 64:
		neg, exp, frac, top = a.Lo>>63 != 0, a.Lo>>52&0x7ff, a.Lo&(1<<52-1), 0x7ff
		quiet = frac>>51 != 0
	default:
		return a, false
	}
	var class uint64 // snan qnan -inf -normal -subnormal -zero +zero +subnormal +normal +inf
	pick := func(n, p int) uint64 {
		if neg {
			return 1 << n
		}
		return 1 << p
	}
	switch {
	case exp == top && frac != 0 && quiet:
		class = 2
	case exp == top && frac != 0:
		class = 1
	case exp == top:
		class = pick(2, 9)
	case exp != 0:
		class = pick(3, 8)
	case frac != 0:
		class = pick(4, 7)
	default:
		class = pick(5, 6)
	}
	if class&test != 0 {
		return expr.Value{Lo: 1}, true
	}
	return expr.Value{}, true
}
