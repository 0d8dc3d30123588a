// Package store keeps what a campaign knows: labels and their statuses, tests,
// verdicts and runs, in one bbolt file; and the live view, a small mapped file
// that engines read while they run.
//
// It exists so that nothing found is ever lost. It promises:
//   - what a call has returned from is on disk: kill -9 at any moment leaves a
//     store that opens, with every committed label in it;
//   - the live view is published after the commit and is never ahead of it; it
//     is made anew, as a new file, at every Open;
//   - one process has a directory at a time: the second gets ErrLocked at once;
//   - all methods may be called from any goroutine. One goroutine writes, and
//     puts all that waits into one transaction, so that the price of a commit
//     is shared.
//
// Limits: whether a test covers a label, or a proof is right, is
// decided elsewhere. What contradicts itself is kept from both sides.
package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"go.etcd.io/bbolt"
	bbolterrors "go.etcd.io/bbolt/errors"

	"klabel/disk"
	"klabel/label"
	"klabel/objective"
)

// Options are the wishes of an Open.
type Options struct {
	Fresh       bool             // forget what an earlier campaign left in this store
	MaxRefusals int              // tests refused before engines are told to give a label up; 0: 50
	Now         func() time.Time // the clock; nil: time.Now
}

const (
	fileName = "klabel.db"
	viewName = "live.view"
	lockName = "klabel.lock"
)

// Store is an open store. The zero value is of no use: call Open.
type Store struct {
	dir  string
	opts Options
	db   *bbolt.DB
	file *os.File // that bbolt has open
	lock *os.File

	queue  chan *request
	closed chan struct{} // closed by Close: no new requests
	done   chan struct{} // closed by the writer when it has ended
	once   sync.Once

	mu       sync.RWMutex // guards all below; the writer alone changes them
	view     *view
	program  string
	epoch    uint64 // counts changes of program and labels: older tests are stale
	run      uint64 // started last, 0 if it has ended
	runStart map[uint64]time.Time
	labels   map[label.ID]label.Label
	asked    []objective.Decision // what criteria of pairs ask of the labels
	states   map[label.ID]State
	refusals map[label.ID]int
	standFor map[label.ID][]label.ID // labels that are duplicates of, or subsumed by, the key
	tests    map[string]testRef      // by name and hash
	resolved chan struct{}           // closed when no label is left

	repairs Repairs     // what Open did
	broken  atomic.Bool // the file is damaged, and bbolt's locks are held for ever
	size    int64       // of the file after the last commit; the writer's own

	hits map[uint64][]label.ID // of each test that ended normally and is not stale; the writer's own
}

// State is what the store knows of one label.
type State struct {
	Status   label.Status  `json:"status"`             // Unknown, Covered, Infeasible, Deselected, Duplicate or Subsumed
	Reason   *Reason       `json:"reason,omitempty"`   // why, unless a test covers it
	Test     uint64        `json:"test,omitempty"`     // number of the test that covered it first
	At       time.Time     `json:"at"`                 // when it became so
	Relation *Relation     `json:"relation,omitempty"` // redundant, whatever its status
	Refused  bool          `json:"refused,omitempty"`  // a test for it was refused in this session
	GivenUp  bool          `json:"given_up,omitempty"` // tests for it were refused too often in this session
	Elapsed  time.Duration `json:"elapsed,omitempty"`  // since the start of the run that covered it; 0 outside a run
}

// Relation says that a label is redundant.
type Relation struct {
	Kind   label.Status `json:"kind"` // Duplicate or Subsumed
	Of     label.ID     `json:"of"`
	Reason Reason       `json:"reason"`
}

// Reason says how a status other than Covered came to be.
type Reason struct {
	Method  string   `json:"method"`            // "eva", "wp", "native", "compiler", "user", ...
	Text    string   `json:"text,omitempty"`    // in words
	Seconds float64  `json:"seconds,omitempty"` // what it took
	Of      label.ID `json:"of,omitempty"`      // Duplicate, Subsumed: the label that this one stands behind
}

type testRef struct {
	seq     uint64
	stale   bool // recorded for another program: must be replayed again
	dropped bool // no longer in the suite
}

// Open opens the store in dir, which it makes if need be.
func Open(dir string, o Options) (s *Store, err error) {
	if o.MaxRefusals <= 0 {
		o.MaxRefusals = 50
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, openError(dir, err)
	}
	lock, err := takeLock(filepath.Join(dir, lockName))
	if err != nil {
		return nil, err
	}
	s = &Store{dir: dir, opts: o, lock: lock, queue: make(chan *request, 1024), closed: make(chan struct{}),
		done:   make(chan struct{}),
		labels: map[label.ID]label.Label{}, states: map[label.ID]State{}, refusals: map[label.ID]int{},
		standFor: map[label.ID][]label.ID{}, tests: map[string]testRef{}, resolved: make(chan struct{}),
		runStart: map[uint64]time.Time{}, hits: map[uint64][]label.ID{}}
	defer func() {
		if err != nil {
			s.release()
			s = nil
		}
	}()
	path := filepath.Join(dir, fileName)
	s.repairs.Emptied = isEmpty(path) && !o.Fresh
	if o.Fresh {
		if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
			return s, openError(dir, err)
		}
	}
	if s.db, err = s.openDB(path); err != nil {
		return s, err
	}
	if err = s.load(); err != nil {
		return s, err
	}
	if err = s.mend(); err != nil {
		return s, err
	}
	if s.view, err = newView(filepath.Join(dir, viewName), s.viewBytes()); err != nil {
		return s, openError(dir, err)
	}
	s.noteResolved()
	fi, err := s.file.Stat()
	if err != nil {
		return s, openError(dir, err)
	}
	s.size = fi.Size()
	go s.write()
	return s, nil
}

