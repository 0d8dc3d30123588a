package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sys/unix"

	"klabel/ctests"
	"klabel/disk"
	"klabel/drivers"
	"klabel/ktest"
	"klabel/label"
	"klabel/linkage"
	"klabel/store"
	"klabel/toolchain"
)

// NoCTests as Job.TestStyle leaves the readable tests out.
const NoCTests ctests.Style = "none"

// afterBudget is how long C tests are compiled and run to see what they shall check
// when the budget has ended.
const afterBudget = 4 * time.Second

// leastObserving is for that where all took longer than it should.
const leastObserving = time.Second

// fewFiles are recorded one like the other. Of more, all are recorded quickly rather than some of them well.
const fewFiles = 8

// quickCTests is how long the C tests of all files take at least, by what compiling for replays took: each file is
// compiled for them once more, some twice, and starting processes that are confined takes as long again.
func (c *session) quickCTests() time.Duration { return 3 * c.poolTook }

// recordWell is until when C tests are recorded in the better way, which takes twice as long. Of many files that is
// what the quick way for all of them leaves.
func (c *session) recordWell(files int, left time.Duration) time.Time {
	if files <= fewFiles {
		return c.pruneUntil().Add(recordSlack)
	}
	return time.Now().Add(2 * (left - c.quickCTests()))
}

// observedEvery is how often it is looked whether that has had its time.
const observedEvery = 200 * time.Millisecond

// longestObserving bounds it where others keep the machine busy. A campaign that is no shorter ends
// by the clock, whatever others do.
const longestObserving = time.Minute

// observingTime is the time for that: until the budget's end and afterBudget, as a
// machine counts that has nothing else to do. Where others keep it busy, a short run that
// stopped by the clock would leave tests that check nothing: it has most, unless it has
// used a processor for as long as the first.
func (c *session) observingTime() (left, most time.Duration) {
	if c.job.FunctionBudget > 0 {
		all := max(longestObserving, c.job.Budget) // each function has its own time, and this has none
		return all, all
	}
	left = max(c.job.Budget+afterBudget-time.Since(c.began), leastObserving)
	if c.job.Budget >= longestObserving {
		return left, left
	}
	return left, max(left, min(time.Duration(max(c.busy, machineLoad())*float64(left)), longestObserving))
}

// observing ends with that time.
func (c *session) observing(ctx context.Context) (context.Context, context.CancelFunc) {
	left, most := c.observingTime()
	used := processorTime()
	ctx, stop := context.WithTimeout(ctx, most)
	go func() {
		for wait := left; ; wait = observedEvery {
			select {
			case <-ctx.Done():
				return
			case <-time.After(wait):
			}
			if processorTime()-used >= left {
				stop()
			}
		}
	}()
	return ctx, stop
}

// machineLoad is how many processes want each processor.
func machineLoad() float64 {
	var last float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		_, _ = fmt.Sscan(string(text), &last) // else nothing is known
	}
	return last / float64(runtime.NumCPU())
}

// busyness is how many times as long as on a machine without other work a stage took that had two
// compilers side by side for most of it, by what they used of the processors.
func busyness(took, used time.Duration) float64 {
	const alone = 1.2 // processors that they use then: linking waits for compiling
	if used <= 0 {
		return 1
	}
	return min(max(alone*float64(took)/float64(used), 1), mostBusy)
}

// mostBusy bounds what is believed of a machine.
const mostBusy = 30

