package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"klabel/engine"
	"klabel/label"
	"klabel/replayer"
)

// do does a slice: whatever happens, the message is acknowledged with its result
// stored, or comes again.
func (m *member) do(ctx context.Context, msg jetstream.Msg, key string) {
	var s Slice
	meta, err := msg.Metadata()
	if err == nil {
		err = json.Unmarshal(msg.Data(), &s)
	}
	if err != nil {
		m.w.o.Note(fmt.Sprintf("a slice that cannot be read is dropped: %v", err))
		_ = msg.Term()
		return
	}
	info := m.info()
	out := Out{Epoch: s.Epoch, ID: s.ID, Attempt: meta.NumDelivered, Worker: m.w.name}
	over := m.stayAlive(msg)
	defer over()
	if int(meta.NumDelivered) > info.Attempts {
		out.Kind, out.SetAside, out.Why = ended, true, "set aside"
		m.conclude(ctx, msg, out)
		return
	}
	out.Kind = begun
	if m.publish(ctx, out) != nil {
		return
	}
	stats, found, err := m.explore(ctx, &s, key, out)
	var own *workerError
	if errors.As(err, &own) { // another worker may do better
		out.Kind, out.Why = failed, own.Error()
		m.w.o.Note(fmt.Sprintf("%s: %v", s.Name, own))
		if m.publish(ctx, out) == nil {
			_ = msg.NakWithDelay(500 * time.Millisecond)
		}
		return
	}
	if ctx.Err() != nil { // the worker leaves: what it found is handed over, the rest is for others
		out.Kind, out.Why = failed, "it was told to leave"
		if m.publish(context.WithoutCancel(ctx), out) == nil {
			_ = msg.Nak()
		}
		return
	}
	if !found {
		return // tests did not arrive: the slice comes again
	}
	out.Kind, out.Stats = ended, stats
	if err != nil {
		out.Why = err.Error()
	}
	m.conclude(ctx, msg, out)
}

func (m *member) conclude(ctx context.Context, msg jetstream.Msg, out Out) {
	if m.publish(context.WithoutCancel(ctx), out) == nil {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
		defer cancel()
		_ = msg.DoubleAck(ctx) // else it comes again, and its end changes nothing
	}
}

// workerError is a failure that says something of this machine, not of the slice.
type workerError struct{ error }

func (e *workerError) Unwrap() error { return e.error }

// stayAlive has the queue told, with the worker's signs of life, that the slice is
// being worked on.
func (m *member) stayAlive(msg jetstream.Msg) (over func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.alive[msg] = true
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		delete(m.alive, msg)
	}
}

// explore runs the engine and hands its tests over as they come. found is false
// if one of them could not be.
func (m *member) explore(ctx context.Context, s *Slice, key string, out Out) (stats engine.Stats, found bool,
	err error) {
	var eng engine.Engine
	for _, e := range m.w.o.Engines {
		if e.Key == key {
			eng = e.Engine
		}
	}
	m.mu.Lock()
	images := m.images
	m.mu.Unlock()
	if eng == nil || s.Key != key || images == nil {
		return stats, true, &workerError{fmt.Errorf("engine %s is not here", s.Key)}
	}
	fetching, cancel := context.WithTimeout(ctx, time.Minute)
	program, preload, err := m.w.cache.program(fetching, images, s)
	cancel()
	if err != nil {
		return stats, true, &workerError{err}
	}
	if !m.viewOf(ctx, s.Epoch) {
		return stats, true, &workerError{errors.New("the live view did not come")}
	}
	dir, err := os.MkdirTemp(m.w.o.Work, "slice-")
	if err != nil {
		return stats, true, &workerError{err}
	}
	defer os.RemoveAll(dir)
	o := s.Options
	o.OutputDir, o.Preload = filepath.Join(dir, "run"), preload
	o.Corpus = filepath.Join(m.w.o.Work, "corpus", m.info().ID, sum([]byte(s.Image.Files[0].Sum + s.Entry))[:24])
	file, err := m.view.file(filepath.Join(dir, "live"))
	if err != nil {
		return stats, true, &workerError{err}
	}
	defer m.view.drop(file)
	o.LiveView = filepath.Join(dir, "live")
	running, stop := context.WithCancel(ctx)
	defer stop()
	r, err := eng.Start(running, program, o)
	if err != nil {
		return stats, true, err
	}
	a := &at{epoch: s.Epoch, id: s.ID, run: r, stop: r.Stop}
	m.mu.Lock()
	m.busy[s.ID] = a
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		if m.busy[s.ID] == a {
			delete(m.busy, s.ID)
		}
		m.mu.Unlock()
	}()
	ended := make(chan struct{})
	tests := replayer.WatchWith(context.WithoutCancel(ctx), replayer.WatchOptions{Dirs: []string{r.Dir()}, Done: ended,
		NoNotify: m.w.o.Sweep})
	handed := make(chan bool)
	go func() { handed <- m.handOver(ctx, s, out, eng.Name(), tests) }()
	stats, err = r.Wait()
	close(ended)
	return stats, <-handed, err
}

