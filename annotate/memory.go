package annotate

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// lateHeap is the size up to which CollectLate lets the heap grow.
const lateHeap = 1 << 30

// CollectLate puts off garbage collection until the heap has reached a
// gigabyte. Syntax trees live as long as the work on their files, so that
// collections of small heaps take much time and free little. From then on the
// heap may grow by as much as is in use, as usual. The function that it returns
// ends all that. It is for commands, and leaves GOGC and GOMEMLIMIT to users.
func CollectLate() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(lateHeap)
	restore := sync.OnceFunc(func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
	// Nothing refers to the object: the first collection ends the delay.
	first := new([16]byte)
	runtime.SetFinalizer(first, func(*[16]byte) { restore() })
	return restore
}
