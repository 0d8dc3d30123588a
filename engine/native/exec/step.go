package exec

import (
	"math/bits"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// quantum is how many instructions a state runs before another one gets its
// turn, if it does not fork.
const quantum = 20000

// run executes a state until it ends, forks or has used up its turn.
func (ex *Engine) run(st *State) {
	st.near = near{}
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
	ptr, low := ex.ptr, ex.space.Low
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
			if in.W == ptr && (a.E != nil || a.C >= low) && (b.E != nil || b.C >= low) {
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
			if in.W == ptr && a.C|b.C >= low {
				ex.asNumber(st, a, b)
			}
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: (a.C * b.C) & in.Mask}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.And:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == ptr && a.C|b.C >= low {
				ex.asNumber(st, a, b)
			}
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C & b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Or:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == ptr && a.C|b.C >= low {
				ex.asNumber(st, a, b)
			}
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C | b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.Xor:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == ptr && a.C|b.C >= low {
				ex.asNumber(st, a, b)
			}
			if a.E == nil && b.E == nil {
				regs[in.Dst] = Value{C: a.C ^ b.C}
				continue
			}
			regs[in.Dst] = ex.binary(in, a, b)
			continue
		case ir.ICmp:
			a, b := f.val(in.A), f.val(in.B)
			if in.W == ptr && (a.E != nil || a.C >= nearNull) && (b.E != nil || b.C >= nearNull) {
				if in.Pred != ir.EQ && in.Pred != ir.NE {
					ex.inOrder(st, a, b)
				} else if a != b {
					ex.mayCoincide(st, a, b)
				}
			}
			if in.W == ptr && st.fresh != nil {
				ex.compared(st, a)
				ex.compared(st, b)
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
				if in.W == ptr && a.C >= low {
					ex.asNumber(st, a, Value{})
				}
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
				regs[in.Dst] = Value{C: (a.C + in.Imm) & ex.mask}
				continue
			}
			e := ex.b.Add(a.E, ex.number(in.Imm))
			ex.originates(st, e, a)
			regs[in.Dst] = fromExpr(e)
			continue
		case code.IndexAddr:
			a, i := f.val(in.A), f.val(in.B)
			if a.E == nil && i.E == nil {
				regs[in.Dst] = Value{C: (a.C + in.Imm + uint64(signed(i.C, in.W))*in.Mask) & ex.mask}
				continue
			}
			regs[in.Dst] = ex.address(st, in)
			continue
		case ir.GEP:
			regs[in.Dst] = ex.address(st, in)
			continue
		case ir.Load:
			a := f.val(in.A)
			if a.E == nil && in.W <= 64 {
				if o := ex.find(st, a.C); o != nil {
					if off := a.C - o.Base; off+in.Imm <= o.Size && off <= o.Size {
						if v, ok := o.Uint(off, int(in.Imm)); ok {
							if st.fresh != nil {
								st.reached(o.Base)
							}
							if o.HoldsAddresses() && int(in.Imm) != ex.addressSize() {
								ex.piece(st, o, off, int(in.Imm))
							}
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
						if st.fresh != nil {
							st.reached(o.Base)
						}
						continue
					}
				}
			}
		case ir.Br:
			e := in.X.(*code.Edge)
			pc = ex.jump(st, f, e)
			if e.Round && ex.comesRound(st, e) {
				f.pc = pc
				return
			}
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
		if st.done || len(ex.added) > 0 || ex.pause() {
			return
		}
		f = st.own()
		prog, regs, pc = f.fn.Code, f.regs, f.pc
	}
	f.pc = pc
	return
}

// jump takes an edge: the phi moves, then coverage.
func (ex *Engine) jump(st *State, f *frame, e *code.Edge) int32 {
	f.move(e)
	if !f.fn.Covered[e.Block] && st.role.explores() {
		ex.covered(st, f.fn, e.Block)
	}
	return e.Target
}

// move does the moves of an edge, all at once.
func (f *frame) move(e *code.Edge) {
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
}

func (ex *Engine) covered(st *State, fn *code.Func, block int32) {
	fn.Covered[block] = true
	st.newCover, st.coversNew = st.instrs, true
	ex.dashing.quiet = 0
}

// address computes a getelementptr with symbolic parts.
func (ex *Engine) address(st *State, in *code.Inst) Value {
	f := st.top
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
		e := i.E
		if w := int(ex.ptr); e.Width() < w {
			e = ex.b.SExt(e, w)
		} else if e.Width() > w {
			e = ex.b.Extract(e, 0, w)
		}
		if bits.OnesCount64(t.Scale) == 1 {
			e = ex.b.Shl(e, ex.number(uint64(bits.TrailingZeros64(t.Scale))))
		} else {
			e = ex.b.Mul(e, ex.number(t.Scale))
		}
		if sym == nil {
			sym = e
		} else {
			sym = ex.b.Add(sym, e)
		}
	}
	if sym == nil {
		return Value{C: sum & ex.mask}
	}
	e := ex.b.Add(sym, ex.number(sum))
	ex.originates(st, e, base)
	return fromExpr(e)
}