// openDB opens the bbolt file, or makes it.
func (s *Store) openDB(path string) (*bbolt.DB, error) {
	if neverMade(path) {
		if err := os.Remove(path); err != nil {
			return nil, openError(filepath.Dir(path), err)
		}
	}
	if _, err := os.Lstat(path); errors.Is(err, os.ErrNotExist) {
		if err := makeFile(path); err != nil {
			return nil, err
		}
	}
	open := func(name string, flag int, perm os.FileMode) (*os.File, error) {
		f, err := os.OpenFile(name, flag, perm)
		s.file = f
		return f, err
	}
	db, err := openFile(path, &bbolt.Options{Timeout: time.Second, NoFreelistSync: true,
		FreelistType: bbolt.FreelistMapType, OpenFile: open})
	if errors.Is(err, bbolterrors.ErrTimeout) {
		return nil, &LockedError{Dir: filepath.Dir(path)}
	}
	return db, err
}

// makeFile makes a bbolt file that holds nothing, whole or not at all: one that is killed
// in the middle of it leaves no empty file, which would look like a store that was lost.
func makeFile(path string) error {
	part := path + disk.Part
	if err := os.Remove(part); err != nil && !errors.Is(err, os.ErrNotExist) {
		return openError(filepath.Dir(path), err)
	}
	db, err := openFile(part, &bbolt.Options{NoFreelistSync: true, FreelistType: bbolt.FreelistMapType})
	if err == nil {
		if err = db.Close(); err == nil {
			err = os.Rename(part, path)
		}
		if err != nil {
			err = openError(filepath.Dir(path), err)
		}
	}
	if err != nil {
		_ = os.Remove(part) // the error is what matters
	}
	return err
}

// openFile opens a bbolt file that is whole.
func openFile(path string, o *bbolt.Options) (db *bbolt.DB, err error) {
	defer (&Store{dir: filepath.Dir(path)}).guarded(&err)()
	if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
		return nil, fmt.Errorf("%w: %s is no file", ErrDamaged, path)
	}
	if err := checkPages(path); err != nil && !errors.Is(err, os.ErrNotExist) {
		if errors.Is(err, os.ErrPermission) {
			return nil, openError(filepath.Dir(path), err)
		}
		return nil, fmt.Errorf("%w: %s: %v", ErrDamaged, path, err)
	}
	db, err = bbolt.Open(path, 0o666, o)
	switch {
	case errors.Is(err, bbolterrors.ErrInvalid), errors.Is(err, bbolterrors.ErrChecksum),
		errors.Is(err, bbolterrors.ErrVersionMismatch):
		return nil, fmt.Errorf("%w: %s: %v", ErrDamaged, path, err)
	case errors.Is(err, bbolterrors.ErrTimeout):
		return nil, err
	case err != nil:
		return nil, openError(filepath.Dir(path), err)
	}
	return db, nil
}

// neverMade reports that a file is the beginning of a new bbolt file whose
// making was cut short, by a full disk: bbolt would map more of it than there
// is. Nothing was ever committed to it.
func neverMade(path string) bool {
	b, err := disk.Read(path)
	size := os.Getpagesize()
	if err != nil || len(b) < 72 || len(b) >= 4*size {
		return false
	}
	const magic, commit = 16, 64 // in each of the first two pages
	if binary.LittleEndian.Uint32(b[magic:]) != 0xED0CDAED || binary.LittleEndian.Uint64(b[commit:]) != 0 {
		return false
	}
	return len(b) < size+72 || binary.LittleEndian.Uint64(b[size+commit:]) == 1
}

// ViewPath returns the path of the live view file. It changes its file, not its
// path, when labels with larger numbers arrive: start engines after SetLabels.
func (s *Store) ViewPath() string { return filepath.Join(s.dir, viewName) }

// Close writes what still waits and gives the directory free. It may be called
// more than once.
func (s *Store) Close() error {
	var err error
	s.once.Do(func() {
		close(s.closed)
		<-s.done
		err = s.release()
	})
	return err
}

func (s *Store) release() error {
	var err error
	if s.view != nil {
		s.mu.Lock()
		s.view.close()
		s.mu.Unlock()
	}
	switch {
	case s.file != nil && (s.db == nil || s.broken.Load()):
		// bbolt may hold its own locks for ever. The mapping stays until the end of
		// the process; the file is free.
		freeLock(s.file)
	case s.db != nil:
		err = s.db.Close()
	}
	if s.lock != nil {
		freeLock(s.lock)
	}
	return err
}

// Resolved returns a channel that is closed once every label is covered,
// infeasible, deselected or redundant. A contradiction that turns up later may
// open a label again: Remaining tells.
func (s *Store) Resolved() <-chan struct{} { return s.resolved }

// AllResolved reports whether no label is left to work on.
func (s *Store) AllResolved() bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.allResolved()
}

func (s *Store) allResolved() bool {
	if len(s.labels) == 0 {
		return false
	}
	for id := range s.labels {
		if !s.states[id].Status.Resolved() {
			return false
		}
	}
	return true
}

func (s *Store) noteResolved() {
	select {
	case <-s.resolved:
	default:
		if s.allResolved() {
			close(s.resolved)
		}
	}
}

// Remaining returns how many labels engines can still work on: unknown, and not
// given up.
func (s *Store) Remaining() int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	n := 0
	for id := range s.labels {
		if st := s.states[id]; !st.Status.Resolved() && !st.GivenUp {
			n++
		}
	}
	return n
}

// Status returns what is known of a label now.
func (s *Store) Status(id label.ID) (State, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	_, ok := s.labels[id]
	return s.states[id], ok
}
