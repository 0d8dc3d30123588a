package campaign

import (
	"context"
	"testing"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/store"
)

func TestSplitEngines(t *testing.T) {
	for name, want := range map[string]struct {
		main string
		with bool
	}{
		"native": {"native", false}, "fuzz": {"fuzz", false}, "native+fuzz": {"native", true},
		"fuzz+klee":   {"klee", true},
		"auto+fuzz":   {"auto", true},
		"klee+native": {}, "fuzz+fuzz": {}, "native+fuzz+klee": {}, "+fuzz": {},
	} {
		main, extra, err := splitEngines(name, engineTable())
		if (err != nil) != (want.main == "") || main != want.main || (extra != nil) != want.with {
			t.Errorf("%s: %q, %v, %v", name, main, extra, err)
		}
	}
	if main, _, err := splitEngines("bogus", engineTable()); main != "bogus" || err != nil {
		t.Errorf("what is no engine is for others to say: %q, %v", main, err)
	}
}

// heard notes the tests that a run is given.
type heard []string

func (h *heard) Seed(test []byte) { *h = append(*h, string(test)) }

// Tests of an entry go to those who fuzz it, but for their own, and a fuzzer's to
// those who explore it; they are there for who begins later.
func TestSeeds(t *testing.T) {
	k := newJudge(nil, nil, layout{}, "native", Silent{})
	f, g := entry{number: 1, name: "f"}, entry{number: 2, name: "g"}
	var of, explored, og heard
	off := k.listen(f, fuzzName, &of, nil)
	k.listen(f, "native", &explored, nil)
	var _ engine.Seeded = &of
	k.listen(g, fuzzName, &og, nil)
	k.seeds.add(f, []byte("a"), "native", nil)
	k.seeds.add(f, []byte("b"), fuzzName, nil)
	k.seeds.add(f, []byte("c"), random, nil)
	off()
	k.seeds.add(f, []byte("d"), "native", nil)
	if len(of) != 2 || of[0] != "a" || of[1] != "c" || len(og) != 0 || len(explored) != 1 || explored[0] != "b" {
		t.Errorf("%q, %q, %q", of, og, explored)
	}
	none := k.seedsOf(g, fuzzName, nil)
	if all := k.seedsOf(f, fuzzName, nil); len(all) != 4 || string(all[3]) != "d" || len(none) != 0 {
		t.Errorf("%q", all)
	}
	if all := k.seedsOf(f, "native", nil); len(all) != 1 || string(all[0]) != "b" {
		t.Errorf("%q", all)
	}
	for range maxSeeds {
		k.seeds.add(g, []byte("x"), fuzzName, nil)
	}
	k.seeds.add(g, []byte("last"), fuzzName, nil)
	for name, most := range map[string]int{fuzzName: maxSeeds, "native": maxFollowed} {
		if all := k.seedsOf(g, name, nil); len(all) != most || string(all[most-1]) != "last" {
			t.Errorf("%s: %d", name, len(all))
		}
	}
}

// At the end of the time nobody waits for what is compiled still, and it is ended.
func TestBesideIsNotWaitedFor(t *testing.T) {
	ended := make(chan bool, 1)
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	if err := st.SetLabels([]label.Label{{ID: 1}}); err != nil {
		t.Fatal(err)
	}
	c := &session{beside: &beside{}, st: st}
	c.takeBeside(&besideProgram{done: make(chan struct{}), make: func(ctx context.Context) (engine.Program, error) {
		<-ctx.Done()
		ended <- true
		return engine.Program{}, ctx.Err()
	}})
	if _, ok := c.turnBeside(t.Context(), turn{}, time.Now().Add(time.Millisecond)); ok {
		t.Error("a turn of what is not compiled")
	}
	all := label.Verdict{Outcome: label.Normal, Hits: []label.ID{1}}
	if _, err := st.Record(store.TestResult{Name: "test1", Verdict: all, Data: []byte("KTEST")}); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.turnBeside(t.Context(), turn{}, time.Now().Add(time.Hour)); ok {
		t.Error("a turn where every label is resolved")
	}
	c.endBeside()
	if len(ended) != 1 {
		t.Error("it is compiled still")
	}
}

// A program that is dear to compile waits until every function has had a turn, and is not
// compiled where nothing would be left of the time.
func TestDearBeside(t *testing.T) {
	for _, c := range []struct {
		took, left    time.Duration
		early, begins bool
	}{
		{10 * time.Second, time.Minute, true, true},
		{30 * time.Second, time.Minute, false, true},
		{30 * time.Second, 9 * time.Second, false, false},
	} {
		s := &session{beside: &beside{}, began: time.Now(), firstTook: c.took,
			job: Job{Budget: time.Minute}, prog: &program{image: &image{}}}
		p := &besideProgram{done: make(chan struct{}), make: func(context.Context) (engine.Program, error) {
			return engine.Program{}, nil
		}}
		s.takeBeside(p)
		f := &follower{session: s, plan: newPlan([]*way{{near: ids(1)}}, time.Minute, 0, 0),
			deadline: time.Now().Add(c.left)}
		f.changed.L = &f.mu
		f.mu.Lock()
		f.besideReady(t.Context(), entry{})
		if p.begun.Load() != c.early {
			t.Errorf("%+v: begun at once is %v", c, !c.early)
		}
		f.plan.ways[0].slices = 1
		f.besideReady(t.Context(), entry{})
		f.mu.Unlock()
		if p.begun.Load() != c.begins {
			t.Errorf("%+v: begun is %v", c, !c.begins)
		}
		p.end()
	}
}
