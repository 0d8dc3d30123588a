package campaign

import (
	"testing"
	"time"
)

// TestShares: the time left goes to those that wait, and the last one gets no more than there is.
func TestShares(t *testing.T) {
	for _, c := range []struct {
		left             time.Duration
		atATime, waiting int
		want             time.Duration
	}{
		{60 * time.Second, 2, 30, 4 * time.Second},
		{60 * time.Second, 2, 3, 40 * time.Second},
		{60 * time.Second, 2, 2, 60 * time.Second},
		{60 * time.Second, 4, 1, 60 * time.Second},
		{time.Second, 2, 100, leastProgram},
	} {
		if got := share(c.left, c.atATime, c.waiting); got != c.want {
			t.Errorf("%v for %d, %d at a time: %v, want %v", c.left, c.waiting, c.atATime, got, c.want)
		}
	}
}
