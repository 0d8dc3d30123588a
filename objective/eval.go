package objective

import (
	"slices"

	"klabel/label"
)

// Known says what is known of a label.
type Known func(label.ID) label.Status

// Status is what is known of an expression when that is known of its labels:
// covered if labels that are make it true; infeasible if it is not true even
// with all labels that are not infeasible; else unknown. A sequence, and what
// is under a guard, is never covered before Lower has made labels of it.
func (e *Expr) Status(known Known) label.Status {
	switch {
	case e.holds(func(id label.ID) bool { return known(id) == label.Covered }, false):
		return label.Covered
	case !e.holds(func(id label.ID) bool { return known(id) != label.Infeasible }, true):
		return label.Infeasible
	}
	return label.Unknown
}

// Covered reports whether these labels make the expression true.
func (e *Expr) Covered(hit func(label.ID) bool) bool { return e.holds(hit, false) }

// holds evaluates; unseen is the value of what no test records.
func (e *Expr) holds(has func(label.ID) bool, unseen bool) bool {
	switch e.Op {
	case OpLabel:
		return has(e.ID)
	case OpSequence, OpThen:
		return unseen
	case OpGuard:
		return (unseen || len(e.Guard) == 0) && e.Args[0].holds(has, unseen)
	case OpOr:
		return slices.ContainsFunc(e.Args, func(a *Expr) bool { return a.holds(has, unseen) })
	}
	return !slices.ContainsFunc(e.Args, func(a *Expr) bool { return !a.holds(has, unseen) })
}

// Needed calls need for every label that a test would help the expression with:
// it is not covered, and belongs to a combination that is still possible.
func (e *Expr) Needed(known Known, need func(label.ID)) {
	if s := e.Status(known); s == label.Covered || s == label.Infeasible {
		return
	}
	if e.Op == OpLabel {
		need(e.ID)
	}
	for _, a := range e.Args {
		a.Needed(known, need)
	}
}

// Completing calls found for every label that would cover the expression by itself.
func (e *Expr) Completing(known Known, found func(label.ID)) {
	if s := e.Status(known); s == label.Covered || s == label.Infeasible {
		return
	}
	switch e.Op {
	case OpLabel:
		found(e.ID)
	case OpOr:
		for _, a := range e.Args {
			a.Completing(known, found)
		}
	case OpAnd:
		var left *Expr
		for _, a := range e.Args {
			if a.Status(known) == label.Covered {
				continue
			}
			if left != nil {
				return
			}
			left = a
		}
		left.Completing(known, found)
	}
}

// Witness is a set of labels, all hit, that makes a covered expression true,
// with as few as possible that are not in have; false if there is none.
func (e *Expr) Witness(hit func(label.ID) bool, have map[label.ID]bool) ([]label.ID, bool) {
	if !e.Covered(hit) {
		return nil, false
	}
	var out []label.ID
	switch e.Op {
	case OpLabel:
		return []label.ID{e.ID}, true
	case OpOr:
		best := -1
		for _, a := range e.Args {
			w, ok := a.Witness(hit, have)
			if !ok {
				continue
			}
			cost := 0
			for _, id := range w {
				if !have[id] {
					cost++
				}
			}
			if best < 0 || cost < best {
				best, out = cost, w
			}
		}
	default:
		for _, a := range e.Args {
			w, _ := a.Witness(hit, have)
			out = append(out, w...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out), true
}

// maxStarts bounds how often Choose tries anew with another expression first.
const maxStarts = 24

// Choose picks a small set of hit labels that makes every expression true that
// all hit labels make true. No label of it can be left out.
func Choose(exprs []*Expr, hit func(label.ID) bool) map[label.ID]bool {
	var todo []*Expr
	for _, e := range exprs {
		if e.Covered(hit) {
			todo = append(todo, e)
		}
	}
	var best map[label.ID]bool
	for first := range min(len(todo), maxStarts) {
		have := map[label.ID]bool{}
		for i := range todo {
			w, _ := todo[(first+i)%len(todo)].Witness(hit, have)
			for _, id := range w {
				have[id] = true
			}
		}
		thin(todo, have)
		if best == nil || len(have) < len(best) {
			best = have
		}
	}
	return best
}

// thin leaves out what no expression needs.
func thin(exprs []*Expr, have map[label.ID]bool) {
	ids := make([]label.ID, 0, len(have))
	for id := range have {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range slices.Backward(ids) {
		delete(have, id)
		for _, e := range exprs {
			if !e.Covered(func(x label.ID) bool { return have[x] }) {
				have[id] = true
				break
			}
		}
	}
}
