package campaign

import (
	"context"
	"fmt"
	"time"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
)

// A program with one long path, a benchmark with all its inputs in it say, may
// take longer than the limit of a replay, which is there for the thousands of
// tests of other programs. Its only test then decides about all labels. So a
// test that is out of time and has met open labels is given more time, as long as
// that leads to something.

const (
	patient     = 10 // times the limit of a replay
	impatientAt = 2  // tests for which that was too little as well
)

// extension says how much more time tests get.
type extension struct {
	limit time.Duration
	until time.Time // not beyond that
	lost  int       // tests that did not come to an end in it
}

// run replays a test, with patience.
func (k *judge) run(ctx context.Context, e entry, t *ktest.Test) (label.Verdict, []replayer.Asked, error) {
	v, asked, err := k.pool.ReplayWhole(ctx, e.number, t)
	if err != nil || v.Outcome != label.TimedOut || !k.meetsOpen(v.Hits) {
		return v, asked, err
	}
	k.mu.Lock()
	limit := min(k.patience.limit, time.Until(k.patience.until))
	worth := k.patience.lost < impatientAt && limit > 2*v.Duration
	k.mu.Unlock()
	if !worth {
		return v, asked, nil
	}
	v, asked, err = k.pool.ReplayWithin(ctx, e.number, t, limit)
	if err == nil && v.Outcome == label.TimedOut {
		k.mu.Lock()
		k.patience.lost++
		k.mu.Unlock()
		k.obs.Note(fmt.Sprintf("a test that meets open labels takes longer than %v: a larger --budget or "+
			"--test-timeout gives it more", limit.Round(time.Millisecond)))
	}
	return v, asked, err
}

// meetsOpen reports whether one of the labels is still to be covered.
func (k *judge) meetsOpen(hits []label.ID) bool {
	for _, id := range hits {
		if s, ok := k.st.Status(id); ok && s.Status != label.Covered {
			return true
		}
	}
	return false
}