// usedByTools is the processor time of all processes that were started and have ended.
func usedByTools() time.Duration {
	var u unix.Rusage
	if unix.Getrusage(unix.RUSAGE_CHILDREN, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// writeCTests writes the suite as C that a person reads, into tests/c. Where a
// value cannot be shown as C the tests say so; a failure here harms nothing else
// and is a note. When the context or the time ends, nothing is compiled or run any
// more: the tests that are left check nothing.
func (c *session) writeCTests(ctx context.Context, snap *store.Snapshot) error {
	if c.job.TestStyle == NoCTests || len(c.prog.units) == 0 || len(c.prog.modules) > 0 || c.judge.pool == nil {
		return nil
	}
	ctx, stop := c.observing(ctx)
	defer stop()
	err := c.ctests(ctx, snap)
	switch {
	case err == nil:
		return nil
	case disk.NoRoom(err): // what follows would fail too
		return describe(err)
	}
	c.note(fmt.Sprintf("not all tests were written as C: %v", err))
	return nil
}

// ctests writes the kept tests: those of one source file into tests/c, those of
// several into a folder of tests/c for each.
func (c *session) ctests(ctx context.Context, snap *store.Snapshot) error {
	byID := map[label.ID]label.Label{}
	for _, l := range c.prog.labels {
		byID[l.ID] = l
	}
	if names := c.prog.image.missing; len(names) > 0 {
		return fmt.Errorf("nobody defines %s", some(names))
	}
	cases := make([][]ctests.Case, len(c.prog.units))
	stay := 0
	for _, t := range c.kept(snap) {
		e, ok := c.prog.named(t.Entry)
		if !ok {
			continue
		}
		kt, err := ktest.ReadFile(t.File)
		if err != nil {
			return err
		}
		if e.inputs != nil {
			if _, err := e.inputs.Decode(kt.StripChoices()); err != nil {
				c.note(fmt.Sprintf("%s is not written as C: %v", t.Name, err)) // the others of its file are
				continue
			}
		}
		one := ctests.Case{Test: kt, Driver: e.inputs, Entry: e.name, Exit: t.Verdict.Status}
		if reason, ok := strings.CutPrefix(t.Verdict.Reason, countedAll); ok {
			if endless(reason) {
				stay++
				continue
			}
			one.Error = reason
		}
		if _, err := fmt.Sscanf(t.Name, "test%d", &one.Number); err != nil {
			return fmt.Errorf("the test name %s has no number", t.Name)
		}
		for _, id := range t.Verdict.Hits {
			one.Labels = append(one.Labels, byID[id])
		}
		cases[e.unit] = append(cases[e.unit], one)
	}
	if stay > 0 { // in a replay the loop has an end
		c.note(fmt.Sprintf("tests that go into a loop without an end, and are not written as C: %d", stay))
	}
	top := filepath.Join(c.layout.tests(), "c")
	objects, remove, err := ctests.NewObjects(c.clang)
	if err != nil {
		return err
	}
	defer remove()
	if c.job.FunctionBudget == 0 {
		left, _ := c.observingTime()
		files := 0
		for _, some := range cases {
			files += min(len(some), 1)
		}
		objects.Hurry = c.recordWell(files, left)
	}
	w := &testWriter{session: c, objects: objects,
		dir: top, called: calledIn(c.prog.plain), filing: linkage.Filing(c.prog.units, c.prog.calls),
		apart: map[string][]string{}}
	var wg errgroup.Group
	wg.SetLimit(runtime.NumCPU())
	failed := make([]error, len(c.prog.units))
	folders := map[string]bool{}
	for i := range c.prog.units {
		if len(cases[i]) == 0 {
			continue
		}
		dir := top
		if c.job.AllFunctions && len(c.prog.units) > 1 {
			name := strings.TrimSuffix(filepath.Base(c.prog.sources[i].Path), ".c")
			for folders[name] {
				name += "_"
			}
			folders[name], dir = true, filepath.Join(top, name)
		}
		wg.Go(func() error {
			failed[i] = w.unit(ctx, dir, i, cases[i])
			return nil
		})
	}
	_ = wg.Wait() // the failure of one file is not that of the others
	w.remarks()
	if len(folders) > 0 {
		failed = append(failed, ctests.Together(top, slices.Collect(maps.Keys(folders))))
	}
	return errors.Join(append(failed, ctests.Tidy(top, w.wrote))...)
}

// testWriter writes C tests, those of several source files side by side.
type testWriter struct {
	*session
	objects *ctests.Objects
	dir     string
	called  map[string]bool // functions, by the program's files
	filing  map[linkage.Place]bool

	mu    sync.Mutex
	wrote []string            // folders
	apart map[string][]string // by source file: those that its tests are built without
	late  []string            // source files for whose tests there was no time
}

// remarks are those on many files, one for all: on those whose names are those of others, too, and those that no
// time was left for.
func (w *testWriter) remarks() {
	slices.Sort(w.late)
	if w.late = slices.Compact(w.late); len(w.late) > 0 { // a file may have two folders
		which := "of " + some(w.late)
		if len(w.late) > 1 {
			which = fmt.Sprintf("of %d files (%s)", len(w.late), some(w.late))
		}
		w.remark(fmt.Sprintf("the C tests %s check nothing and were not compiled: there was no time to run them",
			which))
	}
	of := slices.Sorted(maps.Keys(w.apart))
	if len(of) == 1 {
		w.remark(fmt.Sprintf("the C tests of %s are built without files that define the same names: %s",
			filepath.Base(of[0]),
			some(w.apart[of[0]])))
	} else if len(of) > 1 {
		w.remark(fmt.Sprintf("the C tests of %d files are built without files that define the same names "+
			"(%s: without %s)", len(of), filepath.Base(of[0]), some(w.apart[of[0]])))
	}
}

// unit writes the tests of one source file: with --link-objects in two folders,
// those that are linked with its object and those that have to include it.
func (w *testWriter) unit(ctx context.Context, dir string, unit int, cases []ctests.Case) error {
	if !w.job.LinkObjects {
		return w.program(ctx, dir, unit, cases, "")
	}
	linked, included, err := w.linkable(ctx, filepath.Join(dir, linkedTests), unit, cases)
	if err != nil {
		return err
	}
	var failed []error
	var folders []string
	for kind, some := range map[string][]ctests.Case{linkedTests: linked, includedTests: included} {
		if len(some) > 0 {
			folders = append(folders, kind)
			failed = append(failed, w.program(ctx, filepath.Join(dir, kind), unit, some, kind))
		}
	}
	return errors.Join(append(failed, ctests.Together(dir, folders))...)
}

// The folders of tests with --link-objects.
const (
	linkedTests   = "linked"
	includedTests = "included"
)

// linkable finds out which tests need not include the source.
func (w *testWriter) linkable(ctx context.Context, dir string, unit int, cases []ctests.Case) (linked,
	included []ctests.Case, err error) {
	o := w.options(ctx, dir, unit, cases)
	if u := w.prog.units[unit]; ctx.Err() != nil || linkage.DefinesMain(u) || linkage.Header(u) {
		return nil, cases, nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, nil, describe(err)
	}
	observe, clean, err := w.recorder(ctx, dir, unit, o, true)
	if err != nil { // it has no object without klabel's own headers
		return nil, cases, nil
	}
	defer clean()
	defer func() { _ = os.Remove(dir) }() // if nothing of it was linkable, and it is empty
	o.Observe = observe
	return ctests.Linkable(dir, cases, o)
}

// recorder is what runs tests to see what they observe. Linked ones get the
// source's object.
func (w *testWriter) recorder(ctx context.Context, dir string, unit int, o ctests.Options,
	linked bool) (func(string, []string) ([]byte, error), func(), error) {
	flags := o.Flags.In(dir)
	var others []string
	clean := func() {}
	if linked {
		work, err := os.MkdirTemp("", "klabel-object-")
		if err != nil {
			return nil, nil, err
		}
		clean = func() { _ = os.RemoveAll(work) }
		object := filepath.Join(work, "source.o")
		from := w.prog.sources[unit].Path
		if err := w.clang.Executable(ctx, []string{from}, object, append([]string{"-w", "-O0", "-fwrapv", "-c",
			"-idirafter", w.build.rt.Include}, flags.Compile()...)); err != nil {
			clean()
			return nil, nil, err
		}
		flags = append(slices.Clone(flags), "-iquote", filepath.Dir(from), ctests.Undeclared)
		others = append(others, object)
	}
	for _, s := range o.Sources {
		others = append(others, filepath.Join(dir, s))
	}
	observe, done, err := w.objects.Recorder(ctx, flags, others...)
	if err != nil {
		clean()
		return nil, nil, err
	}
	return observe, func() { done(); clean() }, nil
}

// options says how the tests of a source file are written.
func (w *testWriter) options(ctx context.Context, dir string, unit int, cases []ctests.Case) ctests.Options {
	from, u := w.prog.sources[unit], w.prog.units[unit]
	o := ctests.Options{Style: w.job.TestStyle, Oracle: w.job.Oracle, Source: from.Path,
		TestTimeout: w.job.TestTimeout,
		Include:     seenFrom(dir, from.Path), EachFunction: w.job.ByFunction,
		Objects: drivers.Objects(u), MainParams: drivers.MainParameters(u), Defines: map[string]bool{},
		LabelMacros: w.prog.plain[unit].LabelMacros(), LabelFunctions: u.LabelFunctions(), Called: w.called,
		Filing: map[string]bool{}}
	for _, f := range u.Functions() {
		o.Defines[f.Name] = true
		o.Filing[f.Name] = w.filing[linkage.Place{Unit: unit, Name: f.Name}]
	}
	o.Lacks = w.prog.image.lackedBeside(unit)
	o.Stubs = w.prog.image.stubsElsewhere(unit)
	b := w.testBuild(dir, unit, mentionedIn(cases))
	o.Flags, o.Sources, o.Apart = b.flags, b.sources, b.renamed
	o.Hides, o.HidesTypes = w.prog.defined().Hides(w.prog.plain, unit), linkage.HidesTypes(w.prog.plain[unit])
	o.Redeclares = linkage.Redeclares(w.prog.plain[unit])
	o.Undeclared = slices.DeleteFunc(slices.Clone(w.prog.undeclaredIn(unit)), w.prog.defined().Defines)
	if len(b.leftOut) > 0 {
		w.mu.Lock()
		w.apart[from.Path] = b.leftOut
		w.mu.Unlock()
	}
	if o.Style == "" {
		o.Style = ctests.Plain
	}
	if o.Oracle == "" {
		o.Oracle = ctests.Observed
	}
	o.Wrote = func(dir string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.wrote = append(w.wrote, dir)
	}
	o.Remark = w.remark
	if f := toolchain.FindFormatter(ctx, filepath.Dir(from.Path)); f != nil {
		o.Format = func(files []string) error {
			err := f.Format(ctx, files)
			if err != nil && ctx.Err() == nil {
				w.note(unformatted(f, err))
			}
			return err
		}
	}
	return o
}

// unformatted says why tests have not the style of their project.
func unformatted(f *toolchain.Formatter, err error) string {
	said := err.Error()
	if te := (*toolchain.ToolError)(nil); errors.As(err, &te) {
		said = toolchain.TellingLine(te.Stderr)
	}
	return fmt.Sprintf("the C tests are not in the project's own style: %s cannot use %s: %s", filepath.Base(f.Path),
		f.Style, said)
}

// program writes tests of one source file into a folder.
func (w *testWriter) program(ctx context.Context, dir string, unit int, cases []ctests.Case, kind string) error {
	o := w.options(ctx, dir, unit, cases)
	if o.Linked = kind == linkedTests; kind != "" {
		o.Name = "test_" + strings.TrimSuffix(filepath.Base(o.Source), ".c") + "_" + kind
	}
	if err := ctests.Separate(dir, cases, &o); err != nil {
		return err
	}
	if ctx.Err() == nil {
		observe, clean, err := w.recorder(ctx, dir, unit, o, o.Linked)
		if err != nil {
			return err
		}
		defer clean()
		// Where the end came in between, what was seen so far is not told from
		// what was not: the file is written again, and nothing said of it.
		seen := o
		var remarks []string
		seen.Observe, seen.Remark = observe, func(r string) { remarks = append(remarks, r) }
		if err := ctests.Write(dir, cases, seen); ctx.Err() == nil {
			for _, r := range remarks {
				o.Remark(r)
			}
			return err
		}
	}
	if o.Oracle == ctests.Observed {
		w.mu.Lock()
		w.late = append(w.late, o.Source)
		w.mu.Unlock()
	}
	o.Format = nil // nor for that
	return ctests.Write(dir, cases, o)
}
