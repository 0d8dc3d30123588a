package store

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"

	"go.etcd.io/bbolt"
)

// Every value in the file ends in a checksum of its key and itself: a disk or
// another program that changes a byte is noticed, and a damaged record is never
// taken for a fact.

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("a record is damaged: its checksum is wrong")

func sum(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}

// seal returns a copy of the value with its checksum.
func seal(key, value []byte) []byte {
	out := make([]byte, 0, len(value)+4)
	return binary.LittleEndian.AppendUint32(append(out, value...), sum(key, value))
}

// unseal returns the value, which is the file's memory, without its checksum.
func unseal(key, sealed []byte) ([]byte, error) {
	n := len(sealed) - 4
	if n < 0 || binary.LittleEndian.Uint32(sealed[n:]) != sum(key, sealed[:n]) {
		return nil, errChecksum
	}
	return sealed[:n], nil
}

// get decodes one record of a bucket. It reports whether there is one.
func get(tx *bbolt.Tx, bucket, key []byte, to any) (bool, error) {
	sealed := tx.Bucket(bucket).Get(key)
	if sealed == nil {
		return false, nil
	}
	b, err := unseal(key, sealed)
	if err == nil {
		err = json.Unmarshal(b, to)
	}
	return err == nil, err
}

// each decodes every record of a bucket.
func each[T any](tx *bbolt.Tx, bucket []byte, f func(key []byte, v T) error) error {
	return tx.Bucket(bucket).ForEach(func(key, sealed []byte) error {
		b, err := unseal(key, sealed)
		if err != nil {
			return fmt.Errorf("%s: %w", bucket, err)
		}
		var v T
		if err := json.Unmarshal(b, &v); err != nil {
			return fmt.Errorf("%s: %w", bucket, err)
		}
		return f(key, v)
	})
}

// put encodes a record.
func (t *txn) put(bucket, key []byte, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return t.putBytes(bucket, key, b)
}

func (t *txn) putBytes(bucket, key, value []byte) error {
	if err := t.tx.Bucket(bucket).Put(key, seal(key, value)); err != nil {
		return fatalError{err}
	}
	return nil
}
