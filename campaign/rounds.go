package campaign

import (
	"context"
	"fmt"
	"slices"
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
// last round goes on to the program's end, for these labels alone. An engine that stays
// in an endless loop, or in a large program, leaves no time for that: where a label
// costs the path, which is then gone, that round comes when nothing new has been seen
// for long, and the engine begins anew with what it leaves of the budget.
func (c *session) exploreInRounds(ctx context.Context, e entry, p engine.Program, budget time.Duration) (engine.Stats,
	error) {
	k := c.judge
	r := turn{entry: e, mode: c.job.Mode, program: p, budget: budget - time.Since(k.began),
		engines: c.job.Portfolio}
	if r.mode.Live() { // the others are full explorations, as the papers define them
		r.until = func() bool { return c.satisfied() || c.dry() || c.overdue(r.mode, budget) }
		r.helpAfter = c.helpAfter(r.budget)
	}
	sum, err := c.exploreOnce(ctx, r)
	if !c.job.Mode.Pends() || c.dry() {
		return sum, err
	}
	anew := !sum.Complete && err == nil && ctx.Err() == nil && c.overdue(r.mode, budget)
	if anew {
		var stats engine.Stats
		stats, err = c.exploreToTheEnd(ctx, e, 2*(budget-time.Since(k.began))/3)
		sum = followedBy(sum, stats)
		r.until = func() bool { return c.satisfied() || c.dry() }
	}
	for err == nil && ctx.Err() == nil {
		var lost []label.ID
		for _, id := range k.takeRefused() {
			if st, _ := c.st.Status(id); !st.Status.Resolved() && !st.GivenUp {
				lost = append(lost, id)
			}
		}
		r.budget = budget - time.Since(k.began)
		if len(lost) == 0 && !anew || r.budget < minRound || c.satisfied() || c.dry() {
			break
		}
		if anew = false; len(lost) > 0 {
			c.obs.Note(fmt.Sprintf("tests were not confirmed: labels are tried once more: %d", len(lost)))
		}
		var stats engine.Stats
		stats, err = c.exploreOnce(ctx, r)
		sum = followedBy(sum, stats)
	}
	if err != nil || ctx.Err() != nil || c.dry() {
		return sum, err
	}
	stats, err := c.exploreToTheEnd(ctx, e, budget-time.Since(k.began))
	return followedBy(sum, stats), err
}

// overdue reports whether labels whose tests were refused have waited long enough: half
// of the budget is gone, and nothing new was covered in the second half of that.
func (c *session) overdue(mode engine.Mode, budget time.Duration) bool {
	spent := time.Since(c.judge.began)
	return mode == engine.Fused && spent > budget/2 && c.judge.lastLabelAfter() < spent/2 && len(c.refused()) > 0
}

// exploreToTheEnd is the last round.
func (c *session) exploreToTheEnd(ctx context.Context, e entry, budget time.Duration) (engine.Stats, error) {
	only := c.refused()
	if len(only) == 0 || budget < minRound {
		return engine.Stats{}, nil
	}
	c.noteToTheEnd(only)
	p, err := c.programToTheEnd(ctx, 0, only)
	if err != nil {
		return engine.Stats{}, err
	}
	stats, err := c.exploreOnce(ctx, turn{entry: e, mode: engine.Naive, program: p, budget: budget,
		engines: c.job.Portfolio, everyPath: true,
		until: func() bool { return !c.anyOpen(only) }})
	stats.Infeasible = nil // other labels were not asked for
	return stats, err
}

// refused are the open labels of which a test was not confirmed.
func (c *session) refused() map[label.ID]bool {
	only := map[label.ID]bool{}
	for _, l := range c.prog.labels {
		if st, _ := c.st.Status(l.ID); st.Refused && !st.Status.Resolved() {
			only[l.ID] = true
		}
	}
	return only
}

func (c *session) anyOpen(ids map[label.ID]bool) bool {
	for id := range ids {
		if st, _ := c.st.Status(id); !st.Status.Resolved() {
			return true
		}
	}
	return false
}

// programToTheEnd compiles an image for the last round: its tests go on to the
// program's end, for these labels alone.
func (c *session) programToTheEnd(ctx context.Context, number int, only map[label.ID]bool) (engine.Program, error) {
	im, b := c.imageOf(number)
	return b.engineProgram(ctx, c.prog, im, engine.Naive, only)
}

func (c *session) noteToTheEnd(only map[label.ID]bool) {
	c.obs.Note(fmt.Sprintf("tests were not confirmed: paths are followed to the program's end for labels: %d",
		len(only)))
}

// turn is one start of the engines.
type turn struct {
	entry     entry
	mode      engine.Mode
	program   engine.Program
	budget    time.Duration
	reading   time.Duration // besides, where the engine has to read the program first
	engines   int           // side by side
	number    int           // of the turns of this entry: heuristics and seed change with it
	everyPath bool
	seeds     [][]byte      // tests that the engine follows first, if it can
	beside    bool          // of the engine beside the campaign's own
	helpAfter time.Duration // when a second engine joins a first one that takes long; 0: none does
	until     func() bool   // says that nothing is left to find; nil: explore to the end
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
	s.Awaited = append(sum.Awaited, s.Awaited...)
	return s
}

// exploreOnce is one round.
func (c *session) exploreOnce(ctx context.Context, r turn) (engine.Stats, error) {
	stats, _, err := c.exploreDirs(ctx, r)
	return stats, err
}

// exploreDirs is exploreOnce that says where the engines have worked. An engine
// that is faster without a limit for queries gets none, until one holds it up:
// what is left of the time, and all later turns of the entry, then have a limit. One that
// was ended for its memory is followed by others with what is left of the time, too,
// which choose in another way.
func (c *session) exploreDirs(ctx context.Context, r turn) (stats engine.Stats, dirs []string, err error) {
	begin, whole := time.Now(), r.budget
	stats, dirs, err = c.exploreTurn(ctx, r)
	known, barren := c.judge.newly(r.entry), 0
	for latest := stats; latest.HeldUp || latest.Full && !latest.Complete; {
		if latest.HeldUp {
			c.mu.Lock()
			c.bounded[r.entry.name] = true
			c.mu.Unlock()
		}
		r.budget = whole - time.Since(begin)
		if err != nil || ctx.Err() != nil || r.budget < minRound || r.until != nil && r.until() ||
			barren == fullEnough {
			break
		}
		log.Debugf("%s: a query held the engine up, or it was full, after %v", r.entry.name, time.Since(begin))
		full := latest.Full
		if full {
			r.number++
		}
		var further []string
		latest, further, err = c.exploreTurn(ctx, r)
		if !full || latest.Complete {
			stats.Notes = nil
		}
		stats.Complete = latest.Complete // it looked at all of it
		stats, dirs = followedBy(stats, latest), append(dirs, further...)
		if barren++; c.judge.newly(r.entry) > known {
			known, barren = c.judge.newly(r.entry), 0
		}
	}
	return stats, dirs, err
}

// fullEnough is how many engines may be started anew in a row, after one was full, that
// cover nothing.
const fullEnough = 3

// exploreTurn is one start of the engines of a turn.
func (c *session) exploreTurn(ctx context.Context, r turn) (stats engine.Stats, dirs []string, err error) {
	options, err := c.engineOptions(ctx, r)
	if err != nil {
		return stats, nil, err
	}
	eng := c.engine
	if r.beside {
		eng = c.beside.engine
	}
	var numbers []uint64
	for _, o := range options {
		n, err := c.st.StartRun(store.Run{Engine: eng.Name(), Mode: r.mode, Dir: o.OutputDir, Entry: r.entry.name})
		if err != nil {
			return stats, dirs, err
		}
		numbers = append(numbers, n)
		dirs = append(dirs, o.OutputDir)
	}
	x := &explorer{st: c.st, judge: c.judge, obs: c.obs, total: len(c.prog.labels),
		from: origin{r.entry, r.mode, eng.Name()}, until: r.until, end: c.replaysEnd(), least: c.leastReplays(),
		others: c.joined || len(c.prog.image.entries) > 1, barren: c.barren, turn: c.joinsAt()}
	if c.job.FunctionBudget == 0 {
		x.over = c.began.Add(c.job.Budget)
	}
	r.program.Entry = r.entry.symbol
	if r.helpAfter > 0 {
		o := options[0]
		o.OutputDir += "-2"
		o.Searchers, o.Seed = c.row.searchers(c.job.Searchers, 1, 2), o.Seed+1
		x.helper, x.helpAfter = &o, r.helpAfter
		dirs = append(dirs, o.OutputDir)
	}
	stats, err = x.explore(ctx, eng, r.program, options, c.judge.pool.Workers())
	c.judge.mu.Lock()
	if why := c.judge.tallyOf(r.entry).unconfirmed; why != "" && !r.beside {
		stats.Complete, stats.Infeasible = false, nil
		stats.Notes = append(stats.Notes, fmt.Sprintf("the engine stops a path where the native run %s", why))
	}
	c.judge.mu.Unlock()
	if !r.beside {
		c.mu.Lock()
		c.undecided[r.entry.name] = stats.Undecided // an entry is explored anew each time
		c.mu.Unlock()
	}
	for _, n := range numbers {
		if e := c.st.EndRun(n, stats, err); e != nil && err == nil {
			err = e
		}
	}
	return stats, dirs, err
}

// alongside sums up slices that ran side by side or after one another.
func alongside(a, b engine.Stats) engine.Stats {
	a.Paths += b.Paths
	a.Instructions += b.Instructions
	a.Queries += b.Queries
	a.Tests += b.Tests
	a.Seconds += b.Seconds
	a.Infeasible = append(a.Infeasible, b.Infeasible...)
	for _, n := range b.Notes {
		if !slices.Contains(a.Notes, n) {
			a.Notes = append(a.Notes, n)
		}
	}
	return a
}

// engineOptions are those of each engine of the portfolio.
func (c *session) engineOptions(ctx context.Context, r turn) ([]engine.Options, error) {
	row := c.row
	if r.beside {
		row = c.beside.row
	}
	var preload string
	if row.preload {
		var err error
		if preload, err = c.build.coveredLibrary(ctx); err != nil {
			return nil, err
		}
	}
	var options []engine.Options
	first, err := c.layout.engineDir(&c.runs)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	unbounded := !c.bounded[r.entry.name]
	c.mu.Unlock()
	for i := range r.engines {
		dir := first
		if i > 0 {
			dir = fmt.Sprintf("%s-%d", first, i+1)
		}
		way := r.number*r.engines + i // the first turn has the default
		ways := max(r.engines, way+1)
		o := engine.Options{
			Name: r.entry.name,
			Mode: r.mode, OutputDir: dir, LiveView: c.st.ViewPath(), Preload: preload, Budget: r.budget,
			Reading:   r.reading,
			EveryPath: r.everyPath, Failing: c.job.lenient(), Proofs: c.provesAny(r.entry),
			Corpus:       c.layout.corpus(r.entry),
			SolverBudget: c.job.SolverBudget, Unbounded: unbounded, MaxMemoryMB: c.job.MaxMemoryMB,
			Searchers: row.searchers(c.job.Searchers, way, ways), Seed: c.job.Seed + int64(way),
			ProgramArgs: c.job.ProgramArgs, ExtraArgs: c.job.EngineArgs[row.name],
		}
		if r.beside { // the user's heuristics are the other's
			o.Searchers = row.searchers(nil, way, ways)
			o.ProgramArgs = c.beside.build.args
		}
		o.Seeds = c.judge.seedsOf(r.entry, row.name, o.ProgramArgs)
		o.Seeds = append(o.Seeds, r.seeds...)
		if c.joined && !r.entry.ownMain() {
			o.ProgramArgs = nil
		}
		o.Posix = posixArgs(o.ProgramArgs)
		options = append(options, o)
	}
	return options, nil
}
