package main

import (
	"os"
	"runtime"
)

// spareHeap is what is allowed to be garbage beside as much as lives. Syntax trees live as
// long as a run: collections while they grow free little, and took a sixth of the time of
// reading.
const spareHeap = 256 << 20

// collectSeldom lets the heap grow by spareHeap more between two collections, by a block
// that nobody touches, so that it takes no memory. The function that it returns ends that.
// GOGC and GOMEMLIMIT are the user's.
func collectSeldom() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	block := make([]byte, spareHeap/2) // of which as much again may be garbage
	return func() { runtime.KeepAlive(block) }
}
