package store_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/engine"
	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

func labels(n int) []label.Label {
	var out []label.Label
	for i := 1; i <= n; i++ {
		out = append(out, label.Label{ID: label.ID(i), Tags: []string{"CC"}, Predicate: fmt.Sprintf("x == %d", i),
			Position: label.Position{File: "f.c", Line: i}, Function: "f"})
	}
	return out
}

func result(name string, hits ...label.ID) store.TestResult {
	return store.TestResult{Name: name, Hash: "h-" + name, Data: []byte("data of " + name), Engine: "klee",
		Verdict: label.Verdict{Outcome: label.Normal, Hits: hits}}
}

func open(t *testing.T, n int) *store.Store {
	t.Helper()
	s := storetest.Open(t, t.TempDir(), store.Options{})
	if err := s.SetLabels(labels(n)); err != nil {
		t.Fatal(err)
	}
	return s
}

func record(t *testing.T, s *store.Store, r store.TestResult) []label.ID {
	t.Helper()
	ids, err := s.Record(r)
	if err != nil {
		t.Fatal(err)
	}
	return ids
}

func mark(t *testing.T, s *store.Store, id label.ID, st label.Status, why store.Reason) bool {
	t.Helper()
	c, err := s.Mark(id, st, why)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func want(t *testing.T, s *store.Store, id label.ID, st label.Status) store.State {
	t.Helper()
	got, ok := s.Status(id)
	if !ok || got.Status != st {
		t.Errorf("label %d: got %v (known: %v), want %v", id, got.Status, ok, st)
	}
	return got
}

func TestRecordCoversOnlyFromNormalRuns(t *testing.T) {
	s := open(t, 4)
	if got := record(t, s, result("a", 2, 1, 2, 99)); !slices.Equal(got, []label.ID{1, 2}) {
		t.Errorf("newly covered: %v", got)
	}
	if got := record(t, s, result("b", 1, 3)); !slices.Equal(got, []label.ID{3}) {
		t.Errorf("newly covered: %v", got)
	}
	crash := result("c", 4)
	crash.Verdict.Outcome = label.Crashed
	if got := record(t, s, crash); len(got) != 0 {
		t.Errorf("a crash covered %v", got)
	}
	want(t, s, 4, label.Unknown)
	if got := record(t, s, result("a", 4)); len(got) != 0 {
		t.Errorf("the same test again covered %v", got)
	}
	snap, _ := s.Snapshot()
	if snap.Suite != (store.TestCounts{Generated: 3, Normal: 2, RuntimeErrors: 1}) {
		t.Errorf("tests: %+v", snap.Suite)
	}
	if n, open := storetest.With(snap, label.Covered), storetest.With(snap, label.Unknown); n != 3 || open != 1 {
		t.Errorf("%d covered, %d unknown", n, open)
	}
}

func TestRefusedLabelIsTriedAgainAndThenGivenUp(t *testing.T) {
	s := storetest.Open(t, t.TempDir(), store.Options{MaxRefusals: 3})
	if err := s.SetLabels(labels(2)); err != nil {
		t.Fatal(err)
	}
	for i := 1; i <= 3; i++ {
		if !s.Pend(1) {
			t.Fatalf("round %d: label 1 is not open in the view", i)
		}
		shown := label.Pending
		if i > 1 {
			shown = label.Refused // and each path may try
		} else if s.Pend(1) {
			t.Fatal("pending twice")
		}
		// What else happens leaves the pending one alone.
		record(t, s, result(fmt.Sprint("t", i)))
		if got := s.ViewStatus(1); got != shown {
			t.Fatalf("round %d: the view shows %v", i, got)
		}
		up, err := s.Refuse(1, "the run crashed")
		if err != nil || up != (i == 3) {
			t.Fatalf("round %d: given up %v, error %v", i, up, err)
		}
	}
	if s.ViewStatus(1) != label.Pending || s.Remaining() != 1 {
		t.Errorf("view %v, remaining %d", s.ViewStatus(1), s.Remaining())
	}
	if err := s.TryAgain(); err != nil || s.ViewStatus(1) != label.Refused {
		t.Errorf("tried again: the view shows %v, error %v", s.ViewStatus(1), err)
	}
	if st := want(t, s, 1, label.Unknown); st.Reason == nil || !strings.Contains(st.Reason.Text, "crashed") {
		t.Errorf("reason: %+v", st.Reason)
	}
	if got := record(t, s, result("late", 1)); len(got) != 1 {
		t.Error("a label given up cannot be covered")
	}
	if s.ViewStatus(1) != label.Covered {
		t.Error("covered, but the view does not show it")
	}
	if up, err := s.Refuse(1, "late"); up || err != nil || s.ViewStatus(1) != label.Covered {
		t.Error("a refusal took coverage back")
	}
	if _, err := s.Refuse(9, ""); !errors.Is(err, store.ErrNoLabel) {
		t.Errorf("refusing what is not there: %v", err)
	}
}

func TestContradictionsAreKeptAndCoveredWins(t *testing.T) {
	s := open(t, 3)
	mark(t, s, 1, label.Infeasible, store.Reason{Method: "eva", Text: "x is in 0..3"})
	if got := record(t, s, result("a", 1, 2)); len(got) != 2 {
		t.Errorf("newly: %v", got)
	}
	want(t, s, 1, label.Covered)
	if !mark(t, s, 2, label.Infeasible, store.Reason{Method: "wp", Text: "goal valid"}) {
		t.Error("no contradiction reported")
	}
	mark(t, s, 2, label.Infeasible, store.Reason{Method: "wp", Text: "goal valid"})
	want(t, s, 2, label.Covered)
	cs, _ := s.Contradictions()
	if len(cs) != 2 || cs[0].Label != 1 || cs[1].Label != 2 || cs[1].Proof.Method != "wp" ||
		!strings.Contains(cs[0].String(), "proved infeasible by eva") {
		t.Errorf("contradictions: %v", cs)
	}
	if _, err := s.Mark(1, label.Covered, store.Reason{}); err == nil {
		t.Error("covered by hand")
	}
	if _, err := s.Mark(7, label.Infeasible, store.Reason{}); !errors.Is(err, store.ErrNoLabel) {
		t.Errorf("got %v", err)
	}
}

func TestRedundantLabelsFollowWhatTheyStandBehind(t *testing.T) {
	s := open(t, 7)
	r := func(of label.ID) store.Reason { return store.Reason{Method: "wp", Of: of} }
	mark(t, s, 2, label.Duplicate, r(1))
	mark(t, s, 3, label.Subsumed, r(1))
	mark(t, s, 4, label.Duplicate, r(2))
	mark(t, s, 6, label.Subsumed, r(5))
	mark(t, s, 7, label.Duplicate, r(5))
	if _, err := s.Mark(1, label.Duplicate, r(1)); err == nil {
		t.Error("1 may stand behind itself")
	}
	mark(t, s, 1, label.Duplicate, r(4)) // 4 stands behind it already: nothing new
	want(t, s, 1, label.Unknown)
	if s.Remaining() != 2 {
		t.Errorf("remaining %d, want 2", s.Remaining())
	}
	record(t, s, result("a", 1, 2, 3, 4))
	for id := label.ID(1); id <= 4; id++ {
		want(t, s, id, label.Covered)
	}
	mark(t, s, 5, label.Infeasible, store.Reason{Method: "eva"})
	want(t, s, 7, label.Infeasible) // a duplicate of it
	want(t, s, 6, label.Unknown)    // subsumption by an infeasible label says nothing
	snap, _ := s.Snapshot()
	redundant := 0
	for _, l := range snap.Labels {
		if l.Relation != nil && l.Status == label.Covered {
			redundant++
		}
	}
	if redundant != 3 || storetest.With(snap, label.Infeasible) != 2 || storetest.With(snap, label.Unknown) != 1 {
		t.Errorf("%d redundant labels are covered: %+v", redundant, snap.Labels)
	}
}

func TestWrongRelationsAreDisproved(t *testing.T) {
	s := open(t, 8)
	r := func(of label.ID) store.Reason { return store.Reason{Method: "wp", Of: of} }
	mark(t, s, 2, label.Duplicate, r(1))
	mark(t, s, 4, label.Subsumed, r(3))
	mark(t, s, 6, label.Subsumed, r(5))
	record(t, s, result("a", 2, 3, 6)) // 2 without 1; 3 without 4; 6 without 5 is fine
	want(t, s, 1, label.Unknown)
	want(t, s, 4, label.Unknown)
	want(t, s, 6, label.Covered)
	if !mark(t, s, 7, label.Duplicate, r(6)) { // 6 was hit without 7
		t.Error("an old test's contradiction is not seen")
	}
	want(t, s, 7, label.Unknown)
	if mark(t, s, 8, label.Subsumed, r(7)) {
		t.Error("a contradiction out of nothing")
	}
	if cs, _ := s.Contradictions(); len(cs) != 3 {
		t.Errorf("contradictions: %v", cs)
	}
}

func TestResolved(t *testing.T) {
	s := open(t, 4)
	record(t, s, result("a", 1))
	mark(t, s, 2, label.Infeasible, store.Reason{Method: "eva"})
	mark(t, s, 3, label.Deselected, store.Reason{Method: "user"})
	select {
	case <-s.Resolved():
		t.Fatal("too early")
	default:
	}
	mark(t, s, 4, label.Duplicate, store.Reason{Method: "wp", Of: 1})
	if s.AllResolved() {
		t.Error("all resolved, with label 4 open")
	}
	// Test "a" hit 1 without 4: the claim is refused.
	want(t, s, 4, label.Unknown)
	mark(t, s, 4, label.Infeasible, store.Reason{Method: "eva"})
	<-s.Resolved()
}

func TestGoingOn(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	if again, err := s.SetProgram("p1"); again || err != nil {
		t.Fatalf("replay %v, %v", again, err)
	}
	must(s.SetLabels(labels(5)))
	record(t, s, result("a", 1, 2))
	record(t, s, result("b", 3))
	mark(t, s, 4, label.Infeasible, store.Reason{Method: "eva"})
	mark(t, s, 5, label.Deselected, store.Reason{Method: "user"})
	must(s.Close())

	s = storetest.Open(t, dir, store.Options{})
	if again, err := s.SetProgram("p1"); again || err != nil {
		t.Fatalf("replay %v, %v", again, err)
	}
	must(s.SetLabels(labels(5)))
	want(t, s, 1, label.Covered)
	want(t, s, 4, label.Infeasible)
	want(t, s, 5, label.Deselected)

	// Another program: proofs and coverage are forgotten, tests are not.
	if again, err := s.SetProgram("p2"); !again || err != nil {
		t.Fatalf("replay %v, %v", again, err)
	}
	want(t, s, 1, label.Unknown)
	want(t, s, 4, label.Unknown)
	want(t, s, 5, label.Deselected)
	must(s.Close())
	s = storetest.Open(t, dir, store.Options{})
	todo, err := s.TestsToReplay()
	if err != nil || len(todo) != 2 || todo[0].Name != "a" {
		t.Fatalf("to replay: %v, %v", todo, err)
	}
	if got := record(t, s, result("a", 2)); !slices.Equal(got, []label.ID{2}) {
		t.Errorf("newly %v", got)
	}
	if todo, _ = s.TestsToReplay(); len(todo) != 1 {
		t.Errorf("to replay: %v", todo)
	}
	record(t, s, result("b", 3))

	// One label changed, one is gone, one is new.
	ls := labels(6)
	ls[1].Predicate = "y == 2"
	ls = append(ls[:2:2], ls[3:]...)
	must(s.SetLabels(ls))
	want(t, s, 2, label.Unknown)
	want(t, s, 6, label.Unknown)
	if _, ok := s.Status(3); ok {
		t.Error("label 3 is still there")
	}
	todo, err = s.TestsToReplay()
	if err != nil || len(todo) != 2 {
		t.Errorf("to replay: %v, %v", todo, err)
	}
	for _, x := range todo {
		record(t, s, x.TestResult)
	}
	want(t, s, 2, label.Covered)
	must(s.Close())

	s = storetest.Open(t, dir, store.Options{Fresh: true})
	if snap, _ := s.Snapshot(); len(snap.Labels) != 0 || len(snap.Tests) != 0 || snap.Stale != 0 {
		t.Errorf("fresh, but: %+v", snap)
	}
}

func TestRelabellingKeepsRelationsOfUnchangedLabelsOnly(t *testing.T) {
	s := open(t, 4)
	mark(t, s, 2, label.Duplicate, store.Reason{Method: "wp", Of: 1})
	mark(t, s, 4, label.Subsumed, store.Reason{Method: "wp", Of: 3})
	ls := labels(4)
	ls[0].Predicate = "other"
	if err := s.SetLabels(ls); err != nil {
		t.Fatal(err)
	}
	want(t, s, 2, label.Unknown)
	want(t, s, 4, label.Subsumed)
	ls[2] = ls[3]
	if err := s.SetLabels(ls); err == nil || !strings.Contains(err.Error(), "label 4 is both at") {
		t.Errorf("got %v", err)
	}
	if err := s.SetLabels([]label.Label{{ID: label.MaxID + 1}}); err == nil {
		t.Error("too large a number is accepted")
	}
}

func TestSecondOpenIsLockedOut(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	start := time.Now()
	_, err := store.Open(dir, store.Options{})
	var le *store.LockedError
	if !errors.Is(err, store.ErrLocked) || !errors.As(err, &le) || le.PID != os.Getpid() {
		t.Fatalf("got %v", err)
	}
	if d := time.Since(start); d > time.Minute {
		t.Errorf("it took %v to say so", d)
	}
	s.Close()
	storetest.Open(t, dir, store.Options{}).Close()
}

func TestClosedStoreSaysSo(t *testing.T) {
	s := open(t, 1)
	s.Close()
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if _, err := s.Record(result("a", 1)); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Record: %v", err)
	}
	if _, err := s.Snapshot(); !errors.Is(err, store.ErrClosed) {
		t.Errorf("Snapshot: %v", err)
	}
	if s.Pend(1) {
		t.Error("Pend works on a closed view")
	}
}

