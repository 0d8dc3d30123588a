package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"go.etcd.io/bbolt"

	"klabel/label"
)

var (
	keyProgram = []byte("program")
	keySchema  = []byte("schema")
	keyEpoch   = []byte("epoch")
)

// schema is the version of what is in the buckets.
const schema = "1"

// hasBuckets reports whether the file has been used before.
func (s *Store) hasBuckets() (known bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %s: %v", ErrDamaged, s.db.Path(), p)
		}
	}()
	known = true
	err = s.db.View(func(tx *bbolt.Tx) error {
		for _, b := range allBuckets {
			known = known && tx.Bucket(b) != nil
		}
		return nil
	})
	return known, err
}

// load reads an earlier campaign's state, and makes the buckets.
func (s *Store) load() (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %s: %v", ErrDamaged, s.db.Path(), p)
		}
	}()
	known, err := s.hasBuckets()
	if err == nil && !known {
		err = s.db.Update(func(tx *bbolt.Tx) error {
			for _, b := range allBuckets {
				if _, err := tx.CreateBucketIfNotExists(b); err != nil {
					return err
				}
			}
			return tx.Bucket(bucketMeta).Put(keySchema, []byte(schema))
		})
	}
	if err != nil {
		return openError(s.db.Path(), err)
	}
	err = s.db.View(func(tx *bbolt.Tx) error {
		if v := string(tx.Bucket(bucketMeta).Get(keySchema)); v != schema {
			return fmt.Errorf("form %q of another version of klabel, not %q", v, schema)
		}
		s.program = string(tx.Bucket(bucketMeta).Get(keyProgram))
		if b := tx.Bucket(bucketMeta).Get(keyEpoch); len(b) == 8 {
			s.epoch = binary.BigEndian.Uint64(b)
		}
		if err := each(tx, bucketLabels, func(l label.Label) { s.labels[l.ID] = l }); err != nil {
			return err
		}
		err := tx.Bucket(bucketStates).ForEach(func(k, v []byte) error {
			var st State
			if err := json.Unmarshal(v, &st); err != nil {
				return err
			}
			if len(k) != 4 {
				return fmt.Errorf("a status has a key of %d bytes", len(k))
			}
			id := label.ID(k[0])<<24 | label.ID(k[1])<<16 | label.ID(k[2])<<8 | label.ID(k[3])
			if _, ok := s.labels[id]; ok {
				s.states[id] = st
				s.link(id, nil, st.Relation)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return each(tx, bucketTests, func(t Test) {
			stale := t.Epoch != s.epoch
			s.tests[t.Name+"\x00"+t.Hash] = testRef{t.Number, stale}
			if !stale {
				s.hits[t.Number] = normalHits(t.Verdict)
			}
		})
	})
	if err != nil && !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w: %s: %v", ErrDamaged, s.db.Path(), err)
	}
	return err
}

// each decodes every value of a bucket.
func each[T any](tx *bbolt.Tx, bucket []byte, f func(T)) error {
	return tx.Bucket(bucket).ForEach(func(_, b []byte) error {
		var v T
		if err := json.Unmarshal(b, &v); err != nil {
			return err
		}
		f(v)
		return nil
	})
}

// SetProgram says which program the statuses are about; the hash is of all that
// decides its behaviour (text, flags, driver). For the same program as before
// nothing happens. For another one, every proof and coverage is forgotten, what
// the user deselected is not, and the tests are kept: replay is true if there
// are tests that must be replayed and recorded again (TestsToReplay).
func (s *Store) SetProgram(hash string) (replay bool, err error) {
	err = s.do(func(t *txn) error {
		old := s.program
		if old == hash {
			return nil
		}
		if err := t.tx.Bucket(bucketMeta).Put(keyProgram, []byte(hash)); err != nil {
			return fatalError{err}
		}
		for id := range s.labels {
			t.forget(id)
		}
		s.mu.Lock()
		s.program = hash
		s.mu.Unlock()
		t.undo = append(t.undo, func() { s.mu.Lock(); s.program = old; s.mu.Unlock() })
		return t.newEpoch()
	}, nil)
	if err != nil {
		return false, err
	}
	return s.staleTests() > 0, nil
}

// newEpoch makes all tests stale.
func (t *txn) newEpoch() error {
	s := t.s
	if err := t.tx.Bucket(bucketMeta).Put(keyEpoch, seqKey(s.epoch+1)); err != nil {
		return fatalError{err}
	}
	hits := s.hits
	s.hits = map[uint64][]label.ID{}
	s.mu.Lock()
	defer s.mu.Unlock()
	tests := maps.Clone(s.tests)
	s.epoch++
	for k, ref := range s.tests {
		ref.stale = true
		s.tests[k] = ref
	}
	t.undo = append(t.undo, func() {
		s.mu.Lock()
		s.epoch--
		s.tests, s.hits = tests, hits
		s.mu.Unlock()
	})
	return nil
}

func (s *Store) staleTests() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for _, ref := range s.tests {
		if ref.stale {
			n++
		}
	}
	return n
}

