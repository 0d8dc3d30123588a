package cluster

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Options say how a campaign is to be a cluster's coordinator.
type Options struct {
	URL     string // of a server that is there; else
	Listen  string // where the embedded one listens
	Secret  string // file; "" beyond loopback: one is made in Dir
	Metrics string // address on loopback of the metrics; "": none
	Dir     string // of the campaign: streams, secret and identity

	Version  string // of klabel
	Program  string // for people
	AckWait  time.Duration
	Attempts int
	Note     func(string) // tells people something; nil: nobody

	dial []nats.Option // in tests
}

// Defaults of Options.
const (
	DefaultAckWait  = 10 * time.Second
	DefaultAttempts = 3
)

// Coordinator is the campaign's side.
type Coordinator struct {
	o      Options
	info   Campaign
	server *server.Server
	nc     *nats.Conn
	js     jetstream.JetStream
	images jetstream.ObjectStore
	sent   uploads
	strays chan Stray
	back   chan struct{} // the connection is there again
	stop   context.CancelFunc
	ctx    context.Context
	wg     sync.WaitGroup
	count  counters
	rate   rate
	next   atomic.Uint64

	mu      sync.Mutex
	runs    map[uint64]*run
	workers map[string]*workerState
	changed func()
	feed    *feed
	labels  func() (covered, total int)

	saidAlone bool
	whole     []byte // the view of a generation, as it is sent
	wholeGen  uint64
}

// Open starts or joins a server and makes the campaign's streams there, or finds
// those of a coordinator before it: what that one had not handed back is forgotten,
// what workers had found for it is not.
func Open(ctx context.Context, o Options) (_ *Coordinator, err error) {
	if o.AckWait <= 0 {
		o.AckWait = DefaultAckWait
	}
	if o.Attempts <= 0 {
		o.Attempts = DefaultAttempts
	}
	if o.Note == nil {
		o.Note = func(string) {}
	}
	c := &Coordinator{o: o, runs: map[uint64]*run{}, workers: map[string]*workerState{}, changed: func() {},
		sent: uploads{one: newGate()}, strays: make(chan Stray, 4096), back: make(chan struct{}, 1),
		labels: func() (int, int) { return 0, 0 }}
	c.count.began = time.Now()
	c.ctx, c.stop = context.WithCancel(context.WithoutCancel(ctx))
	defer func() {
		if err != nil {
			c.abandon()
		}
	}()
	dir := filepath.Join(o.Dir, "cluster")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	id, err := identity(filepath.Join(dir, "id"))
	if err != nil {
		return nil, err
	}
	c.info = Campaign{Protocol: Protocol, ID: id, Epoch: fmt.Sprintf("%016x", rand.Uint64()), Version: o.Version,
		Program: o.Program, AckWait: o.AckWait, Attempts: o.Attempts}
	if err := c.dial(dir); err != nil {
		return nil, err
	}
	if err := c.streams(ctx); err != nil {
		return nil, err
	}
	return c, c.serveMetrics()
}

