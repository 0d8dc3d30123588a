package klee

import (
	"context"
	"os"
	"path/filepath"
	"strings"
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
	memory   int    // MB that it may have
	process  *toolchain.Process
	started  time.Time

	once   sync.Once
	stop   chan struct{} // closed by Stop
	ended  chan struct{} // closed when stats and err are set
	halted bool          // klabel asked KLEE to end; set before ended is closed
	fat    atomic.Bool   // it was ended for its memory
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
	if o.MaxMemoryMB > 0 && err != nil && refused(result) {
		r.fat.Store(true)
	}
	r.halted = r.halted || r.fat.Load()
	_ = os.RemoveAll(r.scratch) // it is empty, or of no interest
	r.stats, r.err = r.outcome(result, err)
	r.stats.HeldUp = heldUp && o.Unbounded
	r.stats.Full = r.fat.Load()
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

// KLEE counts its memory every 65,536 instructions, in which it may take a gigabyte, and
// drops paths at 100 MB more than it is told. Of what it does not count (its code, what its
// allocator holds ready) there were 65 to 80 MB more (KLEE 3.1; programs with some thousand
// paths and limits of 50 to 1,500 MB). It is told so much less; so near to the limit, all
// that it has started included, it is asked to end, and nearer killed.
const (
	beyond = 100 // MB, at which KLEE drops paths
	unseen = 80
	asked  = 88
	killed = 64
)

// told is the limit that KLEE is told, in MB, to keep within another.
func told(limit int) int { return max(limit-limit/20-asked-beyond-unseen, limit/10, 1) }

// atMost is what it may have while it is left alone, and while it comes to its end.
func atMost(limit int) (alone, ending int) {
	return max(limit-asked, limit*2/3), max(limit-killed, limit*3/4)
}

// A process takes two megabytes a millisecond at most; it is looked at so much earlier.
const (
	seldom = 200 * time.Millisecond
	often  = 10 * time.Millisecond
)

// refused reports whether KLEE has ended because it was refused memory.
func refused(result toolchain.Result) bool {
	text := string(result.Stderr)
	return result.ExitCode != 0 && (strings.Contains(text, "std::bad_alloc") || strings.Contains(text, "out of memory"))
}

// watchMemory closes fat when KLEE and what it has started have too much memory.
func (r *run) watchMemory(limit int, fat, over chan struct{}) {
	next := time.NewTimer(often)
	defer next.Stop()
	alone, ending := atMost(limit)
	begun := false
	for {
		select {
		case <-over:
			return
		case <-next.C:
		}
		begin := time.Now()
		mb := r.process.Resident(alone)
		if mb > alone && r.fat.CompareAndSwap(false, true) {
			close(fat)
		}
		if mb > ending {
			r.process.Kill()
			return
		}
		// An object of which a byte becomes symbolic takes eight times its size in one go. Before
		// it has begun, KLEE reserves what it never touches.
		if fi, err := os.Stat(filepath.Join(r.dir, "info")); begun || err == nil && fi.Size() > 0 {
			begun = true
			r.process.Hold((ending + limit) / 2)
		}
		left := time.Duration(ending-mb) * time.Millisecond / 2
		next.Reset(max(min(left, seldom), often, 4*time.Since(begin)))
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
