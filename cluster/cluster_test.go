package cluster

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/engine"
)

// TestWorkersKilled kills workers at random while they work: every label is covered
// in the end. KLABEL_CLUSTER_KILLS sets how many (4).
func TestWorkersKilled(t *testing.T) {
	kills := 4
	if n, err := strconv.Atoi(os.Getenv("KLABEL_CLUSTER_KILLS")); err == nil {
		kills = n
	}
	k := newCampaign(t, t.TempDir(), 6+kills, Options{Listen: "127.0.0.1:0", AckWait: 500 * time.Millisecond,
		Attempts: 1000})
	defer k.c.Close()
	dir := t.TempDir()
	var workers []*exec.Cmd
	for range 3 {
		workers = append(workers, startWorker(t, url(k.c), dir, "KLABEL_TEST_PAUSE=30ms"))
	}
	killed := make(chan int)
	over := make(chan struct{})
	go func() {
		n := 0
		for n < kills {
			select {
			case <-over:
				killed <- n
				return
			case <-time.After(time.Duration(100+rand.IntN(300)) * time.Millisecond):
			}
			i := rand.IntN(len(workers))
			workers[i].Process.Kill()
			workers[i].Wait()
			workers[i] = startWorker(t, url(k.c), dir, "KLABEL_TEST_PAUSE=30ms")
			n++
		}
		killed <- n
	}()
	failures := k.follow(5*time.Second, 5*time.Minute)
	close(over)
	n := <-killed
	k.check()
	if len(failures) > 0 {
		t.Errorf("slices failed: %q", failures)
	}
	s := k.c.Status()
	t.Logf("%d workers killed, %d slices, %d begun again, %d tests, %d twice, %d late", n, s.Slices, s.Redelivered,
		s.Tests, s.Twice, s.Strays)
	if n == 0 {
		t.Error("no worker was killed")
	}
}

// TestPoison sets aside a slice that ends every worker, with the reasons.
func TestPoison(t *testing.T) {
	k := newCampaign(t, t.TempDir(), 1, Options{Listen: "127.0.0.1:0", AckWait: 300 * time.Millisecond})
	defer k.c.Close()
	dir := t.TempDir()
	for range 4 {
		startWorker(t, url(k.c), dir)
	}
	_, err := k.slice("poison", 5*time.Second)
	if err == nil || !strings.Contains(err.Error(), "set aside after 3 failed attempts: worker ") ||
		strings.Count(err.Error(), "fell silent") != 3 {
		t.Errorf("got %v", err)
	}
	if s := k.c.Status(); s.SetAside != 1 {
		t.Errorf("status says %d set aside", s.SetAside)
	}
}

// TestServerRestarted takes the server away while workers work, and brings it back.
func TestServerRestarted(t *testing.T) {
	dir, addr := t.TempDir(), freePort(t)
	srv, _, err := startServer(addr, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	k := newCampaign(t, t.TempDir(), 6, Options{URL: "nats://" + addr, AckWait: time.Second, Attempts: 100})
	defer k.c.Close()
	work := t.TempDir()
	for range 2 {
		startWorker(t, "nats://"+addr, work, "KLABEL_TEST_PAUSE=40ms")
	}
	done := make(chan []string)
	go func() { done <- k.follow(10*time.Second, 2*time.Minute) }()
	for k.covered() < 10 {
		time.Sleep(20 * time.Millisecond)
	}
	srv.Shutdown()
	srv.WaitForShutdown()
	time.Sleep(time.Second)
	if srv, _, err = startServer(addr, dir, ""); err != nil {
		t.Fatal(err)
	}
	defer srv.Shutdown()
	if failures := <-done; len(failures) > 0 {
		t.Errorf("slices failed: %q", failures)
	}
	k.check()
}

// TestSuccessor begins a second coordinator where the first was lost with all it
// held: what workers had sent is judged, and the campaign ends.
func TestSuccessor(t *testing.T) {
	dir, addr := t.TempDir(), freePort(t)
	k := newCampaign(t, dir, 4, Options{Listen: addr, AckWait: time.Second})
	startWorker(t, url(k.c), t.TempDir(), "KLABEL_TEST_PAUSE=20ms")
	for k.e.(engine.Remote).Slots() == 0 {
		time.Sleep(20 * time.Millisecond)
	}
	out := t.TempDir() + "/run" // nobody watches it: nothing of it is judged
	if _, err := k.e.Start(t.Context(), engine.Program{Files: []string{k.program}, Entry: "f0"},
		engine.Options{Name: "f0", OutputDir: out, Budget: 5 * time.Second, Mode: engine.Greybox}); err != nil {
		t.Fatal(err)
	}
	for k.c.Status().Tests < 5 {
		time.Sleep(10 * time.Millisecond)
	}
	epoch := k.c.info.Epoch
	k.c.abandon()
	next := newCampaign(t, dir, 4, Options{Listen: addr, AckWait: time.Second})
	defer next.c.Close()
	if next.c.info.ID != k.c.info.ID || next.c.info.Epoch == epoch {
		t.Error("the second coordinator is not the first one's successor")
	}
	for end := time.Now().Add(2 * time.Minute); next.covered() < 5 && time.Now().Before(end); {
		next.strays()
		time.Sleep(10 * time.Millisecond)
	}
	if n := next.covered(); n < 5 {
		t.Errorf("%d labels covered by what the first one had not judged, want 5 at least", n)
	}
	next.follow(5*time.Second, time.Minute)
	next.check()
}

// TestDisorder sends a slice's messages twice and out of order.
func TestDisorder(t *testing.T) {
	k := newCampaign(t, t.TempDir(), 1, Options{Listen: "127.0.0.1:0"})
	defer k.c.Close()
	done := make(chan engine.Stats)
	go func() {
		stats, err := k.slice("f0", 5*time.Second)
		if err != nil {
			t.Error(err)
		}
		done <- stats
	}()
	for k.c.Status().Slices == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	say := func(kind string, id int, complete bool) {
		o := Out{Kind: kind, Epoch: k.c.info.Epoch, ID: 1, Attempt: 1, Worker: "w", Name: "f0", Engine: "fake",
			Mode: engine.Greybox}
		if kind == test {
			o.Test, o.Suffix = fakeTest(id), "assert.err"
			o.Error = fmt.Appendf(nil, "Error: ASSERTION FAIL: cov_label %d\n", id)
		}
		o.Stats.Complete = complete
		b, err := json.Marshal(o)
		if err == nil {
			_, err = k.c.js.Publish(t.Context(), k.c.info.subject("out"), b)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	say(test, 3, false)
	say(begun, 0, false)
	say(test, 3, false)
	say(test, 1, false)
	say(ended, 0, false)
	say(ended, 0, true) // a second end changes nothing
	say(test, 7, false) // late
	if stats := <-done; stats.Complete {
		t.Error("a second end counted")
	}
	for end := time.Now().Add(2 * time.Minute); k.covered() < 3 && time.Now().Before(end); {
		k.strays()
		time.Sleep(5 * time.Millisecond)
	}
	for _, id := range []int{1, 3, 7} {
		if !k.isCovered(id) {
			t.Errorf("label %d is not covered", id)
		}
	}
	if s := k.c.Status(); k.covered() != 3 || s.Twice != 1 || s.Strays != 1 {
		t.Errorf("%d covered, %+v", k.covered(), s)
	}
}
