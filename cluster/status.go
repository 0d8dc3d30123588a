package cluster

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/tliron/commonlog"
)

var log = commonlog.GetLogger("klabel.cluster")

// counters are what a coordinator has seen.
type counters struct {
	began                                      time.Time
	messages, bytes, slices, ended             atomic.Uint64
	tests, twice, strays, redelivered, updates atomic.Uint64
	setAside                                   atomic.Uint64
}

// workerState is the last sign of life of a worker.
type workerState struct {
	beat Beat
	seen time.Time
	lost bool
}

// Status is a moment of the cluster's, for people and programs.
type Status struct {
	Campaign string         `json:"campaign"`
	Program  string         `json:"program"`
	Seconds  float64        `json:"seconds"`
	Covered  int            `json:"covered"`
	Labels   int            `json:"labels"`
	Workers  []WorkerStatus `json:"workers"`
	Slots    int            `json:"slots"`
	Waiting  int            `json:"waiting"` // slices that nobody has begun
	Running  int            `json:"running"`
	// Of the whole campaign.
	Slices      uint64  `json:"slices"`
	Ended       uint64  `json:"slices_ended"`
	PerSecond   float64 `json:"slices_per_second"` // of the last ten
	Tests       uint64  `json:"tests"`
	Twice       uint64  `json:"tests_twice"`
	Strays      uint64  `json:"tests_late"`
	Redelivered uint64  `json:"slices_redelivered"`
	SetAside    uint64  `json:"slices_set_aside"`
	Messages    uint64  `json:"messages"`
	Bytes       uint64  `json:"bytes"`
	Updates     uint64  `json:"view_updates"`
	Stuck       []Stuck `json:"stuck,omitempty"`
}

// WorkerStatus is a worker's line.
type WorkerStatus struct {
	Name    string  `json:"name"`
	Host    string  `json:"host"`
	Slots   int     `json:"slots"`
	Busy    int     `json:"busy"`
	Behind  uint64  `json:"behind"` // updates of the live view
	Silent  float64 `json:"silent"` // seconds since it was heard
	Refuses string  `json:"refuses,omitempty"`
}

// Stuck is a slice that takes longer than it should.
type Stuck struct {
	Slice   uint64  `json:"slice"`
	Entry   string  `json:"entry"`
	Worker  string  `json:"worker,omitempty"`
	Attempt uint64  `json:"attempt"`
	Seconds float64 `json:"seconds"`
	Why     string  `json:"why"`
}

// beat takes a worker's sign of life.
func (c *Coordinator) beat(m *nats.Msg) {
	var b Beat
	if json.Unmarshal(m.Data, &b) != nil || b.Worker == "" {
		return
	}
	c.mu.Lock()
	w := c.workers[b.Worker]
	news := w == nil || w.lost || w.beat.Slots != b.Slots || b.Left
	if b.Left {
		delete(c.workers, b.Worker)
	} else {
		c.workers[b.Worker] = &workerState{beat: b, seen: time.Now()}
	}
	changed := c.changed
	for _, busy := range b.Busy {
		if r := c.runs[busy.ID]; r != nil && busy.Epoch == c.info.Epoch {
			r.paths.Store(max(r.paths.Load(), busy.Paths))
		}
	}
	c.mu.Unlock()
	if news {
		if w == nil && b.Refuses != "" {
			c.o.Note(fmt.Sprintf("worker %s takes no part: %s", b.Worker, b.Refuses))
		}
		changed()
	}
}

// lookAtWorkers forgets those that have fallen silent.
func (c *Coordinator) lookAtWorkers() {
	c.mu.Lock()
	news := false
	for name, w := range c.workers {
		silent := time.Since(w.seen)
		if silent > beatLost && !w.lost {
			w.lost, news = true, true
		}
		if silent > 10*beatLost {
			delete(c.workers, name)
		}
	}
	changed := c.changed
	alone := len(c.workers) == 0 && !c.saidAlone && time.Since(c.count.began) > slow/2
	c.saidAlone = c.saidAlone || alone
	c.mu.Unlock()
	if alone {
		c.o.Note("no worker has joined yet; the campaign's time goes on")
	}
	if news {
		changed()
	}
}