// forget makes a label unknown, unless it is deselected.
func (t *txn) forget(id label.ID) {
	st := t.state(id)
	if st.Status == label.Deselected {
		st = State{Status: st.Status, Reason: st.Reason, At: st.At}
	} else {
		st = State{}
	}
	t.dirty[id] = st
	t.wake[id] = true
	t.s.mu.Lock()
	delete(t.s.refusals, id)
	t.s.mu.Unlock()
}

// SetLabels says what labels the program has. A label that is there already
// with the same predicate, function and position keeps its status; what an
// earlier one with the same number had is forgotten, and so is the status of
// labels that are gone. Tests stay; if the statuses of covered labels had to be
// forgotten, they are all to be replayed again (TestsToReplay).
func (s *Store) SetLabels(ls []label.Label) error {
	now := make(map[label.ID]label.Label, len(ls))
	for _, l := range ls {
		if l.ID > label.MaxID {
			return fmt.Errorf("label %d: the largest number is %d", l.ID, label.MaxID)
		}
		if first, dup := now[l.ID]; dup {
			return fmt.Errorf("label %d is both at %v and at %v", l.ID, first.Position, l.Position)
		}
		now[l.ID] = l
	}
	return s.do(func(t *txn) error {
		old := s.labels
		b, sb := t.tx.Bucket(bucketLabels), t.tx.Bucket(bucketStates)
		changed, restale := false, false
		for id := range old {
			if _, ok := now[id]; !ok {
				if err := errors.Join(b.Delete(idKey(id)), sb.Delete(idKey(id))); err != nil {
					return fatalError{err}
				}
				changed = true
			}
		}
		for id, l := range now {
			was, ok := old[id]
			if ok && text(was) == text(l) {
				continue
			}
			if err := t.put(bucketLabels, idKey(id), l); err != nil {
				return err
			}
			changed = true
			if !ok || was.Predicate != l.Predicate || was.Function != l.Function || was.Position != l.Position {
				restale = true
				t.forget(id)
			}
		}
		if !changed {
			return nil
		}
		s.mu.Lock()
		states, links := maps.Clone(s.states), maps.Clone(s.standFor)
		s.labels = now
		for id, st := range states {
			if _, ok := now[id]; !ok {
				s.link(id, st.Relation, nil)
				delete(s.states, id)
				delete(t.dirty, id)
			}
		}
		s.mu.Unlock()
		t.undo = append(t.undo, func() {
			s.mu.Lock()
			s.labels, s.states, s.standFor = old, states, links
			s.mu.Unlock()
		})
		// What stands behind a label that is gone or changed stands alone.
		for id := range now {
			st := t.state(id)
			if st.Relation == nil {
				continue
			}
			if _, ok := now[st.Relation.Of]; !ok || t.wake[st.Relation.Of] {
				if st.Status == st.Relation.Kind {
					st.Status, st.Reason = label.Unknown, nil
				}
				st.Relation = nil
				t.dirty[id] = st
			}
		}
		t.whole = true
		if restale {
			return t.newEpoch()
		}
		return nil
	}, nil)
}

// text is all of a label, for comparison.
func text(l label.Label) string {
	return fmt.Sprintf("%q %q %q %+v", l.Predicate, l.Function, strings.Join(l.Tags, "\x00"), l.Position)
}

// TestsToReplay returns the tests that were recorded for another program or
// other labels, oldest first: replay them and Record them again.
func (s *Store) TestsToReplay() ([]Test, error) {
	all, err := s.Tests()
	if err != nil {
		return nil, err
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	return slices.DeleteFunc(all, func(t Test) bool { return !s.tests[t.Name+"\x00"+t.Hash].stale }), nil
}
