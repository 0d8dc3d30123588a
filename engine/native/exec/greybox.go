package exec

import (
	"fmt"
	"maps"
	"slices"
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
// A label counts only if the run ends normally (any end but a refusal of the inputs will do
// where Options.Failing says so). So the values found are first
// run concretely to the program's end, which also shows the other labels on the
// way. If that run does not end well, the path keeps the formula (deferred) and
// asks again with all it has learnt when it ends normally itself. A formula
// that no such end satisfies is not covered by any continuation; hence leftover
// labels are infeasible once everything was explored.

const (
	maxAttempts = 12    // concrete runs that end badly, for one label
	maxHopes    = 3     // tests for one label whose end the engine cannot see
	maxFailing  = 3     // failing paths that are asked for one label
	afterMet    = 20000 // instructions of a run behind its label, where any end counts
)

type greybox struct {
	attempts map[uint32]int
	claimed  map[uint32]bool // an input was found
	awaited  map[uint32]bool // paths have passed it while a test for it was not judged yet
	seen     map[uint32]bool
	lost     map[uint32]string
	hopes    map[uint32]int
	failing  map[uint32]int
	fails    map[uint32]bool // the predicate failed in a concrete run
	cutOff   uint64          // how long a run without inputs was that did not come to an end
}

func (g *greybox) init() {
	*g = greybox{attempts: map[uint32]int{}, claimed: map[uint32]bool{}, awaited: map[uint32]bool{},
		seen: map[uint32]bool{}, lost: map[uint32]string{}, hopes: map[uint32]int{},
		failing: map[uint32]int{}, fails: map[uint32]bool{}}
}

// wanted reports whether the label is to be asked for. One that is pending is
// not, but neither is it infeasible if its test is refused later.
func (ex *Engine) wanted(id uint32) bool {
	if ex.labels == nil {
		return false
	}
	s := ex.labels.Status(id)
	if s == label.Pending {
		ex.grey.claimed[id], ex.grey.awaited[id] = true, true
	}
	return s.Open()
}

// named reports whether a call names what it calls. The functions that labels
// stand behind have no meaning for a program that has found their addresses.
func (ex *Engine) named(st *State, c *callContext) bool {
	if !c.site.Named {
		ex.errorAt(st, "invalid function pointer", "ptr.err", "")
	}
	return c.site.Named
}

func wantsCall(ex *Engine, st *State, c *callContext) {
	if !ex.named(st, c) {
		return
	}
	v, ok := concreteValue(c.arg(0))
	id := uint32(v.Lo)
	c.set(ex, Value{})
	if ok && ex.wanted(id) {
		st.role.wants(ex, st, id, c)
	}
}

func labelCall(ex *Engine, st *State, c *callContext) {
	if !ex.named(st, c) {
		return
	}
	id, _ := concreteValue(c.arg(0))
	st.role.label(ex, st, uint32(id.Lo), c.arg(1))
}

// ask finds out what the path can do for a label.
func (ex *Engine) ask(st *State, id uint32, c *callContext) {
	ex.grey.seen[id] = true
	side := ex.evaluate(st, id, c)
	if side.lost != "" {
		ex.grey.lost[id] = side.lost
	}
	if !side.formula.IsFalse() {
		ex.tryLabel(st, side)
	}
}

// tryLabel writes a test for a label that the path can cover, or remembers it.
func (ex *Engine) tryLabel(st *State, s *sideRun) {
	if s.model != nil && ex.grey.attempts[s.id] < maxAttempts && !ex.tooLongBefore(st) {
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

// tooLongBefore reports whether the run of a path without inputs so far, which is
// the same each time, was cut off before and would be so again.
func (ex *Engine) tooLongBefore(st *State) bool {
	return st.syms == nil && ex.grey.cutOff > 0 && lengthLimit(st.instrs) < 4*ex.grey.cutOff
}

// coverWith runs values to the end and, if the end is one that counts and the label
// is met on the way, writes the test.
func (ex *Engine) coverWith(st *State, id uint32, m *expr.Model, at place) bool {
	limit := lengthLimit(st.instrs)
	if ex.o.Failing { // a run that never ends counts, too
		limit = min(limit, 2*st.instrs+afterMet)
	}
	end, run := ex.concrete(valued(m, limit))
	if end == nil {
		return false
	}
	met := slices.Contains(run.hits, id)
	if run.short && st.syms == nil {
		ex.grey.cutOff = limit
	}
	// Whether such an end counts is said by the replay, which has refused a label once or not.
	counts := ex.o.Failing && (run.erred || run.short) && ex.labels.Status(id) != label.Refused
	if !run.normal && !(counts && met) {
		if met && (run.short || ex.o.Failing && run.erred) {
			ex.hope(end, id, m)
		}
		return false
	}
	if !met {
		ex.warnOnce(fmt.Sprintf("internal: values for label %d do not reach it", id))
		return false
	}
	// Found by someone else before or not: an input meets these labels, so none
	// of them is infeasible, even if a replay refuses every test for it.
	won := ex.claim(id)
	also := "" // labels that wait for this test, too
	for _, h := range run.hits {
		if won && h != id && ex.labels.Status(h) == label.Unknown && ex.claim(h) {
			also += fmt.Sprintf(" %d", h)
		}
		ex.grey.claimed[h] = true
	}
	if !won {
		return true
	}
	if also != "" {
		also = ", met with" + also
	}
	text, _ := ex.report(st, fmt.Sprintf("ASSERTION FAIL: cov_label %d%s", id, also), "")
	ex.stats.LabelTests++
	ex.dashing.quiet = 0
	ex.emit(&Test{Objects: objects(end, m), Suffix: "assert.err", Text: text})
	return true
}

// claim marks a label as pending, unless tests for it were refused: false if it is
// not open.
func (ex *Engine) claim(id uint32) bool {
	if ex.labels.Status(id) == label.Unknown {
		ex.grey.awaited[id] = true
	}
	return ex.labels.Claim(id)
}

// deferredLabels asks for what the path could not show on the way, now that it
// ends normally.
func (ex *Engine) deferredLabels(st *State) {
	for d := st.deferred; d != nil; d = d.prev {
		if !ex.wanted(d.id) {
			continue
		}
		r, m := ex.s.Check(ex.ctx, st.cons, d.formula)
		switch r {
		case solver.Unknown:
			if !ex.labelLater(st, d.id, d.formula) {
				ex.stats.TimedOut++
				ex.grey.lost[d.id] = tooLong
			}
		case solver.Sat:
			r2, base := ex.s.Model(ex.ctx, st.cons)
			if r2 != solver.Sat || !ex.coverWith(st, d.id, base.Overlay(ex.usual(st, d.formula, m)), d.where) {
				ex.grey.lost[d.id] = "its test could not be confirmed"
			}
		}
	}
	st.deferred = nil
}

// hopes writes tests for the deferred labels of a path that the engine gives up:
// the native run may come to a normal end.
func (ex *Engine) hopes(st *State) {
	for d := st.deferred; d != nil; d = d.prev {
		if ex.grey.hopes[d.id] >= maxHopes || !ex.wanted(d.id) {
			continue
		}
		if r, m := ex.s.Check(ex.ctx, st.cons, d.formula); r == solver.Sat {
			if r, base := ex.s.Model(ex.ctx, st.cons); r == solver.Sat {
				ex.hope(st, d.id, base.Overlay(m))
			}
		}
	}
	st.deferred = nil
}

// failingLabels writes tests for the deferred labels of a path that ends in an error,
// where such tests count.
func (ex *Engine) failingLabels(st *State) {
	ex.notInfeasible(st, "met where a path ends in an error")
	ex.hopes(st)
}

// notInfeasible notes that a path meets its deferred labels, whatever comes of that.
func (ex *Engine) notInfeasible(st *State, why string) {
	for d := st.deferred; d != nil; d = d.prev {
		if ex.grey.lost[d.id] != "" {
			continue
		}
		if r, _ := ex.s.Check(ex.ctx, st.cons, d.formula); r != solver.Unsat {
			ex.grey.lost[d.id] = why
		}
	}
}

// errorLabels writes tests for the deferred labels of a path that ends in an error: that
// no run which ends normally meets such a label does not make it one that none reaches.
func (ex *Engine) errorLabels(st *State, e programError) {
	for d := st.deferred; d != nil; d = d.prev {
		if ex.grey.failing[d.id] >= maxFailing || !ex.wanted(d.id) {
			continue
		}
		ex.grey.failing[d.id]++
		if r, m := ex.s.Check(ex.ctx, st.cons, d.formula); r == solver.Sat {
			if r, base := ex.s.Model(ex.ctx, st.cons); r == solver.Sat {
				ex.grey.failing[d.id] = maxFailing
				text, _ := ex.report(st, e.msg, e.info)
				ex.emit(&Test{Objects: objects(st, base.Overlay(m)), Suffix: e.suffix, Text: text})
			}
		}
	}
	st.deferred = nil
}

// hope writes a test that meets a label on a path whose end is not known.
// Nothing is claimed: the replay tells.
func (ex *Engine) hope(st *State, id uint32, m *expr.Model) {
	if ex.grey.hopes[id]++; ex.grey.hopes[id] <= maxHopes {
		ex.emit(&Test{Objects: objects(st, m), Suffix: "early",
			Text: fmt.Sprintf("Error: the engine does not see the end of a path to label %d\n", id)})
	}
}

// finishLabels decides which labels are infeasible: those left over that nothing
// of what was missed leads to.
func (ex *Engine) finishLabels() {
	if !ex.o.Greybox {
		return
	}
	ex.stats.Awaited = slices.Sorted(maps.Keys(ex.grey.awaited))
	for id, why := range ex.grey.lost {
		if !ex.grey.claimed[id] {
			ex.stats.Undecided[id] = why
		}
	}
	if ex.missed.all || ex.labels == nil {
		return
	}
	for _, id := range ex.allLabels() {
		if ex.missed.labels[id] || ex.grey.claimed[id] || ex.grey.lost[id] != "" || !ex.wanted(id) {
			continue
		}
		ex.stats.Infeasible = append(ex.stats.Infeasible, id)
	}
	sort.Slice(ex.stats.Infeasible, func(i, j int) bool { return ex.stats.Infeasible[i] < ex.stats.Infeasible[j] })
}
