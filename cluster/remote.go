package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"klabel/engine"
	"klabel/replayer"
)

// remote is an engine whose runs are done by workers.
type remote struct {
	c     *Coordinator
	local engine.Engine
	key   string
}

// Engine returns an engine that works like this one, on the workers. clang is the
// major version of the clang whose output it reads.
func (c *Coordinator) Engine(ctx context.Context, local engine.Engine, clang int) (engine.Engine, error) {
	key := Key(local.Name(), local.Version(), clang)
	return &remote{c: c, local: local, key: key}, c.offer(ctx, key)
}

func (e *remote) Name() string    { return e.local.Name() }
func (e *remote) Version() string { return e.local.Version() }
func (e *remote) Close() error    { return e.local.Close() }

// Slots is how many slices workers do at a time.
func (e *remote) Slots() int { return e.c.slots(e.key) }

// run is a slice on its way.
type run struct {
	c       *Coordinator
	slice   Slice
	dir     string
	began   time.Time
	over    chan struct{} // closed by finish
	stopped chan struct{} // closed by Stop
	once    sync.Once
	paths   atomic.Uint64

	mu       sync.Mutex
	seq      uint64    // in the stream of slices
	started  time.Time // by a worker, the last time
	attempts uint64
	worker   string
	reasons  []string
	seen     map[string]bool
	queue    []replayer.TestFile // not yet given to whoever judges
	room     chan struct{}       // something is in the queue
	out      chan replayer.TestFile
	held     []jetstream.Msg // acknowledged when all is stored
	done     bool
	stats    engine.Stats
	err      error
}

// Start puts a slice on the queue.
func (e *remote) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	c := e.c
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	im, err := c.sent.image(ctx, c.images, p, o.Preload)
	if err != nil {
		return nil, err
	}
	r := &run{c: c, dir: o.OutputDir, began: time.Now(), over: make(chan struct{}), stopped: make(chan struct{}),
		seen: map[string]bool{}, room: make(chan struct{}, 1), out: make(chan replayer.TestFile)}
	o.OutputDir, o.LiveView, o.Preload, o.Corpus = "", "", "", ""
	r.slice = Slice{Epoch: c.info.Epoch, ID: c.next.Add(1), Name: o.Name, Entry: p.Entry, Image: im, Key: e.key,
		Options: o}
	c.mu.Lock()
	c.runs[r.slice.ID] = r
	c.mu.Unlock()
	c.count.slices.Add(1)
	go r.supervise(ctx)
	go r.deliver()
	return r, nil
}

// Dir is a directory that is not there: see Tests.
func (r *run) Dir() string { return r.dir }

// Tests are what an engine here would write into its directory. Whoever starts a run
// reads them to the end, which comes after the run's own.
func (r *run) Tests() <-chan replayer.TestFile { return r.out }

func (r *run) deliver() {
	defer close(r.out)
	for {
		over := false
		select {
		case <-r.room:
		case <-r.over:
			over = true
		}
		r.mu.Lock()
		queue := r.queue
		r.queue = nil
		r.mu.Unlock()
		for _, f := range queue {
			r.out <- f
		}
		if over {
			return
		}
	}
}

func (r *run) Stop() { r.once.Do(func() { close(r.stopped) }) }

func (r *run) Progress() engine.Progress { return engine.Progress{Paths: r.paths.Load()} }

func (r *run) Wait() (engine.Stats, error) {
	<-r.over
	return r.stats, r.err
}

// Stored is called when all that the run delivered is judged and on disk: from now
// on nobody needs it a second time.
func (r *run) Stored() {
	r.mu.Lock()
	held := r.held
	r.held = nil
	r.mu.Unlock()
	for _, m := range held {
		_ = m.Ack()
	}
	r.c.mu.Lock()
	delete(r.c.runs, r.slice.ID)
	r.c.mu.Unlock()
}

// How long a slice that was stopped may take to end, and how long one waits for a
// worker at least: there may be none yet.
const (
	stopGrace = 8 * time.Second
	takeTime  = 30 * time.Second
)

// attemptWaits is how many times the queue's patience one waits for the next attempt: it
// hands a slice out again after one.
const attemptWaits = 3

// supervise sees to the slice's end, whatever becomes of its workers.
func (r *run) supervise(ctx context.Context) {
	if !r.publish(ctx) {
		return
	}
	tick := time.NewTicker(2 * time.Second) // there is one of it for each slice
	defer tick.Stop()
	stopped, cancelled := r.stopped, ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case <-r.over:
			return
		case <-late:
			note := "a worker did not end a slice of " + r.slice.Name + " when it was told to"
			r.finish(engine.Stats{Notes: []string{note}}, nil)
			return
		case <-tick.C:
			if late != nil {
				r.askToStop() // the first word may have been lost
			} else if r.tooLong() {
				r.Stop()
			}
			continue
		case <-stopped:
			stopped = nil
		case <-cancelled:
			cancelled = nil
		}
		if r.withdraw() {
			return
		}
		if late == nil {
			late = time.After(stopGrace)
			r.askToStop()
		}
	}
}

