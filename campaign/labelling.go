package campaign

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"klabel/annotate"
	"klabel/csource"
	"klabel/label"
	"klabel/linkage"
	"klabel/objective"
	"klabel/toolchain"
)

// A large program is labelled unit by unit side by side, up to the numbers: these go on from
// one unit to the next.

// annotate puts the labels of criteria into every unit, numbered on from one
// unit to the next. Code that several units include has its labels once: the
// copies of later units get the numbers of the first.
func (p *program) annotate(ctx context.Context, clang *toolchain.Clang, j *Job, targets []target) error {
	o := j.Annotate
	o.Criteria, o.Clang, o.LabelMacros = append(slices.Clone(j.Criteria), j.Goal.Criteria...), clang, j.LabelMacros
	if err := annotate.CheckFunctions(p.units, o.Functions); err != nil {
		return err
	}
	wishes, err := criteriaOf(j, o, targets)
	if err != nil {
		return err
	}
	if j.Function != "" && len(o.Functions) == 0 {
		wishes[0].functions = linkage.Reachable(p.units, j.Function)
	}
	wishes = withOracles(wishes, o)
	own, across := p.globals(j, wishes, o)
	if o.Taken, err = p.byHand(); err != nil {
		return err
	}
	of := func(i int, w criteriaWish) annotate.Options {
		o := o
		if o.Criteria, o.Functions = w.criteria, w.functions; own != nil {
			o.Globals = own[i]
		}
		if across != nil {
			o.Shared = across[i]
		}
		return o
	}
	cores := runtime.NumCPU()
	if across != nil { // units note there what others want to know
		cores = 1
	}
	found := make([]*annotate.Prepared, len(p.units))
	if err := p.eachUnit(cores, func(i int) (err error) {
		found[i], err = annotate.Prepare(ctx, p.units[i], of(i, wishes[0]))
		return err
	}); err != nil {
		return err
	}
	reasons := make([]map[label.ID]string, len(p.units))
	texts := make([][]byte, len(p.units))
	first := o.First
	for i, u := range p.units {
		if p.sources[i].Stubs {
			continue
		}
		reasons[i] = map[label.ID]string{}
		for k, w := range wishes {
			if k > 0 {
				if u, err = p.labelled(ctx, j, i, texts[i]); err != nil {
					return err
				}
				if found[i], err = annotate.Prepare(ctx, u, of(i, w)); err != nil {
					return err
				}
			}
			l, err := found[i].Number(first)
			if err != nil {
				return err
			}
			first, p.next, texts[i], found[i] = l.Next, l.Next, l.Text, nil
			p.warnings = append(p.warnings, l.Warnings...)
			maps.Copy(reasons[i], l.Reasons)
			p.place(l.Labels)
			p.decisions = append(p.decisions, l.Decisions...)
		}
	}
	if err := p.numbered(ctx, j, texts); err != nil {
		return err
	}
	for i, u := range p.units {
		if p.sources[i].Stubs {
			continue
		}
		calls, err := u.Labels()
		if err != nil {
			return err
		}
		for _, c := range calls {
			if why := reasons[i][c.ID]; why != "" {
				p.constant[c.ID] = why
			}
		}
	}
	p.decisions = objective.Merged(p.decisions)
	return nil
}

// eachUnit does something for the units that are labelled, several at a time.
func (p *program) eachUnit(cores int, f func(i int) error) error {
	var g errgroup.Group
	g.SetLimit(cores)
	for i := range p.units {
		if !p.sources[i].Stubs {
			g.Go(func() error { return f(i) })
		}
	}
	return g.Wait()
}

// labelled reads a unit with its labels.
func (p *program) labelled(ctx context.Context, j *Job, unit int, text []byte) (*csource.Unit, error) {
	u := p.units[unit]
	out, err := csource.Parse(ctx, u.Path, text, csource.Options{Flags: u.Flags, Target: u.Target,
		LabelMacros: j.LabelMacros})
	if err != nil {
		return nil, fmt.Errorf("the labelled text of %w", err)
	}
	return out, nil
}

// numbered reads the labelled texts as the units, in which what several of them have of a
// header has the same numbers.
func (p *program) numbered(ctx context.Context, j *Job, texts [][]byte) error {
	read := func(i int) (err error) {
		if texts[i] == nil {
			return nil
		}
		if p.units[i], err = p.labelled(ctx, j, i, texts[i]); err == nil {
			_, err = p.units[i].Labels()
		}
		return err
	}
	if err := p.eachUnit(runtime.NumCPU(), read); err != nil {
		return err
	}
	known := map[string]label.ID{}
	for i, u := range p.units {
		if texts[i] == nil {
			continue
		}
		text, again, err := renumber(u, known)
		if err != nil {
			return err
		}
		if texts[i] = nil; again {
			texts[i] = text
		}
	}
	return p.eachUnit(runtime.NumCPU(), read)
}

// byHand are the numbers of the labels that stand in the sources.
func (p *program) byHand() (map[label.ID]bool, error) {
	out := map[label.ID]bool{}
	for _, u := range p.units {
		calls, err := u.Labels()
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			out[c.ID] = true
		}
	}
	return out, nil
}

// criteriaWish is which criteria which functions are labelled for; none: all
// functions.
type criteriaWish struct{ criteria, functions []string }

// withOracles adds the functions that say of results whether they are right: what
// they refuse is looked for though nobody asks for their own tests.
func withOracles(wishes []criteriaWish, o annotate.Options) []criteriaWish {
	for _, name := range o.Oracles {
		known := slices.ContainsFunc(wishes, func(w criteriaWish) bool {
			return slices.Contains(w.criteria, "FAIL") && (len(w.functions) == 0 || matches(w.functions, name))
		})
		if slices.Contains(o.Criteria, "FAIL") && !known {
			wishes = append(wishes, criteriaWish{[]string{"FAIL"}, []string{name}})
		}
	}
	return wishes
}

// criteriaOf sorts the functions of a job by the criteria that each is tested for.
func criteriaOf(j *Job, o annotate.Options, targets []target) ([]criteriaWish, error) {
	if !j.AllFunctions {
		return []criteriaWish{{o.Criteria, o.Functions}}, nil
	}
	var out []criteriaWish
	for _, t := range targets {
		criteria := o.Criteria
		if j.Adapt != nil {
			w, err := j.Adapt(t.name)
			if err != nil {
				return nil, err
			}
			if len(w.Criteria) > 0 {
				criteria = append(slices.Clone(w.Criteria), j.Goal.Criteria...)
			}
		}
		at := slices.IndexFunc(out, func(w criteriaWish) bool { return slices.Equal(w.criteria, criteria) })
		if at < 0 {
			at, out = len(out), append(out, criteriaWish{criteria: criteria})
		}
		if !slices.Contains(out[at].functions, t.function) {
			out[at].functions = append(out[at].functions, t.function)
		}
	}
	return out, nil
}
