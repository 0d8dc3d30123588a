package cluster

import (
	"context"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"klabel/engine"
	"klabel/ktest"
	"klabel/label"
	"klabel/liveview"
	"klabel/replayer"
)

// fake is an engine that finds the labels of an entry, "f3" those from 3*fakeLabels
// on, one after another, as long as its live view says that they are open. It writes
// tests as the real ones do. An entry "poison" ends its process.
type fake struct{ pause time.Duration }

const fakeLabels = 20

func (fake) Name() string    { return "fake" }
func (fake) Version() string { return "1" }
func (fake) Close() error    { return nil }

type fakeRun struct {
	dir   string
	stop  context.CancelFunc
	done  chan struct{}
	stats engine.Stats
}

func (r *fakeRun) Dir() string                 { return r.dir }
func (r *fakeRun) Stop()                       { r.stop() }
func (r *fakeRun) Progress() engine.Progress   { return engine.Progress{Paths: 1} }
func (r *fakeRun) Wait() (engine.Stats, error) { <-r.done; return r.stats, nil }

func labelsOf(entry string) (first, to int) {
	n, _ := strconv.Atoi(entry[1:])
	return n * fakeLabels, (n + 1) * fakeLabels
}

func fakeTest(id int) []byte {
	x := ktest.Object{Name: "x", Data: binary.LittleEndian.AppendUint32(nil, uint32(id))}
	return (&ktest.Test{Objects: []ktest.Object{x}}).Bytes()
}

func (f fake) Start(ctx context.Context, p engine.Program, o engine.Options) (engine.Run, error) {
	if p.Entry == "poison" {
		os.Exit(7)
	}
	if err := os.Mkdir(o.OutputDir, 0o777); err != nil {
		return nil, err
	}
	r := &fakeRun{dir: o.OutputDir, done: make(chan struct{})}
	ctx, r.stop = context.WithTimeout(ctx, o.Budget)
	go func() {
		defer close(r.done)
		defer r.stop()
		n := 0
		first, to := labelsOf(p.Entry)
		view, err := os.Open(o.LiveView)
		if err != nil {
			return
		}
		defer view.Close()
		for id := first; id < to; id++ {
			var status [1]byte
			if _, err := view.ReadAt(status[:], int64(liveview.Header+id)); err != nil ||
				!label.Status(status[0]).Open() {
				continue
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(f.pause):
			}
			n++
			stem := filepath.Join(r.dir, fmt.Sprintf("test%06d", n))
			os.WriteFile(stem+".ktest", fakeTest(id), 0o666)
			os.WriteFile(stem+".assert.err", fmt.Appendf(nil, "Error: ASSERTION FAIL: cov_label %d\n", id), 0o666)
		}
		r.stats = engine.Stats{Complete: true, Tests: uint64(n)}
	}()
	return r, nil
}

// TestMain is also a worker with the fake engine, in a process of its own.
func TestMain(m *testing.M) {
	if url := os.Getenv("KLABEL_TEST_WORKER"); url != "" {
		fakeWorkers(url)
		return
	}
	os.Exit(m.Run())
}

func fakeWorkers(url string) {
	n, _ := strconv.Atoi(os.Getenv("KLABEL_TEST_WORKERS"))
	pause, _ := time.ParseDuration(os.Getenv("KLABEL_TEST_PAUSE"))
	dir := os.Getenv("KLABEL_TEST_DIR")
	var wg sync.WaitGroup
	for i := range max(n, 1) {
		wg.Go(func() {
			work := filepath.Join(dir, fmt.Sprint("work", os.Getpid(), "-", i))
			os.MkdirAll(work, 0o700)
			err := Work(context.Background(), WorkerOptions{URL: url, Slots: 1, Version: "test", Sweep: true,
				Name:  fmt.Sprintf("w%d-%d", os.Getpid(), i), // as many would be given one name twice by chance
				Cache: filepath.Join(dir, "cache"), Work: work, Once: n > 1, seen: lagSeen(dir),
				Engines: []Able{{Key("fake", "1", 1), fake{pause}}}})
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		})
	}
	wg.Wait()
	lagReport(dir)
}

// startWorker starts such a process.
func startWorker(t testing.TB, url, dir string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "KLABEL_TEST_WORKER="+url, "KLABEL_TEST_DIR="+dir), env...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if testing.Verbose() {
		cmd.Stderr = os.Stderr
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	return cmd
}

// campaign is what a campaign does of a cluster's: plan, judge and store.
type campaign struct {
	t       testing.TB
	dir     string
	c       *Coordinator
	e       engine.Engine
	program string
	mem     []byte // the store's live view
	entries int
	runs    atomic.Int64
	judged  sync.Map // labels to how often
	wrong   atomic.Int64
	lost    atomic.Bool // its coordinator is: what comes now is for the next one
	wake    chan struct{}
	times   []byte // when a label was covered, for the lag
}

