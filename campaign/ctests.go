package campaign

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/annotate"
	"klabel/csource"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/instrument"
	"klabel/ktest"
	"klabel/label"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

// NoCTests as Job.TestStyle leaves the readable tests out.
const NoCTests ctests.Style = "none"

// writeCTests writes the suite as C that a person reads, into tests/c. Where a
// value cannot be shown as C the tests say so; a failure here harms nothing else
// and is a note.
func (c *campaign) writeCTests(ctx context.Context, snap *store.Snapshot) {
	if c.job.TestStyle == NoCTests || len(c.prog.units) == 0 {
		return
	}
	if err := c.ctests(ctx, snap); err != nil && ctx.Err() == nil {
		c.note(fmt.Sprintf("the tests were not written as C: %v", err))
	}
}

func (c *campaign) ctests(ctx context.Context, snap *store.Snapshot) error {
	byID := map[label.ID]label.Label{}
	for _, l := range c.prog.labels {
		byID[l.ID] = l
	}
	var cases []ctests.Case
	for _, t := range c.kept(snap) {
		kt, err := ktest.ReadFile(t.File)
		if err != nil {
			return err
		}
		one := ctests.Case{Test: kt}
		if _, err := fmt.Sscanf(t.Name, "test%d", &one.Number); err != nil {
			return fmt.Errorf("the test name %s has no number", t.Name)
		}
		for _, id := range t.Verdict.Hits {
			one.Labels = append(one.Labels, byID[id])
		}
		cases = append(cases, one)
	}
	if len(cases) == 0 {
		return nil
	}
	dir := filepath.Join(c.layout.tests(), "c")
	source, err := filepath.Abs(c.job.Sources[c.prog.home].Path)
	if err != nil {
		return err
	}
	include := source
	if abs, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(abs, source); err == nil {
			include = rel
		}
	}
	unit := c.prog.units[c.prog.home]
	o := ctests.Options{Style: c.job.TestStyle, Oracle: c.job.Oracle, Source: c.job.Sources[c.prog.home].Path, Include: include,
		Driver: c.prog.inputs, Objects: drivers.Objects(unit)}
	if o.Style == "" {
		o.Style = ctests.Plain
	}
	if o.Oracle == "" {
		o.Oracle = ctests.Observed
	}
	if c.prog.inputs == nil {
		o.MainParams = drivers.MainParameters(unit)
	} else if len(c.prog.units) == 1 {
		flags := append(append([]string{}, c.job.Flags...), c.job.Sources[c.prog.home].Flags...)
		observe, clean, err := ctests.Recorder(ctx, c.build.native, flags)
		if err != nil {
			return err
		}
		defer clean()
		o.Observe = observe
	}
	return ctests.Write(dir, cases, o)
}

// MeasureCTests says which labels existing C tests cover. Files with a main
// function are programs of their own, which include the source under test or
// are linked with it. With an output directory, what they cover is kept, and a
// later Run there starts from it.
func MeasureCTests(ctx context.Context, j Job, patterns []string, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	var none report.Summary
	begin := time.Now()
	var files []string
	for _, p := range patterns {
		found, err := filepath.Glob(p)
		if err != nil || len(found) == 0 {
			return none, fmt.Errorf("no C test at %s", p)
		}
		files = append(files, found...)
	}
	named := j.OutputDir
	if err := j.check(); err != nil {
		return none, err
	}
	if named == "" {
		tmp, err := os.MkdirTemp("", "klabel-")
		if err != nil {
			return none, describe(err)
		}
		defer os.RemoveAll(tmp)
		j.OutputDir = tmp
	}
	clang, err := tools.RequireClang()
	if err != nil {
		return none, err
	}
	c := &campaign{job: j, tools: tools, obs: obs, layout: layout{dir: j.OutputDir}}
	c.build = builder{layout: c.layout, native: clang, engine: clang}
	rt, done, err := headers()
	if err != nil {
		return none, err
	}
	defer done()
	c.build.rt = rt
	obs.Stage("reading")
	if c.prog, err = load(ctx, clang, rt, &c.job); err != nil && !errors.Is(err, ErrNoMain) {
		return none, err
	}
	programs, err := ctests.Programs(ctx, clang, files, j.Sources[0].Path, c.testFlags())
	if err != nil {
		return none, err
	}
	if err := c.layout.make(); err != nil {
		return none, err
	}
	if c.st, err = store.Open(j.OutputDir, store.Options{Fresh: j.Fresh}); err != nil {
		return none, err
	}
	defer c.st.Close()
	if _, err := c.st.SetProgram(c.prog.hash); err != nil {
		return none, err
	}
	if err := c.st.SetLabels(c.prog.labels); err != nil {
		return none, err
	}
	sum := report.Tests{}
	for i, p := range programs {
		obs.Stage("running " + p.Main)
		v, err := c.runCTests(ctx, rt, p, c.layout.work(fmt.Sprintf("ctest-%d", i+1)))
		if err != nil {
			return none, err
		}
		sum.Generated++
		if v.Outcome == label.Normal {
			sum.Kept++
		} else {
			sum.RuntimeErrors++
			obs.Note(fmt.Sprintf("%s does not end normally and covers nothing: %s", p.Main, v.Reason))
		}
		text, err := os.ReadFile(p.Main)
		if err != nil {
			return none, err
		}
		hash := sha256.Sum256(text)
		if _, err := c.st.Record(store.TestResult{Name: p.Main, File: p.Main, Hash: hex.EncodeToString(hash[:]), Engine: "C tests", At: time.Now(), Verdict: v}); err != nil {
			return none, err
		}
	}
	snap, err := c.st.Snapshot()
	if err != nil {
		return none, err
	}
	s := Summarize(j.program(), snap)
	s.Tests, s.OutputDir, s.Seconds = sum, named, seconds(time.Since(begin))
	if named == "" {
		return s, nil
	}
	return s, writeSummary(c.layout.summary(), s)
}

