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

// coreIdle reports whether a core has nothing to do while one engine works: the user has
// not said how many engines there shall be, and none of another kind comes.
func (c *session) coreIdle() bool {
	cores := c.job.Parallel
	if cores <= 0 {
		cores = runtime.NumCPU()
	}
	if c.beside != nil {
		cores--
	}
	return c.row.helped && c.job.Portfolio <= 1 && cores > 1 && c.cluster == nil
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