// slots counts those of the workers that are there and have an engine.
func (c *Coordinator) slots(key string) (n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, w := range c.workers {
		if !w.lost && w.beat.Refuses == "" && slices.Contains(w.beat.Keys, key) {
			n += w.beat.Slots
		}
	}
	return n
}

// Status is how things are.
func (c *Coordinator) Status() Status {
	c.mu.Lock()
	labels := c.labels
	c.mu.Unlock()
	covered, total := labels() // asks the store, which has locks of its own
	c.mu.Lock()
	defer c.mu.Unlock()
	k := &c.count
	s := Status{Campaign: c.info.ID, Program: c.info.Program, Seconds: time.Since(k.began).Seconds(), Covered: covered,
		Labels: total, Slices: k.slices.Load(), Ended: k.ended.Load(), Tests: k.tests.Load(), Twice: k.twice.Load(),
		Strays: k.strays.Load(), Redelivered: k.redelivered.Load(), SetAside: k.setAside.Load(),
		Messages: k.messages.Load(), Bytes: k.bytes.Load(), Updates: k.updates.Load(), PerSecond: c.rate.perSecond(),
		Workers: []WorkerStatus{}}
	gen := uint64(0)
	if c.feed != nil {
		gen = c.feed.gen
	}
	for name, w := range c.workers {
		s.Workers = append(s.Workers, WorkerStatus{Name: name, Host: w.beat.Host, Slots: w.beat.Slots,
			Busy: len(w.beat.Busy), Behind: gen - min(gen, w.beat.Gen), Silent: time.Since(w.seen).Seconds(),
			Refuses: w.beat.Refuses})
		if !w.lost && w.beat.Refuses == "" {
			s.Slots += w.beat.Slots
		}
	}
	slices.SortFunc(s.Workers, func(a, b WorkerStatus) int { return strings.Compare(a.Name, b.Name) })
	for _, r := range c.runs {
		waiting, stuck := r.state()
		if waiting {
			s.Waiting++
		} else {
			s.Running++
		}
		if stuck != nil {
			s.Stuck = append(s.Stuck, *stuck)
		}
	}
	slices.SortFunc(s.Stuck, func(a, b Stuck) int { return int(b.Seconds - a.Seconds) })
	return s
}

// slow is how long a slice may wait for a worker, or be over its time, before people see it as stuck.
const slow = 14 * time.Second

// state says whether a slice waits for a worker, and whether it is stuck.
func (r *run) state() (waiting bool, stuck *Stuck) {
	r.mu.Lock()
	defer r.mu.Unlock()
	waiting = r.started.IsZero()
	s := &Stuck{Slice: r.slice.ID, Entry: r.slice.Name, Worker: r.worker, Attempt: r.attempts}
	switch budget := r.slice.Options.Budget; {
	case waiting && time.Since(r.began) > slow:
		s.Seconds, s.Why = time.Since(r.began).Seconds(), "no worker has begun it"
	case r.attempts > 1:
		s.Seconds, s.Why = time.Since(r.started).Seconds(), strings.Join(r.reasons, "; ")
	case !waiting && budget > 0 && time.Since(r.started) > budget+slow:
		s.Seconds, s.Why = time.Since(r.started).Seconds(), "over its time"
	default:
		return waiting, nil
	}
	return waiting, s
}

func (c *Coordinator) publishStatus() {
	c.mu.Lock()
	c.rate.note(c.count.ended.Load())
	c.mu.Unlock()
	_ = c.send(c.info.subject("status"), c.Status())
}

func (c *Coordinator) statusAsked(m *nats.Msg) {
	if b, err := json.Marshal(c.Status()); err == nil {
		_ = m.Respond(b)
	}
}

// rate counts slices over the last seconds.
type rate struct{ ends []uint64 }

func (r *rate) note(ended uint64) {
	r.ends = append(r.ends, ended)
	r.ends = r.ends[max(0, len(r.ends)-11):]
}

func (r *rate) perSecond() float64 {
	if len(r.ends) < 2 {
		return 0
	}
	return float64(r.ends[len(r.ends)-1]-r.ends[0]) / float64(len(r.ends)-1)
}
