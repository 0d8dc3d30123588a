package annotate

import (
	"fmt"
	"slices"

	"klabel/annotate/ctree"
	"klabel/annotate/logic"
	"klabel/objective"
)

// independence: MC/DC and its relatives. Every way of evaluating a decision is a
// label; a condition wants two of them, between which it decides by itself.
type independence struct {
	rule logic.Rule
	// clauses: all atoms are seen that may be, and one that stands twice is one, as
	// CACC and RACC have it; else a condition that the decision skips is a "don't
	// care", and each occurrence is a condition.
	clauses bool
}

// maxVectors is how many labels a decision may have: as many as ten conditions ever want.
const maxVectors = 1024

func (c independence) mark(f *function, tag string) {
	for _, d := range f.decisions {
		if len(d.vars) > 0 && d.usable() {
			c.decision(f, d, tag)
		}
	}
}

func (c independence) decision(f *function, d *decision, tag string) {
	conds, table := d.clauses()
	if !c.clauses {
		conds, table = f.occurrences(d)
	}
	if _, fixed := table.Form.Const(); fixed && d.constant { // x && 0: not by its conditions, as x && !x is
		return
	}
	s, text := f.place(d)
	if s == nil {
		return
	}
	if !c.clauses && d.pure {
		text = func(i int) string { return f.src(conds[i]) }
	}
	out := &planned{site: s, text: objective.Decision{Criterion: tag, Function: f.Name,
		Position: f.p.unit.Origin(d.core.Span.Start).Position(), Text: f.plain(d.core)}}
	for _, e := range conds {
		out.text.Conditions = append(out.text.Conditions, objective.Condition{Text: f.plain(e),
			At: f.p.unit.Origin(e.Span.Start).Position()})
	}
	for _, a := range d.atoms {
		if _, constant := constTruth(a); constant {
			out.text.Folded = append(out.text.Folded, f.plain(a))
		}
	}
	f.p.decisions = append(f.p.decisions, out)
	var vs []logic.Vector
	within := len(conds) <= 60
	if within {
		vs, within = table.Vectors(maxVectors)
	}
	if !within {
		out.text.Instead = fmt.Sprintf("%d conditions have more than %d ways to be evaluated; each condition is true "+
			"and false instead (CC)", len(conds), maxVectors)
		f.p.warnAt(d.core.Span.Start, "%s: %s", tag, out.text.Instead)
		for _, a := range d.vars {
			f.bothWays(a, a.Const, tag)
		}
		return
	}
	ranges := f.ranges(d, conds)
	var conflicts [][]int // by vector: the conditions that speak against it
	for _, v := range vs {
		m := s.add(predicate(v, table.Same).C(text), tag)
		m.paired = true
		conflict := ranges.conflict(v)
		if conflict != nil {
			m.fixed, m.why = alwaysFalse, ranges.impossible(v, conflict)
		}
		conflicts = append(conflicts, conflict)
		out.marks = append(out.marks, m)
		out.text.Vectors = append(out.text.Vectors, objective.Vector{Values: values(v, len(conds)), Outcome: v.Outcome})
	}
	for i := range conds {
		pairs := table.Pairs(vs, i, c.rule)
		out.pairs = append(out.pairs, pairs)
		var against [][]int
		open := false
		for _, p := range pairs {
			open = open || conflicts[p.True] == nil && conflicts[p.False] == nil
			against = append(against, conflicts[p.True], conflicts[p.False])
		}
		if !open {
			out.text.Conditions[i].Coupled = ranges.coupled(table.Same, against, i)
		}
	}
}

// clauses are the atoms of a decision, all seen that may be.
func (d *decision) clauses() ([]*ctree.Expr, *logic.Conditions) {
	l := d.logic()
	c := &logic.Conditions{Form: l.Form, Count: l.Atoms, Whole: true, Guarded: l.Guarded}
	for i := range l.Atoms {
		c.Same = append(c.Same, i)
	}
	return d.vars, c
}

