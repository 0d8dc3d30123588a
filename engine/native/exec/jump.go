package exec

import (
	"slices"

	"klabel/engine/native/code"
	"klabel/engine/native/memory"
)

// jumpPoint is a call of setjmp that longjmp may return to. The buffer holds its
// number, so that copies of the buffer work. Memory stays as it is at the time of
// the jump; values that the compiler keeps in registers are those of setjmp.
type jumpPoint struct {
	prev  *jumpPoint
	id    uint64
	depth int
	fn    *code.Func
	pc    int32 // behind the call
	regs  []Value
}

func setjmp(ex *Engine, st *State, c *callContext) {
	ex.resolve(st, c.arg(0), access{n: 8, write: true}, func(st *State, o *memory.Object, off Value) {
		f := st.own()
		j := &jumpPoint{prev: st.jumps, id: 1, depth: f.depth, fn: f.fn, pc: f.pc, regs: slices.Clone(f.regs)}
		if j.prev != nil {
			j.id = j.prev.id + 1
		}
		st.jumps = j
		ex.write(st, o, off, Value{C: j.id}, 64, 8)
		(&callContext{st: st, in: c.in, site: c.site, fn: c.fn}).set(ex, Value{})
	})
}

func longjmp(ex *Engine, st *State, c *callContext) {
	v := c.arg(1)
	w := c.width(1)
	if v.E != nil {
		v = fromExpr(ex.b.Ite(ex.b.Eq(v.E, ex.b.Const(w, 0)), ex.b.Const(w, 1), v.E))
	} else if v.C == 0 {
		v.C = 1
	}
	ex.resolve(st, c.arg(0), access{n: 8}, func(st *State, o *memory.Object, off Value) {
		id := ex.read(st, o, off, 64, 8)
		j := st.jumps
		for j != nil && (id.E != nil || j.id != id.C) {
			j = j.prev
		}
		if j == nil {
			ex.giveUp(st, "longjmp with a buffer that setjmp did not fill")
			return
		}
		for st.top.depth > j.depth {
			f := st.top
			ex.freeFrame(st, f)
			st.top = f.parent
			if st.role.left(ex, st, f.depth); st.done {
				return
			}
		}
		if st.top.depth != j.depth || st.top.fn != j.fn {
			ex.giveUp(st, "longjmp into a function that has returned")
			return
		}
		f := st.own()
		copy(f.regs, j.regs)
		f.pc = j.pc
		if in := &f.fn.Code[j.pc-1]; in.Dst >= 0 {
			f.regs[in.Dst] = ex.resize(v, w, in.X.(*code.CallSite).RetTypes[0].Width())
		}
	})
}
