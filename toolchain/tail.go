package toolchain

import (
	"bytes"
	"sync"
)

// tail keeps the last bytes written to it, whole lines where it can, in
// bounded memory. It may be written and read from several goroutines.
type tail struct {
	mu      sync.Mutex
	limit   int
	buf     []byte
	dropped bool
}

func newTail(limit int) *tail { return &tail{limit: limit} }

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	// Cut only when twice the limit is held, so that a byte is moved O(1) times.
	if len(t.buf) > 2*t.limit {
		t.cut()
	}
	return len(p), nil
}

func (t *tail) cut() {
	if len(t.buf) <= t.limit {
		return
	}
	keep := t.buf[len(t.buf)-t.limit:]
	if i := bytes.IndexByte(keep, '\n'); i >= 0 && i+1 < len(keep) {
		keep = keep[i+1:]
	}
	t.buf = append(t.buf[:0], keep...)
	t.dropped = true
}

// Bytes returns a copy of what is kept.
func (t *tail) Bytes() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cut()
	return bytes.Clone(t.buf)
}
