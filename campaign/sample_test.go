package campaign

import (
	"testing"
	"time"

	"klabel/prune"
)

// TestSampleTimes holds the time for random inputs to a small part of the budget,
// however many entries there are.
func TestSampleTimes(t *testing.T) {
	for _, ways := range []int{2, 50, 600, 20000} {
		each, all := sampleTimes(time.Minute, 2, ways, ways)
		if each < sampleLeast || each > sampleTime {
			t.Errorf("%d entries: each gets %v", ways, each)
		}
		if all > time.Minute/5 {
			t.Errorf("%d entries: all get %v of a minute", ways, all)
		}
	}
	if _, all := sampleTimes(time.Hour, 2, 100, 400); all > time.Hour/20 {
		t.Errorf("a quarter of the entries gets %v of an hour", all)
	}
	if _, all := sampleTimes(time.Second, 2, 600, 600); all > sampleTime {
		t.Errorf("all get %v of a second", all)
	}
}

// A program that takes no input has one run, which covers most of its labels: it has time for it.
func TestMainHasTimeForARun(t *testing.T) {
	j := Job{TestTimeout: 2 * time.Second, Budget: 6 * time.Second}
	if got := j.briefest(30*time.Millisecond, 1, true); got != 1500*time.Millisecond {
		t.Errorf("main: %v", got)
	}
	if got := j.briefest(30*time.Millisecond, 9, false); got != samplePatience {
		t.Errorf("a function: %v", got)
	}
	if got := j.briefest(time.Millisecond, 1, false); got != sampleBriefest {
		t.Errorf("a function of many: %v", got)
	}
}

// Provers begin when every function has had a turn, and the quick one after a time all the same.
func TestTurnsAreAwaited(t *testing.T) {
	c := &session{turned: make(chan struct{})}
	if c.awaitTurns(t.Context(), time.Millisecond) {
		t.Error("they had no turn")
	}
	close(c.turned)
	if !c.awaitTurns(t.Context(), time.Hour) {
		t.Error("they had their turns")
	}
	if o := quick(prune.Options{MaxPairs: 5}); !o.Quick || len(o.Methods) != 1 {
		t.Errorf("%+v is not quick", o)
	}
}
