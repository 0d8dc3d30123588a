package store_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"klabel/label"
	"klabel/store"
	"klabel/store/storetest"
)

// Read shows what Open shows and leaves the directory as it was.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	if _, err := store.Read(dir); err == nil {
		t.Error("an empty directory was read")
	}
	s, err := store.Open(dir, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.SetLabels([]label.Label{{ID: 1}, {ID: 2}}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Record(store.TestResult{Name: "t", Hash: "h", Data: []byte("t"),
		Verdict: label.Verdict{Outcome: label.Normal, Hits: []label.ID{2}}}); err != nil {
		t.Fatal(err)
	}
	var locked *store.LockedError
	if _, err := store.Read(dir); !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("read beside a campaign: %v", err)
	}
	s.Close()
	before := listing(t, dir)
	snap, err := store.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	if storetest.With(snap, label.Covered) != 1 || len(snap.Labels) != 2 || len(snap.Tests) != 1 {
		t.Errorf("%+v", snap.Labels)
	}
	if after := listing(t, dir); after != before {
		t.Errorf("changed: %s to %s", before, after)
	}
}

// A file whose making a full disk has cut short holds nothing, and is made
// again; any other short file is damaged and stays.
func TestNeverMade(t *testing.T) {
	made := t.TempDir()
	s, err := store.Open(made, store.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s.Close()
	whole, err := os.ReadFile(filepath.Join(made, "klabel.db"))
	if err != nil {
		t.Fatal(err)
	}
	page := os.Getpagesize()
	// What bbolt writes first: two meta pages that no commit has followed.
	first := append([]byte{}, whole[:2*page]...)
	clear(first[64:72])
	clear(first[page+64 : page+72])
	first[page+64] = 1
	for _, c := range []struct {
		what string
		file []byte
		ok   bool
	}{
		{"half of the first page", first[:page/2], true},
		{"two pages", first, true},
		{"three pages", append(first[:2*page:2*page], make([]byte, page)...), true},
		{"a store cut short", whole[:2*page], false},
		{"something else", []byte("something else, by somebody else, of whom nothing is known, and which is long enough to be looked at"), false},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, "klabel.db")
		if err := os.WriteFile(file, c.file, 0o666); err != nil {
			t.Fatal(err)
		}
		if c.ok {
			if snap, err := store.Read(dir); err != nil || len(snap.Labels) != 0 {
				t.Errorf("%s: %v", c.what, err)
			}
			s, err := store.Open(dir, store.Options{})
			if err != nil {
				t.Errorf("%s: %v", c.what, err)
				continue
			}
			s.Close()
			continue
		}
		if c.what == "something else" {
			if _, err := store.Open(dir, store.Options{}); !errors.Is(err, store.ErrDamaged) {
				t.Errorf("%s: %v", c.what, err)
			}
		}
		if b, err := os.ReadFile(file); err != nil || len(b) < len(c.file) {
			t.Errorf("%s: %d bytes are left, %v", c.what, len(b), err)
		}
	}
}

func listing(t *testing.T, dir string) string {
	t.Helper()
	out := ""
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		out += f.Name() + " " + info.ModTime().String() + "\n"
	}
	return out
}
