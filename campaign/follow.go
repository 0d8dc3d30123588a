package campaign

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"sync"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/store"
)

// concludeShare of the budget is kept for what comes after the engines, endShare
// of an image's time for labels whose tests go wrong after them, and firstShare
// is what the first of two images gets at most.
const (
	concludeShare   = 0.15
	endShare        = 0.15
	firstImageShare = 0.5
)

// patience is how many slices in vain a way of the first image gets, while
// another image is to come.
const patience = 4

// follow lets the engines work on the entries as the plan says, until nothing is
// open or the time is up. A program with its own main has one entry, which gets
// all of the time. Of functions the first image has the plainest entries; the
// second, which is made once each of these has had a turn, has every variant of
// those that have open labels then.
func (c *session) follow(ctx context.Context, p engine.Program, ways []*way) (engine.Stats, error) {
	c.obs.Stage("exploring")
	c.judge.began = time.Now()
	took := time.Since(c.began) // reading and compiling
	budget := c.left()
	again := c.job.Mode.Own() && c.prog.image.open()
	if len(ways) == 1 && !again {
		e := c.prog.image.entries[ways[0].entry]
		wait := c.besideAll(ctx, e, budget)
		stats, err := c.exploreInRounds(ctx, e, p, budget)
		wait(err != nil || stats.Complete || c.st.AllResolved())
		if err == nil {
			c.noteExplored(e, stats)
			stats.Infeasible, err = c.claim(e, stats)
		}
		return stats, err
	}
	f := &follower{session: c, program: p, mode: c.job.Mode, cores: c.job.Parallel, open: c.isOpen,
		tried: func() {}}
	if f.cores <= 0 {
		f.cores = runtime.NumCPU()
	}
	if c.job.FunctionBudget > 0 {
		budget = c.job.FunctionBudget * time.Duration(2*len(ways)) // no limit but that of each
	}
	end := time.Now().Add(budget)
	if !again {
		err := f.image(ctx, ways, end, 0)
		f.stats.Complete = f.seenAll(ways)
		return f.stats, err
	}
	making, stop := context.WithDeadline(ctx, end.Add(-min(took, time.Until(end)/2)))
	defer stop()
	next := make(chan *made, 1)
	f.tried = sync.OnceFunc(func() {
		go func() {
			m := c.nextImage(making)
			if m != nil {
				f.end()
			}
			next <- m
		}()
	})
	err := f.image(ctx, ways, time.Now().Add(time.Duration(firstImageShare*float64(budget))), patience)
	f.tried()
	f.stats.Complete = f.seenAll(ways)
	if err != nil || ctx.Err() != nil {
		stop()
	}
	m := <-next
	if m == nil || err != nil || ctx.Err() != nil {
		if m != nil {
			m.done()
		}
		return f.stats, err
	}
	if ways, err = f.adopt(ctx, m, ways); err != nil {
		return f.stats, err
	}
	f.program, f.mode, f.tried = m.program, c.job.Mode, func() {}
	return f.stats, f.image(ctx, ways, end, 0)
}

// end lets no further slice of the plan begin.
func (f *follower) end() {
	f.mu.Lock()
	f.deadline = time.Now()
	f.mu.Unlock()
}

// image follows a plan for the ways of one image.
func (f *follower) image(ctx context.Context, ways []*way, end time.Time, patience int) error {
	time0 := time.Until(end)
	f.plan = newPlan(ways, time0*time.Duration(f.cores), f.job.FunctionBudget, patience)
	if len(ways) == 1 && f.beside != nil {
		f.plan.first = maxSlice // both shall have turns
	}
	f.deadline = end
	if f.mode.Pends() {
		f.deadline = end.Add(-time.Duration(endShare * float64(time0)))
	}
	if patience > 0 { // the next image sees to those, too
		f.deadline = end
		return f.run(ctx)
	}
	program := f.program
	if err := f.run(ctx); err != nil {
		return err
	}
	usual := *f.plan
	if err := f.toTheEnd(ctx, ways, end); err != nil {
		return err
	}
	// What is left of the time is for the usual way again.
	f.program, f.mode, f.deadline, f.plan = program, f.job.Mode, end, &usual
	return f.run(ctx)
}

