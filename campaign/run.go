package campaign

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"klabel/engine"
	"klabel/engine/klee"
	"klabel/engine/native"
	"klabel/ktest"
	"klabel/label"
	"klabel/report"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

// Run does the whole job. With an error, the summary holds what was found
// before it, if anything was. An interruption is not an error: the summary says so.
func Run(ctx context.Context, j Job, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	begin := time.Now()
	if err := j.check(); err != nil {
		return report.Summary{}, err
	}
	c := &campaign{job: j, tools: tools, obs: obs, layout: layout{dir: j.OutputDir}}
	sum, err := c.run(ctx)
	sum.Seconds = seconds(time.Since(begin))
	if err != nil && sum.OutputDir != "" {
		sum.Failure, _, _ = strings.Cut(err.Error(), "\n")
		_ = writeSummary(c.layout.summary(), sum) // the first error is the one to tell
	}
	if err != nil {
		return sum, err
	}
	return sum, writeSummary(c.layout.summary(), sum)
}

// campaign is one Run.
type campaign struct {
	job    Job
	tools  *toolchain.Tools
	obs    Observer
	layout layout

	engine engine.Engine
	build  builder
	prog   *program
	st     *store.Store

	mu    sync.Mutex
	notes []string // guarded by mu: provers remark things while engines run
}

func (c *campaign) run(ctx context.Context) (report.Summary, error) {
	var none report.Summary
	if err := c.choose(); err != nil {
		return none, err
	}
	// The program is read before anything is written: a mistake in the source
	// leaves no trace on disk.
	c.obs.Stage("reading")
	if err := c.read(ctx); err != nil {
		return none, err
	}
	if err := c.layout.make(); err != nil {
		return none, err
	}
	st, err := store.Open(c.layout.dir, store.Options{Fresh: c.job.Fresh})
	if err != nil {
		return none, err
	}
	defer st.Close()
	c.st = st
	if c.job.Fresh {
		if err := c.layout.clear(); err != nil {
			return none, err
		}
	}
	if c.build.rt, err = runtime_c.Extract(c.layout.work("c")); err != nil {
		return none, describe(err)
	}
	compiled := c.compileEngine(ctx)
	k, closePool, err := c.judge(ctx)
	if err != nil {
		return none, err
	}
	defer closePool()
	for id, why := range c.prog.constant {
		if _, err := st.Mark(id, label.Infeasible, store.Reason{Method: "compiler", Text: why}); err != nil {
			return none, err
		}
	}
	if err := c.replayEarlier(ctx, k); err != nil {
		return none, err
	}
	stats, err := c.exploreAll(ctx, k, compiled)
	sum, cerr := c.conclude(ctx, k, stats, ctx.Err() != nil)
	if err != nil && ctx.Err() == nil {
		return sum, err
	}
	return sum, cerr
}

// choose picks engine, mode and compilers.
func (c *campaign) choose() error {
	j := &c.job
	switch j.Engine {
	case "klee":
		if _, err := c.tools.RequireKLEE(); err != nil {
			return err
		}
	case "auto":
		j.Engine = "native"
		if _, err := c.tools.RequireKLEE(); err == nil && j.Mode != engine.Greybox {
			j.Engine = "klee"
		} else if c.tools.KLEE != nil && j.Mode != engine.Greybox {
			c.note(fmt.Sprintf("KLEE is not used: %v", err))
		}
	case "native":
	default:
		return usagef("there is no engine %q: auto, klee and native are", j.Engine)
	}
	if j.Mode == "" {
		j.Mode = engine.Fused
		if j.Engine == "native" {
			j.Mode = engine.Greybox
		}
	}
	if !slices.Contains(Modes(j.Engine), j.Mode) {
		return usagef("engine %s has no mode %q: %v are possible", j.Engine, j.Mode, Modes(j.Engine))
	}
	clang, err := c.tools.RequireClang()
	if err != nil {
		return err
	}
	c.build = builder{layout: c.layout, native: clang, engine: clang, asIR: j.Engine == "native"}
	if j.Engine == "native" {
		c.engine = native.New(clang)
		return nil
	}
	if c.build.engine, err = c.tools.ClangFor(c.tools.KLEE); err != nil {
		return err
	}
	c.engine = klee.New(c.tools.KLEE)
	return nil
}

