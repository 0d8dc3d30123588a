package store

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"klabel/label"
)

// The live view: a header of 64 bytes (magic, version, number of bytes N,
// generation; little-endian), then N bytes, one status each, indexed by label.
// Engines map the same file; all they may do is turn Unknown into Pending.
const (
	viewMagic   = "KLABELV1"
	viewVersion = 1
	viewHeader  = 64
)

type view struct {
	mem []byte
	n   int
}

// newView writes a view file with these bytes beside path, renames it into
// place and maps it. A process that still maps the file of an earlier Open
// keeps that one and disturbs nobody.
func newView(path string, statuses []byte) (*view, error) {
	size := (viewHeader + len(statuses) + 7) &^ 7
	buf := make([]byte, size)
	copy(buf, viewMagic)
	binary.LittleEndian.PutUint32(buf[8:], viewVersion)
	binary.LittleEndian.PutUint32(buf[12:], uint32(len(statuses)))
	binary.LittleEndian.PutUint64(buf[16:], 1)
	copy(buf[viewHeader:], statuses)

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
	mem, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
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

// word returns the aligned word that holds a label's byte, and the shift to it.
// Go has no atomic bytes; the compare-and-swap of a word that engines change a
// byte of at the same time simply fails and is tried again.
func (v *view) word(id label.ID) (*uint32, uint) {
	off := viewHeader + int(id)
	return (*uint32)(unsafe.Pointer(&v.mem[off&^3])), uint(off&3) * 8
}

// get returns a label's byte. Labels outside the view are Unknown.
func (v *view) get(id label.ID) label.Status {
	if int(id) >= v.n || v.mem == nil {
		return label.Unknown
	}
	w, shift := v.word(id)
	return label.Status(atomic.LoadUint32(w) >> shift)
}

// set stores a byte if accept agrees with the one that is there.
func (v *view) set(id label.ID, s label.Status, accept func(old label.Status) bool) {
	if int(id) >= v.n || v.mem == nil {
		return
	}
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
	if v.mem != nil {
		atomic.AddUint64((*uint64)(unsafe.Pointer(&v.mem[16])), 1)
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

// ViewStatus returns a label's byte of the live view, Pending included.
func (s *Store) ViewStatus(id label.ID) label.Status {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.view.get(id)
}

// Pend marks an unknown label as pending, as an engine does when it has written
// a test for it. It reports whether the label was open.
func (s *Store) Pend(id label.ID) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	won := false
	s.view.set(id, label.Pending, func(old label.Status) bool { won = old.Open(); return old == label.Unknown })
	return won
}
