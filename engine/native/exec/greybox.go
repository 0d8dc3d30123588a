package exec

import (
	"fmt"
	"sort"

	"klabel/engine/native/expr"
	"klabel/engine/native/solver"
	"klabel/label"
)

// Mode greybox. A label in the program reads
//
//	if (klabel_wants(17)) klabel_label(17, PREDICATE);
//
// klabel_wants is where the work is done. If the label is of interest, a copy
// of the state evaluates the predicate on the side. Its sub-paths (an && forks)
// all end at klabel_label, where the solver is asked whether the path and the
// predicate can hold together. Whatever the answer, the path itself goes on
// from klabel_wants, which is 0 for it: no fork, no constraint.
//
// A label counts only if the run ends normally. So the values found are first
// run concretely to the program's end, which also shows the other labels on the
// way. If that run does not end well, the path keeps the formula (deferred) and
// asks again with all it has learnt when it ends normally itself. A formula
// that no such end satisfies is not covered by any continuation; hence leftover
// labels are infeasible once everything was explored.

const (
	maxSidePaths  = 64
	maxSideInstrs = 100000
	maxConcrete   = 20000000 // instructions of a concrete run
	maxAttempts   = 12       // concrete runs that end badly, for one label
)

type greybox struct {
	attempts map[uint32]int
	claimed  map[uint32]bool // an input was found
	seen     map[uint32]bool
	lost     map[uint32]string
}

func (g *greybox) init() {
	*g = greybox{attempts: map[uint32]int{}, claimed: map[uint32]bool{}, seen: map[uint32]bool{}, lost: map[uint32]string{}}
}

// sideRun evaluates one predicate.
type sideRun struct {
	id      uint32
	depth   int // of the frame that holds the label
	work    []*State
	ended   int
	lost    string     // why it is not exact
	formula *expr.Expr // or over the sub-paths
	stopped bool       // the sub-path that runs has ended
	model   *expr.Model
	hit     *State
}

// concreteRun replays values.
type concreteRun struct {
	model  *expr.Model
	hits   []uint32
	ended  bool
	normal bool
	why    string
	limit  uint64
}

// wanted reports whether the label is to be asked for. One that is pending is
// not, but neither is it infeasible if its test is refused later.
func (ex *Engine) wanted(id uint32) bool {
	if ex.labels == nil {
		return false
	}
	s := ex.labels.Status(id)
	if s == label.Pending {
		ex.grey.claimed[id] = true
	}
	return s.Open()
}

func wantsCall(ex *Engine, st *State, c *callContext) {
	v, ok := concreteValue(c.arg(0))
	id := uint32(v.Lo)
	c.set(ex, Value{})
	if !ok || !ex.wanted(id) || st.side != nil {
		return
	}
	if st.conc != nil {
		c.set(ex, Value{C: 1})
		return
	}
	ex.grey.seen[id] = true
	side := &sideRun{id: id, depth: st.top.depth, formula: ex.b.False()}
	first := ex.clone(st)
	first.side, first.sideCond = side, ex.b.True()
	(&callContext{st: first, in: c.in, site: c.site, fn: c.fn}).set(ex, Value{C: 1})
	side.work = append(side.work, first)
	ex.runSide(side)
	ex.found, ex.cached = [cacheSize]*noObject{}, nil
	if side.lost != "" {
		ex.grey.lost[id] = side.lost
	}
	if side.formula.IsFalse() {
		return
	}
	ex.tryLabel(st, side)
}

func (ex *Engine) runSide(s *sideRun) {
	saved := ex.added
	ex.added = nil
	defer func() { ex.added = saved }()
	var spent uint64
	for len(s.work) > 0 {
		st := s.work[len(s.work)-1]
		s.work = s.work[:len(s.work)-1]
		for !st.done {
			s.stopped = false
			spent += ex.stepSide(st)
			if !st.done && (spent > maxSideInstrs || ex.ctx.Err() != nil) {
				st.done = true
				s.lost = "its predicate takes too long"
			}
		}
		s.ended++
	}
	ex.stats.Instructions += spent
}

// stepSide runs a sub-path for a while; leaving by endPath is fine.
func (ex *Engine) stepSide(st *State) (n uint64) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(endPath); !ok {
				st.done = true
				st.side.lost = "internal error in its predicate"
				ex.stats.Internal++
				ex.warnOnce(fmt.Sprintf("internal error in the predicate of label %d: %v", st.side.id, e))
			}
		}
	}()
	return ex.interpret(st, 1000)
}

// sideLost drops a sub-path of a predicate.
func (ex *Engine) sideLost(st *State, why string) {
	st.done = true
	st.side.lost = why
	st.side.stopped = true
}

