package campaign

import (
	"context"
	"fmt"

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

// Survey reads the files of a job and counts what is there. Files that do not
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
	p := &program{constant: map[label.ID]string{}}
	if err := p.read(ctx, c.clang, rt, &c.job); err != nil {
		return out, err
	}
	targets, err := p.targets(&c.job)
	if err != nil {
		return out, err
	}
	plain := p.units
	p.units = append([]*csource.Unit(nil), plain...)
	if err := p.annotate(ctx, c.clang, &c.job, targets); err != nil {
		return out, err
	}
	if err := p.gather(); err != nil {
		return out, err
	}
	out.Labels, out.Sources = len(p.labels), p.sources
	for _, err := range p.broken {
		out.Broken = append(out.Broken, err.Error())
	}
	seen := map[string]bool{}
	for _, t := range targets {
		if f := plain[t.unit].Function(t.function); f != nil && t.function != "main" && !seen[t.function] {
			seen[t.function] = true
			out.Functions = append(out.Functions, describeFunction(plain[t.unit], f))
		}
	}
	return out, nil
}

func describeFunction(u *csource.Unit, f *csource.Function) project.Function {
	out := project.Function{Name: f.Name, Signature: csource.NormalizeSpace(u.Text[f.Span.Start:f.Body.Start])}
	if rs := drivers.Guess(u, f); len(rs) > 0 {
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
