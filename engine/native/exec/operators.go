package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

func signed(v uint64, w uint8) int64 {
	if w >= 64 {
		return int64(v)
	}
	return int64(v<<(64-w)) >> (64 - w)
}

func compare(p ir.Pred, a, b uint64, w uint8) bool {
	switch p {
	case ir.EQ:
		return a == b
	case ir.NE:
		return a != b
	case ir.UGT:
		return a > b
	case ir.UGE:
		return a >= b
	case ir.ULT:
		return a < b
	case ir.ULE:
		return a <= b
	}
	x, y := signed(a, w), signed(b, w)
	switch p {
	case ir.SGT:
		return x > y
	case ir.SGE:
		return x >= y
	case ir.SLT:
		return x < y
	}
	return x <= y
}

// complex executes the instructions that may fork, fail or change the frame.
func (ex *Engine) complex(st *State, in *code.Inst) {
	f := st.top
	switch in.Op {
	case ir.UDiv, ir.SDiv, ir.URem, ir.SRem, ir.Shl, ir.LShr, ir.AShr:
		if a := f.val(in.A); in.W == ex.ptr && a.E == nil {
			ex.asNumber(st, a, Value{})
		}
		if in.Op == ir.Shl || in.Op == ir.LShr || in.Op == ir.AShr {
			ex.shift(st, in)
		} else {
			ex.divide(st, in)
		}
	case ir.Load, code.LoadN:
		ex.load(st, in)
	case ir.Store, code.StoreN:
		ex.store(st, in)
	case ir.CondBr:
		ex.condBr(st, in)
	case ir.Switch:
		ex.switchOn(st, in)
	case code.Reinterpret:
		ex.reinterpret(st, in)
	case ir.ExtractElement, ir.InsertElement:
		ex.element(st, in)
	case ir.IndirectBr:
		ex.indirectBr(st, in)
	case ir.Call:
		ex.call(st, in)
	case ir.Ret:
		ex.ret(st, in)
	case ir.Alloca:
		ex.alloca(st, in)
	case ir.FAdd, ir.FSub, ir.FMul, ir.FDiv, ir.FRem, ir.FNeg, ir.FCmp, ir.FPToUI, ir.FPToSI, ir.UIToFP, ir.SIToFP,
		ir.FPTrunc, ir.FPExt:
		ex.float(st, in)
	case ir.CmpXchg, ir.AtomicRMW:
		ex.atomic(st, in)
	case code.WideOp:
		ex.wideOp(st, in)
	case ir.Unreachable:
		ex.errorAt(st, "reached \"unreachable\" instruction", "user.err", "")
	case code.Unsupported:
		ex.unsupported(st, in.X.(string))
	case code.Placed:
		ex.lost(st, "an address is used as a number")
	default:
		_ = f
		panic("instruction without a meaning")
	}
}

// binary computes an operation without side conditions on symbolic operands.
func (ex *Engine) binary(in *code.Inst, a, b Value) Value {
	x, y := ex.expr(a, int(in.W)), ex.expr(b, int(in.W))
	var e *expr.Expr
	switch in.Op {
	case ir.Add:
		e = ex.b.Add(x, y)
	case ir.Sub:
		e = ex.b.Sub(x, y)
	case ir.Mul:
		e = ex.b.Mul(x, y)
	case ir.And:
		e = ex.b.And(x, y)
	case ir.Or:
		e = ex.b.Or(x, y)
	case ir.Xor:
		e = ex.b.Xor(x, y)
	case ir.UDiv:
		e = ex.b.UDiv(x, y)
	case ir.SDiv:
		e = ex.b.SDiv(x, y)
	case ir.URem:
		e = ex.b.URem(x, y)
	case ir.SRem:
		e = ex.b.SRem(x, y)
	case ir.Shl:
		e = ex.b.Shl(x, y)
	case ir.LShr:
		e = ex.b.LShr(x, y)
	default:
		e = ex.b.AShr(x, y)
	}
	return fromExpr(e)
}

func (ex *Engine) divide(st *State, in *code.Inst) {
	f := st.top
	a, b := f.val(in.A), f.val(in.B)
	w := int(in.W)
	sign := in.Op == ir.SDiv || in.Op == ir.SRem
	if a.E == nil && b.E == nil {
		if b.C == 0 {
			ex.errorAt(st, "divide by zero", "div.err", "")
			return
		}
		var r uint64
		switch in.Op {
		case ir.UDiv:
			r = a.C / b.C
		case ir.URem:
			r = a.C % b.C
		default:
			x, y := signed(a.C, in.W), signed(b.C, in.W)
			if y == -1 {
				if x == -1<<(w-1) && w >= 32 {
					ex.errorAt(st, "integer overflow on division or remainder", "overflow.err", "")
					return
				}
				if in.Op == ir.SDiv {
					r = uint64(-x)
				}
			} else if in.Op == ir.SDiv {
				r = uint64(x / y)
			} else {
				r = uint64(x % y)
			}
		}
		f.regs[in.Dst] = Value{C: r & in.Mask}
		return
	}
	x, y := ex.expr(a, w), ex.expr(b, w)
	if st = ex.require(st, ex.b.Ne(y, ex.b.Const(w, 0)), "divide by zero", "div.err", ""); st == nil {
		return
	}
	if sign && w >= 32 {
		min := ex.b.Shl(ex.b.Const(w, 1), ex.b.Const(w, uint64(w-1)))
		over := ex.b.And(ex.b.Eq(x, min), ex.b.Eq(y, ex.b.ConstSigned(w, -1)))
		if st = ex.require(st, ex.b.Not(over), "integer overflow on division or remainder", "overflow.err",
			""); st == nil {
			return
		}
	}
	st.own().regs[in.Dst] = ex.binary(in, a, b)
}

// require ends the part of the state in which cond is false with an error and
// returns what goes on, nil if nothing does.
func (ex *Engine) require(st *State, cond *expr.Expr, msg, suffix, info string) *State {
	if cond.IsTrue() {
		return st
	}
	yes, no := ex.fork(st, cond)
	if no != nil {
		ex.errorAt(no, msg, suffix, info)
	}
	return yes
}

func (ex *Engine) shift(st *State, in *code.Inst) {
	f := st.top
	a, b := f.val(in.A), f.val(in.B)
	if a.E == nil && b.E == nil {
		if b.C >= uint64(in.W) {
			ex.errorAt(st, "overshift error", "overshift.err", "")
			return
		}
		var r uint64
		switch in.Op {
		case ir.Shl:
			r = a.C << b.C
		case ir.LShr:
			r = a.C >> b.C
		default:
			r = uint64(signed(a.C, in.W) >> b.C)
		}
		f.regs[in.Dst] = Value{C: r & in.Mask}
		return
	}
	w := int(in.W)
	if st = ex.require(st, ex.b.Ult(ex.expr(b, w), ex.b.Const(w, uint64(w))), "overshift error", "overshift.err",
		""); st == nil {
		return
	}
	st.own().regs[in.Dst] = ex.binary(in, a, b)
}
