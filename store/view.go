package store

import (
	"fmt"
	"os"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"klabel/label"
	"klabel/liveview"
)

// view is the live view. Engines map the same file; all they may do is turn
// Unknown into Pending.
type view struct {
	mem []byte
	n   int
	cut atomic.Bool // somebody has made the file shorter: the mapping is of no use
}

// fault notes, deferred, that the memory of the mapping is not there any more.
func (v *view) fault(old bool) {
	debug.SetPanicOnFault(old)
	if recover() != nil {
		v.cut.Store(true)
	}
}

// newView writes a view file with these bytes beside path, renames it into
// place and maps it. A process that still maps the file of an earlier Open
// keeps that one and disturbs nobody.
func newView(path string, statuses []byte) (*view, error) {
	buf := liveview.File(statuses)
	tmp := path + ".new"
	os.Remove(tmp)
	f, err := os.OpenFile(tmp, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	// Written, not just made that long: a hole in a full file system would
	// kill whoever stores into it.
	if _, err := f.WriteAt(buf, 0); err != nil {
		os.Remove(tmp)
		return nil, err
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, len(buf), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		os.Remove(tmp)
		return nil, fmt.Errorf("%s: cannot be mapped: %w", tmp, err)
	}
	if err := os.Rename(tmp, path); err != nil {
		unix.Munmap(mem)
		os.Remove(tmp)
		return nil, err
	}
	return &view{mem: mem, n: len(statuses)}, nil
}

func (v *view) close() {
	if v.mem != nil {
		unix.Munmap(v.mem)
		v.mem = nil
	}
}

// word returns the word that holds a label's byte, and the shift to it. The
// compare-and-swap of a word that engines change a byte of at the same time
// simply fails and is tried again.
func (v *view) word(id label.ID) (*uint32, uint) { return liveview.Word(v.mem, int(id)) }

// set stores a byte if accept agrees with the one that is there.
func (v *view) set(id label.ID, s label.Status, accept func(old label.Status) bool) {
	if int(id) >= v.n || v.mem == nil {
		return
	}
	defer v.fault(debug.SetPanicOnFault(true))
	w, shift := v.word(id)
	for {
		old := atomic.LoadUint32(w)
		if accept != nil && !accept(label.Status(old>>shift)) {
			return
		}
		next := old&^(0xff<<shift) | uint32(s)<<shift
		if atomic.CompareAndSwapUint32(w, old, next) {
			return
		}
	}
}

// bump counts a publication, so that readers see that something changed.
func (v *view) bump() {
	defer v.fault(debug.SetPanicOnFault(true))
	if v.mem != nil {
		atomic.AddUint64(liveview.Generation(v.mem), 1)
	}
}

// viewByte is the byte that a state shows engines. A subsumed label that is not
// covered stays open to them: it may be within reach where the one that it
// stands behind is not.
func viewByte(st State) label.Status {
	switch {
	case st.Status != label.Unknown && st.Status != label.Subsumed:
		return st.Status
	case st.GivenUp:
		return label.Pending
	case st.Refused:
		return label.Refused
	}
	return label.Unknown
}

// viewBytes makes all bytes, indexed by label. Numbers that no label has are
// shown as Deselected: nobody should spend effort on them.
func (s *Store) viewBytes() []byte {
	n := 0
	for id := range s.labels {
		n = max(n, int(id)+1)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(label.Deselected)
	}
	for id := range s.labels {
		b[id] = byte(viewByte(s.states[id]))
	}
	return b
}
