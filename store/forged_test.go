package store_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"go.etcd.io/bbolt"

	"klabel/label"
	"klabel/store"
)

// change rewrites the records of a store, with bbolt: pages and its own checksums are
// right after it. f returns nil where a record stays. It reports how many it changed.
func change(t *testing.T, dir string, f func(bucket string, key, value []byte) []byte) (n int) {
	t.Helper()
	db, err := bbolt.Open(filepath.Join(dir, "klabel.db"), 0o666, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(tx *bbolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bbolt.Bucket) error {
			changed := map[string][]byte{}
			if err := b.ForEach(func(k, v []byte) error {
				if to := f(string(name), k, v); to != nil {
					changed[string(k)] = to
				}
				return nil
			}); err != nil {
				return err
			}
			for k, v := range changed {
				if n++; b.Put([]byte(k), v) != nil {
					return errors.New("cannot be put")
				}
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func damaged(t *testing.T, dir, what string) {
	t.Helper()
	s, err := store.Open(dir, store.Options{})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, store.ErrDamaged) {
		t.Errorf("%s: %v", what, err)
	}
}

// A number in a record that is another one is noticed, whatever pages say; and so is
// a record that stands under the key of another.
func TestChangedRecords(t *testing.T) {
	for _, bucket := range []string{"tests", "labels"} {
		dir := t.TempDir()
		withFiles(t, dir)
		if change(t, dir, func(name string, _, value []byte) []byte {
			if name != bucket {
				return nil
			}
			to := bytes.Clone(value)
			for i, c := range to[:len(to)-4] {
				if c >= '1' && c <= '8' {
					to[i]++
					return to
				}
			}
			return nil
		}) == 0 {
			t.Fatalf("%s: no record has a number", bucket)
		}
		damaged(t, dir, "a number in "+bucket)
	}
	dir := t.TempDir()
	withFiles(t, dir)
	var before []byte
	if change(t, dir, func(name string, _, value []byte) (to []byte) {
		if name == "tests" {
			to, before = before, bytes.Clone(value)
		}
		return to
	}) == 0 {
		t.Fatal("there are no two tests")
	}
	damaged(t, dir, "a test in the place of another")
}

// A test's data is what was recorded, wherever it is taken from: with a record's
// checksum, too, other data is none, and no other file is taken for the test's own.
func TestForgedData(t *testing.T) {
	for _, files := range []bool{true, false} {
		dir := t.TempDir()
		withFiles(t, dir)
		if change(t, dir, func(name string, key, _ []byte) []byte {
			if name != "data" {
				return nil
			}
			return store.Seal(key, []byte("other data"))
		}) != 3 {
			t.Fatal("not all tests have data")
		}
		if !files {
			for _, name := range []string{"a", "b", "c"} {
				if err := os.WriteFile(filepath.Join(dir, "tests", name), []byte("other data"), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		s, r := reopen(t, dir)
		if files {
			want(t, s, 1, label.Covered)
		} else {
			want(t, s, 1, label.Unknown)
		}
		if files != (len(r.Lost) == 0) {
			t.Errorf("with the files %v: %d tests are lost", files, len(r.Lost))
		}
		s.Close()
	}
}