// occurrences are the conditions of a decision, each as often as it stands there.
func (f *function) occurrences(d *decision) ([]*ctree.Expr, *logic.Conditions) {
	c := &logic.Conditions{}
	var conds []*ctree.Expr
	first := map[string]int{}
	c.Form = formOf(d.core, func(e *ctree.Expr) *logic.Form {
		if v, ok := constTruth(e); ok {
			return logic.Const(v)
		}
		n := len(conds)
		conds = append(conds, e)
		same := n
		if d.steady { // nothing between the two can change it
			if i, ok := first[f.src(e)]; ok {
				same = i
			} else {
				first[f.src(e)] = n
			}
		}
		c.Same = append(c.Same, same)
		return logic.Atom(n)
	})
	c.Count = len(conds)
	return conds, c
}

// predicate holds when the decision is evaluated so; conditions stand in it in
// the order of their evaluation, each once.
func predicate(v logic.Vector, same []int) *logic.Form {
	var fs []*logic.Form
	said := map[int]bool{}
	for i := range same {
		if v.Seen>>i&1 == 0 || said[same[i]] {
			continue
		}
		said[same[i]] = true
		switch {
		case v.Values>>i&1 != 0:
			fs = append(fs, logic.Atom(i))
		default:
			fs = append(fs, logic.Not(logic.Atom(i)))
		}
	}
	return logic.And(fs...)
}

func values(v logic.Vector, n int) string {
	b := make([]byte, n)
	for i := range n {
		b[i] = '-'
		if v.Seen>>i&1 != 0 {
			b[i] = "FT"[v.Values>>i&1]
		}
	}
	return string(b)
}

// plain is the text of an expression on one line.
func (f *function) plain(e *ctree.Expr) string { return flat(f.p.unit.Text[e.Span.Start:e.Span.End]) }

// planned is a decision before its labels have numbers.
type planned struct {
	site  *site
	text  objective.Decision
	marks []*mark        // of its vectors
	pairs [][]logic.Pair // of its conditions
}

// numbered gives the decision the numbers of its labels; false if it has lost
// them: lines outside of what is to be labelled.
func (d *planned) numbered() (objective.Decision, bool) {
	out := d.text
	for i, m := range d.marks {
		if !slices.Contains(d.site.labels, m) {
			return out, false
		}
		out.Vectors[i].Label = m.id
	}
	for i, pairs := range d.pairs {
		out.Conditions[i].Pairs = d.expr(pairs)
	}
	return out, len(d.site.labels) > 0 || out.Instead != ""
}

// expr writes pairs as (l1+l2).(l3+l4)+...: those vectors together in which the
// condition is true and that go with the same others.
func (d *planned) expr(pairs []logic.Pair) *objective.Expr {
	with := map[int][]int{}
	var order []int
	for _, p := range pairs {
		if with[p.True] == nil {
			order = append(order, p.True)
		}
		with[p.True] = append(with[p.True], p.False)
	}
	var terms []*objective.Expr
	for len(order) > 0 {
		others := with[order[0]]
		var alike, left []int
		for _, v := range order {
			if slices.Equal(with[v], others) {
				alike = append(alike, v)
			} else {
				left = append(left, v)
			}
		}
		order = left
		terms = append(terms, &objective.Expr{Op: objective.OpAnd,
			Args: []*objective.Expr{d.either(alike), d.either(others)}})
	}
	return oneOf(terms)
}

func (d *planned) either(vs []int) *objective.Expr {
	var args []*objective.Expr
	for _, v := range vs {
		args = append(args, &objective.Expr{Op: objective.OpLabel, ID: d.marks[v].id})
	}
	return oneOf(args)
}

func oneOf(es []*objective.Expr) *objective.Expr {
	switch len(es) {
	case 0:
		return nil
	case 1:
		return es[0]
	}
	return &objective.Expr{Op: objective.OpOr, Args: es}
}
