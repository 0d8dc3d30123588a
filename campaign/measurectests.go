package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/ctests"
	"klabel/disk"
	"klabel/fault"
	"klabel/instrument"
	"klabel/label"
	"klabel/linkage"
	"klabel/report"
	"klabel/store"
	"klabel/toolchain"
)

// MeasureCTests says which labels existing C tests cover. Files with a main
// function are programs of their own, which include the source under test or
// are linked with it. With an output directory, what they cover is kept, and a
// later Run there starts from it.
func MeasureCTests(ctx context.Context, j Job, patterns []string, tools *toolchain.Tools, obs Observer) (report.Summary,
	error) {
	var none report.Summary
	begin := time.Now()
	c, err := newPassing(j, tools, obs)
	if err != nil {
		return none, err
	}
	defer c.close()
	if err := c.read(ctx); err != nil && !errors.Is(err, ErrNoMain) {
		return none, err
	}
	if err := c.openStore(); err != nil {
		return none, err
	}
	sum, err := c.recordCTests(ctx, patterns)
	if err != nil {
		return none, err
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return none, err
	}
	s := Summarize(j.program(), snap)
	s.Tests, s.Seconds = sum, seconds(time.Since(begin))
	if c.passing {
		return s, nil
	}
	s.OutputDir = c.layout.dir
	return s, writeSummary(c.layout.summary(), s)
}

// recordCTests builds and runs C tests and stores what they cover.
func (c *session) recordCTests(ctx context.Context, patterns []string) (report.Tests, error) {
	var sum report.Tests
	var files []string
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil || len(found) == 0 {
			return sum, fmt.Errorf("no C test at %s", p)
		}
		files = append(files, found...)
	}
	programs, err := ctests.Programs(ctx, c.clang, files, c.job.Sources[0].Path, c.testFlags())
	if err != nil {
		return sum, err
	}
	for _, p := range programs {
		c.obs.Stage("running " + p.Main)
		v, program, err := c.runCTests(ctx, p)
		if err != nil {
			return sum, err
		}
		sum.Generated++
		if v.Outcome == label.Normal {
			sum.Kept++
		} else {
			sum.RuntimeErrors++
			c.obs.Note(fmt.Sprintf("%s does not end normally and covers nothing: %s", p.Main, v.Reason))
		}
		text, err := disk.Read(p.Main)
		if err != nil {
			return sum, err
		}
		// Once more, it takes the place of what it was before.
		if _, err := c.st.Record(store.TestResult{Name: p.Main, File: p.Main, Data: text,
			Hash: checksum([]byte(p.Main)), Engine: testsInC, At: time.Now(), Verdict: v, Program: program,
			Anew: true}); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// testsInC is the Engine of the user's tests in C.
const testsInC = "C tests"

// testFlags are the user's flags, with the shipped headers found last.
func (c *session) testFlags() []string {
	return append(append([]string{}, c.job.Flags...), "-idirafter", c.build.rt.Include)
}

// runCTests builds one test program with recording labels and runs it. The verdict's
// hits are in the numbers of the program under test.
func (c *session) runCTests(ctx context.Context, p ctests.Program) (v label.Verdict, kept *store.TestProgram,
	err error) {
	var none label.Verdict
	stem := c.layout.work("ctest-" + checksum([]byte(p.Main))[:12])
	flags := c.testFlags()
	files := append([]string{}, p.Files...)
	same := map[label.ID]label.ID{}
	if p.Includes {
		u, ls, err := c.labelledTest(ctx, p.Main, flags)
		if err != nil {
			return none, nil, err
		}
		same = ctests.Match(c.prog.labels, ls)
		text, err := instrument.Rewrite(u, instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return none, nil, err
		}
		files[0] = stem + ".c"
		if err := os.WriteFile(files[0], text, 0o666); err != nil {
			return none, nil, describe(err)
		}
	} else {
		for _, l := range c.prog.labels {
			same[l.ID] = l.ID
		}
		if slices.ContainsFunc(c.prog.units, linkage.DefinesMain) {
			return none, nil, fault.WithHint(fmt.Errorf("%s: the program under test has a main function too", p.Main),
				"include its source in the test, with -Dmain=other around it")
		}
		own, _, err := c.prog.rewrite(unentered(c.prog), c.layout, "tested",
			instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return none, nil, err
		}
		files = append(files, own...)
	}
	if err := ctests.Build(ctx, c.clang, c.build.rt, files, stem, append(flags, c.prog.linkFlags...)); err != nil {
		return none, nil, err
	}
	b, err := disk.Read(stem)
	if err != nil {
		return none, nil, describe(err)
	}
	v, err = ctests.Run(ctx, stem, nil, c.job.Budget)
	if err != nil {
		return none, nil, err
	}
	var hits []label.ID
	for _, id := range v.Hits {
		if to, ok := same[id]; ok {
			hits = append(hits, to)
		}
	}
	kept = &store.TestProgram{File: stem, Sum: checksum(b), Hits: v.Hits}
	v.Hits = hits
	return v, kept, nil
}

// labelledTest loads a test that includes the source under test, and labels the
// source's part of it as the program itself is labelled, at the same places.
func (c *session) labelledTest(ctx context.Context, file string,
	flags []string) (u *csource.Unit, ls []label.Label, err error) {
	o := csource.Options{Clang: c.clang, Flags: flags, LabelMacros: c.job.LabelMacros}
	if u, err = csource.Load(ctx, file, o); err != nil {
		return nil, nil, err
	}
	plain := u
	if len(c.job.Criteria) == 0 {
		if ls, err = instrument.Labels(u); err != nil {
			return nil, nil, err
		}
		return c.hyperlabelledTest(ctx, plain, u, ls)
	}
	a := c.job.Annotate
	a.Criteria, a.Clang, a.LabelMacros = c.job.Criteria, c.clang, c.job.LabelMacros
	for _, s := range c.job.Sources {
		abs, err := filepath.Abs(s.Path)
		if err != nil {
			return nil, nil, err
		}
		a.FileGlobs = append(a.FileGlobs, s.Path, abs)
	}
	l, err := annotate.Unit(ctx, u, a)
	if err != nil {
		return nil, nil, err
	}
	u, err = csource.Parse(ctx, file, l.Text, csource.Options{Flags: flags, Target: u.Target,
		LabelMacros: c.job.LabelMacros})
	if err != nil {
		return nil, nil, err
	}
	return c.hyperlabelledTest(ctx, plain, u, l.Labels)
}

// hyperlabelledTest writes into a test what hyperlabels want of the source that it
// includes, as the program itself has it.
func (c *session) hyperlabelledTest(ctx context.Context, plain, u *csource.Unit,
	ls []label.Label) (*csource.Unit, []label.Label, error) {
	p := &program{plain: []*csource.Unit{plain}, units: []*csource.Unit{u}, placed: map[label.ID]label.Label{}, next: 1}
	for _, l := range ls {
		p.next = max(p.next, l.ID+1)
	}
	j := c.job
	j.Sources = j.Sources[:1] // the one that a test includes
	if err := p.hyperlabels(ctx, &j); err != nil {
		if len(c.job.Sources) == 1 {
			return nil, nil, err
		}
		c.note(fmt.Sprintf("hyperlabels are not measured in %s: %v", u.Path, err)) // they speak of other files
		return u, ls, nil
	}
	more := slices.Collect(maps.Values(p.placed))
	label.Sort(more) // labels of one place and text are told apart by their order
	return p.units[0], append(ls, more...), nil
}
