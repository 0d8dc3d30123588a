// Package storetest opens stores for tests and checks, after each test, that
// what a store promises is still true: the view shows the truth, every covered
// label has a test that covers it, and the same is there after another Open.
package storetest

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"go.etcd.io/bbolt"

	"klabel/label"
	"klabel/liveview"
	"klabel/store"
)

// Open opens a store and, when the test ends, checks it, closes it, opens it
// again and checks that nothing is lost. A test may close the store itself.
func Open(t testing.TB, dir string, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if before, err := s.Snapshot(); err == nil {
			Check(t, s)
			if err := s.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
			Reopened(t, dir, before)
		}
	})
	return s
}

// Reopened opens the store in dir once more and compares it with what was
// there before, then closes it and lets bbolt check its file.
func Reopened(t testing.TB, dir string, before *store.Snapshot) {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Errorf("open again: %v", err)
		return
	}
	Check(t, s)
	after, err := s.Snapshot()
	if err != nil {
		t.Error(err)
	} else if a, b := dump(before), dump(after); a != b {
		t.Errorf("the store changed from one Open to the next:\n%s\n%s", a, b)
	}
	s.Close()
	db, err := bbolt.Open(filepath.Join(dir, "klabel.db"), 0o666, nil)
	if err != nil {
		t.Error(err)
		return
	}
	defer db.Close()
	db.View(func(tx *bbolt.Tx) error {
		for err := range tx.Check() {
			t.Errorf("bbolt: %v", err)
		}
		return nil
	})
}

// dump is a snapshot without what belongs to one session.
func dump(s *store.Snapshot) string {
	c := *s
	c.Labels = slices.Clone(s.Labels)
	for i := range c.Labels {
		c.Labels[i].Refused, c.Labels[i].GivenUp = false, false
		if len(c.Labels[i].Tags) == 0 {
			c.Labels[i].Tags = nil
		}
	}
	b, err := json.Marshal(c)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// Check reports every broken promise of an open store.
func Check(t testing.TB, s *store.Store) {
	t.Helper()
	for _, err := range Violations(s) {
		t.Errorf("store: %v", err)
	}
}

// Violations returns the broken promises of an open store.
func Violations(s *store.Store) []error {
	var errs []error
	bad := func(format string, a ...any) { errs = append(errs, fmt.Errorf(format, a...)) }
	snap, err := s.Snapshot()
	if err != nil {
		return []error{err}
	}
	tests := map[uint64]store.Test{}
	for _, t := range snap.Tests {
		tests[t.Number] = t
		for _, id := range t.First {
			if t.Verdict.Outcome != label.Normal || !slices.Contains(t.Verdict.Hits, id) {
				bad("test %d is said to have covered label %d first, and does not cover it", t.Number, id)
			}
		}
	}
	known := map[label.ID]store.LabelState{}
	for _, l := range snap.Labels {
		known[l.ID] = l
	}
	for _, l := range snap.Labels {
		checkLabel(l, known, tests, bad)
	}
	checkFile(s.ViewPath(), snap, bad)
	return errs
}

// With is how many labels of a snapshot have this status.
func With(snap *store.Snapshot, status label.Status) (n int) {
	for _, l := range snap.Labels {
		if l.Status == status {
			n++
		}
	}
	return n
}

// shows reports whether the view may show v for a label. Engines see a subsumed
// label as open, and a label that they have a test for as pending.
func shows(v, status label.Status) bool {
	if status == label.Unknown || status == label.Subsumed {
		return v.Open() || v == label.Pending
	}
	return v == status
}

func checkLabel(l store.LabelState, known map[label.ID]store.LabelState, tests map[uint64]store.Test,
	bad func(string, ...any)) {
	switch l.Status {
	case label.Covered:
		t, ok := tests[l.Test]
		if !ok || t.Verdict.Outcome != label.Normal || !slices.Contains(t.Verdict.Hits, l.ID) {
			bad("label %d is covered, but its test %d does not cover it", l.ID, l.Test)
		}
	case label.Duplicate, label.Subsumed:
		if l.Relation == nil || l.Relation.Kind != l.Status {
			bad("label %d is %v of no label", l.ID, l.Status)
		}
	case label.Infeasible, label.Deselected:
		if l.Reason == nil {
			bad("label %d is %v without a reason", l.ID, l.Status)
		}
	case label.Pending:
		bad("label %d is stored as pending", l.ID)
	}
	if l.Status != label.Covered && l.Test != 0 {
		bad("label %d is %v and has a test", l.ID, l.Status)
	}
	x := l
	for n := 0; x.Relation != nil; n++ {
		of, ok := known[x.Relation.Of]
		if !ok || n > len(known) {
			bad("label %d stands behind %d: no such label, or a circle", l.ID, x.Relation.Of)
			return
		}
		x = of
	}
	if l.Relation != nil {
		for _, t := range tests {
			if t.Verdict.Outcome != label.Normal {
				continue
			}
			this, other := slices.Contains(t.Verdict.Hits, l.ID), slices.Contains(t.Verdict.Hits, l.Relation.Of)
			if this != other && (other || l.Relation.Kind == label.Duplicate) {
				bad("label %d is %v of %d, test %d says otherwise", l.ID, l.Relation.Kind, l.Relation.Of, t.Number)
			}
		}
	}
}

// checkFile reads the view as another process would.
func checkFile(path string, snap *store.Snapshot, bad func(string, ...any)) {
	b, err := os.ReadFile(path)
	if err != nil {
		bad("%v", err)
		return
	}
	n, err := liveview.Count(b)
	if err != nil {
		bad("the view's header is wrong: %q", b[:min(len(b), 16)])
		return
	}
	want := 0
	if k := len(snap.Labels); k > 0 {
		want = int(snap.Labels[k-1].ID) + 1
	}
	if n != want || len(b) < 64+n {
		bad("the view holds %d labels in %d bytes, want %d labels", n, len(b), want)
		return
	}
	for _, l := range snap.Labels {
		if v := label.Status(b[liveview.Header+int(l.ID)]); !shows(v, l.Status) {
			bad("label %d is %v, the view's file shows %v", l.ID, l.Status, v)
		}
	}
}