func newCampaign(t testing.TB, dir string, entries int, o Options) *campaign {
	t.Helper()
	k := &campaign{t: t, dir: dir, entries: entries, program: filepath.Join(dir, "p.bc"), wake: make(chan struct{}, 1)}
	view := filepath.Join(dir, "live.view")
	if _, err := os.Stat(view); err != nil {
		statuses := liveview.File(make([]byte, entries*fakeLabels))
		for path, b := range map[string][]byte{k.program: []byte("BC"), view: statuses} {
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	k.mem = mapFile(t, view)
	o.Dir, o.Version, o.Program = dir, "test", "fake"
	var err error
	if k.c, err = Open(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if k.e, err = k.c.Engine(t.Context(), fake{}, 1); err != nil {
		t.Fatal(err)
	}
	if err := k.c.Begin(view, func() (int, int) { return k.covered(), entries * fakeLabels }, func() {
		select {
		case k.wake <- struct{}{}:
		default:
		}
	}); err != nil {
		t.Fatal(err)
	}
	return k
}

func mapFile(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	st, _ := f.Stat()
	mem, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Munmap(mem) })
	return mem
}

func (k *campaign) covered() (n int) {
	for id := range k.entries * fakeLabels {
		if k.isCovered(id) {
			n++
		}
	}
	return n
}

func (k *campaign) isCovered(id int) bool {
	w, shift := liveview.Word(k.mem, id)
	return label.Status(atomic.LoadUint32(w)>>shift) == label.Covered
}

// judge commits what a test covers.
func (k *campaign) judge(entry string, f replayer.TestFile) {
	if k.lost.Load() {
		return
	}
	if f.Problem != nil || !f.HasLabel {
		k.wrong.Add(1)
		return
	}
	id := int(f.Label)
	if first, to := labelsOf(entry); id < first || id >= to || string(f.Test.Bytes()) != string(fakeTest(id)) {
		k.wrong.Add(1)
		return
	}
	n, _ := k.judged.LoadOrStore(id, new(atomic.Int64))
	n.(*atomic.Int64).Add(1)
	if k.times != nil && !k.isCovered(id) {
		*timeOf(k.times, id) = time.Now().UnixNano()
	}
	v := viewFile{mem: k.mem, n: k.entries * fakeLabels}
	v.set(id, label.Covered)
}

// slice has one explored and judged, as package campaign does.
func (k *campaign) slice(entry string, budget time.Duration) (engine.Stats, error) {
	dir := filepath.Join(k.dir, fmt.Sprint("run", k.runs.Add(1), "-", os.Getpid()))
	defer os.RemoveAll(dir)
	r, err := k.e.Start(k.t.Context(), engine.Program{Files: []string{k.program}, Entry: entry},
		engine.Options{Name: entry, OutputDir: dir, Budget: budget, Mode: engine.Greybox})
	if err != nil {
		return engine.Stats{}, err
	}
	tests := r.(*run).Tests()
	judged := make(chan struct{})
	go func() {
		for f := range tests {
			k.judge(entry, f)
		}
		close(judged)
	}()
	stats, err := r.Wait()
	<-judged
	r.(engine.Storing).Stored()
	return stats, err
}

func (k *campaign) strays() {
	for {
		select {
		case s := <-k.c.Strays():
			k.judge(s.Name, replayer.ReadTest("stray", s.Test, s.Suffix, s.Error))
			s.Judged()
		default:
			return
		}
	}
}

// follow explores every entry until all of its labels are covered, as many at a
// time as the workers do, and returns the errors of slices.
func (k *campaign) follow(budget, most time.Duration) (failures []string) {
	var mu sync.Mutex
	changed := make(chan struct{}, 1)
	running := map[int]bool{}
	end := time.Now().Add(most)
	for {
		k.strays()
		mu.Lock()
		var next []int
		left := 0
		for e := range k.entries {
			open := slices.ContainsFunc(ids(e), func(id int) bool { return !k.isCovered(id) })
			if open {
				left++
			}
			if open && !running[e] && len(running)+len(next) < k.e.(engine.Remote).Slots() {
				next = append(next, e)
			}
		}
		for _, e := range next {
			running[e] = true
			go func() {
				_, err := k.slice(fmt.Sprint("f", e), budget)
				mu.Lock()
				delete(running, e)
				if err != nil {
					failures = append(failures, err.Error())
				}
				mu.Unlock()
				select {
				case changed <- struct{}{}:
				default:
				}
			}()
		}
		idle := len(running) == 0
		mu.Unlock()
		if left == 0 && idle {
			return failures
		}
		if time.Now().After(end) {
			k.t.Fatalf("not at its end after %v: %d entries open, %+v", most, left, k.c.Status())
		}
		select {
		case <-changed:
		case <-k.wake:
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func ids(e int) (out []int) {
	for id := e * fakeLabels; id < (e+1)*fakeLabels; id++ {
		out = append(out, id)
	}
	return out
}

func (k *campaign) check() {
	k.t.Helper()
	if n := k.covered(); n != k.entries*fakeLabels {
		k.t.Errorf("%d of %d labels covered", n, k.entries*fakeLabels)
	}
	if n := k.wrong.Load(); n > 0 {
		k.t.Errorf("%d tests came that are none", n)
	}
}

func freePort(t testing.TB) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func url(c *Coordinator) string { return "nats://" + strings.TrimPrefix(c.Addr(), "nats://") }