// publish puts the slice on the queue, as often as it takes.
func (r *run) publish(ctx context.Context) bool {
	b, err := json.Marshal(r.slice)
	if err != nil {
		r.finish(engine.Stats{}, err)
		return false
	}
	for {
		once, cancel := context.WithTimeout(ctx, 2*time.Second)
		ack, err := r.c.js.Publish(once, r.c.info.subject("slice", r.slice.Key), b,
			jetstream.WithMsgID(fmt.Sprintf("%s-%d", r.slice.Epoch, r.slice.ID)))
		cancel()
		if err == nil {
			r.mu.Lock()
			r.seq = ack.Sequence
			r.mu.Unlock()
			return true
		}
		select {
		case <-ctx.Done():
			r.finish(engine.Stats{Notes: []string{"stopped before a worker had begun"}}, nil)
			return false
		case <-r.stopped:
			r.finish(engine.Stats{Notes: []string{"stopped before a worker had begun"}}, nil)
			return false
		case <-time.After(200 * time.Millisecond):
			log.Debugf("slice %d is not on the queue yet: %v", r.slice.ID, err)
		}
	}
}

// withdraw takes a slice back that nobody has begun.
func (r *run) withdraw() bool {
	r.mu.Lock()
	seq, begun := r.seq, !r.started.IsZero()
	r.mu.Unlock()
	if begun {
		return false
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if stream, err := r.c.js.Stream(ctx, r.c.info.slices()); err == nil {
		err = stream.DeleteMsg(ctx, seq)
		log.Debugf("slice %d withdrawn: %v", r.slice.ID, err)
	}
	r.askToStop() // it may have been taken just now
	r.finish(engine.Stats{Notes: []string{"stopped before a worker had begun"}}, nil)
	return true
}

func (r *run) askToStop() {
	_ = r.c.send(r.c.info.subject("stop"), Stop{Epoch: r.slice.Epoch, ID: r.slice.ID})
}

// tooLong reports whether no result can be hoped for: nobody has begun it, or the last
// attempt has had its time and no other one has come. A server that was restarted may
// have forgotten that a slice is still to be handed out again.
func (r *run) tooLong() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	budget := r.slice.Options.Budget
	if r.started.IsZero() {
		return time.Since(r.began) > max(budget, takeTime)
	}
	return budget > 0 && time.Since(r.started) > budget+attemptWaits*r.c.o.AckWait+stopGrace
}

// finish ends the run, once.
func (r *run) finish(s engine.Stats, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return
	}
	r.done, r.stats, r.err = true, s, err
	r.c.count.ended.Add(1)
	if err == nil && len(r.reasons) > 0 && !s.Complete {
		r.stats.Notes = append(r.stats.Notes, "attempts on workers failed: "+strings.Join(r.reasons, "; "))
	}
	close(r.over)
}

// take takes what a worker says of the slice; false: it is over.
func (r *run) take(o *Out, m jetstream.Msg) bool {
	r.mu.Lock()
	if r.done {
		r.mu.Unlock()
		return false
	}
	if o.Attempt > r.attempts && o.Kind != test {
		if r.attempts > 0 && (o.Kind == begun || o.SetAside) {
			r.c.count.redelivered.Add(1)
			if len(r.reasons) < int(r.attempts) {
				r.reasons = append(r.reasons, fmt.Sprintf("worker %s fell silent", r.worker))
			}
		}
		r.attempts = o.Attempt
	}
	if r.started.IsZero() || o.Kind == begun {
		r.started = time.Now()
	}
	switch o.Kind {
	case begun:
		r.worker = o.Worker
		r.mu.Unlock()
		_ = m.Ack()
	case failed:
		r.reasons = append(r.reasons, fmt.Sprintf("worker %s: %s", o.Worker, o.Why))
		r.mu.Unlock()
		_ = m.Ack()
	case test:
		r.held = append(r.held, m)
		r.add(o)
		r.mu.Unlock()
	case ended:
		r.held = append(r.held, m)
		r.mu.Unlock()
		r.finish(o.Stats, r.failure(o))
	}
	return true
}

func (r *run) failure(o *Out) error {
	switch {
	case o.SetAside:
		r.c.count.setAside.Add(1)
		r.mu.Lock()
		defer r.mu.Unlock()
		return fmt.Errorf("set aside after %d failed attempts: %s", r.c.o.Attempts, strings.Join(r.reasons, "; "))
	case o.Why != "":
		return errors.New(o.Why)
	}
	return nil
}

// add takes a test; the second time the same one comes it does nothing.
func (r *run) add(o *Out) {
	if o.Suffix != "" && !suffixText.MatchString(o.Suffix) {
		return // no engine's
	}
	key := sum([]byte(o.Suffix + "\x00" + string(o.Error) + "\x00" + string(o.Test)))
	if r.seen[key] {
		r.c.count.twice.Add(1)
		return
	}
	r.seen[key] = true
	r.c.count.tests.Add(1)
	from := fmt.Sprintf("test %d of worker %s for %s", len(r.seen), o.Worker, r.slice.Name)
	r.queue = append(r.queue, replayer.ReadTest(from, o.Test, o.Suffix, o.Error))
	select {
	case r.room <- struct{}{}:
	default:
	}
}

var suffixText = regexp.MustCompile(`^[a-z_]+(\.[a-z_]+)*$`)
