package native

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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

// Engine starts runs in native-engine processes. A process that has read an
// image takes further runs of it, one at a time.
type Engine struct {
	clang  *toolchain.Clang
	binary string
	pool   pool
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

// Close ends all processes.
func (e *Engine) Close() error {
	e.pool.close()
	return nil
}

// grace is what a process gets to end gently; a query holds it up at most that
// long.
const grace = 3 * time.Second

// budgetSlack is how much longer than its own limit a run may take before it is
// asked to stop from outside.
const budgetSlack = 2 * time.Second

// Start starts a run.
func (e *Engine) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	if len(p.Files) == 0 {
		return nil, errors.New("no program to run")
	}
	if err := exec.CheckSearchers(o.Searchers); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	argv, err := e.serving(ctx)
	if err != nil {
		return nil, err
	}
	s, err := e.pool.take(argv, p.Files)
	if err != nil {
		return nil, err
	}
	r := &run{dir: o.OutputDir, started: time.Now(), stop: make(chan struct{}), ended: make(chan struct{}),
		seeds: make(chan []byte, waitingSeeds)}
	for _, s := range o.Seeds {
		r.Seed(s)
	}
	go r.supervise(ctx, &e.pool, s, p, o)
	return r, nil
}

// Warm starts a process that has the C library ready before there is a program.
// What goes wrong here goes wrong again, and is said, when a run is started.
func (e *Engine) Warm(ctx context.Context) {
	if argv, err := e.serving(ctx); err == nil {
		_ = e.pool.warm(argv)
	}
}

// serving is the command of a process that takes slices.
func (e *Engine) serving(ctx context.Context) ([]string, error) {
	binary := e.binary
	if binary == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("finding klabel's own binary: %w", err)
		}
		binary = self
	}
	libc, err := Libc(ctx, e.clang)
	return []string{binary, Subcommand, "--serve", "--libc", libc, "--clang", e.clang.Path}, err
}

// arguments builds the command line of one exploration.
func arguments(p engine.Program, o engine.Options) []string {
	args := []string{"--output-dir", o.OutputDir}
	add := func(name string, set bool, value string) {
		if set {
			args = append(args, "--"+name+"="+value)
		}
	}
	add("entry-point", p.Entry != "", p.Entry)
	add("live-view", o.LiveView != "" && o.Mode.Live(), o.LiveView)
	add("greybox", o.Mode == engine.Greybox, "true")
	// What a path's test would show of its arms is shown by labels, where there are any.
	add("merge", o.Mode == engine.Greybox && !o.EveryPath, "true")
	// A refused test must be retryable, which needs more than one test a place.
	add("emit-all-errors", o.Mode == engine.Fused, "true")
	// Elsewhere labels bring their tests, and a program that ends by exit would have one a path.
	add("only-output-states-covering-new", !o.EveryPath && o.Mode != engine.Ignore && o.Mode != engine.Naive, "true")
	add("failing-labels", o.Failing, "true")
	add("proofs", o.Proofs, "true")
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
	args = append(args, o.ExtraArgs...)
	return append(append(args, "--", p.Files[0]), o.ProgramArgs...)
}

// run is one exploration.
type run struct {
	dir     string
	started time.Time
	once    sync.Once
	stop    chan struct{} // closed by Stop
	seeds   chan []byte
	ended   chan struct{}
	stats   engine.Stats
	err     error
}

func (r *run) Dir() string { return r.dir }

// Stop asks for a gentle end and returns at once.
func (r *run) Stop() { r.once.Do(func() { close(r.stop) }) }

func (r *run) Wait() (engine.Stats, error) {
	<-r.ended
	return r.stats, r.err
}

// Seed hands a test of another engine over; where too many wait, it is dropped.
func (r *run) Seed(test []byte) {
	if len(test) > maxSeed {
		return
	}
	select {
	case r.seeds <- test:
	default:
	}
}

// maxSeed bounds a test that is worth following.
const maxSeed = 1 << 16

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

// supervise hands the exploration to a process and sees to its end. That the process has
// to read the image before is not on the slice's account.
func (r *run) supervise(ctx context.Context, p *pool, s *server, prog engine.Program, o engine.Options) {
	defer close(r.ended)
	answers := s.explore(arguments(prog, o))
	defer r.feed(s)()
	reading := s.begun
	limit := time.NewTimer(time.Hour)
	defer limit.Stop()
	bound := func(most, more time.Duration) {
		if limit.Stop(); o.Budget > 0 && most > 0 {
			limit.Reset(most + more)
		}
	}
	bound(o.Reading, o.Budget)
	var end outcome
	stopped, waiting := true, true
	for waiting {
		waiting = false
		select {
		case end = <-answers:
			stopped = false
		case <-reading:
			reading, waiting = nil, true
			bound(o.Budget, budgetSlack)
		case <-limit.C:
		case <-r.stop:
		case <-ctx.Done():
		}
	}
	if stopped {
		go s.halt(s.slice) // a process that reads nothing holds it up until it is killed
		if !s.hasBegun() { // what it reads is of use to the next slice
			go func() { p.give(s, <-answers) }()
			r.conclude(outcome{}, true)
			return
		}
		late := time.NewTimer(grace)
		defer late.Stop()
		select {
		case end = <-answers:
		case <-late.C:
			s.process.Kill()
			end = <-answers
		}
	}
	p.give(s, end)
	r.conclude(end, stopped)
}

// feed passes seeds on to the slice that has just begun, until it is told that the
// slice is over.
func (r *run) feed(s *server) (over func()) {
	end, left := make(chan struct{}), make(chan struct{})
	number := s.slice
	go func() {
		defer close(left)
		for {
			select {
			case <-end:
				return
			case test := <-r.seeds:
				if s.send(order{Slice: number, Seed: test}) != nil {
					return
				}
			}
		}
	}()
	return func() { close(end); <-left }
}

// conclude reads what the exploration left.
func (r *run) conclude(end outcome, stopped bool) {
	rep, err := readReport(r.dir)
	if err != nil {
		r.stats.Seconds = time.Since(r.started).Seconds()
		switch {
		case end.err != nil && !stopped:
			r.err = fmt.Errorf("native engine: %w", end.err)
		case stopped:
			r.stats.Notes = append(r.stats.Notes, "the engine was stopped before it had begun")
		default:
			r.err = fmt.Errorf("the native engine left no statistics: %w", err)
		}
		return
	}
	r.stats = engine.Stats{Paths: rep.Paths, Instructions: rep.Instructions, Queries: rep.Queries, Tests: rep.Tests,
		Seconds: rep.Seconds, Complete: rep.Complete && rep.Finished, Notes: rep.Notes}
	if rep.Finished {
		for _, id := range rep.Infeasible {
			r.stats.Infeasible = append(r.stats.Infeasible, label.ID(id))
		}
	}
	for _, id := range rep.Awaited {
		r.stats.Awaited = append(r.stats.Awaited, label.ID(id))
	}
	r.stats.Undecided = make(map[label.ID]string, len(rep.Undecided))
	for id, why := range rep.Undecided {
		r.stats.Undecided[label.ID(id)] = why
	}
	switch {
	case rep.Error != "":
		r.err = fmt.Errorf("native engine: %s", rep.Error)
	case !rep.Finished && stopped && end.err == nil && !end.last:
		r.stats.Notes = append(r.stats.Notes, "the engine was stopped before it had read the program")
	case !rep.Finished: // killed: the tests so far are kept
		r.stats.Notes = append(r.stats.Notes, "the engine was killed before it could finish")
	case end.err != nil && !stopped:
		r.err = fmt.Errorf("native engine: %w", end.err)
	}
}
