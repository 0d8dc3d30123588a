package campaign

import (
	"sync"
	"testing"
	"time"

	"klabel/engine"
	"klabel/store"
)

// patientRun ends when it is told to, or by itself at once.
type patientRun struct {
	stats engine.Stats
	once  sync.Once
	stop  chan struct{} // nil: it has ended
}

func (r *patientRun) Dir() string               { return "" }
func (r *patientRun) Progress() engine.Progress { return engine.Progress{Paths: 1} }
func (r *patientRun) Stop() {
	if r.stop != nil {
		r.once.Do(func() { close(r.stop) })
	}
}

func (r *patientRun) Wait() (engine.Stats, error) {
	if r.stop != nil {
		<-r.stop
	}
	return r.stats, nil
}

// A helper that has seen all paths ends the first engine, whose notes then say nothing.
func TestHelperSeesAll(t *testing.T) {
	t.Parallel()
	first := &patientRun{stop: make(chan struct{}), stats: engine.Stats{Paths: 3, Notes: []string{"stopped"}}}
	h := helpLater(time.Millisecond, "", func() (engine.Run, error) {
		return &patientRun{stats: engine.Stats{Paths: 5, Complete: true}}, nil
	})
	x := &explorer{helper: &engine.Options{}}
	stats, err := x.wait([]engine.Run{first, h})
	if err != nil || !stats.Complete || stats.Paths != 8 || len(stats.Notes) > 0 {
		t.Errorf("%+v %v", stats, err)
	}
}

// A first engine that ends soon is all there was; one that ends later ends its helper.
func TestHelperIsNotNeeded(t *testing.T) {
	t.Parallel()
	started := make(chan *patientRun, 1)
	begin := func() (engine.Run, error) {
		r := &patientRun{stop: make(chan struct{}), stats: engine.Stats{Paths: 2, Notes: []string{"stopped"}}}
		started <- r
		return r, nil
	}
	x := &explorer{helper: &engine.Options{}}
	soon := &patientRun{stats: engine.Stats{Paths: 1, Notes: []string{"a limit"}}}
	stats, err := x.wait([]engine.Run{soon, helpLater(time.Hour, "", begin)})
	if err != nil || stats.Complete || stats.Paths != 1 || len(stats.Notes) != 1 || len(started) > 0 {
		t.Errorf("%+v %v, %d started", stats, err, len(started))
	}
	later := &patientRun{stop: make(chan struct{})}
	h := helpLater(0, "", begin)
	go func() { <-started; later.Stop() }()
	stats, err = x.wait([]engine.Run{later, h})
	if err != nil || stats.Complete || stats.Paths != 2 || len(stats.Notes) > 0 {
		t.Errorf("%+v %v", stats, err)
	}
}

// Progress tells of the paths of all explorations, and never of fewer than before.
func TestProgressCountsAllPaths(t *testing.T) {
	t.Parallel()
	st, err := store.Open(t.TempDir(), store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	x := &explorer{st: st, judge: &judge{paths: 5}}
	runs := []engine.Run{&patientRun{}, &patientRun{}}
	for range 2 {
		if got := x.progress(runs, 0).Paths; got != 7 {
			t.Errorf("%d paths, want 7", got)
		}
		runs = runs[1:] // the other one has ended, and is not yet counted
	}
}

// TestHelpAfter: where a core is idle, another engine comes soon; where the fuzzer has it, later.
func TestHelpAfter(t *testing.T) {
	const budget = time.Minute
	for _, c := range []struct {
		cores, portfolio int
		helped, beside   bool
		want             time.Duration
	}{
		{2, 1, true, false, joinAfter},
		{2, 1, true, true, budget / joinBeside},
		{3, 1, true, true, joinAfter},
		{1, 1, true, false, 0},
		{1, 1, true, true, 0},
		{2, 2, true, false, 0},
		{2, 1, false, false, 0},
	} {
		s := &session{job: Job{Parallel: c.cores, Portfolio: c.portfolio}, row: engineRow{helped: c.helped}}
		if c.beside {
			s.beside = &beside{}
		}
		if got := s.helpAfter(budget); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}
