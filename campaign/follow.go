package campaign

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"sync"
	"time"

	"klabel/engine"
	"klabel/label"
)

// concludeShare of the budget is kept for what comes after the engines, endShare
// of the engines' time for labels whose tests go wrong after them.
const (
	concludeShare = 0.15
	endShare      = 0.15
)

// patience is how many slices in vain a way gets while others are to come.
const patience = 4

// follow lets the engines work on the entries as the plan says, until nothing is
// open or the time is up. A program with its own main has one entry, which gets
// all of the time. Of functions the first image has the plainest entries; portions,
// which are made once each of these has had a turn, have every variant of those that
// have open labels then.
func (c *session) follow(ctx context.Context, p engine.Program, ways []*way) (engine.Stats, error) {
	c.obs.Stage("exploring")
	c.judge.began = time.Now()
	budget := c.left()
	again := c.job.Mode.Own() && c.prog.image.open()
	if len(ways) == 1 {
		c.hadTurns()
	}
	if len(ways) == 1 && !again {
		return c.followMain(ctx, p, ways[0])
	}
	f := c.follower(p)
	if c.job.FunctionBudget > 0 {
		budget = c.job.FunctionBudget * time.Duration(2*len(ways)) // no limit but that of each
	}
	most := 0
	if again {
		most = patience
	}
	err := f.all(ctx, ways, time.Now().Add(budget), most)
	f.endBeside()
	f.stats.Complete = f.seenAll(f.plan.ways)
	f.unfinished = f.unfinished || len(f.prog.without()) > 0
	f.noteDone(f.plan.ways)
	return f.stats, err
}

// follower lets engines work on the entries of images, the first of which is compiled.
func (c *session) follower(p engine.Program) *follower {
	f := &follower{session: c, programs: map[int]engine.Program{0: p}, mode: c.job.Mode, cores: c.job.Parallel,
		open: c.isOpen, tried: func() {}}
	f.do = f.slice
	if f.cores <= 0 {
		f.cores = runtime.NumCPU()
	}
	if c.cluster != nil {
		f.cores = max(1, f.slots())
	}
	return f
}

// all follows a plan: for ways that are there and, with a patience, for those of
// portions.
func (f *follower) all(ctx context.Context, ways []*way, end time.Time, patience int) error {
	whole := time.Until(end)
	f.plan = newPlan(ways, whole*time.Duration(f.cores), f.job.FunctionBudget, patience)
	if f.joined { // most groups are still to come
		f.plan.first = firstSlice(whole*time.Duration(f.cores), len(f.prog.asked))
	}
	f.plan.alone, f.plan.seek, f.plan.cores = f.besideAlone(), f.job.SeekFailures, f.cores
	f.openShared(ctx)
	f.deadline = end
	if f.mode.Pends() {
		f.deadline = end.Add(-time.Duration(endShare * float64(whole)))
	}
	f.changed.L = &f.mu
	stop := func() {}
	if patience > 0 {
		stop = f.portioned(ctx, f.deadline)
	}
	err := f.run(ctx)
	stop()
	if err != nil {
		return err
	}
	f.coming = false
	usual, programs := f.plan, f.programs
	if err := f.toTheEnd(ctx, usual.ways, end); err != nil {
		return err
	}
	// What is left of the time is for the usual way again.
	f.programs, f.mode, f.deadline, f.plan = programs, f.job.Mode, end, usual
	return f.run(ctx)
}

// seenAll reports whether the plainest entry of each function was explored to
// its end: of those, too, that the first image had no room for.
func (f *follower) seenAll(ways []*way) bool {
	if len(f.prog.without()) > 0 {
		return false
	}
	for _, w := range ways {
		if w.rank == 0 && !w.complete {
			return false
		}
	}
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	for name := range f.prog.resting {
		if !f.explored[name] {
			return false
		}
	}
	return true
}

// left is the time for the engines: what reading and compiling left of the
// budget, but never so little that nothing can be found.
func (c *session) left() time.Duration {
	all := c.job.Budget
	spent := time.Since(c.began) + time.Duration(concludeShare*float64(all))
	if !c.open() {
		spent = time.Since(c.began)
	}
	return max(all-spent, c.least())
}