// viewOf waits until the view is that of a start of the coordinator.
func (m *member) viewOf(ctx context.Context, epoch string) bool {
	for end := time.Now().Add(5 * time.Second); !m.view.isOf(epoch); {
		m.askViewAgain()
		select {
		case <-ctx.Done():
			return false
		case <-m.over:
			return false
		case <-time.After(20 * time.Millisecond):
		}
		if time.Now().After(end) {
			return false
		}
	}
	return true
}

// inFlight is how many tests of a slice may be on their way at a time.
const inFlight = 64

// handOver publishes tests until there are none, and reports whether all arrived.
func (m *member) handOver(ctx context.Context, s *Slice, out Out, engine string, tests <-chan replayer.TestFile) bool {
	var wg sync.WaitGroup
	room := make(chan struct{}, inFlight)
	var mu sync.Mutex
	all := true
	out.Kind, out.Name, out.Engine, out.Mode = test, s.Name, engine, s.Options.Mode
	for f := range tests {
		if f.Problem != nil || !m.wanted(s, &f) {
			continue
		}
		o := out
		o.Test, o.Suffix = f.Test.Bytes(), f.Suffix
		if f.Suffix != "" {
			b, err := os.ReadFile(strings.TrimSuffix(f.Path, ".ktest") + "." + f.Suffix)
			if err != nil {
				b = []byte(f.Error + "\n")
			}
			o.Error = b
		}
		room <- struct{}{}
		wg.Go(func() {
			err := m.publish(context.WithoutCancel(ctx), o)
			<-room
			mu.Lock()
			defer mu.Unlock()
			all = all && err == nil
		})
	}
	wg.Wait()
	return all
}

// wanted reports whether a test can change anything: in modes where a test counts
// for the label at which it ends, not if that is covered by now.
func (m *member) wanted(s *Slice, f *replayer.TestFile) bool {
	if !s.Options.Mode.AssertTests() {
		return true
	}
	if f.Suffix == "" {
		return false
	}
	return !f.HasLabel || !m.view.is(f.Label, label.Covered)
}

var errTooLarge = errors.New("a test is larger than a message may be")

// publish stores something in the coordinator's stream, as often as it takes; the
// server knows it by its content. It gives up when the campaign is over.
func (m *member) publish(ctx context.Context, o Out) error {
	b, err := json.Marshal(o)
	if err != nil {
		return err
	}
	if int64(len(b)) > m.w.nc.MaxPayload()-1024 {
		m.w.o.Note(fmt.Sprintf("%s: %v: %d bytes", o.Name, errTooLarge, len(b)))
		if o.Kind == test {
			return nil // it is lost, as one that the replay refuses
		}
		return errTooLarge
	}
	id := jetstream.WithMsgID(sum(b)[:32])
	for {
		once, cancel := context.WithTimeout(ctx, 2*time.Second)
		_, err := m.w.js.PublishMsg(once, &nats.Msg{Subject: m.info().subject("out"), Data: b}, id)
		cancel()
		if err == nil {
			return nil
		}
		select {
		case <-m.over:
			return err
		case <-m.w.leaving:
			return err
		case <-ctx.Done():
			return err
		case <-time.After(200 * time.Millisecond):
		}
	}
}
