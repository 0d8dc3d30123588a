package store

import (
	"errors"
	"os"
	"path/filepath"

	"go.etcd.io/bbolt"

	"klabel/disk"
	"klabel/label"
)

// liveTries bounds the copies of a store that is being written: one is torn only
// if two commits or more end while it is made.
const liveTries = 5

// ReadLive is Read for a directory that a campaign may have right now: it reads
// a copy of the file, so that nobody waits for anybody. What it returns is a
// moment of the campaign's, or an error that says that it is damaged; records of
// two neighbouring commits may stand side by side. running says whether a
// campaign has the directory.
func ReadLive(dir string) (snap *Snapshot, running bool, err error) {
	snap, err = Read(dir)
	if !errors.Is(err, ErrLocked) {
		return snap, false, err
	}
	for range liveTries {
		snap, err = readCopy(dir)
		// A torn copy may look like a store without anything in it, too.
		nothing := err == nil && len(snap.Labels)+len(snap.Tests) == 0
		if !errors.Is(err, ErrDamaged) && !nothing {
			break
		}
	}
	return snap, true, err
}

func readCopy(dir string) (*Snapshot, error) {
	tmp, err := os.MkdirTemp("", "klabel-live-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	path := filepath.Join(tmp, fileName)
	if err := disk.Copy(filepath.Join(dir, fileName), path); err != nil {
		return nil, openError(dir, err)
	}
	if neverMade(path) {
		return &Snapshot{}, nil
	}
	db, err := openFile(path, &bbolt.Options{ReadOnly: true})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return snapshotOf(dir, db)
}

// snapshotOf reads an open file as the store of dir.
func snapshotOf(dir string, db *bbolt.DB) (*Snapshot, error) {
	s := &Store{dir: dir, db: db, closed: make(chan struct{}), labels: map[label.ID]label.Label{},
		states:   map[label.ID]State{},
		standFor: map[label.ID][]label.ID{}, tests: map[string]testRef{}, hits: map[uint64][]label.ID{}}
	if made, err := s.hasBuckets(); err != nil || !made {
		return &Snapshot{}, err
	}
	if err := s.load(); err != nil {
		return nil, err
	}
	return s.Snapshot()
}
