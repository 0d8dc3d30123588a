package store_test

import (
	"reflect"
	"testing"

	"klabel/label"
	"klabel/objective"
	"klabel/store"
	"klabel/store/storetest"
)

// Labels that nothing needs: engines leave them alone, a hit covers them all the
// same, and a suite may lose them.
func TestNeeded(t *testing.T) {
	dir := t.TempDir()
	s := storetest.Open(t, dir, store.Options{})
	var ls []label.Label
	for id := range label.ID(5) {
		ls = append(ls, label.Label{ID: id, Tags: []string{"MCDC"}, Predicate: "x"})
	}
	e := new(objective.Expr)
	if err := e.UnmarshalText([]byte("l0.l1")); err != nil {
		t.Fatal(err)
	}
	ds := []objective.Decision{{Criterion: "MCDC", Conditions: []objective.Condition{{Text: "x", Pairs: e}}}}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	status := func(id label.ID, want label.Status) {
		t.Helper()
		if st, _ := s.Status(id); st.Status != want {
			t.Errorf("label %d is %v, want %v", id, st.Status, want)
		}
	}
	must(s.SetLabels(ls))
	must(s.SetDecisions(ds))
	if _, err := s.Mark(4, label.Duplicate, store.Reason{Method: "eva", Of: 3}); err != nil {
		t.Fatal(err)
	}
	must(s.SetNeeded([]label.ID{2, 3}, nil))
	status(2, label.Deselected)
	status(3, label.Unknown) // 4 waits for it
	if v := s.ViewStatus(2); v != label.Deselected {
		t.Errorf("the view shows %v", v)
	}
	must(s.SetNeeded(nil, []label.ID{2}))
	status(2, label.Unknown)
	if v := s.ViewStatus(2); v != label.Unknown {
		t.Errorf("the view shows %v", v)
	}
	must(s.SetNeeded([]label.ID{2}, nil))
	if _, err := s.Record(store.TestResult{Name: "a", Hash: "a", Data: []byte("a"), Verdict: label.Verdict{
		Outcome: label.Normal, Hits: []label.ID{0, 2}}}); err != nil {
		t.Fatal(err)
	}
	status(2, label.Covered)
	// The test goes, although it alone covers 0 and 2: 2 is spared, 0 is not.
	dropped, err := s.Drop([]uint64{1}, map[label.ID]bool{2: true})
	if err != nil || len(dropped) != 0 {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	status(2, label.Covered)
	if dropped, err = s.Drop([]uint64{1}, map[label.ID]bool{0: true, 2: true}); err != nil || len(dropped) != 1 {
		t.Fatalf("dropped %v, %v", dropped, err)
	}
	status(0, label.Deselected)
	status(2, label.Deselected)
	must(s.Close())
	s = storetest.Open(t, dir, store.Options{})
	snap, err := s.Snapshot()
	if err != nil || !reflect.DeepEqual(snap.Decisions, ds) {
		t.Errorf("decisions %+v, %v", snap.Decisions, err)
	}
	status(2, label.Deselected)
	if _, err := s.SetProgram("another"); err != nil {
		t.Fatal(err)
	}
	status(2, label.Unknown) // another program may need it
}
