package campaign

import (
	"testing"
	"time"
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
	budget := 10 * time.Minute
	c := &session{busy: 40, job: Job{Budget: budget}, began: time.Now().Add(-budget)}
	if got := c.observingTime(); got < 40*afterBudget-time.Second || got > budget {
		t.Errorf("a busy machine: %v", got)
	}
	c.busy = 1
	if got, most := c.observingTime(), time.Duration(max(1, machineLoad())*1.1*float64(afterBudget)); got > most {
		t.Errorf("the time is up: %v, at most %v", got, most)
	}
	c.began = time.Now()
	if got := c.observingTime(); got < budget {
		t.Errorf("all time is left: %v", got)
	}
	c.job = Job{Budget: 2 * time.Second, FunctionBudget: time.Second}
	if got := c.observingTime(); got != observing {
		t.Errorf("time for each function: %v", got)
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
		{time.Minute, 2 * time.Minute, 8, 5 * s},
	} {
		if got := leastFor(c.budget, c.spent, c.busy); got != c.want {
			t.Errorf("%v of %v spent, busy %v: %v, want %v", c.spent, c.budget, c.busy, got, c.want)
		}
	}
}
