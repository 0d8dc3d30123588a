package exec

import (
	"strings"

	"klabel/engine/native/ir"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

func isSymbolic(ex *Engine, st *State, c *callContext) {
	v := uint64(0)
	if _, ok := concreteValue(c.arg(0)); !ok {
		v = 1
	}
	c.set(ex, Value{C: v})
}

func getValue(ex *Engine, st *State, c *callContext) {
	v, ok := ex.concretise(st, c.arg(0), c.width(0), "klee_get_value")
	if ok {
		c.set(ex, ex.constant(v, c.width(0)))
	}
}

// nondet is the __VERIFIER_nondet_* family: a fresh input of the result's type.
func nondet(ex *Engine, st *State, c *callContext) {
	if len(c.site.RetTypes) != 1 {
		ex.giveUp(st, "%s without a result", c.fn.Name)
		return
	}
	t := c.site.RetTypes[0]
	v := ex.fresh(st, c.fn.Name, int(t.StoreSize()))
	if t.Kind == ir.Int && t.Bits%8 != 0 || strings.HasSuffix(strings.ToLower(c.fn.Name), "bool") {
		w := int(t.StoreSize()) * 8
		low := ex.b.Ult(ex.expr(v, w), ex.b.Const(w, 2))
		if v.E == nil {
			if v.C > 1 {
				ex.reject(st)
				return
			}
		} else if r, m := ex.s.Check(ex.ctx, st.cons, low); r == solver.Sat {
			ex.assume(st, low, m)
		}
		v = ex.resize(v, w, t.Width())
	}
	c.set(ex, v)
}

// fresh makes a symbolic object that only exists as a value.
func (ex *Engine) fresh(st *State, name string, n int) Value {
	s := ex.newSymbolic(st, name, n)
	if s.bytes != nil {
		v := uint64(0)
		for i := min(n, 8) - 1; i >= 0; i-- {
			v = v<<8 | uint64(s.bytes[i])
		}
		if n > 8 {
			hi := uint64(0)
			for i := n - 1; i >= 8; i-- {
				hi = hi<<8 | uint64(s.bytes[i])
			}
			return Value{E: ex.b.Const128(8*n, v, hi)}
		}
		return Value{C: v}
	}
	return Value{E: ex.b.Read(s.v, 0, n)}
}

func kleeInt(ex *Engine, st *State, c *callContext) {
	c.set(ex, ex.fresh(st, ex.text(st, c.arg(0)), 4))
}

// kleeChoose is a number below another.
func kleeChoose(ex *Engine, st *State, c *callContext) {
	w := c.width(0)
	v := ex.fresh(st, "klee_choose", w/8)
	below := ex.b.Ult(ex.expr(v, w), c.expr(ex, 0))
	switch r, m := ex.s.Check(ex.ctx, st.cons, below); r {
	case solver.Sat:
		ex.assume(st, below, m)
		c.set(ex, v)
	case solver.Unsat:
		ex.reject(st)
	default:
		ex.noAnswer(st)
	}
}

func kleeRange(ex *Engine, st *State, c *callContext) {
	lo, hi := c.arg(0), c.arg(1)
	if lo.E == nil && hi.E == nil && signed(lo.C, 32) >= signed(hi.C, 32) {
		ex.errorAt(st, "invalid range", "user.err", "")
		return
	}
	v := ex.fresh(st, ex.text(st, c.arg(2)), 4)
	e := ex.expr(v, 32)
	in := ex.b.And(ex.b.Sle(ex.expr(lo, 32), e), ex.b.Slt(e, ex.expr(hi, 32)))
	switch r, m := ex.s.Check(ex.ctx, st.cons, in); r {
	case solver.Sat:
		ex.assume(st, in, m)
	case solver.Unsat:
		ex.reject(st)
		return
	default:
		ex.noAnswer(st)
		return
	}
	c.set(ex, v)
}

func makeSymbolic(ex *Engine, st *State, c *callContext) {
	if c.count() != 3 {
		ex.errorAt(st, "Incorrect number of arguments to klee_make_symbolic(void*, size_t, char*)", "user.err", "")
		return
	}
	name := ex.text(st, c.arg(2))
	if name == "" {
		name = "unnamed"
	}
	n, ok := ex.length(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	ex.resolve(st, c.arg(0), access{}, func(st *State, o *memory.Object, off Value) {
		if off.E == nil && n > o.Size-off.C { // a part of an object is more than KLEE allows
			ex.errorAt(st, "Wrong size given to klee_make_symbolic", "user.err", "")
			return
		}
		if o.ReadOnly {
			ex.errorAt(st, "cannot make readonly object symbolic", "user.err", "")
			return
		}
		if off.E != nil {
			ex.errorAt(st, "klee_make_symbolic at a symbolic address", "user.err", "")
			return
		}
		if n > 0 {
			st.reached(o.Base)
		}
		if ex.room(st, n*cellSize) {
			ex.makeSymbolicAt(st, o, off.C, name, int(n))
		}
	})
}

func (ex *Engine) makeSymbolicAt(st *State, o *memory.Object, off uint64, name string, n int) {
	s := ex.newSymbolic(st, name, n)
	o = ex.writable(st, o)
	if s.bytes != nil {
		o.SetBytes(off, s.bytes)
		return
	}
	for i := 0; i < n && !ex.late(st); {
		step := chunk(n)
		o.SetExpr(off+uint64(i), ex.b.Read(s.v, i, step))
		i += step
	}
}

// chunk is the number of bytes of a symbolic object that one expression holds:
// a lone scalar is read as it was written, without being put together again.
func chunk(size int) int {
	switch size {
	case 1, 2, 4, 8:
		return size
	}
	return 1
}

func (ex *Engine) newSymbolic(st *State, name string, n int) *symbolic {
	k := st.occurrence(name)
	s := &symbolic{prev: st.syms, name: name, n: n}
	s.v = ex.b.Var(nthName(name, k), n)
	s.bytes = st.role.bytes(s.v)
	st.syms = s
	return s
}
