package prune

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"klabel/csource"
)

// surroundings has the engine look for values of what predicates read that make them true
// where what holds around them does, each label by itself.
func (j *job) surroundings(ctx context.Context) {
	j.alone(ctx, "around", "what holds around labels is not looked at", j.aroundDriver,
		"makes the predicate true: what was decided on every way to its place, and is as it was, contradicts it")
}

// aroundDriver is the unit with a main function that has nothing but open labels, each on
// a path of its own on which what holds around it does.
func (j *job) aroundDriver(ctx context.Context, u *csource.Unit) (text []byte, open []*labelSite) {
	var b strings.Builder
	b.WriteString("int klabel_which; klee_make_symbolic(&klabel_which, sizeof klabel_which, \"klabel_which\");\n")
	b.WriteString("switch (klabel_which) {\n")
	for _, f := range j.p.order {
		labels := j.openIn(f)
		if f.unit != u || len(labels) == 0 {
			continue
		}
		own := ownVariables(f)
		events, ok := j.p.eventsIn(f, own)
		if !ok {
			continue
		}
		for _, l := range labels {
			if ctx.Err() != nil {
				return nil, nil
			}
			if s := j.around(l, events, own); s != "" {
				open = append(open, l)
				fmt.Fprintf(&b, "case %d: {\n%s}\nreturn 0;\n", len(open), s)
			}
		}
	}
	b.WriteString("}\n")
	return append(j.p.emptied(u), mainOf(b.String())...), open
}

// around is a block with a label and what holds around it; "" if that says nothing of it.
func (j *job) around(l *labelSite, events []event, own *ownVars) string {
	if !l.unit.Pure(l.PredExpr) {
		return ""
	}
	r := &reads{u: l.unit, names: map[string]string{}, memory: map[string]bool{}, own: own,
		prefix: fmt.Sprintf("klabel_%d_", l.ID), library: j.p.library,
		macros: j.p.macros}
	before, pred := r.label(l)
	if pred == "" {
		return ""
	}
	known := slices.Clone(r.objects)
	facts := l.facts(r, events)
	needed := make([]bool, len(facts))
	any := false
	for again := true; again; { // what speaks of other things says nothing
		again = false
		for i, x := range facts {
			if !needed[i] && slices.ContainsFunc(x.objects, func(o string) bool { return slices.Contains(known, o) }) {
				needed[i], again, any = true, true, true
				known = append(known, x.objects...)
			}
		}
	}
	if !any {
		return ""
	}
	var b strings.Builder
	b.WriteString(r.inputs.String())
	for i, x := range facts {
		if needed[i] {
			b.WriteString(x.text + "\n")
		}
	}
	fmt.Fprintf(&b, "%scov_label(%s, %d, \"\");\n", before, pred, l.ID)
	return b.String()
}
