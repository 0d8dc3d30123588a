package campaign

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/replayer"
	"klabel/store"
)

// drainTime bounds how long tests that engines had already written are still
// replayed after an interruption.
const drainTime = time.Second

// explorer runs engines and replays their tests while they run.
type explorer struct {
	st    *store.Store
	judge *judge
	obs   Observer
	total int // labels
	from  origin
	until func() bool   // says that nothing is left to find; nil: explore to the end
	end   time.Time     // of replays
	over  time.Time     // the budget, where it is that of the campaign
	least time.Duration // that replays have after the engines' end

	others bool        // entries, which wait for their turns
	barren func() bool // what is left to replay is not waited for beyond that time
	turn   time.Time

	helper    *engine.Options // of a run that joins the others; nil: none
	helpAfter time.Duration   // and when

	resolved atomic.Bool // the runs were stopped because no label was left
}

// explore starts one run for each set of options, side by side on one live
// view, and returns when all have ended and every test of theirs is judged.
func (x *explorer) explore(ctx context.Context, e engine.Engine, p engine.Program, options []engine.Options,
	workers int) (engine.Stats, error) {
	begin, before := time.Now(), x.judge.waiting.count()
	runCtx, stopRuns := context.WithCancel(ctx)
	defer stopRuns()
	var runs []engine.Run
	var dirs []string
	for _, o := range options {
		r, err := e.Start(runCtx, p, o)
		if err != nil {
			stopRuns()
			for _, r := range runs {
				r.Wait()
			}
			return engine.Stats{}, err
		}
		runs = append(runs, r)
		dirs = append(dirs, r.Dir())
		if s, ok := r.(engine.Seeded); ok {
			defer x.judge.listen(x.from.entry, e.Name(), s, o.ProgramArgs)()
		}
	}

	if x.helper != nil {
		start := func() (engine.Run, error) { return e.Start(runCtx, p, *x.helper) }
		h := helpLater(x.helpAfter, x.helper.OutputDir, start)
		runs, dirs = append(runs, h), append(dirs, h.Dir())
	}

	// Replays outlive an interruption for a moment, so that what was found is kept.
	// What is not replayed in time waits.
	all := context.WithoutCancel(ctx)
	replayCtx, stopReplays := context.WithCancel(all)
	defer stopReplays()
	ended := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
			time.Sleep(drainTime)
		case <-ended:
			within := time.Until(x.end)
			if x.others {
				within = min(within, time.Since(begin))
			}
			if x.barren() {
				within = min(within, time.Until(x.turn))
			}
			within = max(within, x.least)
			select {
			case <-ctx.Done():
				time.Sleep(drainTime)
			case <-time.After(within):
			case <-replayCtx.Done():
			}
		}
		stopReplays()
	}()

	over := make(chan struct{}) // no engine writes any more
	tests := testsOf(all, runs, dirs, over)
	var judges sync.WaitGroup
	for range workers {
		judges.Add(1)
		go func() {
			defer judges.Done()
			for f := range tests {
				x.judge.take(replayCtx, x.from, f)
				if x.judge.failed() != nil {
					stopRuns()
				}
			}
		}()
	}

	left := make(chan struct{})
	go func() {
		defer close(left)
		x.attend(runs, options, ended)
	}()
	stats, err := x.wait(runs)
	x.judge.mu.Lock()
	x.judge.paths += stats.Paths
	x.judge.mu.Unlock()
	close(ended)
	<-left // nobody is told of progress once this has returned
	close(over)
	judges.Wait()
	if failure := x.judge.failed(); failure != nil {
		return stats, failure
	}
	if x.judge.waiting.count() > before { // one may show that the engine was wrong to end a path
		stats.Complete, stats.Infeasible = false, nil
	}
	for _, r := range runs {
		if s, ok := r.(engine.Storing); ok && ctx.Err() == nil {
			s.Stored()
		}
	}
	return stats, err
}

// attend reports progress and stops the runs when nothing is left to find.
func (x *explorer) attend(runs []engine.Run, options []engine.Options, ended <-chan struct{}) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	begin := time.Now()
	look := func() {
		if x.until == nil || !x.until() {
			return
		}
		x.resolved.Store(true)
		for _, r := range runs {
			r.Stop()
		}
	}
	resolved := x.st.Resolved()
	for {
		select {
		case <-ended:
			return
		case <-resolved: // at once; what a contradiction reopens is seen by the ticks
			resolved = nil
			look()
		case <-tick.C:
			look()
			left := options[0].Budget - time.Since(begin)
			if !x.over.IsZero() {
				left = time.Until(x.over)
			}
			x.tell(runs, left)
		}
	}
}

