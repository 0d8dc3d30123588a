package exec

import (
	"math/bits"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// quantum is how many instructions a state runs before another one gets its
// turn, if it does not fork.
const quantum = 20000

// run executes a state until it ends, forks or has used up its turn.
func (ex *Engine) run(st *State) {
	n := ex.interpret(st, quantum)
	ex.stats.Instructions += n
}

// interpret is the inner loop. Registers of the top frame are written in place;
// everything that may change the frame or end the state saves pc first.
func (ex *Engine) interpret(st *State, budget uint64) (executed uint64) {
	left := budget
	counted := st
	defer func() {
		executed = budget - left
		counted.instrs += executed
	}()
	f := st.own()
	prog, regs, pc := f.fn.Code, f.regs, f.pc
	for left > 0 {
		left--
		in := &prog[pc]
		pc++
		switch in.Op {
		case ir.Add:
			a, b := f.val(in.A), f.val(in.B)
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: (a.C + b.C) & in.Mask}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Sub:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == 64 && (a.E != nil || a.C >= memory.GlobalBase) && (b.E != nil || b.C >= memory.GlobalBase) {
				ex.inOrder(st, a, b)
			}
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: (a.C - b.C) & in.Mask}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Mul:
			a, b := f.val(in.A), f.val(in.B)
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: (a.C * b.C) & in.Mask}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.And:
			a, b := f.val(in.A), f.val(in.B)
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C & b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Or:
			a, b := f.val(in.A), f.val(in.B)
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C | b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Xor:
			a, b := f.val(in.A), f.val(in.B)
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C ^ b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.ICmp:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == 64 && (a.E != nil || a.C >= memory.GlobalBase) && (b.E != nil || b.C >= memory.GlobalBase) &&
				in.Pred != ir.EQ && in.Pred != ir.NE {
				ex.inOrder(st, a, b)
			}
			if a.E == nil && b.E == nil {
				var r uint64
				if compare(in.Pred, a.C, b.C, in.W) {
					r = 1
				}
				regs[in.Dst] = Value{C: r}
				continue
			}
			regs[in.Dst] = fromExpr(code.Compare(ex.b, in.Pred, ex.expr(a, int(in.W)), ex.expr(b, int(in.W))))
			continue
		case ir.ZExt, ir.Trunc:
			a := f.val(in.A)
			if a.E == nil && in.RW <= 64 {
				regs[in.Dst] = Value{C: a.C & in.Mask}
				continue
			}
			e := ex.expr(a, int(in.W))
			if in.Op == ir.ZExt {
				regs[in.Dst] = fromExpr(ex.b.ZExt(e, int(in.RW)))
			} else {
				regs[in.Dst] = fromExpr(ex.b.Extract(e, 0, int(in.RW)))
			}
			continue
		case ir.SExt:
			a := f.val(in.A)
			if a.E == nil && in.RW <= 64 {
				regs[in.Dst] = Value{C: uint64(signed(a.C, in.W)) & in.Mask}
				continue
			}
			regs[in.Dst] = fromExpr(ex.b.SExt(ex.expr(a, int(in.W)), int(in.RW)))
			continue
		case code.Move:
			regs[in.Dst] = f.val(in.A)
			continue
		case code.ConstAddr:
			a := f.val(in.A)
			if a.E == nil {
				regs[in.Dst] = Value{C: a.C + in.Imm}
				continue
			}
			regs[in.Dst] = fromExpr(ex.b.Add(a.E, ex.b.Const(64, in.Imm)))
			continue
		case code.IndexAddr:
			a, i := f.val(in.A), f.val(in.B)
			if a.E == nil && i.E == nil {
				regs[in.Dst] = Value{C: a.C + in.Imm + uint64(signed(i.C, in.W))*in.Mask}
				continue
			}
			regs[in.Dst] = ex.address(f, in)
			continue
		case ir.GEP:
			regs[in.Dst] = ex.address(f, in)
			continue
		case ir.Load:
			a := f.val(in.A)
			if a.E == nil && in.W <= 64 {
				if o := ex.find(st, a.C); o != nil {
					if off := a.C - o.Base; off+in.Imm <= o.Size && off <= o.Size {
						if v, ok := o.Uint(off, int(in.Imm)); ok {
							if in.W&7 != 0 {
								v &= 1<<in.W - 1
							}
							regs[in.Dst] = Value{C: v}
							continue
						}
					}
				}
			}
		case ir.Store:
			a, v := f.val(in.B), f.val(in.A)
			if a.E == nil && v.E == nil && in.W <= 64 {
				if o := ex.find(st, a.C); o != nil && !o.ReadOnly {
					if off := a.C - o.Base; off+in.Imm <= o.Size && off <= o.Size {
						ex.writable(st, o).SetUint(off, int(in.Imm), v.C)
						continue
					}
				}
			}
		case ir.Br:
			pc = ex.jump(st, f, in.X.(*code.Edge))
			continue
		case ir.CondBr:
			if c := f.val(in.A); c.E == nil {
				pc = ex.jump(st, f, in.X.([2]*code.Edge)[c.C&1])
				continue
			}
		case ir.Switch:
			if c := f.val(in.A); c.E == nil {
				pc = ex.jump(st, f, in.X.(*code.SwitchTable).Find(c.C))
				continue
			}
		case ir.Select:
			if c := f.val(in.A); c.E == nil {
				if c.C&1 != 0 {
					regs[in.Dst] = f.val(in.B)
				} else {
					regs[in.Dst] = f.val(in.C)
				}
			} else {
				x, y := f.val(in.B), f.val(in.C)
				regs[in.Dst] = fromExpr(ex.b.Ite(c.E, ex.expr(x, int(in.W)), ex.expr(y, int(in.W))))
			}
			continue
		}
		f.pc = pc
		ex.complex(st, in)
		if st.done || len(ex.added) > 0 {
			return
		}
		f = st.own()
		prog, regs, pc = f.fn.Code, f.regs, f.pc
	}
	f.pc = pc
	return
}

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

