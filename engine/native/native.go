package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"

	"klabel/engine"
	"klabel/engine/native/exec"
	"klabel/label"
	"klabel/toolchain"
)

// Engine starts native-engine processes.
type Engine struct {
	clang  *toolchain.Clang
	binary string
}

// New makes an engine that compiles its C library with clang and runs the
// binary that is running now.
func New(clang *toolchain.Clang) *Engine { return &Engine{clang: clang} }

// WithBinary makes the engine start another binary; for tests.
func (e *Engine) WithBinary(path string) *Engine { return &Engine{clang: e.clang, binary: path} }

// Name is "native".
func (e *Engine) Name() string { return "native" }

// Version is the engine's own.
func (e *Engine) Version() string { return Version }

// grace is what a process gets to end gently; a query holds it up at most that
// long.
const grace = 3 * time.Second

// budgetSlack is how much longer than its own limit a process may take before
// it is asked to stop from outside.
const budgetSlack = 2 * time.Second

// Start starts a run.
func (e *Engine) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	if len(p.Files) == 0 {
		return nil, errors.New("no program to run")
	}
	if err := exec.CheckSearchers(o.Searchers); err != nil {
		return nil, err
	}
	binary := e.binary
	if binary == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding klabel's own binary: %w", err)
		}
		binary = self
	}
	libc, err := Libc(ctx, e.clang)
	if err != nil {
		return nil, err
	}
	r := &run{dir: o.OutputDir, started: time.Now(), ended: make(chan struct{})}
	cmd := toolchain.Command{
		Argv:   append([]string{binary, Subcommand}, arguments(e.clang, libc, p, o)...),
		Stdout: io.Discard,
		Grace:  grace,
	}
	if o.Budget > 0 {
		cmd.Timeout = o.Budget + budgetSlack
	}
	if r.process, err = toolchain.Start(ctx, cmd); err != nil {
		return nil, err
	}
	go r.supervise()
	return r, nil
}

// arguments builds the subcommand's command line.
func arguments(clang *toolchain.Clang, libc string, p engine.Program, o engine.Options) []string {
	args := []string{"--output-dir", o.OutputDir, "--libc", libc, "--clang", clang.Path}
	add := func(name string, set bool, value string) {
		if set {
			args = append(args, "--"+name+"="+value)
		}
	}
	add("live-view", o.LiveView != "" && o.Mode.Live(), o.LiveView)
	add("greybox", o.Mode == engine.Greybox, "true")
	// A refused test must be retryable, which needs more than one test a place.
	add("emit-all-errors", o.Mode == engine.Fused, "true")
	add("max-time", o.Budget > 0, o.Budget.String())
	add("max-solver-time", o.SolverBudget > 0, o.SolverBudget.String())
	add("max-memory", o.MaxMemoryMB > 0, strconv.Itoa(o.MaxMemoryMB))
	add("max-instructions", o.MaxInstr > 0, strconv.FormatUint(o.MaxInstr, 10))
	add("max-depth", o.MaxDepth > 0, strconv.Itoa(o.MaxDepth))
	add("max-paths", o.MaxPaths > 0, strconv.Itoa(o.MaxPaths))
	add("seed", o.Seed != 0, strconv.FormatInt(o.Seed, 10))
	for _, s := range o.Searchers {
		add("search", true, s)
	}
	for _, f := range p.Files[1:] {
		add("link", true, f)
	}
	args = append(args, o.ExtraArgs...)
	return append(append(args, "--", p.Files[0]), o.ProgramArgs...)
}

// run is one process.
type run struct {
	dir     string
	process *toolchain.Process
	started time.Time
	once    sync.Once
	ended   chan struct{}
	stats   engine.Stats
	err     error
}

func (r *run) Dir() string { return r.dir }

// Stop asks for a gentle end and returns at once.
func (r *run) Stop() { r.once.Do(func() { go r.process.Stop() }) }

func (r *run) Wait() (engine.Stats, error) {
	<-r.ended
	return r.stats, r.err
}

// Progress reads what the process published last.
func (r *run) Progress() engine.Progress {
	rep, err := readReport(r.dir)
	if err != nil {
		return engine.Progress{}
	}
	return engine.Progress{Paths: rep.Paths, Instructions: rep.Instructions}
}

func readReport(dir string) (*report, error) {
	b, err := os.ReadFile(filepath.Join(dir, "stats.json"))
	if err != nil {
		return nil, err
	}
	rep := new(report)
	return rep, json.Unmarshal(b, rep)
}

func (r *run) supervise() {
	defer close(r.ended)
	res, err := r.process.Wait()
	rep, rerr := readReport(r.dir)
	if rerr != nil {
		r.stats.Seconds = time.Since(r.started).Seconds()
		if errors.Is(err, toolchain.ErrStopped) || errors.Is(err, context.Canceled) {
			r.stats.Notes = append(r.stats.Notes, "the engine was stopped before it had begun")
			return
		}
		if err == nil {
			err = fmt.Errorf("the native engine left no statistics: %w", rerr)
		}
		r.err = err
		return
	}
	r.stats = engine.Stats{Paths: rep.Paths, Instructions: rep.Instructions, Queries: rep.Queries, Tests: rep.Tests,
		Seconds: rep.Seconds, Complete: rep.Complete && rep.Finished, Notes: rep.Notes}
	if r.stats.Complete {
		for _, id := range rep.Infeasible {
			r.stats.Infeasible = append(r.stats.Infeasible, label.ID(id))
		}
	}
	switch {
	case rep.Error != "":
		r.err = fmt.Errorf("native engine: %s", rep.Error)
	case !rep.Finished: // killed: the tests so far are kept
		r.stats.Notes = append(r.stats.Notes, "the engine was killed before it could finish")
	case res.ExitCode != 0 && err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, toolchain.ErrStopped):
		r.err = err
	}
}