func TestRuns(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	s := storetest.Open(t, t.TempDir(), store.Options{Now: func() time.Time { return now }})
	if err := s.SetLabels(labels(2)); err != nil {
		t.Fatal(err)
	}
	n, err := s.StartRun(store.Run{Engine: "klee", Mode: engine.Fused})
	if err != nil {
		t.Fatal(err)
	}
	r := result("a", 1)
	r.At = now.Add(900 * time.Millisecond)
	record(t, s, r)
	if st := want(t, s, 1, label.Covered); st.Elapsed != 900*time.Millisecond {
		t.Errorf("covered after %v", st.Elapsed)
	}
	if err := s.EndRun(n, engine.Stats{Paths: 166}, errors.New("klee: killed")); err != nil {
		t.Fatal(err)
	}
	record(t, s, result("b", 2))
	if err := s.EndRun(n+1, engine.Stats{}, nil); err == nil {
		t.Error("a run that was never started ended")
	}
	snap, _ := s.Snapshot()
	if len(snap.Runs) != 1 || snap.Runs[0].Stats.Paths != 166 || snap.Runs[0].Error != "klee: killed" ||
		snap.Tests[0].Run != n || snap.Tests[1].Run != 0 {
		t.Errorf("runs %+v, tests %+v", snap.Runs, snap.Tests)
	}
}

