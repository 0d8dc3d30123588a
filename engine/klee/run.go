package klee

import (
	"context"
	"sync"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// run is one KLEE process.
type run struct {
	dir      string
	maxInstr uint64 // KLEE does not say that it halted for this one
	process  *toolchain.Process
	started  time.Time

	once   sync.Once
	stop   chan struct{} // closed by Stop
	ended  chan struct{} // closed when stats and err are set
	halted bool          // klabel asked KLEE to end; set before ended is closed
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
func (r *run) supervise(ctx context.Context, budget time.Duration) {
	defer close(r.ended)
	var limit <-chan time.Time
	if budget > 0 {
		t := time.NewTimer(budget + budgetSlack)
		defer t.Stop()
		limit = t.C
	}
	select {
	case <-r.process.Done():
	case <-r.stop:
		r.halt()
	case <-limit:
		r.halt()
	case <-ctx.Done(): // the process is stopped by the same context
		r.halt()
	}
	result, err := r.process.Wait()
	r.stats, r.err = r.outcome(result, err)
}

// halt brings KLEE to its end; it returns when that has come.
func (r *run) halt() {
	r.halted = true
	r.process.Stop()
	// From the second on without its solvers: KLEE is a leader that only waits.
	next := time.NewTimer(solverGrace)
	defer next.Stop()
	for {
		select {
		case <-r.process.Done():
			return
		case <-next.C:
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
