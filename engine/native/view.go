package native

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"klabel/label"
	"klabel/liveview"
)

// liveView is the mapped file in which klabel publishes the labels' statuses.
// The only write is unknown to pending.
type liveView struct {
	data []byte
	n    uint32
}

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
	if st.Size() < liveview.Header {
		return nil, fmt.Errorf("%s is %w", path, liveview.ErrFormat)
	}
	data, err := unix.Mmap(int(f.Fd()), 0, int(st.Size()), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("live view %s: %w", path, err)
	}
	n, err := liveview.Count(data)
	if err != nil {
		_ = unix.Munmap(data)
		return nil, fmt.Errorf("%s is %w", path, err)
	}
	return &liveView{data: data, n: uint32(n)}, nil
}

func (v *liveView) close() { _ = unix.Munmap(v.data) }

// Status returns a label's status; one outside the view is deselected.
func (v *liveView) Status(id uint32) label.Status {
	if id >= v.n {
		return label.Deselected
	}
	w, shift := liveview.Word(v.data, int(id))
	if w == nil { // behind the last whole word
		return label.Status(v.data[liveview.Header+int(id)])
	}
	return label.Status(atomic.LoadUint32(w) >> shift)
}

// Claim marks an unknown label as pending; false if it is not open.
func (v *liveView) Claim(id uint32) bool {
	if id >= v.n {
		return false
	}
	w, shift := liveview.Word(v.data, int(id))
	if w == nil { // mapped up to the page's end
		at := &v.data[liveview.Header+int(id)]
		if s := label.Status(*at); s != label.Unknown {
			return s.Open()
		}
		*at = byte(label.Pending)
		return true
	}
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
