package cluster

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/pprof"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats-server/v2/server/ats"

	"klabel/engine"
	"klabel/label"
)

// bubble runs f in virtual time. The server's clock for the ages of what it caches is
// one goroutine of the process, which must not be of the bubble.
func bubble(t *testing.T, f func(t *testing.T)) {
	ats.Register()
	defer ats.Unregister()
	synctest.Test(t, f)
}

// TestWeather kills workers, cuts links, restarts the server and loses coordinators with
// all that they held, over and over, on links of 300 ms: every label is covered in the
// end, and no other. KLABEL_CLUSTER_KILLS sets how many workers die at least (4).
func TestWeather(t *testing.T) {
	least := 4
	if n, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_KILLS")); err == nil {
		least = n
	}
	dir := t.TempDir()
	bubble(t, func(t *testing.T) {
		s := simulate(t, dir, 300*time.Millisecond)
		const pause = 700 * time.Millisecond
		var machines []*machine
		for i := range 8 {
			machines = append(machines, s.worker(fmt.Sprint("w", i), pause, nil))
		}
		over, kills := make(chan struct{}), make(chan int)
		go func() { kills <- s.weather(machines, pause, over) }()
		o := Options{URL: "nats://simulated", dial: s.link().dial(), Attempts: 1000}
		begin, entries := time.Now(), 10+least/2
		open := func() *campaign {
			if err := s.steady.enter(t.Context()); err != nil {
				t.Fatal(err)
			}
			defer s.steady.leave()
			return newCampaign(t, dir, entries, o)
		}
		k := open()
		for range 1 + least/10 {
			k.loseCoordinator(8, 10*time.Second+time.Duration(rand.Int64N(int64(15*time.Second))))
			k = open()
		}
		failures := k.follow(time.Minute, 2*time.Hour)
		close(over)
		n := <-kills
		k.check()
		if len(failures) > 0 {
			t.Errorf("slices failed: %q", failures)
		}
		st := k.c.Status()
		t.Logf("%v: %d workers killed; of the last coordinator: %d slices, %d begun again, %d tests, %d twice, %d late",
			time.Since(begin), n, st.Slices, st.Redelivered, st.Tests, st.Twice, st.Strays)
		if n < least {
			t.Errorf("only %d workers were killed", n)
		}
		s.end(k, machines)
	})
}

// loseCoordinator has entries explored, n at a time, and the coordinator lost at some moment of it.
func (k *campaign) loseCoordinator(n int, after time.Duration) {
	for e := range n {
		_, err := k.e.Start(k.t.Context(), engine.Program{Files: []string{k.program}, Entry: fmt.Sprint("f", e)},
			engine.Options{Name: fmt.Sprint("f", e), OutputDir: filepath.Join(k.dir, "lost"), Budget: 20 * time.Second,
				Mode: engine.Greybox})
		if err != nil {
			k.t.Log(err) // the server is down just now
		}
	}
	k.c.mu.Lock()
	var runs []*run
	for _, r := range k.c.runs {
		runs = append(runs, r)
	}
	k.c.mu.Unlock()
	var wg sync.WaitGroup
	for _, r := range runs {
		wg.Go(func() {
			for f := range r.Tests() {
				k.judge(r.slice.Name, f)
			}
		})
	}
	time.Sleep(after)
	k.lost.Store(true)
	k.c.abandon()
	for _, r := range runs { // only for the goroutines to end
		r.finish(engine.Stats{}, nil)
	}
	wg.Wait()
}

// end has everything of a simulation end.
func (s *simulated) end(k *campaign, machines []*machine) {
	for _, m := range machines {
		m.stop()
	}
	k.c.Close()
	s.down()
	time.Sleep(5 * time.Minute) // what still waits for something gives up
}

