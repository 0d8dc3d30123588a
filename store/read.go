package store

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"klabel/label"
)

// Read returns what the store in dir holds and changes nothing there, so that
// it works on a full disk and in a directory that cannot be written. While a
// campaign has the directory it fails with ErrLocked.
func Read(dir string) (*Snapshot, error) {
	path := filepath.Join(dir, fileName)
	if _, err := os.Stat(path); err != nil {
		return nil, openError(dir, err)
	}
	if neverMade(path) {
		return &Snapshot{}, nil
	}
	db, err := openFile(path, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		b, _ := os.ReadFile(filepath.Join(dir, lockName)) // without it the message lacks a number
		pid, _ := strconv.Atoi(strings.TrimSpace(string(b)))
		return nil, &LockedError{Dir: dir, PID: pid}
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	s := &Store{dir: dir, db: db, closed: make(chan struct{}), labels: map[label.ID]label.Label{}, states: map[label.ID]State{},
		standFor: map[label.ID][]label.ID{}, tests: map[string]testRef{}, hits: map[uint64][]label.ID{}}
	if made, err := s.hasBuckets(); err != nil || !made {
		return &Snapshot{}, err
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	return s.Snapshot()
}