// jump takes an edge: the phi moves, then coverage.
func (ex *Engine) jump(st *State, f *frame, e *code.Edge) int32 {
	switch len(e.Moves) {
	case 0:
	case 1:
		f.regs[e.Moves[0].Dst] = f.val(e.Moves[0].Src)
	default:
		var buf [8]Value
		tmp := buf[:0]
		for _, m := range e.Moves {
			tmp = append(tmp, f.val(m.Src))
		}
		for i, m := range e.Moves {
			f.regs[m.Dst] = tmp[i]
		}
	}
	if !f.fn.Covered[e.Block] && st.role.explores() {
		ex.covered(st, f.fn, e.Block)
	}
	return e.Target
}

func (ex *Engine) covered(st *State, fn *code.Func, block int32) {
	fn.Covered[block] = true
	st.newCover, st.coversNew = st.instrs, true
}

// complex executes the instructions that may fork, fail or change the frame.
func (ex *Engine) complex(st *State, in *code.Inst) {
	f := st.top
	switch in.Op {
	case ir.UDiv, ir.SDiv, ir.URem, ir.SRem:
		ex.divide(st, in)
	case ir.Shl, ir.LShr, ir.AShr:
		ex.shift(st, in)
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

func (ex *Engine) condBr(st *State, in *code.Inst) {
	edges := in.X.([2]*code.Edge)
	yes, no := ex.fork(st, st.top.val(in.A).E)
	if yes != nil {
		ex.take(yes, edges[1])
	}
	if no != nil {
		ex.take(no, edges[0])
	}
}

func (ex *Engine) take(st *State, e *code.Edge) {
	f := st.own()
	f.pc = ex.jump(st, f, e)
}

// switchOn forks once for each case that can be, and for the default.
func (ex *Engine) switchOn(st *State, in *code.Inst) {
	t := in.X.(*code.SwitchTable)
	v := st.top.val(in.A).E
	w := int(in.W)
	// Cases that lead to the same block without phi moves are one branch.
	type group struct {
		edge *code.Edge
		cond *expr.Expr
	}
	var groups []group
	at := map[int32]int{}
	for i := range t.Values {
		eq := ex.b.Eq(v, ex.b.Const(w, t.Values[i]))
		e := &t.Edges[i]
		if k, ok := at[e.Block]; ok && len(e.Moves) == 0 {
			groups[k].cond = ex.b.Or(groups[k].cond, eq)
			continue
		}
		at[e.Block] = len(groups)
		groups = append(groups, group{e, eq})
	}
	for _, g := range groups {
		yes, no := ex.fork(st, g.cond)
		if yes != nil {
			ex.take(yes, g.edge)
		}
		if no == nil {
			return
		}
		if yes != nil && no == st {
			panic("fork swapped states")
		}
		st = no
	}
	ex.take(st, &t.Default)
}

// address computes a getelementptr with symbolic parts.
func (ex *Engine) address(f *frame, in *code.Inst) Value {
	base := f.val(in.A)
	terms, ok := in.X.([]code.Term)
	if !ok {
		terms = []code.Term{{Reg: in.B, Width: in.W, Scale: in.Mask}}
	}
	sum, sym := in.Imm, (*expr.Expr)(nil)
	if base.E == nil {
		sum += base.C
	} else {
		sym = base.E
	}
	for _, t := range terms {
		i := f.val(t.Reg)
		if i.E == nil {
			sum += uint64(signed(i.C, t.Width)) * t.Scale
			continue
		}
		e := ex.b.SExt(i.E, 64)
		if bits.OnesCount64(t.Scale) == 1 {
			e = ex.b.Shl(e, ex.b.Const(64, uint64(bits.TrailingZeros64(t.Scale))))
		} else {
			e = ex.b.Mul(e, ex.b.Const(64, t.Scale))
		}
		if sym == nil {
			sym = e
		} else {
			sym = ex.b.Add(sym, e)
		}
	}
	if sym == nil {
		return Value{C: sum}
	}
	return fromExpr(ex.b.Add(sym, ex.b.Const(64, sum)))
}
