package exec

import (
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
	"klabel/engine/native/solver"
)

// Hard questions wait. A query gets little time at first; what it leaves open, the
// side of a branch or a label, is asked again with more time when nothing else is
// left to explore. So a hard predicate does not take the time of easy ones.

const (
	firstShare = 50 // of the time of the exploration: what a query may take at first
	firstLeast = 100 * time.Millisecond
	maxLater   = 500
)

// laterBranch is a side of a branch of which nobody knows whether it is possible,
// or that what was never set decides.
type laterBranch struct {
	st   *State
	cond *expr.Expr
	why  string // what is to be said if it is never followed
}

// laterLabel is a label that may hold where a path stood.
type laterLabel struct {
	st      *State
	id      uint32
	formula *expr.Expr
}

type later struct {
	branches []laterBranch
	labels   []laterLabel
	limit    time.Duration // of a query
}

// begin sets the first limit of queries.
func (l *later) begin(ex *Engine) {
	l.limit = ex.o.SolverTime
	if ex.o.MaxTime > 0 {
		l.limit = min(l.limit, max(ex.o.MaxTime/firstShare, firstLeast))
	}
	ex.s.SetTimeout(l.limit)
}

// lastLimit is the most that a query may take, when nothing else is left.
func (ex *Engine) lastLimit() time.Duration {
	return max(ex.o.SolverTime, min(4*ex.o.SolverTime, ex.o.MaxTime/2))
}

// undefinedLater keeps both sides of a branch for later if memory that was never
// set decides it: a native run has some value there, so that what is found behind
// it seldom counts. Where very many are kept, a loop that asks scanf at the end of its
// input, further ones are not followed: no other path would have its turn.
func (ex *Engine) undefinedLater(st *State, cond *expr.Expr) bool {
	if _, isPath := st.role.(path); !isPath || st.seed != nil || !ex.neverSet(cond) {
		return false
	}
	const why = "memory that was never set decides it"
	if len(ex.later.branches) == maxLater {
		ex.lost(st, why)
		ex.reject(st)
		return true
	}
	if !ex.branchLater(st, cond, why) {
		return false
	}
	if !ex.branchLater(st, ex.b.Not(cond), why) {
		ex.lost(st, why)
	}
	st.done = true
	return true
}

// branchLater keeps a side of a branch for later; false if it cannot be.
func (ex *Engine) branchLater(st *State, cond *expr.Expr, why string) bool {
	f, l := st.top, &ex.later
	if _, isPath := st.role.(path); !isPath || l.limit >= ex.lastLimit() || f.pc == 0 ||
		len(l.branches) == maxLater || ex.ctx.Err() != nil {
		return false
	}
	if op := f.fn.Code[f.pc-1].Op; op != ir.CondBr && op != ir.Switch {
		return false // what cannot be executed again
	}
	c := ex.clone(st)
	c.seed = nil
	c.own().pc--
	l.branches = append(l.branches, laterBranch{c, cond, why})
	return true
}

// labelLater keeps a label for later; false if it cannot be.
func (ex *Engine) labelLater(st *State, id uint32, formula *expr.Expr) bool {
	l := &ex.later
	if l.limit >= ex.lastLimit() || len(l.labels) == maxLater || ex.ctx.Err() != nil {
		return false
	}
	l.labels = append(l.labels, laterLabel{st, id, formula})
	return true
}

// takeLater asks again with more time; true if there are states to run again.
func (ex *Engine) takeLater() bool {
	l := &ex.later
	for len(l.branches)+len(l.labels) > 0 && !ex.halt {
		l.limit = min(4*l.limit, ex.lastLimit())
		ex.s.SetTimeout(l.limit)
		branches, labels := l.branches, l.labels
		l.branches, l.labels = nil, nil
		for i, x := range labels {
			if ex.checkLimits(); ex.halt {
				l.labels = append(l.labels, labels[i:]...)
				break
			}
			ex.askAgain(x)
		}
		for i, x := range branches {
			if ex.checkLimits(); ex.halt {
				l.branches = append(l.branches, branches[i:]...)
				break
			}
			ex.branchAgain(x)
		}
		if ex.live > 0 {
			return !ex.halt
		}
	}
	return false
}

func (ex *Engine) askAgain(x laterLabel) {
	if !ex.wanted(x.id) {
		return
	}
	r, m := ex.s.Check(ex.ctx, x.st.cons, x.formula)
	switch r {
	case solver.Unknown:
		if !ex.labelLater(x.st, x.id, x.formula) {
			ex.stats.TimedOut++
			ex.grey.lost[x.id] = tooLong
		}
	case solver.Sat:
		r2, base := ex.s.Model(ex.ctx, x.st.cons)
		if r2 != solver.Sat || !ex.coverWith(x.st, x.id, base.Overlay(m), ex.placeOf(x.st.top)) {
			ex.grey.lost[x.id] = "its test could not be confirmed"
		}
	}
}

func (ex *Engine) branchAgain(x laterBranch) {
	r, m := ex.s.Check(ex.ctx, x.st.cons, x.cond)
	switch r {
	case solver.Unknown:
		x.st.own().pc++ // as it stood when it was kept
		if !ex.branchLater(x.st, x.cond, x.why) {
			ex.stats.TimedOut++
			ex.partly(x.st, tooLong)
		}
	case solver.Sat:
		ex.assume(x.st, x.cond, m)
		ex.live++
		ex.search.join(x.st)
	}
}

// neverAsked notes what was kept for later when there was no later.
func (ex *Engine) neverAsked() {
	for _, x := range ex.later.branches {
		if x.why == tooLong {
			ex.stats.TimedOut++
		}
		ex.partly(x.st, x.why)
	}
	for _, x := range ex.later.labels {
		ex.stats.TimedOut++
		ex.grey.lost[x.id] = tooLong
	}
}
