package exec

import (
	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// armLabel is an open label in an arm: where the arm stood, and when it comes there.
type armLabel struct {
	id    uint32
	env   env
	guard *expr.Expr
	pc    int32
}

// askArms asks for the labels that stand in the arms; false if the solver cannot tell
// whether a path comes to one of them.
func (ex *Engine) askArms(st *State, m *merger) bool {
	if len(m.asks) == 0 {
		return true
	}
	first, owner, kept := st.deferred, st.mem.Owner(), len(ex.later.labels)
	defer func() {
		if len(ex.later.labels) == kept {
			st.mem.TakeBack(owner)
		}
		ex.found, ex.cached = [cacheSize]*memory.Object{}, nil
	}()
	for i := range m.asks {
		a := &m.asks[i]
		if !ex.wanted(a.id) {
			continue
		}
		r, hint := ex.s.Check(ex.ctx, st.cons, a.guard)
		if r == solver.Unsat {
			continue
		}
		if r == solver.Unknown {
			st.deferred = first
			return false
		}
		c := ex.clone(st)
		c.seed, c.deferred = nil, nil
		c.cons = c.cons.Add(ex.b, a.guard, hint)
		c.top = &frame{owner: c.mem.Owner(), fn: m.f.fn, regs: a.env.regs, pc: a.pc + 1, parent: m.f.parent,
			depth: m.f.depth, stack: m.f.stack}
		for k := range a.env.log {
			x := &a.env.log[k]
			ex.write(c, ex.find(c, x.base), Value{C: x.off}, x.v, x.w, x.n)
		}
		in := &m.f.fn.Code[a.pc]
		site := in.X.(*code.CallSite)
		ex.ask(c, a.id, &callContext{st: c, in: in, site: site, fn: site.Callee})
		for d := c.deferred; d != nil; d = d.prev {
			formula := ex.b.And(a.guard, d.formula)
			st.deferred = &deferredLabel{prev: st.deferred, id: d.id, formula: formula, where: d.where}
		}
	}
	return true
}
