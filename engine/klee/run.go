package klee

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// run is one KLEE process.
type run struct {
	dir      string
	scratch  string // KLEE's working directory
	maxInstr uint64 // KLEE does not say that it halted for this one
	process  *toolchain.Process
	started  time.Time

	once   sync.Once
	stop   chan struct{} // closed by Stop
	ended  chan struct{} // closed when stats and err are set
	halted bool          // klabel asked KLEE to end; set before ended is closed
	fat    atomic.Int64  // MB that KLEE had when it was ended for that
	stats  engine.Stats
	err    error

	mu     sync.Mutex
	read   time.Time // of the last look into run.stats
	latest engine.Progress
}

// Dir is KLEE's output directory. KLEE makes it a moment after the start.
func (r *run) Dir() string { return r.dir }

// Stop asks KLEE to halt and returns at once.
func (r *run) Stop() { r.once.Do(func() { close(r.stop) }) }

// Wait returns when no process of the run is left.
func (r *run) Wait() (engine.Stats, error) {
	<-r.ended
	return r.stats, r.err
}

// supervise sees to the end of the run: whoever wants it first, KLEE itself,
// Stop, the budget or the context.
func (r *run) supervise(ctx context.Context, o engine.Options) {
	defer close(r.ended)
	var limit <-chan time.Time
	if o.Budget > 0 {
		t := time.NewTimer(o.Budget + budgetSlack)
		defer t.Stop()
		limit = t.C
	}
	held, over := make(chan struct{}), make(chan struct{})
	defer close(over)
	if o.Unbounded {
		go r.watchStats(patience(o), held, over)
	}
	fat := make(chan struct{})
	if o.MaxMemoryMB > 0 {
		go r.watchMemory(o.MaxMemoryMB, fat, over)
	}
	heldUp := false
	select {
	case <-r.process.Done():
	case <-fat:
		r.halt()
	case <-r.stop:
		heldUp = r.halt()
	case <-limit:
		heldUp = r.halt()
	case <-ctx.Done(): // the process is stopped by the same context
		r.halt()
	case <-held:
		heldUp, r.halted = true, true
		r.process.Kill() // it would not hear a signal; its tests are written
	}
	result, err := r.process.Wait()
	r.halted = r.halted || r.fat.Load() > 0
	_ = os.RemoveAll(r.scratch) // it is empty, or of no interest
	r.stats, r.err = r.outcome(result, err)
	r.stats.HeldUp = heldUp && o.Unbounded
}

// statsInterval is how often KLEE writes a row of run.stats, between queries.
const statsInterval = time.Second

// patience is how long KLEE may write no statistics before a query of no limit
// is taken to hold it up: as long as one may last otherwise, and not too much of
// the run.
func patience(o engine.Options) time.Duration {
	most := o.SolverBudget
	if most <= 0 {
		most = 10 * time.Second
	}
	if o.Budget > 0 {
		most = min(most, o.Budget/10)
	}
	return max(most, time.Second) + statsInterval
}

// watchStats closes held when run.stats, once begun, has not changed for so long.
// What counts is KLEE's processor time: on a busy machine it may just not have run.
func (r *run) watchStats(patience time.Duration, held, over chan struct{}) {
	tick := time.NewTicker(500 * time.Millisecond)
	defer tick.Stop()
	var newest time.Time
	var since time.Duration
	for {
		select {
		case <-over:
			return
		case <-tick.C:
			used, known := toolchain.ProcessorTime(r.process.Group())
			if at := writtenAt(filepath.Join(r.dir, "run.stats-wal")); at.After(newest) {
				newest, since = at, used
			}
			if known && !newest.IsZero() && used-since > patience {
				close(held)
				return
			}
		}
	}
}

// KLEE drops paths when it has more memory than it is told to have, but asks seldom, counts
// not all, and knows nothing of what a program takes in functions that are called
// natively. What it may have beyond that, in MB, is muchBeyond and a half of its limit;
// then it is asked to end. With as much again, or if it does not, it is killed.
const (
	muchBeyond     = 256
	memoryInterval = 200 * time.Millisecond
)

// watchMemory closes fat when KLEE and what it has started have too much memory.
func (r *run) watchMemory(limit int, fat, over chan struct{}) {
	tick := time.NewTicker(memoryInterval)
	defer tick.Stop()
	much := limit + limit/2 + muchBeyond
	for {
		select {
		case <-over:
			return
		case <-tick.C:
		}
		mb := r.process.Resident(much)
		if mb > much && r.fat.CompareAndSwap(0, int64(mb)) {
			close(fat)
		}
		if mb > 2*much-limit {
			r.process.Kill()
			return
		}
	}
}

func writtenAt(path string) time.Time {
	fi, err := os.Stat(path)
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime()
}

// halt brings KLEE to its end, and reports whether a query held that up; it
// returns when the end has come.
func (r *run) halt() (heldUp bool) {
	r.halted = true
	r.process.Stop()
	// From the second on without its solvers: KLEE is a leader that only waits.
	next := time.NewTimer(solverGrace)
	defer next.Stop()
	for {
		select {
		case <-r.process.Done():
			return heldUp
		case <-next.C:
			heldUp = true
			r.process.KillChildren()
			next.Reset(100 * time.Millisecond)
		}
	}
}

const progressInterval = 700 * time.Millisecond

// Progress looks into run.stats, which KLEE writes once a second; before KLEE
// 3.0 that does not count paths, and the end alone tells how many there were.
func (r *run) Progress() engine.Progress {
	select {
	case <-r.ended:
		return engine.Progress{Paths: r.stats.Paths, Instructions: r.stats.Instructions}
	default:
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if time.Since(r.read) < progressInterval {
		return r.latest
	}
	r.read = time.Now()
	if row, err := readRunStats(r.dir, false); err == nil {
		r.latest = engine.Progress{
			Paths:        max(r.latest.Paths, row.paths()),
			Instructions: max(r.latest.Instructions, row.count("Instructions")),
		}
	}
	return r.latest
}
