package cluster

import (
	"sync"

	"klabel/label"
)

// view is what a worker knows of the labels. It feeds the files that engines map.
type view struct {
	mu     sync.Mutex
	epoch  string
	gen    uint64 // up to which nothing is missing; 0: nothing is known yet
	status []byte
	files  map[*viewFile]bool
	ready  chan struct{}                // closed with the first whole view
	seen   func(id int, s label.Status) // in tests; nil: nobody
}

func newView() *view {
	return &view{files: map[*viewFile]bool{}, ready: make(chan struct{})}
}

// known reports whether there has been a whole view.
func (v *view) known() bool {
	select {
	case <-v.ready:
		return true
	default:
		return false
	}
}

// merge takes an update. Whole says that the worker has to ask for all of the view:
// something was missed.
func (v *view) merge(u *Update) (askWhole bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if u.Labels < 0 || u.Labels > int(label.MaxID)+1 {
		return false
	}
	first := v.gen == 0
	if u.Whole && (u.Epoch != v.epoch || first || len(v.status) != u.Labels) {
		v.epoch, v.gen, v.status = u.Epoch, 0, make([]byte, u.Labels)
	}
	if u.Epoch != v.epoch || len(v.status) != u.Labels {
		return !u.Whole
	}
	inOrder := u.Whole && u.Gen >= v.gen || u.Before == v.gen && v.gen > 0
	if inOrder { // else it is old, or something is missing: only what grows is taken
		if u.Whole && v.gen > 0 {
			v.takeBack(u)
		}
		if u.others(func(id int, s byte) { v.set(id, label.Status(s)) }) != nil {
			return !u.Whole
		}
		v.gen = u.Gen
	}
	if u.covered(func(id int) { v.set(id, label.Covered) }) != nil {
		return !u.Whole
	}
	if first && v.gen > 0 {
		select {
		case <-v.ready:
		default:
			close(v.ready)
		}
	}
	return !inOrder && u.Gen > v.gen
}

// takeBack makes unknown what a whole view does not name any more.
func (v *view) takeBack(u *Update) {
	named := make([]bool, len(v.status))
	_ = u.covered(func(id int) { named[id] = true }) // read again by the caller
	_ = u.others(func(id int, _ byte) { named[id] = true })
	for id, s := range v.status {
		if !named[id] && label.Status(s) != label.Unknown {
			v.set(id, label.Unknown)
		}
	}
}

func (v *view) set(id int, s label.Status) {
	if v.status[id] == byte(s) {
		return
	}
	v.status[id] = byte(s)
	if v.seen != nil {
		v.seen(id, s)
	}
	for f := range v.files {
		f.set(id, s)
	}
}

// is reports whether a label has a status.
func (v *view) is(id label.ID, s label.Status) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return int(id) < len(v.status) && v.status[id] == byte(s)
}

func (v *view) isOf(epoch string) bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.epoch == epoch && v.gen > 0
}

func (v *view) generation() uint64 {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.gen
}

// file makes a live view for one slice. What its engine marks as pending is
// nobody else's: it goes with the slice, so that no lost test leaves a label closed.
func (v *view) file(path string) (*viewFile, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	f, err := newViewFile(path, v.status)
	if err != nil {
		return nil, err
	}
	v.files[f] = true
	return f, nil
}

func (v *view) drop(f *viewFile) {
	v.mu.Lock()
	delete(v.files, f)
	v.mu.Unlock()
	f.close()
}