// least is what engines have where reading and compiling left nothing.
func (c *session) least() time.Duration {
	return leastFor(c.job.Budget, time.Since(c.began), max(c.busy, machineLoad(), 1))
}

// leastFor is more on a machine that others keep busy, where all takes longer, unless the
// budget is long, and less where compiling has gone beyond it by itself, down to half.
func leastFor(budget, spent time.Duration, busy float64) time.Duration {
	if budget >= leastStarting {
		busy = 1
	}
	whole := min(budget, 5*time.Second, time.Duration(busy*float64(2*time.Second)))
	return max(whole-max(spent-budget, 0), min(whole, time.Duration(busy*float64(time.Second))))
}

func (c *session) isOpen(id label.ID) bool {
	st, _ := c.st.Status(id)
	return !st.Status.Resolved()
}

// follower is a plan being followed, by a worker for each core.
type follower struct {
	*session
	plan     *plan
	programs map[int]engine.Program // by image
	mode     engine.Mode
	open     func(label.ID) bool
	cores    int
	deadline time.Time
	tried    func() // is called when every function has had a turn, and more than once
	coming   bool   // further ways are
	do       func(ctx context.Context, s slice)
	awaited  map[*besideProgram]bool // those of which the end of compiling wakes the plan

	mu      sync.Mutex
	changed sync.Cond
	running int
	stats   engine.Stats
	err     error
	ok      int // slices that an engine took
}

func (f *follower) run(ctx context.Context) error {
	f.mu.Lock()
	wake := func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.changed.Broadcast()
	}
	f.onWake(wake)
	defer f.onWake(func() {})
	defer context.AfterFunc(ctx, wake)()
	defer time.AfterFunc(time.Until(f.deadline), wake).Stop()
	f.handOut(ctx)
	f.mu.Unlock()
	if f.ok > 0 || ctx.Err() != nil {
		return f.judge.failed()
	}
	return f.err
}

// handOut starts slices, as many at a time as there is room for, until there are
// none and all have ended. It is called with the lock held.
func (f *follower) handOut(ctx context.Context) {
	for {
		none := ctx.Err() != nil || f.judge.failed() != nil
		for !none && f.running < f.slots() {
			_, f.plan.halves = f.completing()
			s, ok := f.plan.next(time.Until(f.deadline), f.open)
			if !ok || f.plan.hadFirst(s) {
				f.hadTurns()
				if !f.plan.firstTurns() {
					f.tried()
				}
			}
			if none = !ok; ok {
				f.running++
				go f.do(ctx, s)
			}
		}
		over := ctx.Err() != nil || f.judge.failed() != nil || time.Until(f.deadline) <= 0 || f.satisfied()
		if f.running == 0 && (over || none && !f.coming && !f.besideComing()) {
			return
		}
		f.changed.Wait() // what runs now, or comes, may leave something to do
	}
}

// slice has one explored, and tells the plan.
func (f *follower) slice(ctx context.Context, s slice) {
	begin := time.Now()
	e := s.way.entry
	f.session.mu.Lock()
	f.session.tried[e.name] = true
	f.session.mu.Unlock()
	r := f.turnOf(ctx, &s)
	maker := f.maker(s.beside)
	before := f.judge.newlyBy(e, maker)
	stats, err := f.take(ctx, r, s)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.running--
	found := f.judge.newlyBy(e, maker) - before
	f.plan.told(s, time.Since(begin), found, stats.Complete)
	f.stats = alongside(f.stats, stats)
	if err != nil {
		s.way.failed = true
		if f.err == nil {
			f.err = err
		}
		if ctx.Err() == nil {
			f.note(fmt.Sprintf("%s cannot be explored: %v", e.name, err))
		}
	} else {
		f.ok++
		log.Debugf("%s, slice %d, %v of %v, %s: %d labels, %d paths, %v", e.name, s.number,
			time.Since(begin).Round(time.Millisecond), s.budget, maker, found, stats.Paths, stats.Notes)
	}
	f.changed.Broadcast()
}

