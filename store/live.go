package store

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"go.etcd.io/bbolt"

	"klabel/disk"
	"klabel/label"
)

// How long a store that is being written is tried to be read, and the pause between two
// tries.
const (
	livePatience = 3 * time.Second
	livePause    = 5 * time.Millisecond
)

// errTorn says that a commit ended while a store was copied.
var errTorn = errors.New("the store has changed while it was read")

// ReadLive is Read for a directory that a campaign may have right now: it reads
// a copy of the file, so that nobody waits for anybody. What it returns is one
// moment of the campaign's; where that commits without a pause it fails with ErrLocked.
// running says whether a campaign has the directory.
func ReadLive(dir string) (snap *Snapshot, running bool, err error) {
	snap, err = Read(dir)
	if !errors.Is(err, ErrLocked) {
		return snap, false, err
	}
	locked := err
	for end := time.Now().Add(livePatience); ; time.Sleep(livePause) {
		snap, err = readCopy(dir, func(r io.Reader) io.Reader { return r })
		if !errors.Is(err, errTorn) {
			return snap, true, err
		}
		if time.Now().After(end) {
			return nil, true, locked
		}
	}
}

// readCopy reads a copy of the file. A commit takes pages that the one before it has
// left, and writes its number when they are written: while the number is the same, the
// pages that belong to it are what they were. A copy in which they are not may look
// whole all the same, with other records in it.
func readCopy(dir string, through func(io.Reader) io.Reader) (*Snapshot, error) {
	in, err := disk.Open(filepath.Join(dir, fileName))
	if err != nil {
		return nil, openError(dir, err)
	}
	defer in.Close()
	tmp, err := os.MkdirTemp("", "klabel-live-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tmp)
	path := filepath.Join(tmp, fileName)
	before := lastCommit(in)
	err = disk.WriteFrom(path, func(w io.Writer) error {
		_, err := io.Copy(w, through(in))
		return err
	})
	if err != nil {
		return nil, openError(dir, err)
	}
	if lastCommit(in) != before {
		return nil, errTorn
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

// lastCommit is the number of the last commit in a file; 0 if there is none to be read.
func lastCommit(file io.ReaderAt) uint64 {
	b := make([]byte, 2*os.Getpagesize())
	n, _ := file.ReadAt(b, 0)
	_, commit := newestMeta(b[:n])
	return commit
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
