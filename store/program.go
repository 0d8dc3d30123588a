package store

import (
	"encoding/binary"
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
	keyAsked   = []byte("decisions")
)

// schema is the version of what is in the buckets.
const schema = "2"

// hasBuckets reports whether the file has been used before, by this version.
func (s *Store) hasBuckets() (known bool, err error) {
	defer s.guarded(&err)()
	err = s.db.View(func(tx *bbolt.Tx) error {
		meta := tx.Bucket(bucketMeta)
		if meta == nil {
			return nil
		}
		known = true
		if v := string(meta.Get(keySchema)); v != schema {
			return fmt.Errorf("%s: %w", s.dir, ErrVersion)
		}
		for _, b := range allBuckets {
			if tx.Bucket(b) == nil {
				return fmt.Errorf("%w: %s: %s are missing", ErrDamaged, s.db.Path(), b)
			}
		}
		return nil
	})
	return known, err
}

// load reads an earlier campaign's state, and makes the buckets.
func (s *Store) load() (err error) {
	defer s.guarded(&err)()
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
		if err == nil {
			err = syncDir(s.dir)
		}
	}
	if errors.Is(err, ErrDamaged) || errors.Is(err, ErrVersion) {
		return err
	}
	if err != nil {
		return openError(s.db.Path(), err)
	}
	err = s.db.View(s.loadFrom)
	if err != nil && !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("%w: %s: %v", ErrDamaged, s.db.Path(), err)
	}
	return err
}

// syncDir makes the names in a directory durable: bbolt syncs only its file.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	return d.Sync()
}

func (s *Store) loadFrom(tx *bbolt.Tx) error {
	if _, err := get(tx, bucketMeta, keyProgram, &s.program); err != nil {
		return err
	}
	if _, err := get(tx, bucketMeta, keyEpoch, &s.epoch); err != nil {
		return err
	}
	if _, err := get(tx, bucketMeta, keyAsked, &s.asked); err != nil {
		return err
	}
	err := each(tx, bucketLabels, func(_ []byte, l label.Label) error { s.labels[l.ID] = l; return nil })
	if err != nil {
		return err
	}
	err = each(tx, bucketStates, func(key []byte, st State) error {
		if len(key) != 4 {
			return fmt.Errorf("a status has a key of %d bytes", len(key))
		}
		id := label.ID(binary.BigEndian.Uint32(key))
		if _, ok := s.labels[id]; ok {
			s.states[id] = st
			s.link(id, nil, st.Relation)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return each(tx, bucketTests, func(_ []byte, t Test) error {
		stale := t.Epoch != s.epoch
		s.tests[t.key()] = testRef{seq: t.Number, stale: stale, dropped: t.Dropped}
		if !stale {
			s.hits[t.Number] = normalHits(t.Verdict)
		}
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
		if err := t.put(bucketMeta, keyProgram, hash); err != nil {
			return err
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
	if err := t.put(bucketMeta, keyEpoch, s.epoch+1); err != nil {
		return err
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
		if ref.stale && !ref.dropped {
			n++
		}
	}
	return n
}

// forget makes a label unknown, unless it is deselected.
func (t *txn) forget(id label.ID) {
	st := t.state(id)
	if st.Status == label.Deselected && !st.unneeded() {
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
	return slices.DeleteFunc(all, func(t Test) bool { return t.Dropped || !s.tests[t.key()].stale }), nil
}
