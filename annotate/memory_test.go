package annotate

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

func TestCollectLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	percent := func() int { // reading it is setting it
		p := debug.SetGCPercent(100)
		debug.SetGCPercent(p)
		return p
	}
	limit := debug.SetMemoryLimit(-1)
	done := CollectLate()
	if p := percent(); p != -1 || debug.SetMemoryLimit(-1) != lateHeap {
		t.Errorf("collections are not put off: %d %%, limit %d", p, debug.SetMemoryLimit(-1))
	}
	runtime.GC()
	for range 3000 { // the finalizer runs when it can
		if percent() == lateGrowth {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if p := percent(); p != lateGrowth || debug.SetMemoryLimit(-1) != limit {
		t.Errorf("after the first collection the heap grows by %d %%, limit %d", p, debug.SetMemoryLimit(-1))
	}
	done()
	if p := percent(); p != 100 {
		t.Errorf("the end leaves %d %%", p)
	}
}
