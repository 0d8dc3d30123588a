package store

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"klabel/disk"
	"klabel/label"
)

// key tells tests apart: the same test twice is one.
func (r *TestResult) key() string { return r.Name + "\x00" + r.Hash }

// shorten makes the path of a file in the store's folder relative to it, so that
// the folder may be moved, and that of any other file absolute.
func (s *Store) shorten(path string) string {
	if path == "" {
		return ""
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if dir, err := filepath.Abs(s.dir); err == nil {
		if rel, err := filepath.Rel(dir, abs); err == nil && filepath.IsLocal(rel) {
			return rel
		}
	}
	return abs
}

func (s *Store) lengthen(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.dir, path)
}

// at is a copy whose path is another.
func (p *TestProgram) at(path func(string) string) *TestProgram {
	if p == nil {
		return nil
	}
	out := *p
	out.File = path(p.File)
	return &out
}

// dataSum is the checksum of a test's data. A test that was recorded before and
// now comes without has its old data, unless it was dropped.
func (t *txn) dataSum(r TestResult, ref testRef, known bool) (string, error) {
	if r.Data != nil || !known || ref.dropped {
		return hashOf(r.Data), nil
	}
	var old Test
	if _, err := get(t.tx, bucketTests, seqKey(ref.seq), &old); err != nil {
		return "", fatalError{err}
	}
	return old.Sum, nil
}

