package campaign

import (
	"context"
	"fmt"
	"regexp"
	"slices"

	"klabel/csource"
	"klabel/label"
	"klabel/testcomp"
)

var labelNumber = regexp.MustCompile(`^\s*,\s*(\d+)`)

// renumber gives labels that an earlier unit has at the same place, with the
// same text, the number that they have there.
func renumber(u *csource.Unit, numbered map[string]label.ID) (text []byte, changed bool, err error) {
	calls, err := u.Labels()
	if err != nil {
		return nil, false, err
	}
	e := u.Edits()
	nth := map[string]int{}
	for _, c := range calls {
		place := fmt.Sprintf("%v %s %q %q", c.Position, c.Function, c.Predicate, c.Tags)
		nth[place]++
		place = fmt.Sprintf("%d %s", nth[place], place)
		first, ok := numbered[place]
		if !ok {
			numbered[place] = c.ID
			continue
		}
		m := labelNumber.FindSubmatchIndex(u.Text[c.Pred.End:c.Call.End])
		if m == nil || first == c.ID {
			continue
		}
		e.Replace(csource.Span{Start: c.Pred.End + m[2], End: c.Pred.End + m[3]}, first.String())
		changed = true
	}
	return e.Apply(), changed, nil
}

// labelError puts the one label of a property about an error function into the
// program: into the unit with main, which calls it or defines it.
func (p *program) labelError(ctx context.Context, j *Job) error {
	at := max(slices.IndexFunc(p.units, func(u *csource.Unit) bool { return u.Function(j.Goal.ErrorFunction) != nil }),
		0)
	u := p.units[at]
	text := testcomp.ErrorLabel(u, j.Goal.ErrorFunction, max(p.next, 1))
	var err error
	if p.units[at], err = csource.Parse(ctx, u.Path, text,
		csource.Options{Flags: u.Flags, Target: u.Target, LabelMacros: j.LabelMacros}); err != nil {
		return fmt.Errorf("the error function %s cannot be labelled: %w", j.Goal.ErrorFunction, err)
	}
	return nil
}

// place keeps where the annotator put labels: in the text that it wrote, several
// stand at one place, and their columns there are not the user's. What it meets
// again in a second pass is known already.
func (p *program) place(ls []label.Label) {
	if p.placed == nil {
		p.placed = map[label.ID]label.Label{}
	}
	for _, l := range ls {
		if _, ok := p.placed[l.ID]; !ok {
			p.placed[l.ID] = l
		}
	}
}
