package store_test

import (
	"errors"
	"fmt"
	"io"
	"os"
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
		if errors.Is(err, store.ErrLocked) && !done {
			continue // it changed during each try: said, not wrong
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

// A copy in the middle of which commits end is refused, wherever they do: its pages may
// fit together all the same, and lack records.
func TestTornCopy(t *testing.T) {
	s := open(t, 900)
	n := 0
	commit := func(times int) {
		for range times {
			n++
			record(t, s, result(fmt.Sprintf("test%d", n), label.ID(n)))
		}
	}
	commit(200)
	whole, damaged := 0, 0
	for at := 0; at < 60; at += 4 {
		for _, commits := range []int{0, 1, 3} {
			had := n
			snap, err := store.ReadCopy(s.Dir(), func(r io.Reader) io.Reader {
				first := io.LimitReader(r, int64(at*os.Getpagesize()))
				return io.MultiReader(first, whenRead(func() { commit(commits) }), r)
			})
			switch {
			case err == nil && storetest.With(snap, label.Covered) != had:
				t.Errorf("%d commits after %d pages: %d labels covered, want %d", commits, at,
					storetest.With(snap, label.Covered), had)
			case err == nil && commits > 0:
				t.Errorf("%d commits after %d pages: not noticed", commits, at)
			case err == nil:
				whole++
			case !errors.Is(err, store.ErrTorn):
				damaged++
			}
		}
	}
	if whole != 15 || damaged > 0 {
		t.Errorf("%d copies without a commit were read, %d others called damaged", whole, damaged)
	}
}

// whenRead calls a function when it is read, and is empty.
type whenRead func()

func (f whenRead) Read([]byte) (int, error) { f(); return 0, io.EOF }
