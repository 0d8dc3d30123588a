package store

import (
	"encoding/binary"
	"errors"
	"fmt"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"syscall"

	"go.etcd.io/bbolt"

	"klabel/disk"
	"klabel/label"
)

// maxBatch bounds how many requests share one commit.
const maxBatch = 512

// request is a change that waits for the writer. op must leave everything but
// the txn alone; after runs once the change is on disk, under the lock.
type request struct {
	op    func(*txn) error
	after func()
	err   error
	done  chan struct{}
}

// txn is the transaction of a batch. States change in dirty first, so that a
// commit that fails changes nothing.
type txn struct {
	s     *Store
	tx    *bbolt.Tx
	dirty map[label.ID]State
	wake  map[label.ID]bool // pending in the view, to be shown as unknown again
	undo  []func()          // takes back what the batch did to other maps, last first
	whole bool              // all labels changed: the view must be made anew
}

func (t *txn) state(id label.ID) State {
	if st, ok := t.dirty[id]; ok {
		return st
	}
	return t.s.states[id]
}

// do hands a change to the writer and waits until it is on disk.
func (s *Store) do(op func(*txn) error, after func()) error {
	r := &request{op: op, after: after, done: make(chan struct{})}
	if err := s.submit(r); err != nil {
		return err
	}
	<-r.done
	return r.err
}

func (s *Store) submit(r *request) error {
	select {
	case <-s.closed:
		return ErrClosed
	default:
	}
	select {
	case <-s.closed:
		return ErrClosed
	case s.queue <- r:
	}
	// The writer may have ended between the two: then nobody reads the queue.
	select {
	case <-s.done:
		s.drain(ErrClosed)
	default:
	}
	return nil
}

// drain answers what is left in the queue once the writer has ended.
func (s *Store) drain(err error) {
	for {
		select {
		case r := <-s.queue:
			r.finish(err)
		default:
			return
		}
	}
}

func (r *request) finish(err error) {
	r.err = err
	close(r.done)
}

// write is the writer: the only goroutine that changes the store.
func (s *Store) write() {
	defer func() {
		close(s.done)
		s.drain(ErrClosed)
	}()
	for {
		var batch []*request
		select {
		case r := <-s.queue:
			batch = append(batch, r)
		case <-s.closed:
			select {
			case r := <-s.queue:
				batch = append(batch, r)
			default:
				return
			}
		}
	more:
		for len(batch) < maxBatch {
			select {
			case r := <-s.queue:
				batch = append(batch, r)
			default:
				break more
			}
		}
		s.commit(batch)
	}
}

// commit runs a batch in one transaction, then publishes it. A request that is
// wrong in itself (no such label) fails alone; an error of the file fails all.
func (s *Store) commit(batch []*request) {
	own := make([]error, len(batch))
	t := &txn{s: s, dirty: map[label.ID]State{}, wake: map[label.ID]bool{}}
	err := s.update(func(tx *bbolt.Tx) error {
		t.tx = tx
		for i, r := range batch {
			if own[i] = r.op(t); isFatal(own[i]) {
				return own[i]
			}
		}
		return t.putStates()
	})
	if err != nil {
		for i := len(t.undo) - 1; i >= 0; i-- {
			t.undo[i]()
		}
		if !errors.Is(err, ErrDamaged) { // that says which file
			err = fmt.Errorf("%w%s", disk.Unwritten(s.db.Path(), err), hint(err))
		}
		for i := range own {
			own[i] = err
		}
	} else if perr := s.publish(t, batch, own); perr != nil {
		for i := range own {
			own[i] = perr
		}
	}
	for i, r := range batch {
		r.finish(own[i])
	}
}

// update is bbolt's, with its panics on a damaged file turned into errors.
func (s *Store) update(f func(*bbolt.Tx) error) (err error) {
	defer s.guarded(&err)()
	if s.broken.Load() {
		return ErrDamaged
	}
	if err := s.intact(); err != nil {
		return err
	}
	err = s.db.Update(f)
	if fi, serr := s.file.Stat(); serr == nil {
		s.size = fi.Size()
	}
	return err
}

