package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/ctests"
	"klabel/disk"
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
	var sources []string
	for _, s := range c.prog.sources {
		sources = append(sources, s.Path)
	}
	programs, err := ctests.Programs(ctx, c.clang, files, sources, c.testFlags(nil))
	if err != nil {
		return sum, err
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return sum, err
	}
	counted := map[string]bool{} // by an earlier run: what they covered then is not to stay in silence
	for _, t := range snap.Tests {
		counted[t.Name] = counted[t.Name] || t.Engine == testsInC
	}
	var unbuilt []error
	for _, p := range programs {
		c.obs.Stage("running " + p.Main)
		v, program, err := c.runCTests(ctx, p)
		var tool *toolchain.ToolError
		if errors.As(err, &tool) && ctx.Err() == nil && !counted[p.Main] {
			unbuilt = append(unbuilt, fmt.Errorf("%s covers nothing: %w", p.Main, err))
			continue
		}
		if err != nil {
			return sum, fmt.Errorf("%s: %w", p.Main, err)
		}
		sum.Generated++
		if v.Outcome == label.Normal {
			sum.Kept++
		} else {
			sum.RuntimeErrors++
			c.obs.Note(fmt.Sprintf("%s does not end normally and covers nothing: %s", p.Main, v.Reason))
		}
		if v.Outcome == label.Normal && len(v.Hits) == 0 {
			c.obs.Note(p.Main + " hits no label: does it call functions of the sources, or include those?")
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
	if len(unbuilt) == len(programs) {
		return sum, errors.Join(unbuilt...)
	}
	for _, err := range unbuilt {
		c.note(err.Error())
	}
	return sum, nil
}

// userTestTime is how long a test in C of the user's may run at least, however short a budget is.
const userTestTime = time.Minute

// testsInC is the Engine of the user's tests in C.
const testsInC = "C tests"

// testFlags are the user's flags and those of the sources that a test includes, of
// all sources where it includes none, with the shipped headers found last.
func (c *session) testFlags(includes []int) []string {
	flags, seen := slices.Clone([]string(c.job.Flags)), map[string]bool{}
	for i, s := range c.prog.sources {
		if len(includes) > 0 && !slices.Contains(includes, i) {
			continue
		}
		if own := strings.Join(s.Flags, "\x00"); !seen[own] {
			seen[own] = true
			flags = append(flags, s.Flags...)
		}
	}
	return append(flags, "-idirafter", c.build.rt.Include)
}

// runCTests builds one test program with recording labels and runs it. The verdict's
// hits are in the numbers of the program under test.
func (c *session) runCTests(ctx context.Context, p ctests.Program) (v label.Verdict, kept *store.TestProgram,
	err error) {
	var none label.Verdict
	stem := c.layout.work("ctest-" + checksum([]byte(p.Main))[:12])
	flags := c.testFlags(p.Includes)
	files := append([]string{}, p.Files...)
	same := map[label.ID]label.ID{}
	for _, l := range c.prog.labels {
		same[l.ID] = l.ID
	}
	im := unentered(c.prog)
	if len(p.Includes) > 0 {
		u, ls, err := c.labelledTest(ctx, p, flags)
		if err != nil {
			return none, nil, err
		}
		for _, l := range ls { // its own labels may have the numbers of others
			delete(same, l.ID)
		}
		maps.Copy(same, ctests.Match(c.prog.labels, ls))
		text, err := instrument.Rewrite(u, instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return none, nil, err
		}
		files[0] = stem + ".c"
		if err := os.WriteFile(files[0], text, 0o666); err != nil {
			return none, nil, describe(err)
		}
		im = c.prog.neededBy(u, p)
	}
	for i, u := range im.units {
		if linkage.DefinesMain(u) { // the test has one
			im.prefix[i] += fmt.Sprintf("#define main %s\n", linkage.MainOf(i))
		}
	}
	own, _, err := c.prog.rewrite(im, c.layout, filepath.Base(stem)+"-tested",
		instrument.Options{Mode: instrument.Replay})
	if err != nil {
		return none, nil, err
	}
	files = append(files, own...)
	if err := ctests.Build(ctx, c.clang, c.build.rt, files, stem,
		slices.Concat(flags, p.Wraps(), c.prog.linkFlags)); err != nil {
		return none, nil, err
	}
	b, err := disk.Read(stem)
	if err != nil {
		return none, nil, describe(err)
	}
	v, err = ctests.Run(ctx, stem, nil, max(c.job.Budget, userTestTime))
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

// neededBy are the sources of a program that a test needs, beside those that it includes.
// What the test defines itself, it has in the place of theirs.
func (p *program) neededBy(test *csource.Unit, t ctests.Program) *image {
	units := []*csource.Unit{test}
	for i, u := range p.units {
		if !slices.Contains(t.Includes, i) {
			units = append(units, u)
		}
	}
	mentioned := map[string]bool{}
	for _, part := range t.Units[1:] {
		maps.Copy(mentioned, part.Mentioned())
	}
	others, _, renamed := linkage.Defined(units).Linkable(units, 0, mentioned)
	weak := ""
	for _, name := range renamed {
		weak += fmt.Sprintf("#pragma weak %s\n", name)
	}
	im := &image{}
	for _, i := range others {
		im.units, im.prefix = append(im.units, units[i]), append(im.prefix, weak)
	}
	return im
}

// labelledTest loads a test that includes sources under test, and labels the
// sources' part of it as the program itself is labelled, at the same places.
func (c *session) labelledTest(ctx context.Context, p ctests.Program,
	flags []string) (u *csource.Unit, ls []label.Label, err error) {
	file := p.Main
	o := csource.Options{Clang: c.clang, Flags: flags, LabelMacros: c.job.LabelMacros}
	if u, err = csource.Load(ctx, file, o); err != nil {
		return nil, nil, err
	}
	plain := u
	if len(c.job.Criteria) == 0 {
		if ls, err = instrument.Labels(u); err != nil {
			return nil, nil, err
		}
		return c.hyperlabelledTest(ctx, p, plain, u, ls)
	}
	a := c.job.Annotate
	a.Criteria, a.Clang, a.LabelMacros = c.job.Criteria, c.clang, c.job.LabelMacros
	a.First = c.prog.maxID + 1
	for _, s := range c.prog.sources {
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
	return c.hyperlabelledTest(ctx, p, plain, u, l.Labels)
}

// hyperlabelledTest writes into a test what hyperlabels want of the source that it
// includes, as the program itself has it.
func (c *session) hyperlabelledTest(ctx context.Context, t ctests.Program, plain, u *csource.Unit,
	ls []label.Label) (*csource.Unit, []label.Label, error) {
	p := &program{plain: []*csource.Unit{plain}, units: []*csource.Unit{u}, placed: map[label.ID]label.Label{},
		next: c.prog.maxID + 1}
	for _, l := range ls {
		p.next = max(p.next, l.ID+1)
	}
	j := c.job
	j.Sources = nil // those that the test includes
	for _, i := range t.Includes {
		j.Sources = append(j.Sources, c.prog.sources[i])
	}
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