func TestManyWritersAndEngines(t *testing.T) {
	const n, per = 64, 200
	s := open(t, n)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for range 2 { // engines
		go func() {
			for i := 0; ; i++ {
				select {
				case <-stop:
					return
				default:
					s.Pend(label.ID(i%n + 1))
				}
			}
		}()
	}
	var mu sync.Mutex
	first := map[label.ID]int{}
	for w := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := range per {
				id := label.ID((w*per+i*7)%n + 1)
				newly, err := s.Record(result(fmt.Sprintf("w%d-%d", w, i), id))
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				for _, id := range newly {
					first[id]++
				}
				mu.Unlock()
				if st, _ := s.Status(id); st.Status != label.Covered || s.ViewStatus(id) != label.Covered {
					t.Errorf("label %d is recorded and not seen as covered", id)
				}
				if i%50 == 0 {
					s.Snapshot()
					s.Refuse(id, "late")
				}
			}
		}()
	}
	wg.Wait()
	close(stop)
	<-s.Resolved()
	if len(first) != n {
		t.Errorf("%d labels were new to somebody, want %d", len(first), n)
	}
	for id, k := range first {
		if k != 1 {
			t.Errorf("label %d was newly covered %d times", id, k)
		}
	}
}

func BenchmarkVerdicts(b *testing.B) {
	s, err := store.Open(b.TempDir(), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	if err := s.SetLabels(labels(200)); err != nil {
		b.Fatal(err)
	}
	var hits []label.ID
	for i := range label.ID(50) {
		hits = append(hits, i*4+1)
	}
	var wg sync.WaitGroup
	wg.Add(b.N)
	for i := range b.N {
		go func() {
			defer wg.Done()
			if _, err := s.Record(result(fmt.Sprint(i), hits...)); err != nil {
				b.Error(err)
			}
		}()
	}
	wg.Wait()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "verdicts/s")
}
