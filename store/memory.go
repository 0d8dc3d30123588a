package store

import (
	"encoding/json"

	"go.etcd.io/bbolt"
)

var keyMemory = []byte("memory")

// SetMemory keeps what a campaign wants to know the next time, in a form that is
// its own business; nil forgets it.
func (s *Store) SetMemory(v any) error {
	return s.do(func(t *txn) error { return t.put(bucketMeta, keyMemory, v) }, nil)
}

func (s *Store) readMemory(tx *bbolt.Tx, out *Snapshot) error {
	_, err := get(tx, bucketMeta, keyMemory, &out.memory)
	return err
}

// Memory decodes what SetMemory has kept, and reports whether there is anything.
func (o *Snapshot) Memory(v any) bool {
	return len(o.memory) > 0 && string(o.memory) != "null" && json.Unmarshal(o.memory, v) == nil
}