// identity is the campaign's name on a server, the same after every start.
func identity(path string) (string, error) {
	b, err := os.ReadFile(path)
	if err == nil && len(b) == 16 {
		return string(b), nil
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	id := hex.EncodeToString(fmt.Appendf(nil, "%08x", rand.Uint32()))
	return id, os.WriteFile(path, []byte(id), 0o600)
}

func (c *Coordinator) dial(dir string) (err error) {
	if c.o.URL != "" {
		s, err := readSecret(c.o.Secret)
		if err != nil {
			return err
		}
		c.nc, err = connect(c.o.URL, "klabel coordinator", s, append(c.o.dial, c.onBack())...)
		return err
	}
	var s *secret
	if c.server, s, err = startServer(c.o.Listen, dir, c.o.Secret); err != nil {
		return err
	}
	c.nc, err = connect("nats://"+serverName, "klabel coordinator", tokenOnly(s), nats.InProcessServer(c.server),
		c.onBack())
	if err != nil {
		return err
	}
	how := "without TLS and without a secret: this machine alone can reach it"
	flag := ""
	if s != nil {
		path := c.o.Secret
		if path == "" {
			path = filepath.Join(dir, "secret")
		}
		how, flag = "with TLS; the secret is "+path, " --secret FILE"
	}
	c.o.Note(fmt.Sprintf("workers join with: klabel work --join nats://%s%s (%s)", c.server.Addr(), flag, how))
	return nil
}

// onBack has results taken anew when the connection is there again.
func (c *Coordinator) onBack() nats.Option {
	return nats.ReconnectHandler(func(*nats.Conn) {
		select {
		case c.back <- struct{}{}:
		default:
		}
	})
}

// tokenOnly is for a connection within the process, which knows no TLS.
func tokenOnly(s *secret) *secret {
	if s == nil {
		return nil
	}
	return &secret{token: s.token}
}

// Addr is where the embedded server listens.
func (c *Coordinator) Addr() string {
	if c.server == nil {
		return ""
	}
	return c.server.Addr().String()
}

// streams makes what is kept on the server. Slices of an earlier start are nobody's
// any more, so that an embedded server has no need to write them down; its results
// are, and are judged.
func (c *Coordinator) streams(ctx context.Context) (err error) {
	if c.js, err = jetstream.New(c.nc, jetstream.WithPublishAsyncMaxPending(4096)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	if err := c.js.DeleteStream(ctx, c.info.slices()); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
		return fmt.Errorf("the queue of slices: %w", err)
	}
	storage := jetstream.FileStorage
	if c.server != nil {
		storage = jetstream.MemoryStorage
	}
	if _, err := c.js.CreateStream(ctx, jetstream.StreamConfig{Name: c.info.slices(), Storage: storage,
		Subjects: []string{c.info.subject("slice", "*")}, Retention: jetstream.WorkQueuePolicy}); err != nil {
		return fmt.Errorf("the queue of slices: %w", err)
	}
	results, err := c.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: c.info.results(),
		Subjects: []string{c.info.subject("out")}, Retention: jetstream.WorkQueuePolicy, Duplicates: 2 * time.Minute})
	if err != nil {
		return fmt.Errorf("the stream of results: %w", err)
	}
	if c.images, err = c.js.CreateOrUpdateObjectStore(ctx,
		jetstream.ObjectStoreConfig{Bucket: c.info.images()}); err != nil {
		return fmt.Errorf("the store of images: %w", err)
	}
	if err := c.listen(ctx, results); err != nil {
		return fmt.Errorf("the stream of results: %w", err)
	}
	for subject, f := range map[string]nats.MsgHandler{c.info.subject("beat"): c.beat, subjectHello: c.hello,
		c.info.subject("view", "get"): c.viewAsked, c.info.subject("status", "get"): c.statusAsked} {
		if _, err := c.nc.Subscribe(subject, f); err != nil {
			return err
		}
	}
	return nil
}

// offer makes the queue of an engine's slices.
func (c *Coordinator) offer(ctx context.Context, key string) error {
	_, err := c.js.CreateOrUpdateConsumer(ctx, c.info.slices(), jetstream.ConsumerConfig{Durable: consumer(key),
		FilterSubject: c.info.subject("slice", key), AckPolicy: jetstream.AckExplicitPolicy, AckWait: c.o.AckWait,
		MaxAckPending: -1, MaxWaiting: 8192})
	if err != nil {
		return fmt.Errorf("the queue of %s: %w", key, err)
	}
	c.mu.Lock()
	if !slices.Contains(c.info.Keys, key) {
		c.info.Keys = append(c.info.Keys, key)
	}
	c.mu.Unlock()
	return nil
}

// Close tells workers that the campaign is over and takes everything from the server.
func (c *Coordinator) Close() {
	c.mu.Lock()
	c.info.Ended = true
	info := c.info
	c.mu.Unlock()
	_ = c.send(subjectCampaigns, info)
	_ = c.nc.FlushTimeout(time.Second)
	c.shut()
}

// abandon ends the coordinator and leaves what is on the server to the next one.
func (c *Coordinator) abandon() { c.leave(false) }

func (c *Coordinator) shut() { c.leave(true) }

func (c *Coordinator) leave(remove bool) {
	c.stop()
	c.wg.Wait()
	if c.js != nil && remove && c.server == nil { // else all goes with the server's folder
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		for _, name := range []string{c.info.slices(), c.info.results(), "OBJ_" + c.info.images()} {
			if err := c.js.DeleteStream(ctx, name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
				log.Debugf("stream %s stays: %v", name, err)
			}
		}
		cancel()
	}
	if c.nc != nil {
		c.nc.Close()
	}
	if c.server != nil {
		c.server.Shutdown()
		c.server.WaitForShutdown()
		if remove {
			_ = os.RemoveAll(filepath.Join(c.o.Dir, "cluster", "streams"))
		}
	}
}
