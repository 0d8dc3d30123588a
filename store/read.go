package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"
)

// Read returns what the store in dir holds and changes nothing there, so that
// it works on a full disk and in a directory that cannot be written. While a
// campaign has the directory it fails with ErrLocked.
func Read(dir string) (*Snapshot, error) {
	path := filepath.Join(dir, fileName)
	if _, err := os.Stat(path); err != nil {
		return nil, openError(dir, err)
	}
	free, err := shareLock(dir)
	if err != nil {
		return nil, err
	}
	defer free()
	if isEmpty(path) {
		return nil, fmt.Errorf("%w: %s is empty", ErrDamaged, path)
	}
	if neverMade(path) {
		return &Snapshot{}, nil
	}
	db, err := openFile(path, &bbolt.Options{ReadOnly: true, Timeout: time.Second})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, &LockedError{Dir: dir}
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return snapshotOf(dir, db)
}

// isEmpty reports whether a file is there with nothing in it: bbolt takes that for
// a new one, and forgets what it has held.
func isEmpty(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.Mode().IsRegular() && fi.Size() == 0
}
