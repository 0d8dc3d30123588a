package campaign

import (
	"context"
	"testing"
	"time"

	"klabel/label"
	"klabel/store"
)

// The first image goes on after its share of the time, when every function has had a
// turn, until the second image is made, and no longer.
func TestFirstImageGoesOn(t *testing.T) {
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels([]label.Label{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	for _, goesOn := range []bool{true, false} {
		c := &session{st: st, hadTurns: func() {}, judge: newJudge(st, nil, layout{}, "native", Silent{})}
		ways := []*way{{entry: 0, group: 0, near: map[label.ID]int{1: 0}},
			{entry: 1, group: 1, near: map[label.ID]int{1: 0}}}
		f := &follower{session: c, plan: newPlan(ways, time.Hour, 0, patience), cores: 1, open: c.isOpen,
			deadline: time.Now()} // its share is used up
		slices, tried := 0, 0
		f.tried = func() { tried++ }
		if goesOn {
			f.later = time.Now().Add(time.Hour)
		}
		f.do = func(_ context.Context, s slice) {
			if slices++; slices == 5 {
				f.end() // the second image is made
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			f.running--
			f.plan.told(s, time.Millisecond, 1, false)
			f.changed.Broadcast()
		}
		if err := f.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if want := map[bool]int{true: 5, false: 0}[goesOn]; slices != want || tried == 0 {
			t.Errorf("goes on %v: %d slices, want %d; another image was asked for %d times", goesOn, slices, want,
				tried)
		}
	}
}
