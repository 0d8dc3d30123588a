package campaign

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/engine/native"
	"klabel/instrument"
	"klabel/replayer"
	"klabel/runtime_c"
	"klabel/toolchain"
)

// probeBudget bounds the search for one input that satisfies all relations.
const probeBudget = 5 * time.Second

// ErrNoInput says that the relations of a driver contradict each other.
var ErrNoInput = errors.New("no input satisfies all relations and assumptions")

// drive appends a driver for the job's function to the unit that defines it.
func (p *program) drive(ctx context.Context, clang *toolchain.Clang, rt runtime_c.Paths, j *Job) error {
	home, _, err := drivers.Find(p.units, j.Function)
	if err != nil {
		return err
	}
	o := j.Driver
	o.Function = j.Function
	o.Defined = map[string]bool{}
	at := 0
	for i, u := range p.units {
		if u == home {
			at = i
			continue
		}
		for _, f := range u.Functions() {
			if !f.Static {
				o.Defined[f.Name] = true
			}
		}
	}
	d, err := drivers.Generate(home, o)
	if err != nil {
		return err
	}
	for i, u := range p.units {
		if u == home || !definesMain(u) {
			continue
		}
		// The driver's main takes the place of the program's.
		e := u.Edits()
		for _, s := range u.IdentifierSpans("main") {
			e.Replace(s, "klabel_program_main")
		}
		opts := csource.Options{Clang: clang, Flags: p.flags[i], LabelMacros: j.LabelMacros, IncludeDirs: []string{rt.Include}}
		if p.units[i], err = csource.Parse(ctx, u.Path, e.Apply(), opts); err != nil {
			return fmt.Errorf("without its main, %w", err)
		}
	}
	p.warnings = append(p.warnings, d.Warnings...)
	p.inputs = d.Inputs
	opts := csource.Options{Clang: clang, Flags: p.flags[at], LabelMacros: j.LabelMacros, IncludeDirs: []string{rt.Include}}
	if p.units[at], err = csource.Parse(ctx, home.Path, d.Apply(home), opts); err != nil {
		return fmt.Errorf("the driver of %s does not fit the program: %w", j.Function, err)
	}
	if len(o.Ranges)+len(o.Assumes)+len(o.Arrays) == 0 {
		return nil
	}
	probe, err := csource.Parse(ctx, home.Path, d.ApplyProbe(home), opts)
	if err != nil {
		return fmt.Errorf("the driver of %s does not fit the program: %w", j.Function, err)
	}
	return hasInput(ctx, clang, probe, p.flags[at])
}

// hasInput explores a driver without its call. That it has no input is said
// only when all of it was explored.
func hasInput(ctx context.Context, clang *toolchain.Clang, probe *csource.Unit, flags []string) error {
	dir, err := os.MkdirTemp("", "klabel-")
	if err != nil {
		return describe(err)
	}
	defer os.RemoveAll(dir)
	text, err := instrument.Rewrite(probe, instrument.Options{Mode: engine.Ignore})
	if err != nil {
		return err
	}
	c, ll := filepath.Join(dir, "probe.c"), filepath.Join(dir, "probe.ll")
	if err := os.WriteFile(c, text, 0o666); err != nil {
		return describe(err)
	}
	if err := clang.IR(ctx, c, ll, append([]string{"-w"}, flags...)); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, 2*probeBudget)
	defer stop()
	run, err := native.New(clang).Start(ctx, engine.Program{Files: []string{ll}}, engine.Options{
		Mode: engine.Ignore, OutputDir: filepath.Join(dir, "out"), Budget: probeBudget, SolverBudget: probeBudget,
	})
	if err != nil {
		return err
	}
	over := make(chan struct{})
	tests := replayer.WatchWith(ctx, replayer.WatchOptions{Dirs: []string{run.Dir()}, Done: over})
	var stats engine.Stats
	go func() {
		defer close(over)
		stats, err = run.Wait()
	}()
	found := false
	for t := range tests {
		if t.Problem == nil && t.Suffix == "assert.err" {
			found = true
			run.Stop()
		}
	}
	if err == nil && !found && stats.Complete {
		return fmt.Errorf("%w\nhint: look at --range, --assume and --array, and at the assumptions in the source", ErrNoInput)
	}
	return nil
}
