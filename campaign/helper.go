package campaign

import (
	"runtime"
	"sync"
	"time"

	"klabel/engine"
)

// A program with its own main has one entry, and one engine would use one core. A second
// one joins it after a while, with other heuristics, on the same live view: what either
// covers is no work for the other, and where one has seen all paths both end.

// joinAfter is how long the first engine works alone: what ends sooner is not worth reading
// the program a second time.
const joinAfter = 3 * time.Second

// joinBeside of the time is how long it works alone where the core that it leaves is that of the
// engine beside: all three share the cores from then on, so that in twice the time each has done
// what it does alone.
const joinBeside = 4

// helpAfter is when a second engine joins the first one, which has so much time; 0: none does. The
// user has not said how many engines there shall be, and there is a core for it.
func (c *session) helpAfter(budget time.Duration) time.Duration {
	cores := c.job.Parallel
	if cores <= 0 {
		cores = runtime.NumCPU()
	}
	switch {
	case !c.row.helped || c.job.Portfolio > 1 || cores < 2 || c.cluster != nil:
		return 0
	case c.beside != nil && cores == 2:
		return max(joinAfter, budget/joinBeside)
	}
	return joinAfter
}

// helper is a run that begins later, if it is needed then.
type helper struct {
	dir   string
	start func() (engine.Run, error)
	timer *time.Timer
	over  chan struct{} // it has ended, or will not begin

	mu      sync.Mutex
	stopped bool
	run     engine.Run // nil: it has not begun
	stats   engine.Stats
	err     error
}

func helpLater(after time.Duration, dir string, start func() (engine.Run, error)) *helper {
	h := &helper{dir: dir, start: start, over: make(chan struct{})}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.timer = time.AfterFunc(after, h.begin)
	return h
}

func (h *helper) begin() {
	defer close(h.over)
	h.mu.Lock()
	if h.stopped {
		h.mu.Unlock()
		return
	}
	h.run, h.err = h.start()
	run := h.run
	h.mu.Unlock()
	if run != nil {
		h.stats, h.err = run.Wait()
	}
}

// Dir is where its tests appear.
func (h *helper) Dir() string { return h.dir }

// Stop ends it, or sees to it that it does not begin.
func (h *helper) Stop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.run != nil:
		h.run.Stop()
	case !h.stopped && h.timer.Stop():
		close(h.over)
	}
	h.stopped = true
}

// Progress is the run's, once it has begun.
func (h *helper) Progress() engine.Progress {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.run == nil {
		return engine.Progress{}
	}
	return h.run.Progress()
}

// Wait waits for its end. Of a run that has not begun it tells nothing.
func (h *helper) Wait() (engine.Stats, error) {
	<-h.over
	return h.stats, h.err
}
