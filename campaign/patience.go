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
// test of a program with a main of its own that is out of time and has met open
// labels is given more time, as long as that leads to something. Entries that
// klabel makes up are not: what runs on there is a list that is a ring. The first test
// of such an entry that runs out of time is a finding; the next ones get an eighth of that and less, until one
// ends, and where they have taken a part of the campaign all are brief: two seconds for each of a
// hundred rings would be all of its time.

const (
	firstHalvings = 3 // of the limit, once a test of the entry ran out of it
	mostHalvings  = 4
	patient       = 10 // times the limit of a replay
	impatientAt   = 2  // tests for which that was too little as well
	ofBudget      = 8  // a program with inputs has other tests: so much of the budget, at most, for one
)

// extension says how much more time tests get.
type extension struct {
	limit time.Duration
	until time.Time // not beyond that
	part  time.Duration
	busy  bool // one at a time: other tests wait for the workers
	lost  int  // tests that did not come to an end in it
}

// of is how long a test may take that took so long before, 0 if no longer.
func (x *extension) of(t *ktest.Test, took time.Duration) time.Duration {
	limit := min(x.limit, time.Until(x.until))
	if len(t.StripChoices().Objects) > 0 {
		limit = min(limit, x.part)
	}
	if x.busy || x.lost >= impatientAt || limit <= 2*took {
		return 0
	}
	return limit
}

// run replays a test, with patience.
func (k *judge) run(ctx context.Context, e entry, t *ktest.Test) (label.Verdict, []replayer.Asked, error) {
	v, asked, err := k.poolOf(e).ReplayBriefly(ctx, e.number, t, k.briefly(e))
	k.noteEnd(e, v, err)
	if err != nil || v.Outcome != label.TimedOut || replayer.Starved(v) || !e.ownMain() || !k.meetsOpen(v.Hits) {
		return v, asked, err
	}
	k.mu.Lock()
	limit := k.patience.of(t, v.Duration)
	k.patience.busy = k.patience.busy || limit > 0
	k.mu.Unlock()
	if limit == 0 {
		return v, asked, nil
	}
	v, asked, err = k.poolOf(e).ReplayWithin(ctx, e.number, t, limit)
	k.mu.Lock()
	k.patience.busy = false
	late := err == nil && v.Outcome == label.TimedOut
	if late {
		k.patience.lost++
	}
	k.mu.Unlock()
	if late {
		k.obs.Note(fmt.Sprintf("a test that meets open labels takes longer than %v: a larger --budget or "+
			"--test-timeout gives it more", limit.Round(time.Millisecond)))
	}
	return v, asked, err
}

// briefly is how long the next test of an entry may take: by the clock, and so longer on
// a machine that others keep busy.
func (k *judge) briefly(e entry) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.all {
		return k.limit // the user's own tests
	}
	n := k.hung[e.name]
	if n > 0 {
		n = min(n+firstHalvings-1, mostHalvings)
	}
	if k.hangs > 0 && k.hanging > k.hangs && !e.ownMain() {
		n = mostHalvings
	}
	if n == 0 {
		return k.limit
	}
	return min(k.limit, time.Duration(float64(k.limit>>n)*max(1, k.load())))
}

// noteEnd counts the tests of an entry that ran out of time since one ended.
func (k *judge) noteEnd(e entry, v label.Verdict, err error) {
	if err != nil || e.ownMain() {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if v.Outcome == label.TimedOut {
		k.hung[e.name]++
		k.hanging += v.Duration
	} else {
		k.hung[e.name] = 0
	}
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
