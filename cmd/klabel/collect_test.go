package main

import (
	"runtime"
	"testing"
)

// While trees grow there are few collections.
func TestCollectSeldom(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	collections := func() uint32 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.NumGC
	}
	done := collectSeldom()
	defer done()
	runtime.GC()
	before := collections()
	var tree [][]byte
	for range 48 {
		tree = append(tree, make([]byte, 1<<20))
	}
	if n := collections() - before; n > 1 {
		t.Errorf("%d collections for %d MB", n, len(tree))
	}
	runtime.KeepAlive(tree)
}
