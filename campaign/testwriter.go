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
	"sync"

	"klabel/ctests"
	"klabel/drivers"
	"klabel/linkage"
	"klabel/toolchain"
)

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
	own := map[string]toolchain.Flags{}
	for _, s := range o.Sources {
		path := filepath.Join(dir, s)
		others = append(others, path)
		if f, ok := o.Own[s]; ok {
			own[path] = f.In(dir)
		}
	}
	observe, done, err := w.objects.Recorder(ctx, flags, own, others...)
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
	o.Flags, o.Sources, o.Own, o.Apart = b.flags, b.sources, b.own, b.renamed
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
