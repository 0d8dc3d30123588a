package campaign

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/report"
	"klabel/store"
	"klabel/toolchain"
)

// Run does the whole job. With an error, the summary holds what was found
// before it, if anything was. An interruption is not an error: the summary says so.
func Run(ctx context.Context, j Job, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	begin := time.Now()
	work := run
	if j.mayJoin = !j.comparing; len(j.Strategy) > 0 {
		work, j.mayJoin = runStrategy, false
	}
	sum, err := work(ctx, j, tools, obs)
	sum.Seconds = seconds(time.Since(begin))
	if sum.OutputDir == "" {
		return sum, err
	}
	if err != nil {
		sum.Failure, _, _ = strings.Cut(err.Error(), "\n")
	}
	if werr := writeSummary(layout{sum.OutputDir}.summary(), sum); err == nil { // the first error is the one to tell
		err = werr
	}
	return sum, err
}

func run(ctx context.Context, j Job, tools *toolchain.Tools, obs Observer) (report.Summary, error) {
	var none report.Summary
	c, err := newSession(j, tools, obs)
	if err != nil {
		return none, err
	}
	defer c.close()
	if err := c.chooseEngine(); err != nil {
		return none, err
	}
	if sum, yes := c.unchanged(ctx); yes {
		return sum, nil
	}
	go toolchain.ConfinementMeans() // asked once, while the sources are read; every replay needs the answer
	if err := c.read(ctx); err != nil {
		return none, err
	}
	c.openEnvironment()
	if err := c.openStore(); err != nil {
		return none, err
	}
	joined := c.openCluster(ctx)
	compiled := c.compileEngine(ctx)
	if c.beside != nil {
		c.takeBeside(c.programBeside(c.prog.image, 0))
		if im := c.prog.image; (!c.beside.patient || c.beside.reads) && len(im.entries) == 1 && !im.open() {
			c.besideOf(c.prog.image.entries[0]).compile(ctx) // both begin at once
		}
	}
	if err := c.openJudge(ctx); errors.Is(err, errLate) {
		return c.withoutJudge(ctx)
	} else if err != nil {
		return none, err
	}
	warm := c.warmJudge(ctx)
	defer warm()
	if err := joined(); err != nil {
		return none, err
	}
	for id, why := range c.prog.constant {
		if _, err := c.st.Mark(id, label.Infeasible, store.Reason{Method: "compiler", Text: why}); err != nil {
			return none, err
		}
	}
	if err := c.rejoin(ctx); err != nil {
		return none, err
	}
	if err := c.replayEarlier(ctx); err != nil {
		return none, err
	}
	c.recallWaiting()
	if err := c.replayWaiting(ctx, c.half(time.Now())); err != nil {
		return none, err
	}
	if err := c.startFrom(ctx, c.job.Existing); err != nil {
		return none, err
	}
	if err := c.runExisting(ctx, c.job.ExistingRun); err != nil {
		return none, err
	}
	if rested := c.allRest(); c.reopen() && rested {
		compiled = c.compileEngine(ctx)
	}
	stats, err := c.exploreAll(ctx, func() (engine.Program, error) {
		p, err := compiled()
		warm()
		return p, err
	})
	c.logTimes("proved")
	sum, cerr := c.conclude(ctx, stats, ctx.Err() != nil)
	c.logTimes("concluded")
	if err != nil && ctx.Err() == nil {
		return sum, err
	}
	if cerr == nil {
		cerr = c.layout.pack(len(c.prog.all()) > 1)
	}
	if cerr == nil {
		cerr = c.remember(ctx, sum.Interrupted)
	}
	return sum, cerr
}

