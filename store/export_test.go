package store

import (
	"go.etcd.io/bbolt"

	"klabel/label"
)

// Contradictions returns the claims that tests disprove.
func (s *Store) Contradictions() ([]Contradiction, error) {
	var out []Contradiction
	err := s.read(func(tx *bbolt.Tx) error {
		return collect(tx, bucketConflict, &out)
	})
	return out, err
}

// Dir returns the store's directory.
func (s *Store) Dir() string { return s.dir }

// Pend marks an unknown label as pending, as an engine does when it has written
// a test for it. It reports whether the label was open.
func (s *Store) Pend(id label.ID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	won := false
	s.view.set(id, label.Pending, func(old label.Status) bool { won = old.Open(); return old == label.Unknown })
	return won
}
