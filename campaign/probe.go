package campaign

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/engine/native"
	"klabel/fault"
	"klabel/instrument"
	"klabel/replayer"
	"klabel/toolchain"
)

// probeBudget bounds the search for one input that satisfies all relations.
const probeBudget = 5 * time.Second

// possible makes sure that an entry whose inputs the user has narrowed has any.
func possible(ctx context.Context, clang *toolchain.Clang, u *csource.Unit, d *drivers.Unit, e drivers.Entry,
	o drivers.Options, opts csource.Options) error {
	if len(o.Ranges)+len(o.Assumes)+len(o.Arrays) == 0 {
		return nil
	}
	probe, err := csource.Parse(ctx, u.Path, d.Probe(u, e), opts)
	if err != nil {
		return fmt.Errorf("the driver of %s does not fit the program: %w", e.Function, err)
	}
	return hasInput(ctx, clang, probe)
}

// hasInput explores a driver without its call. That it has no input is said
// only when all of it was explored.
func hasInput(ctx context.Context, clang *toolchain.Clang, probe *csource.Unit) error {
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
	if err := clang.IR(ctx, c, ll, probe.Flags.Language()); err != nil {
		return err
	}
	ctx, stop := context.WithTimeout(ctx, 2*probeBudget)
	defer stop()
	e := native.New(clang)
	defer e.Close()
	run, err := e.Start(ctx, engine.Program{Files: []string{ll}}, engine.Options{
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
		return fault.WithHint(ErrNoInput, "look at --range, --assume and --array, and at the assumptions in the source")
	}
	return nil
}
