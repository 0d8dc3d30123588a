package campaign

import (
	"context"
	"fmt"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/store"
)

// minRound is the least budget that is worth starting engines for once more.
const minRound = time.Second

// exploreInRounds runs the engines, one or a portfolio, once; and again, with
// what is left of the budget, for labels that the first round may have lost
// because a replay refused a test for them.
//
// In the modes that mark a label as pending other paths pass it while its test
// is replayed; when that is refused those paths are gone. A refused label is
// never pending again, so a second round loses nothing of it.
//
// A test of these modes ends at its label and leaves to chance what the program
// does with the inputs afterwards. Where that has been an error each time, a
// last round goes on to the program's end, for these labels alone.
func (c *campaign) exploreInRounds(ctx context.Context, k *judge, p engine.Program) (engine.Stats, error) {
	c.obs.Stage("exploring")
	k.began = time.Now()
	r := turn{mode: c.job.Mode, program: p, budget: c.job.Budget}
	sum, err := c.exploreOnce(ctx, k, r)
	if !c.job.Mode.Pends() {
		return sum, err
	}
	for err == nil && ctx.Err() == nil {
		var lost []label.ID
		for _, id := range k.takeRefused() {
			if st, _ := c.st.Status(id); !st.Status.Resolved() && !st.GivenUp {
				lost = append(lost, id)
			}
		}
		r.budget = c.job.Budget - time.Since(k.began)
		if len(lost) == 0 || r.budget < minRound {
			break
		}
		c.obs.Note(fmt.Sprintf("tests were not confirmed: labels are tried once more: %d", len(lost)))
		var stats engine.Stats
		stats, err = c.exploreOnce(ctx, k, r)
		sum = followedBy(sum, stats)
	}
	if err != nil || ctx.Err() != nil {
		return sum, err
	}
	stats, err := c.exploreToTheEnd(ctx, k)
	return followedBy(sum, stats), err
}

// exploreToTheEnd is the last round.
func (c *campaign) exploreToTheEnd(ctx context.Context, k *judge) (engine.Stats, error) {
	only := map[label.ID]bool{}
	for _, l := range c.prog.labels {
		if st, _ := c.st.Status(l.ID); st.Refused && !st.Status.Resolved() {
			only[l.ID] = true
		}
	}
	budget := c.job.Budget - time.Since(k.began)
	if len(only) == 0 || budget < minRound {
		return engine.Stats{}, nil
	}
	c.obs.Note(fmt.Sprintf("tests were not confirmed: paths are followed to the program's end for labels: %d", len(only)))
	p, err := c.build.engineProgram(ctx, c.prog, engine.Naive, only)
	if err != nil {
		return engine.Stats{}, err
	}
	defer func(m engine.Mode) { k.mode = m }(k.mode)
	k.mode = engine.Naive
	stats, err := c.exploreOnce(ctx, k, turn{mode: engine.Naive, program: p, budget: budget, everyPath: true, until: func() bool {
		for id := range only {
			if st, _ := c.st.Status(id); !st.Status.Resolved() {
				return false
			}
		}
		return true
	}})
	stats.Infeasible = nil // other labels were not asked for
	return stats, err
}

// turn is one start of the engines.
type turn struct {
	mode      engine.Mode
	program   engine.Program
	budget    time.Duration
	everyPath bool
	until     func() bool // says that it may end; nil: when no label is left
}

// followedBy sums up two rounds. The first says whether all was explored.
func followedBy(sum, s engine.Stats) engine.Stats {
	s.Complete = sum.Complete
	s.Paths += sum.Paths
	s.Instructions += sum.Instructions
	s.Queries += sum.Queries
	s.Tests += sum.Tests
	s.Seconds += sum.Seconds
	s.Notes = append(sum.Notes, s.Notes...)
	s.Infeasible = append(sum.Infeasible, s.Infeasible...)
	return s
}

// exploreOnce is one round.
func (c *campaign) exploreOnce(ctx context.Context, k *judge, r turn) (engine.Stats, error) {
	options, err := c.engineOptions(ctx, r)
	if err != nil {
		return engine.Stats{}, err
	}
	var numbers []uint64
	for _, o := range options {
		n, err := c.st.StartRun(store.Run{Engine: c.engine.Name(), Mode: r.mode, Dir: o.OutputDir})
		if err != nil {
			return engine.Stats{}, err
		}
		numbers = append(numbers, n)
	}
	x := &explorer{st: c.st, judge: k, obs: c.obs, total: len(c.prog.labels), until: r.until}
	stats, err := x.explore(ctx, c.engine, r.program, options, k.pool.Workers())
	for _, n := range numbers {
		if e := c.st.EndRun(n, stats, err); e != nil && err == nil {
			err = e
		}
	}
	return stats, err
}

// engineOptions are those of each engine of the portfolio.
func (c *campaign) engineOptions(ctx context.Context, r turn) ([]engine.Options, error) {
	var preload string
	extra := c.job.NativeArgs
	if c.job.Engine == "klee" {
		var err error
		if preload, err = c.build.coveredLibrary(ctx); err != nil {
			return nil, err
		}
		extra = c.job.KLEEArgs
	}
	var options []engine.Options
	first, err := c.layout.engineDir()
	if err != nil {
		return nil, err
	}
	for i := range c.job.Portfolio {
		dir := first
		if i > 0 {
			dir = fmt.Sprintf("%s-%d", first, i+1)
		}
		o := engine.Options{
			Mode: r.mode, OutputDir: dir, LiveView: c.st.ViewPath(), Preload: preload, Budget: r.budget, EveryPath: r.everyPath,
			SolverBudget: c.job.SolverBudget, MaxMemoryMB: c.job.MaxMemoryMB, Searchers: c.searchers(i), Seed: c.job.Seed + int64(i),
			ProgramArgs: c.job.ProgramArgs, ExtraArgs: extra,
		}
		o.Posix = posixArgs(o.ProgramArgs)
		options = append(options, o)
	}
	return options, nil
}
