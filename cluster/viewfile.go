package cluster

import (
	"fmt"
	"os"
	"sync/atomic"

	"golang.org/x/sys/unix"

	"klabel/label"
	"klabel/liveview"
)

// viewFile is a mapped live view on a worker. Its engine may turn unknown into
// pending; all else is written here.
type viewFile struct {
	mem []byte
	n   int
}

func newViewFile(path string, statuses []byte) (*viewFile, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content := liveview.File(statuses)
	if _, err := f.WriteAt(content, 0); err != nil { // written, not just made that long: see store
		return nil, err
	}
	mem, err := unix.Mmap(int(f.Fd()), 0, len(content), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be mapped: %w", path, err)
	}
	return &viewFile{mem: mem, n: len(statuses)}, nil
}

// set shows a status. A label that is pending stays so when all that is known is
// that it is open: its test is on the way.
func (f *viewFile) set(id int, s label.Status) {
	if f.mem == nil || id >= f.n {
		return
	}
	w, shift := liveview.Word(f.mem, id)
	if w == nil {
		return
	}
	for {
		old := atomic.LoadUint32(w)
		if s == label.Unknown && label.Status(old>>shift) == label.Pending {
			return
		}
		if atomic.CompareAndSwapUint32(w, old, old&^(0xff<<shift)|uint32(s)<<shift) {
			break
		}
	}
	atomic.AddUint64(liveview.Generation(f.mem), 1)
}

func (f *viewFile) close() {
	if f.mem != nil {
		_ = unix.Munmap(f.mem)
		f.mem = nil
	}
}
