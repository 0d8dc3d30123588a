package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"klabel/engine"
)

// member is a worker's part in one campaign.
type member struct {
	w      *worker
	view   *view
	images jetstream.ObjectStore
	subs   []*nats.Subscription
	over   chan struct{}

	mu      sync.Mutex
	c       Campaign
	refuses string
	keys    []string
	cons    map[string]jetstream.Consumer
	busy    map[uint64]*at         // by slice
	alive   map[jetstream.Msg]bool // slices that are this worker's
	asked   time.Time
}

// at is a slice at work.
type at struct {
	epoch string
	id    uint64
	run   engine.Run
	stop  func()
}

var idText = regexp.MustCompile(`^[0-9a-f]{16}$`)

// join begins to take part. A campaign of another release is refused, and told so.
func (w *worker) join(c Campaign) (*member, error) {
	m := &member{w: w, view: newView(), over: make(chan struct{}), cons: map[string]jetstream.Consumer{},
		busy: map[uint64]*at{}, alive: map[jetstream.Msg]bool{}}
	m.view.seen = w.o.seen
	for subject, f := range map[string]nats.MsgHandler{c.subject("view"): m.update, c.subject("stop"): m.stopped} {
		sub, err := w.nc.Subscribe(subject, f)
		if err != nil {
			return nil, err
		}
		m.subs = append(m.subs, sub)
	}
	m.tell(c)
	w.o.Note("joined the campaign of " + c.Program)
	m.askView()
	go m.beat()
	return m, nil
}

func (m *member) info() Campaign {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.c
}

// tell takes an announcement: a new start of the coordinator, further engines.
func (m *member) tell(c Campaign) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if c.Epoch != m.c.Epoch {
		clear(m.cons) // they may have been made anew
		for _, a := range m.busy {
			a.stop() // nobody waits for it; its tests are wanted
		}
	}
	m.c = c
	var have, both []string
	for _, e := range m.w.o.Engines {
		have = append(have, e.Key)
		if slices.Contains(c.Keys, e.Key) {
			both = append(both, e.Key)
		}
	}
	refuses := ""
	switch {
	case c.Protocol != Protocol || c.Version != m.w.o.Version:
		refuses = fmt.Sprintf("it wants klabel %s, this is %s", c.Version, m.w.o.Version)
		both = nil
	case len(both) == 0:
		refuses = fmt.Sprintf("it wants engines %v, here are %v", c.Keys, have)
	}
	if refuses != "" && refuses != m.refuses {
		m.w.o.Note("takes no part in the campaign of " + c.Program + ": " + refuses)
	}
	m.refuses, m.keys = refuses, both
}

// queues are the engines' queues that the worker takes from; none before it
// knows the view.
func (m *member) queues() []string {
	if !m.view.known() {
		m.askViewAgain()
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.keys)
}

// fetch waits a while for a slice.
func (m *member) fetch(ctx context.Context, turn int, alone bool) (jetstream.Msg, string) {
	keys := m.queues()
	if len(keys) == 0 {
		return nil, ""
	}
	key := keys[turn%len(keys)]
	wait := 5 * time.Second
	if len(keys) > 1 || !alone {
		wait = 100 * time.Millisecond
	}
	c, err := m.consumer(ctx, key)
	var msgs jetstream.MessageBatch
	if err == nil {
		ctx, cancel := context.WithTimeout(ctx, wait)
		defer cancel()
		msgs, err = c.Fetch(1, jetstream.FetchContext(ctx))
	}
	if err != nil {
		m.forget(key)
		select {
		case <-ctx.Done():
		case <-m.over:
		case <-time.After(300 * time.Millisecond):
		}
		return nil, ""
	}
	for msg := range msgs.Messages() {
		return msg, key
	}
	if err := msgs.Error(); err != nil && !errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		m.forget(key)
		time.Sleep(50 * time.Millisecond)
	}
	return nil, ""
}

func (m *member) consumer(ctx context.Context, key string) (jetstream.Consumer, error) {
	m.mu.Lock()
	c, info := m.cons[key], m.c
	m.mu.Unlock()
	if c != nil {
		return c, nil
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	c, err := m.w.js.Consumer(ctx, info.slices(), consumer(key))
	if err != nil {
		return nil, err
	}
	images, err := m.w.js.ObjectStore(ctx, info.images())
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.cons[key], m.images = c, images
	m.mu.Unlock()
	return c, nil
}

func (m *member) forget(key string) {
	m.mu.Lock()
	delete(m.cons, key)
	m.mu.Unlock()
}

// update takes news of the live view.
func (m *member) update(msg *nats.Msg) {
	var u Update
	if json.Unmarshal(msg.Data, &u) == nil && m.view.merge(&u) {
		m.askViewAgain()
	}
}

// askView asks for the whole view, askViewAgain not more often than makes sense.
func (m *member) askView() {
	inbox := nats.NewInbox()
	sub, err := m.w.nc.Subscribe(inbox, m.update)
	if err != nil {
		return
	}
	_ = sub.AutoUnsubscribe(1)
	_ = m.w.nc.PublishRequest(m.info().subject("view", "get"), inbox, nil)
}

func (m *member) askViewAgain() {
	m.mu.Lock()
	soon := time.Since(m.asked) < 300*time.Millisecond
	if !soon {
		m.asked = time.Now()
	}
	m.mu.Unlock()
	if !soon {
		m.askView()
	}
}

// stopped ends a slice that the coordinator does not want any more.
func (m *member) stopped(msg *nats.Msg) {
	var s Stop
	if json.Unmarshal(msg.Data, &s) != nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if a := m.busy[s.ID]; a != nil && a.epoch == s.Epoch {
		a.stop()
	}
}

// beat gives signs of life until the campaign is over.
func (m *member) beat() {
	ready := m.view.ready
	for {
		m.sendBeat(false)
		next := time.NewTimer(m.info().beatEvery())
		select {
		case <-m.over:
			next.Stop()
			return
		case <-ready: // from now on it can work
			next.Stop()
			ready = nil
		case <-next.C:
		}
	}
}

func (m *member) sendBeat(left bool) {
	m.mu.Lock()
	b := Beat{Worker: m.w.name, Host: m.w.host, Slots: m.w.o.Slots, Keys: m.keys, Refuses: m.refuses,
		Gen: m.view.generation(), Left: left}
	if b.Gen == 0 { // not yet able to work
		b.Slots = 0
	}
	for _, a := range m.busy {
		busy := Busy{Epoch: a.epoch, ID: a.id}
		if a.run != nil {
			busy.Paths = a.run.Progress().Paths
		}
		b.Busy = append(b.Busy, busy)
	}
	info := m.c
	for msg := range m.alive { // it goes out with the sign: one waking of the server
		_ = msg.InProgress()
	}
	m.mu.Unlock()
	if text, err := json.Marshal(b); err == nil {
		_ = m.w.nc.Publish(info.subject("beat"), text)
	}
}

// end is called when the campaign is over.
func (m *member) end() {
	m.mu.Lock()
	for _, a := range m.busy {
		a.stop()
	}
	m.mu.Unlock()
	select {
	case <-m.over:
	default:
		close(m.over)
	}
	for _, s := range m.subs {
		_ = s.Unsubscribe()
	}
}

// leave is called when the worker goes.
func (m *member) leave() {
	m.sendBeat(true)
	m.end()
}
