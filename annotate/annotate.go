package annotate

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"klabel/annotate/ctree"
	"klabel/csource"
	"klabel/label"
	"klabel/objective"
)

// Infeasible explains the status of labels that the compiler folds to false.
const Infeasible = "the predicate is constant false for the compiler"

// Labelled is a unit with its labels.
type Labelled struct {
	Text      []byte               // compiles by itself; labels do nothing until cov_label is defined
	Labels    []label.Label        // sorted by ID, those written by hand included
	Reasons   map[label.ID]string  // infeasible labels, and why
	Always    map[label.ID]bool    // predicates that are constant true: reaching them is enough
	Decisions []objective.Decision // of criteria of pairs, in the order of the text
	Warnings  []string
	Next      label.ID // first number that is free

	prelude int
	pieces  []csource.Piece
}

// Original takes the insertions out again: the preprocessed text.
func (l *Labelled) Original() []byte { return csource.Remove(l.Text[l.prelude:], l.pieces) }

// Unit puts labels into a unit. Its Functions filter need not match anything:
// see CheckFunctions.
func Unit(ctx context.Context, u *csource.Unit, o Options) (*Labelled, error) {
	p, err := Prepare(ctx, u, o)
	if err != nil {
		return nil, err
	}
	return p.Number(o.First)
}

// Prepared is a unit of which the labels are known, but for their numbers.
type Prepared struct{ plan *plan }

// Prepare does most of what Unit does: units that do not share their options' Shared can
// be prepared side by side.
func Prepare(ctx context.Context, u *csource.Unit, o Options) (*Prepared, error) {
	o.setDefaults()
	p, err := collect(ctx, u, &o)
	if err != nil {
		return nil, err
	}
	return &Prepared{p}, p.settle(ctx)
}

// Number gives the labels numbers, from this one on, and writes the text.
func (p *Prepared) Number(first label.ID) (*Labelled, error) { return p.plan.write(max(first, 1)) }

// collect finds the labels of a unit, without numbers.
func collect(ctx context.Context, u *csource.Unit, o *Options) (*plan, error) {
	sel, err := selectCriteria(o.Criteria)
	if err != nil {
		return nil, err
	}
	for _, s := range sel {
		if _, ok := s.fam.(patchCoverage); ok {
			if err := o.loadChanges(ctx, ""); err != nil {
				return nil, err
			}
		}
	}
	flt, err := newFilter(u, o)
	if err != nil {
		return nil, err
	}
	p := newPlan(u, o)
	for _, fn := range u.Functions() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !flt.function(fn) {
			continue
		}
		f := &function{Func: ctree.Build(u, fn, o.LabelMacros), p: p}
		f.collect()
		for _, s := range sel {
			from := len(p.decisions)
			s.fam.mark(f, s.tag)
			// As the reader meets them: one within another comes after it.
			slices.SortStableFunc(p.decisions[from:], func(a, b *planned) int { return a.site.at - b.site.at })
		}
	}
	if len(o.Shared) > 0 && slices.ContainsFunc(sel, func(s selected) bool { _, ok := s.fam.(dataflow); return ok }) {
		p.statics() // what other units use is remembered, whatever is labelled here
	}
	for _, s := range p.sites {
		if !flt.at(s.at) {
			s.labels, s.after = nil, nil
		}
	}
	p.order()
	return p, nil
}

// count is the number of labels found.
func (p *plan) count() int {
	n := 0
	for _, s := range p.sites {
		n += len(s.labels) + len(s.after)
	}
	return n
}

// finish numbers the labels and writes the text.
func (p *plan) finish(ctx context.Context, first label.ID) (*Labelled, error) {
	if err := p.settle(ctx); err != nil {
		return nil, err
	}
	return p.write(first)
}

// settle finds the labels that are constant for the compiler, and leaves them out where
// that is wanted. Numbers are given for it alone.
func (p *plan) settle(ctx context.Context) error {
	if _, err := p.number(1, nil); err != nil {
		return err
	}
	if err := p.fold(ctx, p.opts.Clang, p.unit.Flags); err != nil {
		return err
	}
	if p.opts.Simplify {
		p.drop(func(m *mark) bool { return m.fixed == unfolded || m.paired })
	}
	return nil
}

// write numbers the labels and writes the text.
func (p *plan) write(first label.ID) (*Labelled, error) {
	hand, err := p.hand()
	if err != nil {
		return nil, err
	}
	used := map[label.ID]bool{}
	maps.Copy(used, p.opts.Taken)
	for _, h := range hand {
		used[h.ID] = true
	}
	out := &Labelled{Reasons: map[label.ID]string{}, Always: map[label.ID]bool{}}
	if out.Next, err = p.number(first, used); err != nil {
		return nil, err
	}
	body, pieces := p.edits(covLabel).ApplyPieces()
	head := prelude()
	if !bytes.HasPrefix(body, []byte("#")) {
		head += fmt.Sprintf("#line 1 %s\n", csource.QuoteFile(p.unit.Path))
	}
	out.prelude, out.pieces = len(head), pieces
	out.Text = append([]byte(head), body...)
	out.Labels = make([]label.Label, 0, p.count()+len(hand))
	for _, s := range p.sites {
		if len(s.labels)+len(s.after) == 0 {
			continue
		}
		pos := p.unit.Origin(s.at).Position()
		for _, m := range s.marks() {
			out.Labels = append(out.Labels, label.Label{ID: m.id, Tags: m.tags, Position: pos, Predicate: m.pred,
				Words: s.words(p, m.pred), Function: s.fn.Name})
			switch m.fixed {
			case alwaysFalse:
				out.Reasons[m.id] = cmp.Or(m.why, Infeasible)
			case alwaysTrue:
				out.Always[m.id] = true
			}
		}
	}
	for _, h := range hand {
		out.Labels = append(out.Labels, h.Label())
	}
	for _, d := range p.decisions {
		if x, ok := d.numbered(); ok {
			out.Decisions = append(out.Decisions, x)
		}
	}
	for _, o := range p.pairs {
		if x, ok := o.numbered(); ok {
			out.Decisions = append(out.Decisions, x)
		}
	}
	label.Sort(out.Labels)
	out.Warnings = p.warnings
	return out, nil
}

// fewWarnings of a kind name their places. Generated code has hundreds of decisions that
// are too large for a criterion, and nobody reads as many lines.
const fewWarnings = 2

// repeated is a kind of warning.
type repeated struct {
	n    int    // so many
	at   int    // where in the list those are summed up that name no place,
	from string // and where the first of them is
}

// warnAt notes something for people about a place.
func (p *plan) warnAt(off int, format string, args ...any) {
	place := p.unit.Origin(off).Position().String()
	if p.repeated == nil {
		p.repeated = map[string]*repeated{}
	}
	r := p.repeated[format]
	if r == nil {
		r = &repeated{}
		p.repeated[format] = r
	}
	switch r.n++; {
	case r.n <= fewWarnings:
		p.warnings = append(p.warnings, place+": "+fmt.Sprintf(format, args...))
		return
	case r.n == fewWarnings+1:
		r.at, r.from = len(p.warnings), place
		p.warnings = append(p.warnings, "")
	}
	p.warnings[r.at] = fmt.Sprintf("%s: and so at %d more places, from here on", r.from, r.n-fewWarnings)
}

// hand lists the labels that the user wrote.
func (p *plan) hand() ([]csource.LabelCall, error) {
	for _, n := range csource.LabelNames(p.opts.LabelMacros) {
		if bytes.Contains(p.unit.Text, []byte(n)) {
			return p.unit.Labels()
		}
	}
	return nil, nil
}
