package store

import (
	"slices"

	"go.etcd.io/bbolt"
)

var keyReplays = []byte("replays")

// ReplayProgram is a native program that tests were replayed with, as it was built.
type ReplayProgram struct {
	File    string   `json:"file"` // in the store's folder
	Sum     string   `json:"sum"`  // SHA-256 of its bytes
	Entries []string `json:"entries,omitempty"`
}

// SetReplays says with which programs the tests from now on are replayed; a test's
// entry is in one of them.
func (s *Store) SetReplays(programs []ReplayProgram) error {
	programs = slices.Clone(programs)
	for i := range programs {
		programs[i].File = s.shorten(programs[i].File)
	}
	return s.do(func(t *txn) error { return t.put(bucketMeta, keyReplays, programs) }, nil)
}

// ReplayOf finds the program that an entry's tests are replayed with.
func (o *Snapshot) ReplayOf(entry string) (ReplayProgram, bool) {
	for i := len(o.Replays) - 1; i >= 0; i-- {
		if slices.Contains(o.Replays[i].Entries, entry) {
			return o.Replays[i], true
		}
	}
	if len(o.Replays) == 0 {
		return ReplayProgram{}, false
	}
	return o.Replays[0], true // which has the program's own main, if any has it
}

func (s *Store) readReplays(tx *bbolt.Tx, out *Snapshot) error {
	if _, err := get(tx, bucketMeta, keyReplays, &out.Replays); err != nil {
		return err
	}
	for i := range out.Replays {
		out.Replays[i].File = s.lengthen(out.Replays[i].File)
	}
	return nil
}
