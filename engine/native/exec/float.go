package exec

import (
	"math"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
	"klabel/engine/native/ir"
)

// A floating-point number is its bits: loads, stores, unions and casts need
// nothing, arithmetic makes nodes of package expr. Concrete operands are
// computed at once, without a node.

// constant makes a register value.
func (ex *Engine) constant(v expr.Value, w int) Value {
	if w > 64 {
		return Value{E: ex.b.ConstValue(w, v)}
	}
	return Value{C: v.Mask(w).Lo}
}

// float executes an instruction on floating-point numbers.
func (ex *Engine) float(st *State, in *code.Inst) {
	fr := st.own()
	width := in.W // of what is floating point among operand and result
	if in.Op == ir.SIToFP || in.Op == ir.UIToFP {
		width = in.RW
	}
	f, ok := ieee.OfWidth(int(width))
	if !ok {
		ex.unsupported(st, "this floating-point type")
		return
	}
	if in.Op <= ir.FRem || in.Op == ir.FCmp {
		a, aok := concreteValue(fr.val(in.A))
		c, cok := concreteValue(fr.val(in.B))
		if aok && cok {
			if in.Op == ir.FCmp {
				fr.regs[in.Dst] = Value{C: 0}
				if holds(in.Pred, f.Order(ieee.Bits(a), ieee.Bits(c))) {
					fr.regs[in.Dst] = Value{C: 1}
				}
				return
			}
			fr.regs[in.Dst] = ex.constant(arithmetic(in.Op, f, ieee.Bits(a), ieee.Bits(c)), int(in.W))
			return
		}
	}
	b := ex.b
	x := ex.expr(fr.val(in.A), int(in.W))
	var r *expr.Expr
	switch in.Op {
	case ir.FCmp:
		r = fcmp(b, in.Pred, f, x, ex.expr(fr.val(in.B), int(in.W)))
	case ir.FPToSI, ir.FPToUI:
		if !fr.fn.Library {
			inside := fits(b, f, x, int(in.RW), in.Op == ir.FPToSI)
			st = ex.require(st, inside, "number out of the range of the integer", "overflow.err", "")
			if st == nil || st.done {
				return
			}
			fr = st.own()
		}
		r = toInt(b, f, x, int(in.RW), in.Op == ir.FPToSI)
	case ir.SIToFP, ir.UIToFP:
		r = b.IntToF(f, x, in.Op == ir.SIToFP)
	case ir.FPExt, ir.FPTrunc:
		to, ok := ieee.OfWidth(int(in.RW))
		if !ok {
			ex.unsupported(st, "this floating-point type")
			return
		}
		r = b.FConvert(f, to, x)
	case ir.FNeg:
		r = b.FNeg(f, x)
	case ir.FAdd:
		r = b.FAdd(f, x, ex.expr(fr.val(in.B), int(in.W)))
	case ir.FSub:
		r = b.FSub(f, x, ex.expr(fr.val(in.B), int(in.W)))
	case ir.FMul:
		r = b.FMul(f, x, ex.expr(fr.val(in.B), int(in.W)))
	case ir.FDiv:
		r = b.FDiv(f, x, ex.expr(fr.val(in.B), int(in.W)))
	default:
		r = b.FRem(f, x, ex.expr(fr.val(in.B), int(in.W)))
	}
	fr.regs[in.Dst] = fromExpr(r)
}

func arithmetic(op ir.Op, f ieee.Format, x, y ieee.Bits) expr.Value {
	switch op {
	case ir.FAdd:
		return expr.Value(f.Add(x, y))
	case ir.FSub:
		return expr.Value(f.Sub(x, y))
	case ir.FMul:
		return expr.Value(f.Mul(x, y))
	case ir.FDiv:
		return expr.Value(f.Div(x, y))
	}
	return expr.Value(f.Rem(x, y))
}