// seenAll reports whether the plainest entry of each function was explored to
// its end.
func (f *follower) seenAll(ways []*way) bool {
	for _, w := range ways {
		if w.rank == 0 && !w.complete {
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
	if !c.prog.image.open() {
		spent = time.Since(c.began)
	}
	return max(all-spent, min(all, 5*time.Second))
}

func (c *session) isOpen(id label.ID) bool {
	st, _ := c.st.Status(id)
	return !st.Status.Resolved()
}

// follower is a plan being followed, by a worker for each core.
type follower struct {
	*session
	plan     *plan
	program  engine.Program
	mode     engine.Mode
	open     func(label.ID) bool
	cores    int
	deadline time.Time
	tried    func() // is called when every function has had a turn

	mu      sync.Mutex
	changed *sync.Cond
	running int
	stats   engine.Stats
	err     error
	ok      int // slices that an engine took
}

func (f *follower) run(ctx context.Context) error {
	f.changed = sync.NewCond(&f.mu)
	defer context.AfterFunc(ctx, f.changed.Broadcast)()
	var wg sync.WaitGroup
	for range f.cores {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.work(ctx)
		}()
	}
	wg.Wait()
	if f.ok > 0 || ctx.Err() != nil {
		return f.judge.failed()
	}
	return f.err
}

// work takes slices until there are none.
func (f *follower) work(ctx context.Context) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for ctx.Err() == nil && f.judge.failed() == nil {
		s, ok := f.plan.next(time.Until(f.deadline), f.open)
		if !ok || s.number > 0 || s.way.rank > 0 {
			f.tried()
		}
		if !ok {
			if f.running == 0 {
				f.changed.Broadcast()
				return
			}
			f.changed.Wait() // what runs now may leave something to do
			continue
		}
		f.running++
		f.mu.Unlock()
		begin := time.Now()
		e := f.prog.image.entries[s.way.entry]
		before := f.judge.newly(e)
		stats, err := f.take(ctx, e, s)
		f.mu.Lock()
		f.running--
		f.plan.told(s, time.Since(begin), f.judge.newly(e)-before, stats.Complete)
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
			log.Debugf("%s, slice %d of %v: %d labels, %d paths, %v", e.name, s.number, s.budget,
				f.judge.newly(e)-before, stats.Paths, stats.Notes)
		}
		f.changed.Broadcast()
	}
}

// take explores one slice. Its directory goes when all is judged.
func (f *follower) take(ctx context.Context, e entry, s slice) (engine.Stats, error) {
	r := turn{entry: e, mode: f.mode, program: f.program, budget: s.budget, engines: 1, number: s.number,
		everyPath: !f.mode.AssertTests()}
	if f.beside != nil && f.mode == f.job.Mode { // turn by turn
		r.number = s.number / 2
		if s.number%2 == 1 {
			r, _ = f.turnBeside(r)
		}
	}
	if f.mode.Live() || !f.mode.AssertTests() {
		r.until = func() bool { return !f.anyNear(s.way) }
	}
	stats, dirs, err := f.exploreDirs(ctx, r)
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
		f.noteExplored(e, stats)
		stats.Infeasible, err = f.claim(e, stats)
	}
	return stats, err
}

func (f *follower) anyNear(w *way) bool {
	for id := range w.near {
		if f.open(id) {
			return true
		}
	}
	return false
}

// toTheEnd is the last round: labels whose tests went wrong behind them.
func (f *follower) toTheEnd(ctx context.Context, ways []*way, end time.Time) error {
	only := f.refused()
	if !f.mode.Pends() || len(only) == 0 || time.Until(end) < minRound || ctx.Err() != nil || f.judge.failed() != nil {
		return f.judge.failed()
	}
	var again []*way
	for _, w := range ways {
		n := &way{entry: w.entry, group: w.group, rank: w.rank, near: map[label.ID]int{}}
		for id, calls := range w.near {
			if only[id] {
				n.near[id] = calls
			}
		}
		if len(n.near) > 0 && !w.failed {
			again = append(again, n)
		}
	}
	p, err := f.programToTheEnd(ctx, only)
	if err != nil {
		return err
	}
	f.program, f.mode, f.deadline = p, engine.Naive, end
	f.plan = newPlan(again, time.Until(end)*time.Duration(f.cores), 0, 0)
	if len(again) == 1 {
		f.plan.first = time.Until(end)
	}
	return f.run(ctx)
}

// noteExplored remembers entries of which every path has been seen.
func (c *session) noteExplored(e entry, stats engine.Stats) {
	c.judge.mu.Lock()
	t := c.judge.tallyOf(e)
	t.seconds, t.paths = round(t.seconds+stats.Seconds), max(t.paths, stats.Paths)
	c.judge.mu.Unlock()
	if stats.Complete {
		c.mu.Lock()
		c.explored[e.name] = true
		c.mu.Unlock()
	}
}

// claim stores as infeasible what an exploration proves so, and returns it. The
// program's own main is all that the program can do. Another entry proves
// something of the function that it calls, and of that alone, if it gives it
// all that it can be given.
func (c *session) claim(e entry, stats engine.Stats) ([]label.ID, error) {
	var out []label.ID
	for _, id := range stats.Infeasible {
		if !c.proves(e, id) {
			continue
		}
		text := "every path of the program was explored, and none that ends normally satisfies it"
		if !e.ownMain() {
			text = "every path of " + e.function + " was explored, with all that it can be given, and none that ends " +
				"normally satisfies it"
		}
		if _, err := c.st.Mark(id, label.Infeasible, store.Reason{Method: c.row.name, Text: text,
			Seconds: stats.Seconds}); err != nil {
			return out, err
		}
		out = append(out, id)
	}
	return out, c.unneeded(out)
}

func (c *session) proves(e entry, id label.ID) bool {
	if c.judge.lenient {
		return false // an engine speaks of paths that end normally, and others count too
	}
	if c.prog.inBitcode[id] {
		return false // a predicate that fails there ends a path which goes on natively
	}
	if e.ownMain() {
		return true
	}
	at, known := c.prog.where[id]
	return len(e.narrowed) == 0 && known && !c.prog.shared[id] && at == place{e.unit, e.function}
}
