package replayer

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/toolchain"
)

// overseer is what Confirm replays with: servers whose runs klabel watches by
// breakpoints. They are started when they are first needed.
type overseer struct {
	mu     sync.Mutex
	opened bool
	closed bool
	sites  *sites
	why    error // none can be had
	// The program, of which the first one was watched, did not come to main.
	unwilling bool
	silent    silence
	workers   chan *worker
}

// errUnwilling is of a program that klabel can watch, and that does not come to main then.
var errUnwilling = errors.New("it does not begin when it is watched")

// ErrLate is returned by Confirm where no run that klabel watched ended within its time,
// so that nothing is known.
var ErrLate = errors.New("the watched runs did not end in time")

// Confirm replays a test once more and returns which of the labels that run comes
// to, as klabel sees it from outside: by breakpoints where the program notes hits.
// What the program writes into its memory makes no difference. A run that does not
// show all of them gets a second one. No label is confirmed
// of a run that does not end by itself, but where failing tests count. It may take as
// long as limit says, if that is longer than the pool's. The error
// says that no answer could be had; that of Watchable, that none ever will; ErrLate, that
// there was none in time.
func (p *Pool) Confirm(ctx context.Context, entry int, t *ktest.Test, ids []label.ID, failing bool,
	limit time.Duration) ([]label.ID, error) {
	if err := p.Watchable(); err != nil {
		return nil, err
	}
	if p.watch.unwilling { // it may know that it is watched: nothing of what it claims was seen
		return nil, nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-p.closed:
		return nil, ErrClosed
	case w := <-p.watch.workers:
		defer func() { p.watch.workers <- w }()
		ctx, done := p.whileOpen(ctx)
		defer done()
		return w.confirm(ctx, entry, t, ids, failing, max(p.opts.TestTimeout, limit))
	}
}

// Watchable says why runs cannot be watched on this machine, or of this program;
// nil if they can.
func (p *Pool) Watchable() error { return p.watchable(context.Background()) }

// watchable is Watchable that gives up, for good, when ctx ends.
func (p *Pool) watchable(ctx context.Context) error {
	w := &p.watch
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.opened || w.closed {
		return w.why
	}
	w.opened = true
	if w.sites, w.why = findSites(p.opts.Binary); w.why != nil {
		return w.why
	}
	// Few tests come here: half of the servers are enough, and cost half to start.
	n := max(1, p.opts.Workers/2)
	w.workers = make(chan *worker, n)
	for i := range n {
		w.workers <- &worker{opts: p.opts, dir: filepath.Join(p.dir, fmt.Sprintf("c%d", i)), symbols: p.symbols,
			silent: &w.silent, sites: w.sites}
	}
	// One is started now: only that shows whether the kernel allows it.
	first := <-w.workers
	ctx, done := p.whileOpen(ctx)
	defer done()
	w.why = first.start(ctx, 0)
	if errors.Is(w.why, errUnwilling) {
		w.unwilling, w.why = true, nil
	}
	w.workers <- first
	return w.why
}

// close stops the servers. Those that replay return first.
func (w *overseer) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	if w.workers == nil {
		return
	}
	for range cap(w.workers) {
		one := <-w.workers
		one.stop()
		defer func() { w.workers <- one }()
	}
}

// startWatch sets the breakpoints while the server waits for them, before
// anything of the program has run.
func (w *worker) startWatch(ctx context.Context) error {
	err := w.await(ctx, w.opts.StartLimit)
	if err == nil {
		w.watch, err = toolchain.SetBreakpoints(w.process.Pid(), w.sites.entry, w.sites.all())
	}
	if err == nil {
		_, err = w.command.Write([]byte{'r'})
	}
	return err
}

// confirm returns the labels in the order in which they are given.
func (w *worker) confirm(ctx context.Context, entry int, t *ktest.Test, ids []label.ID, failing bool,
	limit time.Duration) ([]label.ID, error) {
	met, late := map[label.ID]bool{}, false
	for range 2 { // for runs that chance has a part in
		w.seen = nil
		v, _, err := w.replay(ctx, entry, t, limit)
		if err != nil {
			return nil, err
		}
		if w.seen == nil || !failing && (v.Outcome != label.Normal || !w.seen.Ended()) {
			late = v.Outcome == label.TimedOut
			continue
		}
		late = false
		for _, id := range ids {
			met[id] = met[id] || slices.ContainsFunc(w.sites.places[id], w.seen.Hit)
		}
		if !slices.ContainsFunc(ids, func(id label.ID) bool { return !met[id] }) {
			break
		}
	}
	seen := slices.DeleteFunc(slices.Clone(ids), func(id label.ID) bool { return !met[id] })
	if late && len(seen) == 0 {
		return nil, ErrLate
	}
	return seen, nil
}
