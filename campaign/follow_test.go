package campaign

import (
	"context"
	"slices"
	"testing"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/store"
)

// follower1 follows a plan for two functions with an open label each; do is told of
// every slice, and says what it found.
func follower1(t *testing.T, do func(f *follower, w *way) int) *follower {
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	if err := st.SetLabels([]label.Label{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	c := &session{st: st, hadTurns: func() {}, judge: newJudge(st, nil, layout{}, "native", Silent{}),
		prog: &program{image: &image{}}}
	f := &follower{session: c, programs: map[int]engine.Program{}, cores: 1, open: c.isOpen, tried: func() {},
		deadline: time.Now().Add(time.Hour)}
	f.changed.L = &f.mu
	f.plan = newPlan([]*way{{group: 0, near: ids(1)}, {group: 1, near: ids(1)}}, time.Hour, 0, patience)
	f.do = func(_ context.Context, s slice) {
		found := do(f, s.way)
		f.mu.Lock()
		defer f.mu.Unlock()
		f.running--
		f.plan.told(s, time.Millisecond, found, false)
		f.changed.Broadcast()
	}
	return f
}

// While a portion is compiled engines work on what is there; what comes is worked on
// with it, and the end is when there is no more.
func TestPortionsComeBesideSlices(t *testing.T) {
	begun := 0
	var order []int
	f := follower1(t, func(f *follower, w *way) int {
		f.mu.Lock()
		defer f.mu.Unlock()
		order = append(order, w.entry.image)
		if f.coming && len(order) == 5 {
			f.mu.Unlock()
			f.add(engine.Program{}, []*way{{entry: entry{image: 1}, group: 0, rank: 1, near: ids(1)}})
			f.noMore()
			f.mu.Lock()
		}
		if len(order) == 40 {
			f.deadline = time.Now()
		}
		return 1
	})
	f.coming = true
	f.tried = func() { begun++ }
	if err := f.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if first := slices.Index(order, 1); begun == 0 || len(order) != 40 || first < 5 || f.plan.patience != 0 {
		t.Errorf("slices of images %v, patience %d; portions were asked for %d times", order, f.plan.patience, begun)
	}
}

// Where all that is there was tried in vain, the follower waits for what comes.
func TestWaitsForPortions(t *testing.T) {
	var order []int
	f := follower1(t, func(f *follower, w *way) int {
		order = append(order, w.entry.image)
		return 0
	})
	f.coming = true
	asked := make(chan bool, 1)
	f.tried = func() {
		select {
		case asked <- true:
		default:
		}
	}
	go func() {
		<-asked
		f.add(engine.Program{}, []*way{{entry: entry{image: 1}, group: 0, rank: 1, near: ids(1), complete: true}})
		f.add(engine.Program{}, []*way{{entry: entry{image: 2}, group: 0, rank: 2, near: ids(1), failed: true}})
		f.mu.Lock()
		f.deadline = time.Now()
		f.mu.Unlock()
		f.noMore()
	}()
	if err := f.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(f.plan.ways) != 4 {
		t.Errorf("it ended with %d ways, before all had come", len(f.plan.ways))
	}
}
