package campaign

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/fault"
	"klabel/ktest"
)

// TestObservingTime: C tests are not waited for long after the budget, but where others
// have the processors.
func TestObservingTime(t *testing.T) {
	for _, c := range []struct {
		took, used time.Duration
		busy       float64
	}{
		{time.Second, 2 * time.Second, 1}, // two compilers, side by side
		{time.Second, 1200 * time.Millisecond, 1},
		{10 * time.Second, 3 * time.Second, 4},
		{time.Second, 0, 1},
		{time.Hour, time.Millisecond, mostBusy},
	} {
		if got := busyness(c.took, c.used); got < c.busy*0.99 || got > c.busy*1.01 {
			t.Errorf("%v with %v of processors: %v, want %v", c.took, c.used, got, c.busy)
		}
	}
	budget := 30 * time.Second
	c := &session{busy: 10, job: Job{Budget: budget}, began: time.Now().Add(-budget)}
	if left, most := c.observingTime(); left > afterBudget || most < 10*afterBudget-10*time.Second ||
		most > longestObserving {
		t.Errorf("a busy machine: %v, at most %v", left, most)
	}
	budget = 10 * time.Minute
	c.job.Budget, c.began = budget, time.Now().Add(-budget)
	if _, most := c.observingTime(); most > afterBudget {
		t.Errorf("a busy machine, a long budget: %v", most)
	}
	c.busy = 1
	if _, most := c.observingTime(); most > afterBudget {
		t.Errorf("the time is up: %v", most)
	}
	c.began = time.Now()
	if left, _ := c.observingTime(); left < budget {
		t.Errorf("all time is left: %v", left)
	}
	c.job = Job{Budget: 2 * time.Second, FunctionBudget: time.Second}
	if left, most := c.observingTime(); left != longestObserving || most != left {
		t.Errorf("time for each function: %v, at most %v", left, most)
	}
	// Who has had a processor for as long as that ends, whatever the clock says of a busy machine.
	c = &session{busy: mostBusy, job: Job{Budget: leastObserving}, began: time.Now().Add(-time.Hour)}
	ctx, stop := c.observing(t.Context())
	defer stop()
	for begin := time.Now(); ctx.Err() == nil; { // uses one
		if time.Since(begin) > longestObserving/2 {
			t.Fatal("it goes on")
		}
	}
}

// TestStartingLeft: what comes before the engines ends with the budget, later only where the
// budget is short and others have the processors.
func TestStartingLeft(t *testing.T) {
	const s = time.Second
	for _, c := range []struct{ budget, spent, used, want time.Duration }{
		{2 * time.Minute, 2 * time.Minute, s, 0},
		{time.Minute, time.Minute, s, 0},
		{5 * s, 5 * s, 2 * s, s},
		{5 * s, 8 * s, 15 * s, 0}, // all of two processors
		{5 * s, time.Minute - s/2, 2 * s, s / 2},
		{5 * s, time.Minute, 2 * s, 0},
	} {
		if got := startingLeft(c.budget, c.spent, c.used); got != c.want {
			t.Errorf("%v of %v with %v of processors: %v, want %v", c.spent, c.budget, c.used, got, c.want)
		}
	}
}

// TestStartingEnds: what computes at the start of a run is left behind when the budget is
// over, and the run says so.
func TestStartingEnds(t *testing.T) {
	c := &session{job: Job{Budget: leastStarting}, row: engineRow{name: "an engine"},
		began: time.Now().Add(-leastStarting)}
	ctx, stop := c.starting(t.Context())
	defer stop()
	forever := make(chan struct{})
	defer close(forever)
	_, err := until(ctx, func() (int, error) { <-forever; return 0, nil })
	if err = c.tooLong(ctx, err); !errors.Is(err, errLate) || fault.Hint(err) == "" {
		t.Errorf("%v, hint %q", err, fault.Hint(err))
	}
	if err := c.tooLong(ctx, nil); err != nil {
		t.Error(err)
	}
}

// TestNotCompiledInTime: a run that could not compile what replays has ended with its budget,
// covers nothing, says so, and leaves the tests that wait.
func TestNotCompiledInTime(t *testing.T) {
	dir := t.TempDir()
	source := filepath.Join(dir, "bits.c")
	if err := os.WriteFile(source, []byte(eightBits), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := newSession(Job{Sources: []Source{{Path: source}}, OutputDir: filepath.Join(dir, "out"), Engine: "native",
		Mode: engine.Naive, Prune: PruneNever, NoSanitizers: true, Workers: 1, Budget: leastStarting}, testTools(t, ""),
		Silent{})
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	if err := errors.Join(c.chooseEngine(), c.read(t.Context()), c.openStore()); err != nil {
		t.Fatal(err)
	}
	test := (&ktest.Test{Version: ktest.Version, Args: []string{"x"}}).Bytes()
	line, err := json.Marshal(waitingTest{Test: test})
	if err = errors.Join(err, os.WriteFile(c.layout.waiting(), line, 0o666)); err != nil {
		t.Fatal(err)
	}
	c.began = c.began.Add(-leastStarting)
	if err := c.openJudge(t.Context()); !errors.Is(err, errLate) {
		t.Fatal(err)
	}
	sum, err := c.withoutJudge(t.Context())
	if err != nil || sum.Labels.Total == 0 || sum.Labels.Unknown != sum.Labels.Total || !exists(c.layout.waiting()) {
		t.Errorf("%+v, %v", sum.Labels, err)
	}
	if notes := strings.Join(sum.Notes, "\n"); !strings.Contains(notes, "the budget of 1m0s is too short: reading and "+
		"compiling took all of it; --budget 4m0s") {
		t.Error(notes)
	}
}

// TestLeastForEngines: a run whose compilers went beyond a short budget does not go beyond
// it as far again, but where others have the processors.
func TestLeastForEngines(t *testing.T) {
	const s = time.Second
	for _, c := range []struct {
		budget, spent time.Duration
		busy          float64
		want          time.Duration
	}{
		{time.Minute, time.Minute - s, 1, 2 * s},
		{3 * s, 2 * s, 1, 2 * s},
		{3 * s, 3*s + s/2, 1, 3 * s / 2},
		{3 * s, 7 * s, 1, s},
		{s / 2, 7 * s, 1, s / 2},
		{3 * s, 30 * s, 8, 3 * s},
		{time.Minute, 2 * time.Minute, 8, s},
		{time.Minute / 2, time.Minute, 8, 5 * s},
	} {
		if got := leastFor(c.budget, c.spent, c.busy); got != c.want {
			t.Errorf("%v of %v spent, busy %v: %v, want %v", c.spent, c.budget, c.busy, got, c.want)
		}
	}
}
