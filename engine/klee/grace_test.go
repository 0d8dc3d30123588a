package klee

import (
	"testing"
	"time"
)

// TestGrace: a short budget is not exceeded by several times as much, and the solver is taken away before
// KLEE is killed.
func TestGrace(t *testing.T) {
	for budget, want := range map[time.Duration]time.Duration{
		0: killGrace, 100 * time.Millisecond: leastGrace, 2 * time.Second: 2 * time.Second, time.Minute: killGrace,
	} {
		if got := grace(budget); got != want || got <= solverGrace {
			t.Errorf("%v: %v, want %v", budget, got, want)
		}
	}
}
