package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
)

// fork splits a state on a condition. yes goes on where it holds, no where it
// does not; one of them is st itself, one may be nil. Both nil means that the
// solver gave no answer: the state was given up and is done.
func (ex *Engine) fork(st *State, cond *expr.Expr) (yes, no *State) {
	if cond.IsConst() {
		if cond.IsTrue() {
			return st, nil
		}
		return nil, st
	}
	br := ex.s.Fork(ex.ctx, st.cons, cond)
	canTrue, canFalse := br.True == solver.Sat, br.False == solver.Sat
	if br.True == solver.Unknown || br.False == solver.Unknown {
		ex.stats.TimedOut++
		ex.lost(st, "a solver query took too long")
		switch {
		case canTrue:
			ex.assume(st, cond, br.WhenTrue)
			return st, nil
		case canFalse:
			ex.assume(st, ex.b.Not(cond), br.WhenFalse)
			return nil, st
		}
		ex.giveUp(st)
		return nil, nil
	}
	switch {
	case canTrue && canFalse:
	case canTrue:
		return st, nil
	case canFalse:
		return nil, st
	default:
		ex.lost(st, "contradicting constraints")
		ex.giveUp(st)
		return nil, nil
	}
	if ex.forkRefused(st) {
		if ex.rng.Intn(2) == 0 {
			ex.assume(st, cond, br.WhenTrue)
			return st, nil
		}
		ex.assume(st, ex.b.Not(cond), br.WhenFalse)
		return nil, st
	}
	other := ex.split(st)
	ex.assume(st, cond, br.WhenTrue)
	ex.assume(other, ex.b.Not(cond), br.WhenFalse)
	return st, other
}

// split clones a state and hands the clone to the searcher (or to the side
// run that it belongs to).
func (ex *Engine) split(st *State) *State {
	st.depth++
	c := ex.clone(st)
	if st.side != nil {
		st.side.work = append(st.side.work, c)
		return c
	}
	ex.stats.Forks++
	ex.growTree(st, c)
	ex.added = append(ex.added, c)
	return c
}

func (ex *Engine) forkRefused(st *State) bool {
	if st.side != nil {
		if len(st.side.work)+st.side.ended >= maxSidePaths {
			st.side.lost = "its predicate has too many paths"
			return true
		}
		return false
	}
	switch {
	case ex.o.MaxDepth > 0 && st.depth >= ex.o.MaxDepth:
		ex.incomplete("depth limit of %d reached", ex.o.MaxDepth)
		ex.warnOnce("skipping fork (max-depth reached)")
	case ex.o.MaxForks > 0 && ex.stats.Forks >= uint64(ex.o.MaxForks):
		ex.incomplete("fork limit of %d reached", ex.o.MaxForks)
		ex.warnOnce("skipping fork (max-forks reached)")
	default:
		return false
	}
	return true
}

// assume adds a constraint that is known to be satisfiable.
func (ex *Engine) assume(st *State, cond *expr.Expr, hint *expr.Model) {
	st.cons = st.cons.Add(ex.b, cond, hint)
	if st.side != nil {
		st.sideCond = ex.b.And(st.sideCond, cond)
	}
}

// lost notes that something of the state's future will not be explored.
func (ex *Engine) lost(st *State, why string) {
	if st.side != nil {
		st.side.lost = why
		return
	}
	ex.incomplete("%s", why)
}

// giveUp ends a state of which nothing more is known.
func (ex *Engine) giveUp(st *State) {
	if st.done {
		return
	}
	st.done = true
	if st.side == nil && st.conc == nil {
		ex.stats.Partial++
	}
}

// concretise returns a value for v. If v can take others, they are lost: the
// exploration is incomplete.
func (ex *Engine) concretise(st *State, v Value, w int, what string) (expr.Value, bool) {
	if x, ok := concreteValue(v); ok {
		return x, true
	}
	e := st.cons.Simplify(ex.b, v.E)
	if e.IsConst() {
		return e.Value(), true
	}
	x, r := ex.s.Value(ex.ctx, st.cons, e)
	if r != solver.Sat {
		ex.stats.TimedOut++
		ex.lost(st, "a solver query took too long")
		ex.giveUp(st)
		return expr.Value{}, false
	}
	eq := ex.b.Eq(e, ex.b.ConstValue(w, x))
	res, m := ex.s.Check(ex.ctx, st.cons, ex.b.Not(eq))
	if res == solver.Unsat {
		return x, true
	}
	_ = m
	ex.stats.Concretised++
	ex.lost(st, what+" was made concrete")
	ex.warnOnce("silently concretizing " + what)
	_, hint := ex.s.Check(ex.ctx, st.cons, eq)
	ex.assume(st, eq, hint)
	return x, true
}

// enumerate gives v one of its values in st and leaves the other values to a
// clone that executes the same instruction again: nothing is lost.
func (ex *Engine) enumerate(st *State, v Value, w int, again int32) (expr.Value, bool) {
	if x, ok := concreteValue(v); ok {
		return x, true
	}
	e := st.cons.Simplify(ex.b, v.E)
	if e.IsConst() {
		return e.Value(), true
	}
	x, r := ex.s.Value(ex.ctx, st.cons, e)
	if r != solver.Sat {
		ex.stats.TimedOut++
		ex.lost(st, "a solver query took too long")
		ex.giveUp(st)
		return expr.Value{}, false
	}
	pc := st.own().pc
	st.top.pc = again
	yes, no := ex.fork(st, ex.b.Eq(e, ex.b.ConstValue(w, x)))
	if yes == nil {
		if no != nil { // the fork was refused, the other values were chosen
			return expr.Value{}, false
		}
		return expr.Value{}, false
	}
	yes.own().pc = pc
	return x, true
}