// Modes lists the modes that an engine has, the default one last.
func Modes(name string) []engine.Mode {
	modes := []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused}
	if name == "native" {
		modes = append(modes, engine.Greybox)
	}
	return modes
}

// read loads the program.
func (c *campaign) read(ctx context.Context) error {
	rt, done, err := headers()
	if err != nil {
		return err
	}
	defer done()
	c.prog, err = load(ctx, c.build.native, rt, &c.job)
	if err != nil {
		return err
	}
	for _, w := range c.prog.warnings {
		c.obs.Note(w)
	}
	return nil
}

// replayEarlier judges the tests of earlier campaigns again when the program
// has changed since, so that going on loses nothing that still holds.
func (c *campaign) replayEarlier(ctx context.Context, k *judge) error {
	tests, err := c.st.Tests()
	if err != nil {
		return err
	}
	stale, err := c.st.TestsToReplay()
	if err != nil {
		return err
	}
	again := map[string]bool{}
	for _, t := range stale {
		again[t.File] = true
	}
	for _, t := range tests {
		if again[t.File] {
			continue
		}
		if kt, err := ktest.ReadFile(t.File); err == nil {
			k.remember(kt, t.Verdict)
		}
	}
	for _, t := range stale {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		kt, err := ktest.ReadFile(t.File)
		if err != nil {
			continue // the user removed it
		}
		v, err := k.pool.Replay(ctx, kt)
		if err != nil {
			return fmt.Errorf("replaying %s: %w", t.File, err)
		}
		k.remember(kt, v)
		t.TestResult.Verdict = v
		if _, err := c.st.Record(t.TestResult); err != nil {
			return err
		}
	}
	if len(stale) > 0 {
		c.obs.Note(fmt.Sprintf("the program has changed: %d earlier tests were replayed again", len(stale)))
	}
	return nil
}

// exploreAll samples, prunes and explores, and stores what is proved.
func (c *campaign) exploreAll(ctx context.Context, k *judge, compiled func() (engine.Program, error)) (engine.Stats, error) {
	if c.job.Mode.Live() && c.st.AllResolved() {
		c.note("every label was resolved already; no engine was started")
		return engine.Stats{}, nil
	}
	if !c.job.NoRandom {
		c.obs.Stage("sampling")
		c.sample(ctx, k)
	}
	var proofs *pruner
	if c.job.Prune != PruneNever && !c.st.AllResolved() {
		var err error
		if proofs, err = c.startPruning(ctx); err != nil {
			return engine.Stats{}, err
		}
		defer proofs.end()
		if c.job.Prune == PruneFirst {
			c.obs.Stage("pruning")
			if err := proofs.wait(); err != nil {
				return engine.Stats{}, err
			}
		}
	}
	p, err := compiled()
	if err != nil {
		return engine.Stats{}, err
	}
	if c.job.Mode.Live() && c.st.AllResolved() {
		return engine.Stats{}, nil
	}
	stats, err := c.exploreInRounds(ctx, k, p)
	if err != nil {
		return stats, err
	}
	if proofs != nil && !c.st.AllResolved() && len(stats.Infeasible) == 0 && ctx.Err() == nil {
		c.obs.Stage("pruning")
		if err := proofs.wait(); err != nil {
			return stats, err
		}
	} else if err := proofs.end(); err != nil {
		return stats, err
	}
	for _, id := range stats.Infeasible {
		if _, err := c.st.Mark(id, label.Infeasible, store.Reason{
			Method: c.engine.Name(), Text: "every path of the program was explored and none can satisfy it", Seconds: stats.Seconds,
		}); err != nil {
			return stats, err
		}
	}
	return stats, nil
}

// compileEngine compiles the engine's program while other things go on; the
// result waits for it.
func (c *campaign) compileEngine(ctx context.Context) func() (engine.Program, error) {
	var p engine.Program
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		p, err = c.build.engineProgram(ctx, c.prog, c.job.Mode, nil)
	}()
	return func() (engine.Program, error) {
		<-done
		return p, err
	}
}

func (c *campaign) note(text string) {
	c.mu.Lock()
	c.notes = append(c.notes, text)
	c.mu.Unlock()
	c.obs.Note(text)
}