// TestSimulation measures KLABEL_CLUSTER_SIMULATE workers in virtual time: messages and
// tests a second, how late workers know, and with Go's profiler the processor time of the
// coordinator's side a virtual second. KLABEL_CLUSTER_LABELS (500000), KLABEL_CLUSTER_TIME (1m)
// and KLABEL_CLUSTER_PAUSE (1s, of the engine before each test) say what is simulated.
// Links take 10 ms.
func TestSimulation(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_SIMULATE"))
	if err != nil {
		t.Skip("KLABEL_CLUSTER_SIMULATE is not set")
	}
	labels, most, pause := 500_000, time.Minute, time.Second
	if l, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_LABELS")); err == nil {
		labels = l
	}
	if d, err := time.ParseDuration(os.Getenv("KLABEL_CLUSTER_TIME")); err == nil {
		most = d
	}
	if d, err := time.ParseDuration(os.Getenv("KLABEL_CLUSTER_PAUSE")); err == nil {
		pause = d
	}
	dir := t.TempDir()
	profile, err := os.Create(filepath.Join(dir, "cpu"))
	if err != nil {
		t.Fatal(err)
	}
	defer profile.Close()
	if err := pprof.StartCPUProfile(profile); err != nil { // its goroutine is not of the bubble
		t.Fatal(err)
	}
	bubble(t, func(t *testing.T) {
		s := simulate(t, dir, 10*time.Millisecond)
		k := newCampaign(t, dir, labels/fakeLabels, Options{URL: "nats://simulated", dial: s.link().dial()})
		k.times = make([]byte, 8*labels)
		var lags histogram
		seen := func(id int, st label.Status) {
			if at := *timeOf(k.times, id); st == label.Covered && at != 0 {
				lags.add(time.Duration(time.Now().UnixNano() - at))
			}
		}
		var machines []*machine
		for i := range n {
			machines = append(machines, s.worker(fmt.Sprint("w", i), pause, seen))
		}
		for k.c.Status().Slots < n {
			time.Sleep(time.Second)
		}
		before, begin, real := k.c.Status(), time.Now(), cpu()
		pprof.Do(t.Context(), pprof.Labels("side", "driver"), func(context.Context) { k.drive(n, most) })
		took, after := time.Since(begin), k.c.Status()
		per := func(a, b uint64) float64 { return float64(b-a) / took.Seconds() }
		t.Logf("%d workers, %d labels, %v: %.1f slices/s, %.1f tests/s, %.1f messages/s (%.0f kB/s), "+
			"%.1f views/s to each, %d covered, %d begun again; view lag %v; %.2f s of processor time a second in all",
			n, labels, took,
			per(before.Ended, after.Ended), per(before.Tests, after.Tests), per(before.Messages, after.Messages),
			per(before.Bytes, after.Bytes)/1000, per(before.Updates, after.Updates), k.covered(), after.Redelivered,
			&lags, (cpu()-real).Seconds()/took.Seconds())
		if k.wrong.Load() > 0 || k.covered() == 0 {
			t.Errorf("%d wrong, %d covered", k.wrong.Load(), k.covered())
		}
		s.end(k, machines)
	})
	pprof.StopCPUProfile()
	out, err := exec.Command("go", "tool", "pprof", "-top", "-nodecount=1000000", "-nodefraction=0",
		"-tagignore=side=worker|link|driver", profile.Name()).Output()
	line := regexp.MustCompile("(?m)^Showing nodes accounting for.*").Find(out)
	t.Logf("the coordinator, its server and the garbage collector, joining included: %s (%v)", line, err)
}

// histogram counts times by milliseconds.
type histogram struct{ count [100_000]atomic.Uint32 }

func (h *histogram) add(d time.Duration) {
	h.count[min(max(int(d/time.Millisecond), 0), len(h.count)-1)].Add(1)
}

func (h *histogram) String() string {
	total := 0
	for i := range h.count {
		total += int(h.count[i].Load())
	}
	at := func(percent int) (ms int) {
		left := total * percent / 100
		for ms = range h.count {
			if left -= int(h.count[ms].Load()); left < 0 {
				return ms
			}
		}
		return ms
	}
	return fmt.Sprintf("median %d ms, 95 %% %d ms, 99 %% %d ms of %d", at(50), at(95), at(99), total)
}