// holds evaluates a predicate on an order as ieee.Format.Order gives it.
func holds(p ir.Pred, o int) bool {
	un := o == 2
	switch p {
	case ir.FFalse:
		return false
	case ir.OEQ:
		return o == 0
	case ir.OGT:
		return o == 1
	case ir.OGE:
		return o == 0 || o == 1
	case ir.OLT:
		return o == -1
	case ir.OLE:
		return o == 0 || o == -1
	case ir.ONE:
		return o == 1 || o == -1
	case ir.ORD:
		return !un
	case ir.UNO:
		return un
	case ir.UEQ:
		return o == 0 || un
	case ir.FUGT:
		return o == 1 || un
	case ir.FUGE:
		return o == 0 || o == 1 || un
	case ir.FULT:
		return o == -1 || un
	case ir.FULE:
		return o == 0 || o == -1 || un
	case ir.UNE:
		return o != 0
	}
	return true
}

// fcmp makes the condition of a comparison.
func fcmp(b *expr.Builder, p ir.Pred, f ieee.Format, x, y *expr.Expr) *expr.Expr {
	ordered := func() *expr.Expr { return b.And(b.Not(b.FIsNaN(f, x)), b.Not(b.FIsNaN(f, y))) }
	switch p {
	case ir.FFalse:
		return b.False()
	case ir.OEQ:
		return b.FEqual(f, x, y)
	case ir.OGT:
		return b.FLess(f, y, x)
	case ir.OGE:
		return b.FLessEq(f, y, x)
	case ir.OLT:
		return b.FLess(f, x, y)
	case ir.OLE:
		return b.FLessEq(f, x, y)
	case ir.ONE:
		return b.And(ordered(), b.Not(b.FEqual(f, x, y)))
	case ir.ORD:
		return ordered()
	case ir.UNO:
		return b.Not(ordered())
	case ir.UEQ:
		return b.Or(b.Not(ordered()), b.FEqual(f, x, y))
	case ir.FUGT:
		return b.Not(b.FLessEq(f, x, y))
	case ir.FUGE:
		return b.Not(b.FLess(f, x, y))
	case ir.FULT:
		return b.Not(b.FLessEq(f, y, x))
	case ir.FULE:
		return b.Not(b.FLess(f, y, x))
	case ir.UNE:
		return b.Not(b.FEqual(f, x, y))
	}
	return b.True()
}

// fits holds where a number, cut to an integer, is one of w bits. C leaves open what
// others are converted to, and the sanitizer of the replay ends the program there.
func fits(b *expr.Builder, f ieee.Format, x *expr.Expr, w int, signed bool) *expr.Expr {
	constant := func(v ieee.Bits) *expr.Expr { return b.ConstValue(f.Width(), expr.Value(v)) }
	power := func(n int, neg bool) ieee.Bits { // 2^n
		v := ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(math.Ldexp(1, n))}, f)
		if neg {
			v = f.Neg(v)
		}
		return v
	}
	if !signed {
		return b.And(b.FLess(f, constant(f.Neg(f.One())), x), b.FLess(f, x, constant(power(w, false))))
	}
	least := power(w-1, true)
	low := b.FLessEq(f, constant(least), x)
	if one := f.Sub(least, f.One()); one != least || least == f.Inf(true) { // a fraction more is cut off
		low = b.FLess(f, constant(one), x)
	}
	return b.And(low, b.FLess(f, x, constant(power(w-1, false))))
}

// toInt converts as clang's code for x86-64 does: narrow integers are the low
// bits of an int, unsigned ints those of a long. It matters out of range only.
func toInt(b *expr.Builder, f ieee.Format, x *expr.Expr, w int, signed bool) *expr.Expr {
	switch {
	case w <= 16 || w <= 32 && signed:
		return b.Trunc(b.FToInt(f, x, 32, true), w)
	case w <= 32 || w < 64:
		return b.Trunc(b.FToInt(f, x, 64, true), w)
	}
	return b.FToInt(f, x, w, signed)
}
