package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"klabel/engine"
	"klabel/label"
)

// Able is an engine that a worker has.
type Able struct {
	Key    string
	Engine engine.Engine
}

// WorkerOptions say how to work.
type WorkerOptions struct {
	URL     string
	Secret  string // file; "": none
	Slots   int    // slices at a time
	Engines []Able
	Version string // of klabel
	Cache   string // folder for images, kept
	Work    string // folder for what slices write
	Once    bool   // end with the first campaign that ends
	Note    func(string)

	Sweep bool   // look for tests now and then, without the kernel's notifications
	Name  string // "": made of the host's name

	dial []nats.Option                // in tests
	seen func(id int, s label.Status) // in tests
}

// worker takes part in every campaign that a server has.
type worker struct {
	o     WorkerOptions
	name  string
	host  string
	nc    *nats.Conn
	inbox string // for what campaigns tell this worker alone
	js    jetstream.JetStream
	cache cache
	done  chan struct{} // closed when a campaign has ended and Once is set
	once  sync.Once
	// leaving is closed a while after the worker was told to end: what is not handed
	// over by then is lost.
	leaving chan struct{}

	mu      sync.Mutex
	members []*member
	gone    bool // it joins nothing any more
	turn    int
	news    chan struct{} // closed and made anew when members change
}

// Work takes slices until the context ends. Slices that run then are ended
// gently, and what they found is handed in.
func Work(ctx context.Context, o WorkerOptions) error {
	host, err := os.Hostname()
	if err != nil {
		host = "unknown"
	}
	w := &worker{o: o, host: host, name: o.Name, done: make(chan struct{}),
		leaving: make(chan struct{}), inbox: nats.NewInbox(),
		news: make(chan struct{}), cache: cache{dir: o.Cache, one: newGate()}}
	if w.name == "" {
		w.name = fmt.Sprintf("%s-%d-%06x", host, os.Getpid(), rand.Uint32()&0xffffff)
	}
	if w.o.Note == nil {
		w.o.Note = func(string) {}
	}
	s, err := readSecret(o.Secret)
	if err != nil {
		return err
	}
	set := make(chan struct{}) // closed when w.nc is
	if w.nc, err = w.connect(ctx, s, append(o.dial, nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
		if ctx.Err() == nil {
			w.o.Note("the server is out of reach; trying again until it is back")
		}
	}), nats.ReconnectHandler(func(*nats.Conn) {
		w.o.Note("the server is back")
		<-set
		w.again()
	}))...); err != nil {
		return err
	}
	close(set)
	defer w.nc.Close()
	if w.js, err = jetstream.New(w.nc); err != nil {
		return err
	}
	told := make(chan *nats.Msg, 1024) // one for both, so that they are taken in order
	for _, subject := range []string{subjectCampaigns, w.inbox} {
		if _, err := w.nc.ChanSubscribe(subject, told); err != nil {
			return err
		}
	}
	ended := make(chan struct{})
	defer close(ended)
	go w.listen(told, ended)
	w.ask()
	var names []string
	for _, e := range o.Engines {
		names = append(names, e.Key)
	}
	w.o.Note(fmt.Sprintf("worker %s: slices at a time: %d, engines: %s", w.name, o.Slots, strings.Join(names, ", ")))
	defer context.AfterFunc(ctx, func() { time.AfterFunc(leaveTime, func() { close(w.leaving) }) })()
	working, stop := context.WithCancel(ctx)
	defer stop()
	var wg sync.WaitGroup
	for range o.Slots {
		wg.Go(func() { w.slot(working) })
	}
	select {
	case <-working.Done():
	case <-w.done:
		stop()
	}
	wg.Wait()
	w.mu.Lock()
	left := slices.Clone(w.members)
	w.gone = true
	w.mu.Unlock()
	for _, m := range left {
		m.leave()
	}
	_ = w.nc.FlushTimeout(time.Second)
	return nil
}

// connect joins the server, or waits until there is one: workers may be started first.
func (w *worker) connect(ctx context.Context, s *secret, options ...nats.Option) (*nats.Conn, error) {
	for said := false; ; {
		nc, err := connect(w.o.URL, w.name, s, options...)
		if err == nil || ctx.Err() != nil || !mayCome(err) {
			return nc, err
		}
		if !said {
			said = true
			why, _, _ := strings.Cut(err.Error(), "\n") // a hint follows
			w.o.Note("no server yet; trying until there is one: " + why)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(250 * time.Millisecond):
		}
	}
}

// mayCome reports whether a server may be there later: nobody answers, or the link breaks. One
// that refuses the worker does so again.
func mayCome(err error) bool {
	var op *net.OpError
	return errors.Is(err, nats.ErrNoServers) || errors.Is(err, nats.ErrTimeout) || errors.Is(err, io.EOF) ||
		errors.As(err, &op) && (op.Op == "dial" || op.Op == "read" || op.Op == "write")
}

// leaveTime is how long a worker that was told to end tries to hand over what it has.
const leaveTime = 10 * time.Second

func (w *worker) listen(told <-chan *nats.Msg, ended <-chan struct{}) {
	for {
		select {
		case m := <-told:
			w.announced(m)
		case <-ended:
			return
		}
	}
}

// announced takes what a coordinator tells of its campaign.
func (w *worker) announced(m *nats.Msg) {
	var c Campaign
	if json.Unmarshal(m.Data, &c) != nil || !idText.MatchString(c.ID) {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	at := slices.IndexFunc(w.members, func(m *member) bool { return m.info().ID == c.ID })
	switch {
	case c.Ended && at >= 0:
		w.members[at].end()
		w.members = slices.Delete(w.members, at, at+1)
		w.o.Note("the campaign of " + c.Program + " has ended")
		if w.o.Once {
			w.once.Do(func() { close(w.done) })
		}
	case c.Ended, w.gone:
	case at >= 0:
		w.members[at].tell(c)
	default:
		if n, err := w.join(c); err != nil {
			w.o.Note(fmt.Sprintf("the campaign of %s cannot be joined: %v", c.Program, err))
		} else {
			w.members = append(w.members, n)
		}
	}
	close(w.news)
	w.news = make(chan struct{})
}

// again asks for what may have been missed.
func (w *worker) again() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.members {
		m.askView()
	}
	w.ask()
}

// ask has campaigns tell of themselves.
func (w *worker) ask() { _ = w.nc.PublishRequest(subjectHello, w.inbox, nil) }

// slot does one slice after another.
func (w *worker) slot(ctx context.Context) {
	for ctx.Err() == nil {
		w.mu.Lock()
		all, news := slices.Clone(w.members), w.news
		w.turn++
		turn := w.turn
		w.mu.Unlock()
		var ready <-chan struct{} // of one that does not know the view yet
		all = slices.DeleteFunc(all, func(m *member) bool {
			if !m.view.known() {
				ready = m.view.ready
			}
			return len(m.queues()) == 0
		})
		if len(all) == 0 {
			select {
			case <-ctx.Done():
			case <-news:
			case <-ready:
			case <-time.After(time.Second):
			}
			continue
		}
		m := all[turn%len(all)]
		msg, key := m.fetch(ctx, turn, len(all) == 1)
		if msg != nil {
			m.do(ctx, msg, key)
		}
	}
}
