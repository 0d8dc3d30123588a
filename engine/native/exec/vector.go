package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// reinterpret takes the bits of some scalars for those of others, as a bitcast
// between vectors does: the first scalar is the lowest.
func (ex *Engine) reinterpret(st *State, in *code.Inst) {
	x := in.X.(*code.Bits)
	f := st.own()
	vals := make([]Value, len(x.From))
	for i, r := range x.From {
		vals[i] = f.val(r)
	}
	at, skip := 0, 0 // the scalar that is next, and its bits that are used up
	for i, w := range x.Res {
		var e *expr.Expr
		for need := int(w); need > 0; {
			have := int(x.W[at])
			n := min(need, have-skip)
			part := ex.b.Extract(ex.expr(vals[at], have), skip, n)
			if e == nil {
				e = part
			} else {
				e = ex.b.Concat(part, e)
			}
			need -= n
			if skip += n; skip == have {
				at, skip = at+1, 0
			}
		}
		f.regs[in.Dst+int32(i)] = fromExpr(e)
	}
}

// element reads or replaces the element of a vector at a variable index.
func (ex *Engine) element(st *State, in *code.Inst) {
	x := in.X.(*code.Elements)
	n := len(x.Regs)
	i := ex.expr(st.top.val(in.B), int(x.IW))
	if n < 1<<min(x.IW, 31) {
		inside := ex.b.Ult(i, ex.b.Const(int(x.IW), uint64(n)))
		if st = ex.require(st, inside, "Out of bounds element of a vector", "bad_vector_access.err", ""); st == nil ||
			st.done {
			return
		}
	}
	f := st.own()
	at := func(k int) *expr.Expr { return ex.b.Eq(i, ex.b.Const(int(x.IW), uint64(k))) }
	if in.Op == ir.ExtractElement {
		e := ex.expr(f.val(x.Regs[0]), int(x.W))
		for k := 1; k < n; k++ {
			e = ex.b.Ite(at(k), ex.expr(f.val(x.Regs[k]), int(x.W)), e)
		}
		f.regs[in.Dst] = fromExpr(e)
		return
	}
	v := ex.expr(f.val(in.A), int(x.W))
	for k, r := range x.Regs {
		f.regs[in.Dst+int32(k)] = fromExpr(ex.b.Ite(at(k), v, ex.expr(f.val(r), int(x.W))))
	}
}

// signMask is movmskps and the like: the sign of each element of a vector, that of
// the first one lowest.
func signMask(ex *Engine, st *State, c *callContext) {
	a := c.site.Args[0]
	w := int(c.site.RetTypes[0].Width())
	r := ex.b.Const(w, 0)
	for i, reg := range a.Regs {
		n := a.Leaf.Types[i].Width()
		sign := ex.b.Extract(ex.expr(st.top.val(reg), n), n-1, 1)
		r = ex.b.Or(r, ex.b.Shl(ex.b.ZExt(sign, w), ex.b.Const(w, uint64(i))))
	}
	c.set(ex, fromExpr(r))
}
