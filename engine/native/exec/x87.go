package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
	"klabel/engine/native/ir"
)

// throughX87 is told of what a function returns. On i386 float and double are returned
// in a register of the x87, which makes a signalling NaN quiet, unless the compiler has
// put the function where it is called: nobody knows.
func (ex *Engine) throughX87(st *State, fn *code.Func, vals []Value) {
	if ex.ptr != 32 || len(vals) != 1 || fn.Library || fn.IR.Ret.Kind != ir.Float && fn.IR.Ret.Kind != ir.Double {
		return
	}
	f, _ := ieee.OfWidth(fn.IR.Ret.Width())
	b, x := ex.b, ex.expr(vals[0], f.Width())
	quiet := b.Extract(x, f.Precision()-2, 1)
	signalling := b.And(b.FIsNaN(f, x), b.Eq(quiet, b.Const(1, 0)))
	if signalling.IsFalse() || x.Op() == expr.OpFAdd || x.Op() == expr.OpFMul || x.Op() == expr.OpFSub ||
		x.Op() == expr.OpFDiv {
		return
	}
	if may, known := ex.s.MayBeTrue(ex.ctx, st.cons, signalling); may || !known {
		ex.lost(st, "a signalling NaN may be returned, which the x87 makes quiet")
	}
}
