package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
)

// Runs in which allocations fail. No test makes one fail here, so that nothing is
// covered by them; but a label that such a run meets is not infeasible. They are
// followed when all else is explored, from the allocation on, and only those in which
// the failure matters before they would end by it.

const (
	maxRefusals = 200     // states that are kept at allocations, of an exploration
	leastAfter  = 2000000 // instructions that these runs may take together, at least
)

// refusal is a state in which an allocation has just failed.
type refusal struct {
	st  *State
	due bool // it will be followed, or was
}

type refusals struct {
	kept  int
	due   []*State
	began uint64 // at so many instructions, 0: not yet
}

// refuse keeps what happens if an allocation fails; nil: that cannot be kept. It is
// called before the allocation.
func (ex *Engine) refuse(c *callContext) *refusal {
	if _, side := c.st.role.(*subPath); side || !ex.o.Proofs || !ex.o.Greybox || !c.st.role.explores() ||
		ex.refusals.kept == maxRefusals || !ex.minds(c.st) {
		return nil
	}
	ex.refusals.kept++
	st := ex.clone(c.st)
	st.role, st.seed = refused{}, nil
	(&callContext{st: st, in: c.in, site: c.site, fn: c.fn}).set(ex, Value{})
	touchesErrno(st)
	return &refusal{st: st}
}

// matters notes that a run without the block may differ from this one.
func (ex *Engine) matters(st *State, b *freshBlock) {
	switch {
	case b.refused == nil:
		ex.lost(st, oneFails)
	case !b.refused.due:
		b.refused.due = true
		ex.refusals.due = append(ex.refusals.due, b.refused.st)
	}
}

// takeRefused takes up a run in which an allocation fails; false if there is none.
func (ex *Engine) takeRefused() bool {
	r := &ex.refusals
	if r.began == 0 {
		r.began = max(ex.stats.Instructions, 1)
	}
	if ex.halt || len(r.due) == 0 || ex.stats.Instructions > 2*r.began+leastAfter {
		return false
	}
	last := len(r.due) - 1
	st := r.due[last]
	r.due = r.due[:last]
	ex.live++
	ex.search.join(st)
	return true
}

// neverRefused notes what is left of them.
func (ex *Engine) neverRefused() {
	for _, st := range ex.refusals.due {
		ex.partly(st, oneFails)
	}
}

// refused is the role of a path on which an allocation has failed.
type refused struct{}

func (refused) failed(_ *Engine, st *State, _ programError) { st.done = true }

func (refused) ended(ex *Engine, st *State, _ bool) {
	st.done = true
	for d := st.deferred; d != nil; d = d.prev {
		if r, _ := ex.s.Check(ex.ctx, st.cons, d.formula); r != solver.Unsat {
			ex.metRefused(d.id)
		}
	}
}

func (refused) gaveUp(ex *Engine, st *State, why string) {
	st.done = true
	ex.partly(st, why)
}

func (refused) rejected(_ *Engine, st *State) { st.done = true }

func (refused) left(*Engine, *State, int) {}

func (refused) lost(ex *Engine, st *State, why string) { ex.partly(st, why) }

func (refused) mayFork(ex *Engine, st *State) bool {
	r := &ex.refusals
	if ex.stats.Instructions > 2*r.began+leastAfter {
		ex.partly(st, oneFails)
		return false
	}
	return path{}.mayFork(ex, st)
}

func (refused) forked(ex *Engine, st, child *State) { path{}.forked(ex, st, child) }

func (refused) assumed(*Engine, *State, *expr.Expr) {}

func (refused) bytes(*expr.Var) []byte { return nil }

func (refused) explores() bool { return true }

// wants asks whether the label may be met, and leaves it at that: whether the run ends
// normally is not waited for.
func (refused) wants(ex *Engine, st *State, id uint32, c *callContext) {
	if ex.grey.lost[id] != "" {
		return
	}
	if side := ex.evaluate(st, id, c); side.lost != "" || !side.formula.IsFalse() {
		ex.metRefused(id)
	}
}

func (refused) label(*Engine, *State, uint32, Value) {}

func (ex *Engine) metRefused(id uint32) {
	if ex.grey.lost[id] == "" {
		ex.grey.lost[id] = "met where an allocation fails"
	}
}
