package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
)

// memcpy and memset with lengths that may be symbolic: each length is a path of
// its own, since the loops that C programs write fork likewise.

// rangeAccess resolves n bytes at p.
func (ex *Engine) rangeAccess(st *State, p Value, n uint64, write bool, then func(*State, *memory.Object, Value)) {
	ex.resolve(st, p, access{n: n, write: write}, then)
}

// length makes a symbolic length concrete by forking; the other lengths execute
// the call again.
func (ex *Engine) length(st *State, n Value, w int) (uint64, bool) {
	if n.E == nil {
		return n.C, true
	}
	v, ok := ex.enumerate(st, n, w, st.top.pc-1)
	return v.Lo, ok
}

func (ex *Engine) copyMemory(st *State, dst, src, n Value, w int) {
	size, ok := ex.length(st, n, w)
	if !ok || size == 0 {
		return
	}
	if !ex.room(st, size) {
		return
	}
	ex.rangeAccess(st, src, size, false, func(st *State, so *memory.Object, soff Value) {
		ex.rangeAccess(st, dst, size, true, func(st *State, do *memory.Object, doff Value) {
			so := st.mem.Find(so.Base)
			if soff.E == nil && ex.isPiece(st, so, soff.C, size) {
				ex.lost(st, piecesUsed)
			}
			if soff.E == nil && doff.E == nil {
				if size > maxUnsetCopied && so.Unwritten(soff.C, min(size, maxSettled)) > maxUnsetCopied {
					const why = "much memory that was never set is copied"
					if size > maxSettled {
						ex.giveUp(st, why)
						return
					}
					ex.lost(st, why)
					so = ex.writable(st, so)
					so.Settle(soff.C, size)
				}
				do = ex.writable(st, st.mem.Find(do.Base))
				if so.Base == do.Base {
					so = do
				}
				do.Copy(doff.C, so, soff.C, size)
				return
			}
			ex.copying = true
			defer func() { ex.copying = false }()
			vals := make([]Value, size)
			for i := range vals {
				if ex.late(st) {
					return
				}
				vals[i] = ex.read(st, so, ex.plus(soff, uint64(i)), 8, 1)
			}
			for i, v := range vals {
				if ex.late(st) {
					return
				}
				ex.write(st, st.mem.Find(do.Base), ex.plus(doff, uint64(i)), v, 8, 1)
			}
		})
	})
}

// cellSize is what a symbolic byte takes.
const cellSize = 16

func (ex *Engine) setMemory(st *State, dst, v, n Value, w int) {
	size, ok := ex.length(st, n, w)
	if !ok || size == 0 {
		return
	}
	need := size
	if v.E != nil {
		need *= cellSize
	} else if v.C == 0 {
		need = 0 // zeros are not stored
	}
	if !ex.room(st, need) {
		return
	}
	ex.rangeAccess(st, dst, size, true, func(st *State, o *memory.Object, off Value) {
		if off.E == nil {
			o = ex.writable(st, o)
			if v.E == nil {
				o.Fill(off.C, size, byte(v.C), memory.Cell{})
			} else {
				o.Fill(off.C, size, 0, memory.Cell{E: v.E})
			}
			return
		}
		for i := uint64(0); i < size && !ex.late(st); i++ {
			ex.write(st, st.mem.Find(o.Base), ex.plus(off, i), v, 8, 1)
		}
	})
}

// atomic executes cmpxchg and atomicrmw: there is one thread, so they are plain.
func (ex *Engine) atomic(st *State, in *code.Inst) {
	p := st.top.val(in.A)
	ex.resolve(st, p, access{n: in.Imm, write: true}, func(st *State, o *memory.Object, off Value) {
		f := st.own()
		old := ex.read(st, o, off, in.W, int(in.Imm))
		w := int(in.W)
		x, arg := ex.expr(old, w), ex.expr(f.val(in.B), w)
		if in.Op == ir.CmpXchg {
			same := ex.b.Eq(x, arg)
			nv := ex.b.Ite(same, ex.expr(f.val(in.C), w), x)
			ex.write(st, o, off, fromExpr(nv), in.W, int(in.Imm))
			f.regs[in.Dst], f.regs[in.Dst+1] = old, fromExpr(same)
			return
		}
		nv := ex.rmw(in.X.(string), x, arg)
		if nv == nil {
			ex.unsupported(st, "atomicrmw "+in.X.(string))
			return
		}
		ex.write(st, o, off, fromExpr(nv), in.W, int(in.Imm))
		if in.Dst >= 0 {
			f.regs[in.Dst] = old
		}
	})
}

func (ex *Engine) rmw(op string, x, y *expr.Expr) *expr.Expr {
	b := ex.b
	switch op {
	case "xchg":
		return y
	case "add":
		return b.Add(x, y)
	case "sub":
		return b.Sub(x, y)
	case "and":
		return b.And(x, y)
	case "nand":
		return b.Not(b.And(x, y))
	case "or":
		return b.Or(x, y)
	case "xor":
		return b.Xor(x, y)
	case "max":
		return b.Ite(b.Sgt(x, y), x, y)
	case "min":
		return b.Ite(b.Slt(x, y), x, y)
	case "umax":
		return b.Ite(b.Ugt(x, y), x, y)
	case "umin":
		return b.Ite(b.Ult(x, y), x, y)
	}
	return nil
}