func labelCall(ex *Engine, st *State, c *callContext) {
	id, _ := concreteValue(c.arg(0))
	v := c.arg(1)
	if st.conc != nil {
		if v.C != 0 && len(st.conc.hits) < 1<<20 {
			st.conc.hits = append(st.conc.hits, uint32(id.Lo))
		}
		return
	}
	s := st.side
	if s == nil || uint32(id.Lo) != s.id {
		return
	}
	st.done, s.stopped = true, true
	if v.E == nil && v.C == 0 {
		return
	}
	cond := ex.b.True()
	if v.E != nil {
		cond = ex.b.Ne(v.E, ex.b.Const(v.E.Width(), 0))
	}
	r, m := ex.s.Check(ex.ctx, st.cons, cond)
	switch r {
	case solver.Unknown:
		ex.stats.TimedOut++
		s.lost = "a solver query took too long"
	case solver.Sat:
		s.formula = ex.b.Or(s.formula, ex.b.And(st.sideCond, cond))
		if s.hit == nil {
			if r2, base := ex.s.Model(ex.ctx, st.cons); r2 == solver.Sat {
				s.hit, s.model = st, base.Overlay(m)
			}
		}
	}
}

// tryLabel writes a test for a label that the path can cover, or remembers it.
func (ex *Engine) tryLabel(st *State, s *sideRun) {
	if s.model != nil && ex.grey.attempts[s.id] < maxAttempts {
		if ex.coverWith(st, s.id, s.model, ex.placeOf(st.top)) {
			return
		}
		ex.grey.attempts[s.id]++
	}
	for d := st.deferred; d != nil; d = d.prev {
		if d.id == s.id && d.formula == s.formula {
			return
		}
	}
	st.deferred = &deferredLabel{prev: st.deferred, id: s.id, formula: s.formula, where: ex.placeOf(st.top)}
}

// coverWith runs values to the end and, if the end is normal and the label is
// met on the way, writes the test.
func (ex *Engine) coverWith(st *State, id uint32, m *expr.Model, at place) bool {
	run := ex.concrete(m, st.instrs)
	if run == nil || !run.conc.normal {
		return false
	}
	met := false
	for _, h := range run.conc.hits {
		met = met || h == id
	}
	if !met {
		ex.warnOnce(fmt.Sprintf("internal: values for label %d do not reach it", id))
		return false
	}
	// Found by someone else before or not: an input meets these labels, so none
	// of them is infeasible, even if a replay refuses every test for it.
	won := ex.labels.Claim(id)
	for _, h := range run.conc.hits {
		if !ex.grey.claimed[h] {
			ex.labels.Claim(h)
			ex.grey.claimed[h] = true
		}
	}
	if !won {
		return true
	}
	text, _ := ex.report(st, fmt.Sprintf("ASSERTION FAIL: cov_label %d", id), "")
	ex.stats.LabelTests++
	ex.emit(&Test{Objects: objects(run, m), Suffix: "assert.err", Text: text})
	return true
}

// deferredLabels asks for what the path could not show on the way, now that it
// ends normally.
func (ex *Engine) deferredLabels(st *State) {
	if st.conc != nil || st.side != nil {
		return
	}
	for d := st.deferred; d != nil; d = d.prev {
		if !ex.wanted(d.id) {
			continue
		}
		r, m := ex.s.Check(ex.ctx, st.cons, d.formula)
		switch r {
		case solver.Unknown:
			ex.stats.TimedOut++
			ex.grey.lost[d.id] = "a solver query took too long"
		case solver.Sat:
			r2, base := ex.s.Model(ex.ctx, st.cons)
			if r2 != solver.Sat || !ex.coverWith(st, d.id, base.Overlay(m), d.where) {
				ex.grey.lost[d.id] = "its test could not be confirmed"
			}
		}
	}
	st.deferred = nil
}

// concrete runs the program from its start with given values. nil means that it
// could not be started.
func (ex *Engine) concrete(m *expr.Model, length uint64) *State {
	st, err := ex.initial(&concreteRun{model: m, limit: min(maxConcrete, 100000+20*length)})
	if err != nil {
		return nil
	}
	saved := ex.added
	ex.added = nil
	defer func() {
		ex.added = saved
		ex.found, ex.cached = [cacheSize]*noObject{}, nil
		if e := recover(); e != nil {
			if _, ok := e.(endPath); !ok {
				ex.stats.Internal++
				ex.warnOnce(fmt.Sprintf("internal error in a concrete run: %v", e))
			}
			st.conc.normal = false
		}
	}()
	for !st.done {
		ex.stats.Instructions += ex.interpret(st, 10000)
		if st.instrs > st.conc.limit || ex.ctx.Err() != nil {
			break
		}
	}
	return st
}

// endConcrete notes how a concrete run ended.
func (ex *Engine) endConcrete(st *State, why string) {
	st.done = true
	st.conc.ended, st.conc.why = true, why
}

// finishLabels decides which labels are infeasible: those left over after a
// complete exploration.
func (ex *Engine) finishLabels() {
	if !ex.o.Greybox {
		return
	}
	for id, why := range ex.grey.lost {
		if !ex.grey.claimed[id] {
			ex.stats.SideOnly[id] = why
		}
	}
	if len(ex.whys) > 0 || ex.labels == nil {
		return
	}
	for _, id := range ex.allLabels() {
		if ex.grey.claimed[id] || ex.grey.lost[id] != "" || !ex.wanted(id) {
			continue
		}
		ex.stats.Infeasible = append(ex.stats.Infeasible, id)
	}
	sort.Slice(ex.stats.Infeasible, func(i, j int) bool { return ex.stats.Infeasible[i] < ex.stats.Infeasible[j] })
}
