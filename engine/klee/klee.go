// Package klee runs KLEE as an engine.
//
// It exists to know what the releases of KLEE from 2.3 on want to be told, how
// to end one without losing tests or leaving solvers behind, and what its
// output directory says about a run.
//
// It promises: a KLEE process is started in a group of its own, gets only
// options that its release knows, halts gently at the budget's end or on Stop,
// loses its running solver a second later and is killed, with everything it
// started, two seconds after that; Wait returns when nothing of it is left;
// Stats.Complete is true only when KLEE ended by itself and nothing in its
// statistics or warnings speaks of a path that was given up.
//
// With a limit for queries KLEE forks itself for each that STP gets, which takes
// several times what most queries take. Where it may (engine.Options.Unbounded)
// it runs without; a query that then holds it up ends the run, and the next one
// has a limit.
//
// KLEE runs in an empty folder and with an environment of its own, confined: it
// calls functions that the program does not define natively, with concrete
// arguments (--external-calls=concrete), and that may be remove or system.
//
// Limits: it reads no test; they are left in the output directory, where the
// replayer's watcher takes them.
package klee

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// Engine is an installed KLEE.
type Engine struct {
	klee *toolchain.KLEE
}

// New makes an engine of the KLEE that toolchain.Probe found.
func New(k *toolchain.KLEE) *Engine { return &Engine{klee: k} }

// Name is "klee".
func (e *Engine) Name() string { return "klee" }

// Version is KLEE's own.
func (e *Engine) Version() string { return e.klee.Version }

// Close does nothing: every run has a process of its own, which Wait sees end.
func (e *Engine) Close() error { return nil }

// How a run ends: KLEE is asked, then its solver is taken away, then it is
// killed. A query without a time limit may otherwise hold KLEE for ever.
const (
	solverGrace = time.Second
	killGrace   = 3 * time.Second // at most; see grace
	leastGrace  = 1200 * time.Millisecond
	// KLEE's own --max-time should end a run before klabel's signal does.
	budgetSlack = 500 * time.Millisecond
)

// Start starts KLEE on a program.
func (e *Engine) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	if err := e.klee.Supported(); err != nil {
		return nil, err
	}
	if err := check(p, o); err != nil {
		return nil, err
	}
	args, err := arguments(e.klee, p, o)
	if err != nil {
		return nil, err
	}
	scratch := absolute(o.OutputDir) + ".cwd"
	if err := os.RemoveAll(scratch); err != nil { // of a run that was killed
		return nil, err
	}
	if err := os.Mkdir(scratch, 0o777); err != nil {
		return nil, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	r := &run{dir: o.OutputDir, scratch: scratch, maxInstr: o.MaxInstr, memory: o.MaxMemoryMB,
		ended: make(chan struct{}), stop: make(chan struct{})}
	r.process, err = toolchain.Start(ctx, toolchain.Command{
		Argv:       append([]string{e.klee.Path}, args...),
		Dir:        scratch,
		Env:        environment(o, scratch),
		Confine:    confinement(o, scratch),
		Stdout:     null, // what the program prints, once for each path
		StopSignal: os.Interrupt,
		Grace:      grace(o.Budget),
		Guard:      true,
		RaiseStack: true,
	})
	if err != nil {
		os.Remove(scratch)
		return nil, fmt.Errorf("cannot start KLEE: %w", err)
	}
	r.started = time.Now()
	go r.supervise(ctx, o)
	return r, nil
}

// grace is how long KLEE may take to end. One that reads a large program does not look up before it
// has done so, and would take several times a short budget; killed, it loses its statistics alone.
func grace(budget time.Duration) time.Duration {
	if budget <= 0 { // until it has explored all
		return killGrace
	}
	return min(max(budget, leastGrace), killGrace)
}

// confinement is what KLEE, and what a program calls through it, may do: write
// its results and the live view, and files in an empty folder.
func confinement(o engine.Options, scratch string) *toolchain.Confinement {
	c := &toolchain.Confinement{Scratch: scratch, ScratchMB: 256, KeepTmp: true, Family: true,
		Writable: []string{filepath.Dir(absolute(o.OutputDir))}}
	if o.LiveView != "" {
		c.Writable = append(c.Writable, absolute(o.LiveView))
	}
	return c
}

// check finds what KLEE would refuse in words that do not help.
func check(p engine.Program, o engine.Options) error {
	if len(p.Files) == 0 {
		return errors.New("no bitcode to run")
	}
	for _, f := range p.Files {
		if _, err := os.Stat(f); err != nil {
			return fmt.Errorf("cannot read the program: %w", err)
		}
	}
	if o.OutputDir == "" {
		return errors.New("no output directory given for KLEE")
	}
	if _, err := os.Lstat(o.OutputDir); err == nil {
		return fmt.Errorf("the output directory %s exists already: KLEE wants a new one", o.OutputDir)
	}
	if st, err := os.Stat(filepath.Dir(o.OutputDir)); err != nil || !st.IsDir() {
		return fmt.Errorf("the output directory %s cannot be made: %s is not a directory", o.OutputDir,
			filepath.Dir(o.OutputDir))
	}
	if o.Preload != "" {
		if _, err := os.Stat(o.Preload); err != nil {
			return fmt.Errorf("cannot read the library with covered(): %w", err)
		}
	}
	if o.Mode.Live() && o.LiveView == "" {
		return fmt.Errorf("mode %s needs a live view", o.Mode)
	}
	return nil
}