// replayEarlier judges the tests of earlier campaigns again when the program
// has changed since, so that going on loses nothing that still holds.
func (c *session) replayEarlier(ctx context.Context) error {
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
		if t.Dropped || again[t.File] {
			continue
		}
		e, ok := c.prog.named(t.Entry)
		if kt, err := ktest.ReadFile(t.File); ok && err == nil {
			c.judge.remember(e, kt, t.Name, t.Verdict)
		}
	}
	done, err := c.replayAgain(ctx, stale)
	if err != nil {
		return err
	}
	if late := len(stale) - done; late > 0 {
		c.unfinished = true
		c.note(fmt.Sprintf("earlier tests not replayed, no time left: %d; the next run replays them", late))
	}
	stale = stale[:done]
	c.replayedAgain = len(stale)
	switch held := len(c.memory.carried); {
	case held > 0:
		c.obs.Note(fmt.Sprintf("the program has changed: %d earlier tests were replayed again, %d reach nothing "+
			"that has", len(stale), held))
	case len(stale) > 0:
		c.obs.Note(fmt.Sprintf("the program has changed: %d earlier tests were replayed again", len(stale)))
	}
	return nil
}

// replayAgain judges tests of earlier campaigns, several at a time, for at most half
// of the budget, and returns how many. The others stay as they are: they cover
// nothing until somebody replays them.
func (c *session) replayAgain(ctx context.Context, tests []store.Test) (done int, err error) {
	var late atomic.Int64
	within, stop := context.WithDeadline(ctx, c.half(c.began))
	defer stop()
	var g errgroup.Group
	g.SetLimit(c.judge.pool.Workers())
	for _, t := range tests {
		g.Go(func() error {
			err := c.replayOne(within, t)
			if err != nil && within.Err() != nil {
				late.Add(1)
				return ctx.Err()
			}
			return err
		})
	}
	err = g.Wait()
	return len(tests) - int(late.Load()), err
}

func (c *session) replayOne(ctx context.Context, t store.Test) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	kt, err := ktest.ReadFile(t.File)
	if err != nil {
		return nil // the user removed it
	}
	e, ok := c.prog.named(t.Entry)
	if !ok {
		return nil // so is its entry
	}
	v, _, err := c.judge.poolOf(e).ReplayWithin(ctx, e.number, kt, 4*t.Verdict.Duration)
	if err != nil {
		return fmt.Errorf("replaying %s: %w", t.File, err)
	}
	if v, err = c.judge.confirm(ctx, e, kt, v); err != nil {
		return err
	}
	c.judge.truth.RLock()
	defer c.judge.truth.RUnlock()
	v = c.judge.proper(e, c.judge.counted(v))
	c.judge.mu.Lock()
	c.judge.fromMain(e, v)
	c.judge.mu.Unlock()
	c.judge.remember(e, kt, t.Name, v)
	if t.File, err = c.judge.rehome(e, t.File, v); err != nil {
		return err
	}
	t.TestResult.Verdict = v
	_, err = c.st.Record(t.TestResult)
	return err
}

// half is the middle of the time from a moment to the end of the budget.
func (c *session) half(from time.Time) time.Time { return from.Add(c.replaysEnd().Sub(from) / 2) }

// startFrom judges tests that exist already, so that only what they leave open
// is worked on: C tests, by their names, and .ktest files.
func (c *session) startFrom(ctx context.Context, paths []string) error {
	var inC, others []string
	for _, p := range paths {
		if strings.HasSuffix(p, ".c") {
			inC = append(inC, p)
		} else {
			others = append(others, p)
		}
	}
	if len(inC) > 0 {
		if _, err := c.recordCTests(ctx, inC); err != nil {
			return err
		}
	}
	if len(others) == 0 {
		return nil
	}
	c.obs.Stage("replaying")
	files, err := testFiles(others)
	if err != nil {
		return err
	}
	return c.replayFiles(ctx, files)
}

