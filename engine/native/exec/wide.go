package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// wideInt reads an integer of more than 128 bits that lies in several
// registers, or a narrow one that lies in one.
type wideInt struct {
	limbs []*expr.Expr // 64 bits each, the last one as many as remain
	bits  int
}

func (ex *Engine) wideValue(f *frame, regs []int32, bits int) wideInt {
	w := wideInt{bits: bits}
	if bits <= 128 {
		e := ex.expr(f.val(regs[0]), bits)
		for at := 0; at < bits; at += 64 {
			w.limbs = append(w.limbs, ex.b.Extract(e, at, min(64, bits-at)))
		}
		return w
	}
	for i, r := range regs {
		w.limbs = append(w.limbs, ex.expr(f.val(r), min(64, bits-64*i)))
	}
	return w
}

// slice returns n bits (at most 128) from a position on; what lies outside reads
// as zero below and as fill above.
func (ex *Engine) slice(w wideInt, at, n int, fill *expr.Expr) *expr.Expr {
	var r *expr.Expr
	add := func(e *expr.Expr) {
		if r == nil {
			r = e
		} else {
			r = ex.b.Concat(e, r)
		}
	}
	for n > 0 {
		switch {
		case at < 0:
			k := min(n, -at)
			add(ex.b.Const(k, 0))
			at, n = at+k, n-k
		case at >= w.bits:
			add(ex.b.SExt(fill, n))
			n = 0
		default:
			limb := w.limbs[at/64]
			k := min(n, limb.Width()-at%64)
			add(ex.b.Extract(limb, at%64, k))
			at, n = at+k, n-k
		}
	}
	return r
}

// wideOp executes an operation on wide integers.
func (ex *Engine) wideOp(st *State, in *code.Inst) {
	f := st.own()
	op := in.X.(*code.Wide)
	a := ex.wideValue(f, op.A, op.From)
	zero, shift := ex.b.Const(1, 0), 0
	fill := zero
	if op.Op == ir.AShr || op.Op == ir.SExt {
		fill = ex.slice(a, a.bits-1, 1, zero)
	}
	var b wideInt
	switch op.Op {
	case ir.Shl, ir.LShr, ir.AShr:
		n, ok := concreteValue(f.val(op.B[0]))
		if !ok || n.Lo >= uint64(a.bits) {
			ex.unsupported(st, "shift of a wide integer by a variable")
			return
		}
		shift = int(n.Lo)
		if op.Op == ir.Shl {
			shift = -shift
		}
	case ir.And, ir.Or, ir.Xor, ir.ICmp:
		b = ex.wideValue(f, op.B, op.From)
	}
	if op.Op == ir.ICmp {
		ex.wideCompare(st, in, op, a, b)
		return
	}
	limb := 64
	if op.To <= 128 {
		limb = op.To
	}
	for i, at := 0, 0; at < op.To; i, at = i+1, at+limb {
		n := min(limb, op.To-at)
		var e *expr.Expr
		switch op.Op {
		case ir.And:
			e = ex.b.And(a.limbs[i], b.limbs[i])
		case ir.Or:
			e = ex.b.Or(a.limbs[i], b.limbs[i])
		case ir.Xor:
			e = ex.b.Xor(a.limbs[i], b.limbs[i])
		default:
			e = ex.slice(a, at+shift, n, fill)
		}
		v := fromExpr(e)
		if e.Width() > 64 {
			v = Value{E: e}
		}
		f.regs[in.Dst+int32(i)] = v
	}
}

func (ex *Engine) wideCompare(st *State, in *code.Inst, op *code.Wide, a, b wideInt) {
	same := ex.b.True()
	for i := range a.limbs {
		same = ex.b.And(same, ex.b.Eq(a.limbs[i], b.limbs[i]))
	}
	switch op.Pred {
	case ir.EQ:
	case ir.NE:
		same = ex.b.Not(same)
	default:
		ex.unsupported(st, "order of wide integers")
		return
	}
	st.own().regs[in.Dst] = fromExpr(same)
}