// turnOf is what a slice is explored with.
func (f *follower) turnOf(ctx context.Context, s *slice) turn {
	f.mu.Lock()
	defer f.mu.Unlock()
	e := s.way.entry
	r := turn{entry: e, mode: f.mode, program: f.programs[e.image], budget: s.budget, engines: 1,
		everyPath: !f.mode.AssertTests()}
	if f.beside != nil && f.mode == f.job.Mode {
		r = f.share(ctx, r, s)
	}
	r.number = s.way.by[seat(s.beside)].slices
	return r
}

// take explores one slice. Its directory goes when all is judged.
func (f *follower) take(ctx context.Context, r turn, s slice) (engine.Stats, error) {
	e := r.entry
	whole := f.job.SeekFailures && s.way.rank == 0 && r.number == 0
	if !whole && (f.mode.Live() || !f.mode.AssertTests()) {
		r.until = func() bool { return !f.anyNear(s.way) }
	}
	if !r.beside && !f.job.NoRandom {
		end := time.Now().Add(s.budget / inheritPart)
		f.inherit(ctx, e, f.lent(s.way, s.number), end, func() bool { return f.anyNear(s.way) })
	}
	if !r.beside && !e.ownMain() && s.way.pace.follows(r.number) {
		r.seeds = f.judge.deepest(e)
	}
	begin, known := time.Now(), f.judge.newly(e)
	stats, dirs, err := f.exploreDirs(ctx, r)
	if !r.beside {
		s.way.pace.note(len(r.seeds) > 0, f.judge.newly(e) > known, stats.Paths, time.Since(begin))
	}
	for _, d := range dirs {
		os.RemoveAll(d)
	}
	if r.beside {
		if err != nil && ctx.Err() == nil {
			f.besideFails(err)
		}
		return engine.Stats{Seconds: stats.Seconds}, f.judge.failed() // its runs are no paths
	}
	if err == nil {
		if slices.ContainsFunc(stats.Awaited, f.open) {
			stats.Complete = false // paths have passed by a label whose test came to nothing
		}
		f.noteExplored(e, stats)
		stats.Infeasible, err = f.claim(e, stats)
	}
	if !f.job.NoRandom {
		f.refuse(ctx, e, f.refusingTime(s, stats.Complete), func() bool { return f.anyNear(s.way) })
	}
	return stats, err
}

func (f *follower) anyNear(w *way) bool {
	return w.near.anyOpen(f.open)
}

// toTheEnd is the last round: labels whose tests went wrong behind them.
func (f *follower) toTheEnd(ctx context.Context, ways []*way, end time.Time) error {
	only := f.refused()
	if !f.mode.Pends() || len(only) == 0 || time.Until(end) < minRound || ctx.Err() != nil || f.judge.failed() != nil {
		return f.judge.failed()
	}
	var again []*way
	for _, w := range ways {
		var near []nearLabel
		for _, l := range w.near.all() {
			if only[l.id] {
				near = append(near, l)
			}
		}
		if len(near) > 0 && !w.failed {
			again = append(again, &way{entry: w.entry, group: w.group, rank: w.rank, near: nearbyOf(near)})
		}
	}
	within, stop := context.WithDeadline(ctx, end)
	defer stop()
	f.noteToTheEnd(only)
	programs := map[int]engine.Program{}
	for _, w := range again {
		if _, there := programs[w.entry.image]; there {
			continue
		}
		if len(programs) > 0 && time.Until(end) < minRound {
			w.failed = true
			continue
		}
		p, err := f.programToTheEnd(within, w.entry.image, only)
		if err != nil && within.Err() != nil {
			return nil // there was no time for it
		}
		if err != nil {
			return err
		}
		programs[w.entry.image] = p
	}
	f.programs, f.mode, f.deadline = programs, engine.Naive, end
	f.plan = newPlan(again, time.Until(end)*time.Duration(f.cores), 0, 0)
	if len(again) == 1 {
		f.plan.first = time.Until(end)
	}
	return f.run(ctx)
}