// testsOf are the tests of runs: from their directories, or as workers send them.
func testsOf(ctx context.Context, runs []engine.Run, dirs []string, over <-chan struct{}) <-chan replayer.TestFile {
	type delivering interface {
		Tests() <-chan replayer.TestFile
	}
	if _, ok := runs[0].(delivering); !ok {
		return replayer.WatchWith(ctx, replayer.WatchOptions{Dirs: dirs, Done: over})
	}
	all := make(chan replayer.TestFile)
	var wg sync.WaitGroup
	for _, r := range runs {
		wg.Go(func() {
			for f := range r.(delivering).Tests() {
				select {
				case all <- f:
				case <-ctx.Done(): // read on: nobody shall wait for this
				}
			}
		})
	}
	go func() {
		wg.Wait()
		close(all)
	}()
	return all
}

// tell reports progress. Counting labels takes time where there are many, and many
// explorers may be at work: one of them counts, and seldom enough.
func (x *explorer) tell(runs []engine.Run, left time.Duration) {
	k := x.judge
	now := time.Now()
	k.mu.Lock()
	due := now.After(k.nextCount)
	if due {
		k.nextCount = now.Add(time.Hour) // this one is counting
	}
	k.mu.Unlock()
	if !due {
		return
	}
	p := x.progress(runs, left)
	took := time.Since(now)
	k.mu.Lock()
	k.nextCount = now.Add(max(150*time.Millisecond, 100*took))
	k.mu.Unlock()
	x.obs.Progress(p)
}

func (x *explorer) progress(runs []engine.Run, left time.Duration) Progress {
	p := Progress{Labels: x.total, Left: max(left, 0)}
	for _, r := range runs {
		p.Paths += r.Progress().Paths
	}
	p.Covered = x.st.Covered()
	p.Resolved = x.total - x.st.Remaining()
	k := x.judge
	k.mu.Lock()
	p.Tests = k.replayed
	k.shown = max(k.shown, k.paths+p.Paths) // others that run now are not asked
	p.Paths = k.shown
	k.mu.Unlock()
	return p
}

// wait gathers the statistics of all runs. One engine of a portfolio may fail
// without harm to the others: that is noted; if all fail it is an error.
func (x *explorer) wait(runs []engine.Run) (engine.Stats, error) {
	type result struct {
		stats engine.Stats
		err   error
	}
	results := make([]result, len(runs))
	var wg sync.WaitGroup
	for i, r := range runs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			results[i].stats, results[i].err = r.Wait()
			if x.helper != nil && (i == 0 || results[i].stats.Complete) {
				for _, other := range runs { // nothing is left, or the helper is not needed any more
					other.Stop()
				}
			}
		}()
	}
	wg.Wait()
	sum := engine.Stats{Undecided: map[label.ID]string{}}
	var failed error
	ok := 0
	if n := len(runs) - 1; x.helper != nil && results[n].stats.Complete {
		results[0].stats.Notes = nil // what the first left out was seen
	}
	for i, r := range results {
		if _, is := runs[i].(*helper); is && (r.err != nil || !r.stats.Complete) {
			r.stats.Notes = nil // what it left out the others have not
		}
		sum.Paths += r.stats.Paths
		sum.Instructions += r.stats.Instructions
		sum.Queries += r.stats.Queries
		sum.Tests += r.stats.Tests
		sum.Seconds = max(sum.Seconds, r.stats.Seconds)
		sum.Complete = sum.Complete || r.stats.Complete
		sum.HeldUp = sum.HeldUp || r.stats.HeldUp
		sum.Full = sum.Full || r.stats.Full
		sum.Infeasible = append(sum.Infeasible, r.stats.Infeasible...)
		sum.Awaited = append(sum.Awaited, r.stats.Awaited...)
		maps.Copy(sum.Undecided, r.stats.Undecided)
		if !x.resolved.Load() { // else what was left out does not matter
			sum.Notes = append(sum.Notes, r.stats.Notes...)
		}
		if r.err != nil {
			failed = r.err
			continue
		}
		if _, is := runs[i].(*helper); !is {
			ok++
		}
	}
	for i, r := range results {
		// What the whole exploration failed with is told once, by who called.
		if r.err != nil && (ok > 0 || r.err.Error() != failed.Error()) {
			x.obs.Note(fmt.Sprintf("one engine of the portfolio failed (%s): %v", filepath.Base(runs[i].Dir()), r.err))
		}
	}
	if ok == 0 {
		return sum, failed
	}
	return sum, nil
}
