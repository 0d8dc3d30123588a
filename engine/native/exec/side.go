package exec

import (
	"fmt"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

const (
	maxSidePaths  = 64
	maxSideInstrs = 100000
)

// sideRun evaluates the predicate of a label beside a path. Its sub-paths (an &&
// forks) all end at klabel_label, where the solver is asked whether the path
// and the predicate can hold together. Where the predicate itself fails, it
// does not hold.
type sideRun struct {
	id      uint32
	depth   int               // of the frame that holds the label
	before  *expr.Constraints // of the path
	work    []*State
	ended   int
	lost    string     // why it is not exact
	formula *expr.Expr // or over the sub-paths
	model   *expr.Model
	now     bool // no test follows, so that nothing is asked again later
}

// subPath is the role of a sub-path: the run that it belongs to, and what it has
// assumed.
type subPath struct {
	*sideRun
	cond    *expr.Expr
	inDoubt bool // nobody knows whether that can be; the label's own question decides
}

// evaluate runs the predicate of a label from its klabel_wants on.
func (ex *Engine) evaluate(st *State, id uint32, c *callContext) *sideRun {
	_, alone := st.role.(refused)
	s := &sideRun{id: id, depth: st.top.depth, before: st.cons, formula: ex.b.False(), now: alone}
	owner, kept := st.mem.Owner(), len(ex.later.labels)
	first := ex.clone(st)
	first.role = &subPath{s, ex.b.True(), false}
	(&callContext{st: first, in: c.in, site: c.site, fn: c.fn}).set(ex, Value{C: 1})
	s.work = append(s.work, first)
	saved := ex.added
	ex.added = nil
	defer func() {
		ex.added = saved
		ex.found, ex.cached = [cacheSize]*memory.Object{}, nil
	}()
	var spent uint64
	for len(s.work) > 0 {
		st := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for !st.done {
			spent += ex.stepSide(st, s)
			if spent > maxSideInstrs || ex.ctx.Err() != nil {
				ex.giveUp(st, "its predicate takes too long")
			}
		}
		s.ended++
	}
	ex.stats.Instructions += spent
	if len(ex.later.labels) == kept { // no sub-path is kept: the path need not copy what it shared with them
		st.mem.TakeBack(owner)
	}
	return s
}

// stepSide runs a sub-path for a while.
func (ex *Engine) stepSide(st *State, s *sideRun) uint64 {
	n, broken := ex.beside(st, fmt.Sprintf("in the predicate of label %d", s.id))
	if broken {
		s.lost = "internal error in its predicate"
	}
	return n
}

func (s *subPath) failed(ex *Engine, st *State, e programError) { st.done = true }

func (s *subPath) ended(ex *Engine, st *State, silently bool) {
	s.gaveUp(ex, st, "its predicate ends the program")
}

func (s *subPath) gaveUp(ex *Engine, st *State, why string) {
	st.done = true
	s.sideRun.lost = why
}

func (s *subPath) rejected(ex *Engine, st *State) {
	s.gaveUp(ex, st, "its predicate assumes something false")
}

func (s *subPath) left(ex *Engine, st *State, d int) {
	if d == s.depth {
		s.gaveUp(ex, st, "its predicate leaves the function")
	}
}

func (s *subPath) lost(ex *Engine, st *State, why string) { s.sideRun.lost = why }

func (s *subPath) mayFork(ex *Engine, st *State) bool {
	if len(s.work)+s.sideRun.ended >= maxSidePaths {
		s.sideRun.lost = "its predicate has too many paths"
		return false
	}
	return true
}

func (s *subPath) forked(ex *Engine, st, child *State) {
	child.role = &subPath{s.sideRun, s.cond, s.inDoubt}
	s.work = append(s.work, child)
}

func (s *subPath) assumed(ex *Engine, st *State, cond *expr.Expr) { s.cond = ex.b.And(s.cond, cond) }

// forkInDoubt follows both sides of a condition of which the solver does not know
// whether they are possible, or asks it no more.
func (s *subPath) forkInDoubt(ex *Engine, st *State, cond *expr.Expr, br solver.Branches) (yes, no *State) {
	not := ex.b.Not(cond)
	follow := func(st *State, cond *expr.Expr, r solver.Result, m *expr.Model) *State {
		if r == solver.Unknown {
			st.role.(*subPath).inDoubt = true
		}
		ex.assume(st, cond, m)
		return st
	}
	switch {
	case br.True == solver.Unsat:
		return nil, follow(st, not, br.False, br.WhenFalse)
	case br.False == solver.Unsat || !s.mayFork(ex, st):
		return follow(st, cond, br.True, br.WhenTrue), nil
	}
	other := ex.split(st)
	return follow(st, cond, br.True, br.WhenTrue), follow(other, not, br.False, br.WhenFalse)
}

func (s *subPath) bytes(*expr.Var) []byte { return nil }

func (s *subPath) explores() bool { return false }

// wants: labels inside a predicate are not asked for.
func (s *subPath) wants(*Engine, *State, uint32, *callContext) {}

func (s *subPath) label(ex *Engine, st *State, id uint32, v Value) {
	if id != s.id {
		return
	}
	st.done = true
	if v.E == nil && v.C == 0 {
		return
	}
	cond := ex.b.True()
	if v.E != nil {
		cond = ex.b.Ne(v.E, ex.b.Const(v.E.Width(), 0))
	}
	if s.inDoubt { // all of it is one question, which can wait
		st.cons, cond = s.before, ex.b.And(s.cond, cond)
	}
	r, m := ex.s.Check(ex.ctx, st.cons, cond)
	switch r {
	case solver.Unknown:
		if s.now || !ex.labelLater(st, id, cond) {
			ex.stats.TimedOut++
			s.sideRun.lost = tooLong
		}
	case solver.Sat:
		if ex.needsUnset(st, cond) { // its test would be refused, each time
			s.sideRun.lost = "only what was never set satisfies it"
			return
		}
		s.formula = ex.b.Or(s.formula, ex.b.And(s.cond, cond))
		if s.model == nil {
			if r2, base := ex.s.Model(ex.ctx, st.cons); r2 == solver.Sat {
				s.model = base.Overlay(ex.usual(st, cond, m))
			}
		}
	}
}
