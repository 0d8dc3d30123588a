package toolchain

import (
	"errors"
	"sync"
)

// Codes of a child: CLD_EXITED; CLD_TRAPPED and CLD_STOPPED, of one that has not ended.
const (
	cldExited  = 1
	cldTrapped = 4
	cldStopped = 5
)

// Breakpoints notes from outside which instructions a process, and all that it
// starts, comes to: the first time in each process. What notes them is in klabel's
// own memory, where no code of those processes has a way to write.
//
// Limits: Linux on amd64, where the kernel lets a process trace its children. A
// process that becomes another program (execve) has none, nor has what that starts.
type Breakpoints struct {
	server int
	places map[uint64]byte // by address in the program's file: what stood there
	bias   uint64          // from there to the process
	others map[int]bool    // processes that have become another program
	traced map[int]bool    // those that are known to be

	mu    sync.Mutex
	early map[uint64]bool // what the process itself came to
	hits  map[uint64]bool // what others came to since Take
	main  int             // the first process that the server has started since
	ends  map[int]bool    // of processes that have ended since: whether by themselves
	done  chan struct{}   // closed when there is nothing left to watch
}

// ErrNoBreakpoints says that this machine cannot watch processes.
var ErrNoBreakpoints = errors.New("only Linux on amd64 is known")

// Reset begins anew: what was hit before does not count.
func (b *Breakpoints) Reset() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.hits)
	clear(b.ends)
	b.main = 0
}

// Hit reports whether a place was come to since Reset, or before the process
// itself was ready for anything.
func (b *Breakpoints) Hit(address uint64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hits[address] || b.early[address]
}

// Ended reports whether the first process that was started since Reset has ended
// by itself, not by a signal.
func (b *Breakpoints) Ended() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ends[b.main]
}

// end notes how a process has ended. It may be known sooner than that its parent has
// started it, and the number may be another's later.
func (b *Breakpoints) end(pid int, byItself bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, known := b.ends[pid]; !known {
		b.ends[pid] = byItself
	}
}

// Done is closed when there is nothing left to watch.
func (b *Breakpoints) Done() <-chan struct{} { return b.done }
