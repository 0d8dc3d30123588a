package native

import (
	"encoding/binary"
	"fmt"
	"os"
	"sync/atomic"
	"unsafe"

	"golang.org/x/sys/unix"

	"klabel/label"
)

// liveView is the mapped file in which klabel publishes the labels' statuses.
// The only write is unknown to pending.
type liveView struct {
	data []byte
	n    uint32
}

const viewHeader = 64

func openView(path string) (*liveView, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, fmt.Errorf("live view: %w", err)
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("live view: %w", err)
	}
	if st.Size() < viewHeader {
		return nil, fmt.Errorf("live view %s is too short", path)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("live view %s: %w", path, err)
	}
	v := &liveView{data: data, n: binary.LittleEndian.Uint32(data[12:])}
	if string(data[:8]) != "KLABELV1" || binary.LittleEndian.Uint32(data[8:]) != 1 || int64(v.n)+viewHeader > st.Size() {
		return nil, fmt.Errorf("%s is not a live view of version 1", path)
	}
	return v, nil
}

// word returns the aligned 32-bit word that holds a byte, and the byte's shift.
func (v *liveView) word(id uint32) (*uint32, uint32) {
	at := viewHeader + int(id)
	return (*uint32)(unsafe.Pointer(&v.data[at&^3])), uint32(at&3) * 8
}

// Status returns a label's status; one outside the view is deselected.
func (v *liveView) Status(id uint32) label.Status {
	if id >= v.n || viewHeader+int(id)|3 >= len(v.data) {
		return v.edge(id)
	}
	w, shift := v.word(id)
	return label.Status(atomic.LoadUint32(w) >> shift)
}

// edge handles the bytes behind the last whole word.
func (v *liveView) edge(id uint32) label.Status {
	if id >= v.n {
		return label.Deselected
	}
	return label.Status(v.data[viewHeader+int(id)])
}

// Claim marks an unknown label as pending; false if it is not open.
func (v *liveView) Claim(id uint32) bool {
	if id >= v.n {
		return false
	}
	if viewHeader+int(id)|3 >= len(v.data) { // mapped up to the page's end
		if s := label.Status(v.data[viewHeader+int(id)]); s != label.Unknown {
			return s.Open()
		}
		v.data[viewHeader+int(id)] = byte(label.Pending)
		return true
	}
	w, shift := v.word(id)
	for {
		old := atomic.LoadUint32(w)
		if s := label.Status(old >> shift); s != label.Unknown {
			return s.Open()
		}
		if atomic.CompareAndSwapUint32(w, old, old|uint32(label.Pending)<<shift) {
			return true
		}
	}
}

// ownView keeps statuses where there is no live view.
type ownView map[uint32]label.Status

func (v ownView) Status(id uint32) label.Status { return v[id] }

func (v ownView) Claim(id uint32) bool {
	if v[id] != label.Unknown {
		return false
	}
	v[id] = label.Pending
	return true
}