// hashOf is empty for no data.
func hashOf(b []byte) string {
	if b == nil {
		return ""
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Drop takes tests out of the suite, by their numbers, because others cover what
// they cover. Their data is forgotten, their files are the caller's to remove. A
// covered label whose test goes gets another one; a test that would leave a label
// without any stays, unless the label is in spare: that one is then Unneeded. Drop
// returns the numbers of the tests that went.
func (s *Store) Drop(numbers []uint64, spare map[label.ID]bool) (dropped []uint64, err error) {
	err = s.do(func(t *txn) error {
		going := map[uint64]bool{}
		for _, n := range numbers {
			going[n] = true
		}
		other := s.coverers(going)
		for _, id := range slices.Sorted(maps.Keys(s.labels)) {
			st := t.state(id)
			if st.Status != label.Covered || !going[st.Test] {
				continue
			}
			if n, ok := other[id]; ok {
				st.Test = n
				t.dirty[id] = st
				continue
			}
			if !spare[id] {
				delete(going, st.Test)
			}
		}
		if err := t.spare(going, spare, other); err != nil {
			return err
		}
		dropped = slices.Sorted(maps.Keys(going))
		for _, n := range dropped {
			if err := t.drop(n); err != nil {
				return err
			}
		}
		return nil
	}, nil)
	if err != nil {
		return nil, err
	}
	return dropped, nil
}

// spare takes labels back that nothing needs, and that only tests cover which go.
func (t *txn) spare(going map[uint64]bool, spare map[label.ID]bool, other map[label.ID]uint64) error {
	for id := range spare {
		st := t.state(id)
		if _, ok := other[id]; ok || st.Status != label.Covered || !going[st.Test] {
			continue
		}
		t.dirty[id] = State{Status: label.Deselected, Reason: &Reason{Method: Unneeded}, Relation: st.Relation,
			At: t.s.opts.Now()}
	}
	return nil
}

func (t *txn) drop(number uint64) error {
	var test Test
	if known, err := get(t.tx, bucketTests, seqKey(number), &test); err != nil {
		return fatalError{err}
	} else if !known {
		return fmt.Errorf("there is no test %d", number)
	}
	test.Dropped = true
	old := t.s.tests[test.key()]
	ref := old
	ref.dropped = true
	t.s.setTest(test.key(), ref)
	t.undo = append(t.undo, func() { t.s.setTest(test.key(), old) })
	if err := t.tx.Bucket(bucketData).Delete(seqKey(number)); err != nil {
		return fatalError{err}
	}
	return t.put(bucketTests, seqKey(number), test)
}

// coverers says for each label which test of the suite, the first of them, covers
// it now; those in without do not count.
func (s *Store) coverers(without map[uint64]bool) map[label.ID]uint64 {
	gone := map[uint64]bool{}
	maps.Copy(gone, without)
	for _, ref := range s.tests {
		if ref.dropped {
			gone[ref.seq] = true
		}
	}
	out := map[label.ID]uint64{}
	for _, n := range slices.Sorted(maps.Keys(s.hits)) {
		if gone[n] {
			continue
		}
		for _, id := range s.hits[n] {
			if _, ok := out[id]; !ok {
				out[id] = n
			}
		}
	}
	return out
}

// Repairs say what Open had to do so that every covered label has its test.
type Repairs struct {
	Restored  []string   // files of tests that were missing or changed, and are as they were
	Lost      []string   // names of tests of which neither the data nor the file is left
	Uncovered []label.ID // labels that only lost tests covered: open again
	Emptied   bool       // the store's file was there, with nothing in it: it began anew
}

// Repairs returns what Open found and mended.
func (s *Store) Repairs() Repairs { return s.repairs }

// mend compares the tests' data with their files, before the writer starts. What
// is missing on one side is taken from the other; a test that is on neither is
// lost, and what it alone covered is open again.
func (s *Store) mend() (err error) {
	defer s.guarded(&err)()
	t := &txn{s: s, dirty: map[label.ID]State{}, wake: map[label.ID]bool{}}
	missing, err := s.restoreAll()
	if err != nil || len(missing) == 0 && s.allTestsThere() {
		return err
	}
	err = s.db.Update(func(tx *bbolt.Tx) error {
		t.tx = tx
		for _, test := range missing {
			if data, err := disk.Read(s.lengthen(test.File)); err == nil && hashOf(data) == test.Sum {
				if err := t.putBytes(bucketData, seqKey(test.Number), data); err != nil {
					return err
				}
				continue
			}
			if err := t.lose(test); err != nil {
				return err
			}
		}
		t.uncoverLost()
		return t.putStates()
	})
	if err != nil {
		return err
	}
	for id, st := range t.dirty {
		s.states[id] = st
	}
	return nil
}

// restoreAll writes files of tests that are missing or changed, and returns the tests whose
// data is.
func (s *Store) restoreAll() (missing []Test, err error) {
	err = s.db.View(func(tx *bbolt.Tx) error {
		return each(tx, bucketTests, func(key []byte, test Test) error {
			if test.Dropped || test.Sum == "" {
				return nil
			}
			data, err := unseal(key, tx.Bucket(bucketData).Get(key))
			if err != nil || hashOf(data) != test.Sum {
				missing = append(missing, test)
				return nil
			}
			return s.restore(test, data)
		})
	})
	return missing, err
}

// RestoreFiles writes files of tests again that somebody has removed or changed since the
// store was opened, and returns their names.
func (s *Store) RestoreFiles() (names []string, err error) {
	defer s.guarded(&err)()
	before := len(s.repairs.Restored)
	_, err = s.restoreAll()
	return s.repairs.Restored[before:], err
}

// restore writes a test's file in the store's folder if it is not as it should be.
func (s *Store) restore(test Test, data []byte) error {
	if !filepath.IsLocal(test.File) {
		return nil // none, or the user's own
	}
	path := s.lengthen(test.File)
	if fi, err := os.Lstat(path); err == nil && fi.Mode().IsRegular() && fi.Size() == int64(len(data)) {
		if have, err := disk.Read(path); err == nil && string(have) == string(data) {
			return nil
		}
	}
	if err := writeWhole(path, data); err != nil {
		return openError(s.dir, err)
	}
	s.repairs.Restored = append(s.repairs.Restored, path)
	return nil
}

// writeWhole writes a file whole or not at all.
func writeWhole(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	if fi, err := os.Lstat(path); err == nil && fi.IsDir() {
		os.RemoveAll(path)
	}
	return disk.Write(path, data)
}

// lose forgets a test.
func (t *txn) lose(test Test) error {
	s := t.s
	s.repairs.Lost = append(s.repairs.Lost, strings.TrimSpace(test.Name))
	delete(s.tests, test.key())
	delete(s.hits, test.Number)
	for _, b := range [][]byte{bucketTests, bucketData} {
		if err := t.tx.Bucket(b).Delete(seqKey(test.Number)); err != nil {
			return fatalError{err}
		}
	}
	return nil
}

// hasTest reports whether the test that a label is said to be covered by is there
// and covers it.
func (s *Store) hasTest(id label.ID) bool { return holds(s.hits[s.states[id].Test], id) }

func (s *Store) allTestsThere() bool {
	for id, st := range s.states {
		if st.Status == label.Covered && !s.hasTest(id) {
			return false
		}
	}
	return true
}

// uncoverLost gives the labels of lost tests another one, or opens them again.
func (t *txn) uncoverLost() {
	other := t.s.coverers(nil)
	for _, id := range slices.Sorted(maps.Keys(t.s.states)) {
		st := t.state(id)
		if st.Status != label.Covered || t.s.hasTest(id) {
			continue
		}
		if n, ok := other[id]; ok {
			st.Test = n
		} else {
			st = State{Relation: st.Relation, At: t.s.opts.Now(),
				Reason: &Reason{Method: "store", Text: "the test that covered it is lost"}}
			t.s.repairs.Uncovered = append(t.s.repairs.Uncovered, id)
		}
		t.dirty[id] = st
	}
}
