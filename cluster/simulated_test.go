package cluster

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"runtime/pprof"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"klabel/label"
)

// simulated is a cluster in one process and in the virtual time of testing/synctest:
// the server, the coordinator and the workers are the real ones, the links between
// them are pipes that are slow and can be cut. Computing takes no time.
type simulated struct {
	t     *testing.T
	dir   string
	delay time.Duration // of a link, one way

	mu  sync.Mutex
	srv *server.Server // nil: it is down

	steady gate // whoever is in keeps the server up
}

func simulate(t *testing.T, dir string, delay time.Duration) *simulated {
	s := &simulated{t: t, dir: dir, delay: delay, steady: newGate()}
	s.up()
	return s
}

func (s *simulated) up() {
	srv, err := server.NewServer(&server.Options{ServerName: serverName, DontListen: true, JetStream: true,
		StoreDir: filepath.Join(s.dir, "streams"), NoSigs: true, NoLog: true, MaxPayload: maxPayload})
	if err != nil {
		s.t.Fatal(err)
	}
	go srv.Start()
	if !srv.ReadyForConnections(20 * time.Second) {
		s.t.Fatal("the server does not start")
	}
	s.mu.Lock()
	s.srv = srv
	s.mu.Unlock()
}

func (s *simulated) down() {
	s.mu.Lock()
	srv := s.srv
	s.srv = nil
	s.mu.Unlock()
	srv.Shutdown()
	srv.WaitForShutdown()
}

// link is one machine's way to the server.
type link struct {
	s    *simulated
	side context.Context // with the profiler's label of who is at its near end
	mu   sync.Mutex
	cut  bool
	conn []net.Conn
}

func (s *simulated) link() *link { return &link{s: s, side: context.Background()} }

// dial makes a connection go over the link.
func (l *link) dial() []nats.Option { return []nats.Option{nats.InProcessServer(l)} }

// InProcessConn connects as the client library asks for it.
func (l *link) InProcessConn() (net.Conn, error) {
	l.s.mu.Lock()
	srv := l.s.srv
	l.s.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cut || srv == nil {
		return nil, &net.OpError{Op: "dial", Net: "pipe", Err: errors.New("out of reach")}
	}
	var near, far net.Conn
	// For the profiler: what the server does for a worker is the server's cost.
	err := error(nil)
	pprof.Do(l.side, pprof.Labels("side", "server"), func(context.Context) { far, err = srv.InProcessConn() })
	if err != nil {
		return nil, err
	}
	here, near := net.Pipe()
	pprof.Do(l.side, pprof.Labels("side", "link"), func(context.Context) {
		go l.carry(near, far)
		go l.carry(far, near)
	})
	l.conn = append(l.conn, near, far)
	return here, nil
}

// carry brings what is written at one end to the other, later. The first moment's
// words come at once: the client library has a lock while it introduces itself, and
// who waits for a lock stops the virtual clock.
func (l *link) carry(from, to net.Conn) {
	born := time.Now()
	type piece struct {
		at time.Time
		b  []byte
	}
	way := make(chan piece, 1<<14)
	go func() {
		for p := range way {
			time.Sleep(time.Until(p.at))
			if _, err := to.Write(p.b); err != nil {
				from.Close() // and read on to the end
			}
		}
		to.Close()
	}()
	for {
		b := make([]byte, 1<<16)
		n, err := from.Read(b)
		if n > 0 {
			at := time.Now()
			if !at.Equal(born) {
				at = at.Add(l.s.delay)
			}
			way <- piece{at, b[:n:n]}
		}
		if err != nil {
			close(way)
			return
		}
	}
}

// sever cuts the link, restore makes a new connection possible.
func (l *link) sever() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cut = true
	for _, c := range l.conn {
		c.Close()
	}
	l.conn = nil
}

func (l *link) restore() {
	l.mu.Lock()
	l.cut = false
	l.mu.Unlock()
}

// machine is a worker's.
type machine struct {
	link *link
	stop context.CancelFunc
}

// worker starts a worker on a machine of its own.
func (s *simulated) worker(name string, pause time.Duration, seen func(int, label.Status)) *machine {
	m := &machine{link: s.link()}
	ctx, stop := context.WithCancel(s.t.Context())
	m.stop = stop
	dir := filepath.Join(s.dir, name)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		s.t.Fatal(err)
	}
	go pprof.Do(ctx, pprof.Labels("side", "worker"), func(ctx context.Context) {
		m.link.side = ctx
		err := Work(ctx, WorkerOptions{URL: "nats://simulated", Name: name, Slots: 1, Version: "test", Sweep: true,
			Cache: filepath.Join(dir, "cache"), Work: dir, dial: m.link.dial(), seen: seen,
			Engines: []Able{{Key("fake", "1", 1), fake{pause}}}})
		if err != nil && ctx.Err() == nil {
			s.t.Error(name, err)
		}
	})
	return m
}

// kill ends a machine as a power cut does: nothing of it is heard any more.
func (m *machine) kill() {
	m.link.sever()
	m.stop()
}

// weather troubles the machines until over is closed: kills and replaces workers, cuts
// links for up to ten seconds, takes the server down for some.
func (s *simulated) weather(machines []*machine, pause time.Duration, over <-chan struct{}) (kills int) {
	for n := 0; ; n++ {
		select {
		case <-over:
			return kills
		case <-time.After(time.Duration(rand.IntN(1500)) * time.Millisecond):
		}
		i := rand.IntN(len(machines))
		switch m := machines[i]; {
		case n%40 == 39:
			if s.steady.enter(s.t.Context()) == nil {
				s.down()
				time.Sleep(time.Duration(rand.IntN(4000)) * time.Millisecond)
				s.up()
				s.steady.leave()
			}
		case rand.IntN(2) == 0:
			m.kill()
			kills++
			machines[i] = s.worker(fmt.Sprint("w", len(machines)+n), pause, nil)
		default:
			m.link.sever()
			go func() {
				time.Sleep(time.Duration(rand.Int64N(int64(10 * time.Second))))
				m.link.restore()
			}()
		}
	}
}