// intact looks at the file before bbolt does: behind the end of one that was cut
// it reads, in goroutines of its own, where nobody catches the fault. What is
// found is final: the file is not touched any more.
func (s *Store) intact() error {
	fi, err := s.file.Stat()
	if err != nil {
		return openError(s.dir, err)
	}
	why := ""
	if st, ok := fi.Sys().(*syscall.Stat_t); ok && st.Nlink == 0 {
		why = "it was removed"
	} else if fi.Size() < s.size {
		why = fmt.Sprintf("it was cut from %d to %d bytes", s.size, fi.Size())
	}
	if why == "" {
		return nil
	}
	s.broken.Store(true)
	return fmt.Errorf("%w: %s: %s while klabel worked with it", ErrDamaged, filepath.Join(s.dir, fileName), why)
}

// guarded turns a panic of bbolt's, or a fault on memory that is no longer behind
// the mapped file, into an error: defer s.guarded(&err)(). A transaction that
// ended so keeps its locks: the file is not touched any more.
func (s *Store) guarded(err *error) func() {
	old := debug.SetPanicOnFault(true)
	return func() {
		debug.SetPanicOnFault(old)
		if p := recover(); p != nil {
			s.broken.Store(true)
			why := fmt.Sprint(p)
			if _, fault := p.(runtime.Error); fault { // of the machine: its words help nobody
				why = "it was cut or written over while klabel read it"
			}
			*err = fmt.Errorf("%w: %s: %s", ErrDamaged, filepath.Join(s.dir, fileName), why)
		}
	}
}

// fatalError marks an error of the file, as against one of the request.
type fatalError struct{ error }

func (e fatalError) Unwrap() error { return e.error }

func isFatal(err error) bool {
	var f fatalError
	return errors.As(err, &f)
}

// publish makes a committed batch visible: to callers first, then in the view.
func (s *Store) publish(t *txn, batch []*request, own []error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, st := range t.dirty {
		s.link(id, s.states[id].Relation, st.Relation)
		s.states[id] = st
	}
	for i, r := range batch {
		if own[i] == nil && r.after != nil {
			r.after()
		}
	}
	if t.whole {
		v, err := newView(s.ViewPath(), s.viewBytes())
		if err != nil {
			return openError(s.dir, err)
		}
		s.view.close()
		s.view = v
	}
	for id, st := range t.dirty {
		b := viewByte(st)
		if b == label.Unknown && !t.wake[id] {
			// What engines marked as pending stays so: its replay is due.
			s.view.set(id, b, func(old label.Status) bool { return old != label.Pending })
			continue
		}
		s.view.set(id, b, nil)
	}
	if len(t.dirty) > 0 {
		s.view.bump()
	}
	if s.view.cut.Load() {
		return fmt.Errorf("%s was cut while engines read it; what was found is kept: run again", s.ViewPath())
	}
	s.noteResolved()
	return nil
}

// link keeps standFor in step with a label's relation.
func (s *Store) link(id label.ID, old, now *Relation) {
	if old != nil {
		l := s.standFor[old.Of]
		for i, x := range l {
			if x == id {
				s.standFor[old.Of] = append(l[:i:i], l[i+1:]...)
				break
			}
		}
	}
	if now != nil {
		s.standFor[now.Of] = append(s.standFor[now.Of], id)
	}
}

var (
	bucketMeta     = []byte("meta")
	bucketLabels   = []byte("labels")
	bucketStates   = []byte("statuses")
	bucketTests    = []byte("tests")
	bucketData     = []byte("data") // of tests, by their numbers
	bucketRuns     = []byte("runs")
	bucketConflict = []byte("contradictions")
	allBuckets     = [][]byte{bucketMeta, bucketLabels, bucketStates, bucketTests, bucketData, bucketRuns,
		bucketConflict}
)

func idKey(id label.ID) []byte { return binary.BigEndian.AppendUint32(nil, uint32(id)) }
func seqKey(n uint64) []byte   { return binary.BigEndian.AppendUint64(nil, n) }

func (t *txn) putStates() error {
	for id, st := range t.dirty {
		st.Refused, st.GivenUp = false, false // of this session only
		if err := t.put(bucketStates, idKey(id), st); err != nil {
			return err
		}
	}
	return nil
}
