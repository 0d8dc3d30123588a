package campaign

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"klabel/ctests"
	"klabel/disk"
	"klabel/ktest"
	"klabel/label"
	"klabel/linkage"
	"klabel/store"
)

// NoCTests as Job.TestStyle leaves the readable tests out.
const NoCTests ctests.Style = "none"

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
