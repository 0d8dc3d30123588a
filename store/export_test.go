package store

import (
	"io"
	"runtime/debug"
	"sync/atomic"

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

// get returns a label's byte. Labels outside the view are Unknown.
func (v *view) get(id label.ID) (s label.Status) {
	if int(id) >= v.n || v.mem == nil {
		return label.Unknown
	}
	defer v.fault(debug.SetPanicOnFault(true))
	w, shift := v.word(id)
	return label.Status(atomic.LoadUint32(w) >> shift)
}

// ViewStatus returns a label's byte of the live view, Pending included.
func (s *Store) ViewStatus(id label.ID) label.Status {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.view.get(id)
}

// Seal is what Open takes for a record of these bytes.
func Seal(key, value []byte) []byte { return seal(key, value) }

// ReadCopy is one try of ReadLive's: what is read comes through a reader.
func ReadCopy(dir string, through func(io.Reader) io.Reader) (*Snapshot, error) {
	return readCopy(dir, through)
}

// ErrTorn is what ReadCopy returns of a store that has changed meanwhile.
var ErrTorn = errTorn
