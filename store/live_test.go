package store_test

import (
	"errors"
	"fmt"
	"testing"

	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

// A store that is being written is read all the same, and what is read was true.
func TestReadLive(t *testing.T) {
	s := open(t, 300)
	if _, err := store.Read(s.Dir()); !errors.Is(err, store.ErrLocked) {
		t.Fatalf("the store is not locked: %v", err)
	}
	written := make(chan error)
	go func() {
		var err error
		for i := 1; i <= 300 && err == nil; i++ {
			_, err = s.Record(result(fmt.Sprintf("test%d", i), label.ID(i)))
		}
		written <- err
	}()
	last, reads := 0, 0
	for done := false; !done; reads++ {
		select {
		case err := <-written:
			if err != nil {
				t.Fatal(err)
			}
			done = true
		default:
		}
		snap, running, err := store.ReadLive(s.Dir())
		if err != nil && errors.Is(err, store.ErrDamaged) && !done {
			continue // torn five times in a row: said, not wrong
		}
		if err != nil || !running {
			t.Fatalf("running %v: %v", running, err)
		}
		if n := storetest.With(snap, label.Covered); n < last {
			t.Fatalf("%d labels covered after %d", n, last)
		} else {
			last = n
		}
	}
	if last != 300 {
		t.Errorf("%d labels covered in the end, want 300", last)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	snap, running, err := store.ReadLive(s.Dir())
	if err != nil || running || storetest.With(snap, label.Covered) != 300 {
		t.Errorf("after the end: running %v, %v", running, err)
	}
	if _, _, err := store.ReadLive(t.TempDir()); err == nil {
		t.Error("nothing is read as something")
	}
}
