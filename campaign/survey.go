package campaign

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"klabel/annotate"
	"klabel/csource"
	"klabel/drivers"
	"klabel/label"
	"klabel/project"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// SurveyResult is what a project holds.
type SurveyResult struct {
	Sources   []Source           // that can be read
	Functions []project.Function // that the files define, but main, each once
	Labels    int                // that the job's criteria would write
	Broken    []string           // files that cannot be read, and why
}

// surveyed is how many files are in memory at a time: a large project has hundreds, of 30 MB each.
const surveyed = 16

// Survey reads the files of a job and counts what is there, some files at a time. Files that do not
// compile are left out; with none that does it is an error.
func Survey(ctx context.Context, j Job, tools *toolchain.Tools) (SurveyResult, error) {
	var out SurveyResult
	c, err := newPassing(j, tools, Silent{})
	if err != nil {
		return out, err
	}
	defer c.close()
	rt, done, err := runtime_c.Shared()
	if err != nil {
		return out, err
	}
	defer done()
	s := surveyor{session: c, rt: rt, functions: map[string]bool{}, labels: map[string]bool{}}
	for some := range slices.Chunk(c.job.Sources, surveyed) {
		if err := s.count(ctx, some, &out); err != nil {
			return out, err
		}
	}
	if len(out.Sources) == 0 {
		return out, errors.Join(s.broken...)
	}
	out.Labels = len(s.labels)
	for _, err := range s.broken {
		out.Broken = append(out.Broken, err.Error())
	}
	return out, nil
}

// surveyor remembers what was counted: files share headers.
type surveyor struct {
	*session
	rt        runtime_c.Paths
	functions map[string]bool
	labels    map[string]bool
	broken    []error
}

// count adds what some files hold.
func (s *surveyor) count(ctx context.Context, some []Source, out *SurveyResult) error {
	j := s.job
	j.Sources = some
	p := &program{constant: map[label.ID]string{}}
	err := p.read(ctx, s.clang, s.rt, &j)
	s.broken = append(s.broken, p.broken...)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case len(p.broken) == len(some):
		return nil
	case err != nil:
		return err
	}
	out.Sources = append(out.Sources, p.sources...)
	targets, err := p.targets(&j)
	if err != nil {
		return err
	}
	guesses := make([]func(*csource.Function) []drivers.Relation, len(p.units))
	for _, t := range targets {
		if guesses[t.unit] == nil {
			guesses[t.unit] = drivers.Guesses(p.units[t.unit])
		}
		if f := p.units[t.unit].Function(t.function); f != nil && t.function != "main" && !s.functions[t.function] {
			s.functions[t.function] = true
			out.Functions = append(out.Functions, describeFunction(p.units[t.unit], f, guesses[t.unit](f)))
		}
	}
	o := j.Annotate
	o.Criteria, o.Clang, o.LabelMacros = j.Criteria, s.clang, j.LabelMacros
	for i, u := range p.units {
		if p.sources[i].Stubs {
			continue
		}
		byHand, err := u.Labels()
		if err != nil {
			return err
		}
		l, err := annotate.Unit(ctx, u, o)
		if err != nil {
			return err
		}
		for _, c := range byHand {
			l.Labels = append(l.Labels, c.Label())
		}
		nth := map[string]int{}
		for _, l := range l.Labels {
			key := fmt.Sprint(l.Position, l.Tags, l.Predicate)
			nth[key]++
			s.labels[fmt.Sprint(key, nth[key])] = true
		}
	}
	return nil
}

func describeFunction(u *csource.Unit, f *csource.Function, rs []drivers.Relation) project.Function {
	out := project.Function{Name: f.Name, Signature: csource.NormalizeSpace(u.Text[f.Span.Start:f.Body.Start])}
	if len(rs) > 0 {
		line := "# array = ["
		for i, r := range rs {
			if i > 0 {
				line += ", "
			}
			line += fmt.Sprintf("%q", r.Name+":"+r.Text)
		}
		out.Relations = append(out.Relations, line+"]   # guessed; without the #, the numbers are not negative either")
	}
	return out
}