// exploreAll samples, prunes and explores, and stores what is proved.
func (c *session) exploreAll(ctx context.Context, compiled func() (engine.Program, error)) (engine.Stats, error) {
	if err := c.selectNeeded(); err != nil {
		return engine.Stats{}, err
	}
	if c.job.Mode.Live() && c.satisfied() {
		c.note("every label was resolved already; no engine was started")
		return engine.Stats{}, nil
	}
	if c.beside != nil && !c.beside.patient && len(c.prog.image.entries) > 0 && !c.allRest() && !c.dear() {
		c.besideOf(c.prog.image.entries[0]).compile(ctx) // it shall have its part of first turns
	}
	if !c.job.NoRandom {
		c.logTimes("compiled for replays")
		c.obs.Stage("sampling")
		c.sample(ctx, c.ways(c.prog.image))
		c.logTimes("sampled")
	}
	if c.job.Prune != PruneNever && !c.sanitized() {
		// A proof counts only if it takes no more for granted than a replay checks.
		c.note("replays have no sanitizers, and go on where provers take a run to end: nothing is pruned")
	} else if c.job.Prune != PruneNever && !c.st.AllResolved() {
		c.proofs = c.startPruning(ctx)
		defer func() { c.proofs.end() }()
		if c.job.Prune == PruneFirst {
			c.obs.Stage("pruning")
			if err := c.proofs.wait(); err != nil {
				return engine.Stats{}, err
			}
		}
	}
	var p engine.Program
	if !c.allRest() {
		var err error
		c.obs.Stage("compiling") // which began long ago, and mostly has ended
		if p, err = compiled(); errors.Is(err, toolchain.ErrProcessorTime) || errors.Is(err, errLate) {
			return engine.Stats{}, c.withoutEngine(ctx, err, c.proofs)
		} else if err != nil {
			return engine.Stats{}, err
		}
	}
	if c.job.Mode.Live() && c.satisfied() {
		return engine.Stats{}, nil
	}
	taken := c.takeStrays(ctx)
	stats, err := c.follow(ctx, p, c.ways(c.prog.image))
	c.hadTurns()
	taken()
	c.logTimes("explored")
	if err == nil {
		err = c.replayWaiting(ctx, c.replaysEnd())
	}
	c.logTimes("replayed what waited")
	if err != nil {
		return stats, err
	}
	explored := stats.Complete && len(stats.Infeasible) > 0
	if c.proofs != nil && !c.st.AllResolved() && !explored && ctx.Err() == nil {
		c.obs.Stage("pruning")
		if err := c.proofs.wait(); err != nil {
			return stats, err
		}
	} else if err := c.proofs.end(); err != nil {
		return stats, err
	}
	return stats, nil
}

// satisfied reports whether nothing is looked for any more. Failures that no predicate
// can tell, as a text that is too long for its block, come to light on the way.
func (c *session) satisfied() bool { return !c.job.SeekFailures && c.st.AllResolved() }

// warmJudge gets what replays ready while the engine's program is compiled. The result
// waits for it: an engine in a live mode goes astray until it is told what is covered,
// and starting servers beside it would take its time.
func (c *session) warmJudge(ctx context.Context) (wait func()) {
	if c.allRest() {
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.judge.pool.Warm(ctx)
	}()
	return func() { <-done }
}

// compileEngine compiles the engine's program, and lets the engine load what it
// needs, while other things go on; the result waits for both.
func (c *session) compileEngine(ctx context.Context) func() (engine.Program, error) {
	var p engine.Program
	var err error
	done := make(chan struct{})
	if c.allRest() {
		close(done)
		return func() (engine.Program, error) { return p, nil }
	}
	go func() {
		defer close(done)
		var wg sync.WaitGroup
		if w, ok := c.engine.(engine.Warmer); ok {
			wg.Go(func() { w.Warm(ctx) })
		}
		within, stop := c.starting(c.compiling(ctx, leastCompiling))
		defer stop()
		p, err = c.build.engineProgram(within, c.prog, c.prog.image, c.job.Mode, nil)
		err = late(within, err)
		wg.Wait()
	}()
	return func() (engine.Program, error) {
		<-done
		return p, err
	}
}
