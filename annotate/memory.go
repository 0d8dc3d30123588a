package annotate

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync"
)

// lateHeap is the size up to which CollectLate lets the heap grow, and lateGrowth
// by how many percent from then on, so that a quarter of a million lines stay
// below 2 GB.
const (
	lateHeap   = 1 << 30
	lateGrowth = 40
)

// CollectLate puts off garbage collection until the heap has reached a
// gigabyte. Syntax trees live as long as the work on their files, so that
// collections of small heaps take much time and free little. The function that
// it returns ends all that. It is for commands, and leaves GOGC and GOMEMLIMIT
// to users.
func CollectLate() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	var mu sync.Mutex
	over := false
	percent, limit := debug.SetGCPercent(-1), debug.SetMemoryLimit(lateHeap)
	set := func(p int, last bool) {
		mu.Lock()
		defer mu.Unlock()
		if !over {
			debug.SetGCPercent(p)
			debug.SetMemoryLimit(limit)
		}
		over = over || last
	}
	// Nothing refers to the object: the first collection ends the delay.
	runtime.SetFinalizer(new([16]byte), func(*[16]byte) { set(lateGrowth, false) })
	return func() { set(percent, true) }
}