// testFlags are the user's flags, with the shipped headers found last.
func (c *campaign) testFlags() []string {
	return append(append([]string{}, c.job.Flags...), "-idirafter", c.build.rt.Include)
}

// runCTests builds one test program with recording labels and runs it. Its hits
// are in the numbers of the program under test.
func (c *campaign) runCTests(ctx context.Context, rt runtime_c.Paths, p ctests.Program, stem string) (label.Verdict, error) {
	var none label.Verdict
	flags := c.testFlags()
	files := append([]string{}, p.Files...)
	same := map[label.ID]label.ID{}
	if p.Includes {
		u, err := c.labelledTest(ctx, p.Main, flags)
		if err != nil {
			return none, err
		}
		ls, err := instrument.Labels(u)
		if err != nil {
			return none, err
		}
		same = ctests.Match(c.prog.labels, ls)
		text, err := instrument.Rewrite(u, instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return none, err
		}
		files[0] = stem + ".c"
		if err := os.WriteFile(files[0], text, 0o666); err != nil {
			return none, describe(err)
		}
	} else {
		for _, l := range c.prog.labels {
			same[l.ID] = l.ID
		}
		if c.prog.hasMain() {
			return none, fmt.Errorf("%s: the program under test has a main function too\nhint: include its source in the test, with -Dmain=other around it", p.Main)
		}
		own, _, err := c.prog.rewrite(c.layout, "tested", instrument.Options{Mode: instrument.Replay})
		if err != nil {
			return none, err
		}
		files = append(files, own...)
	}
	if err := ctests.Build(ctx, c.build.native, rt, files, stem, append(flags, c.prog.linkFlags...)); err != nil {
		return none, err
	}
	v, err := ctests.Run(ctx, stem, nil, c.job.Budget)
	if err != nil {
		return none, err
	}
	var hits []label.ID
	for _, id := range v.Hits {
		if to, ok := same[id]; ok {
			hits = append(hits, to)
		}
	}
	v.Hits = hits
	return v, nil
}

// labelledTest loads a test that includes the source under test, and labels the
// source's part of it as the program itself is labelled.
func (c *campaign) labelledTest(ctx context.Context, file string, flags []string) (*csource.Unit, error) {
	o := csource.Options{Clang: c.build.native, Flags: flags, LabelMacros: c.job.LabelMacros}
	u, err := csource.Load(ctx, file, o)
	if err != nil || len(c.job.Criteria) == 0 {
		return u, err
	}
	a := c.job.Annotate
	a.Criteria, a.Clang, a.Flags, a.LabelMacros = c.job.Criteria, c.build.native, flags, c.job.LabelMacros
	for _, s := range c.job.Sources {
		abs, err := filepath.Abs(s.Path)
		if err != nil {
			return nil, err
		}
		a.FileGlobs = append(a.FileGlobs, s.Path, abs)
	}
	l, err := annotate.Unit(ctx, u, a)
	if err != nil {
		return nil, err
	}
	compile, _ := splitFlags(flags)
	return csource.Parse(ctx, file, l.Text, csource.Options{Flags: compile, LabelMacros: c.job.LabelMacros})
}
