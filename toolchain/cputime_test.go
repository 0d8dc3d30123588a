package toolchain

import (
	"os"
	"syscall"
	"testing"
	"time"
)

func TestProcessorTime(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("SKIPPED: no /proc")
	}
	own := func() time.Duration { d, _ := ProcessorTime(syscall.Getpgrp()); return d }
	before := own()
	for n, end := 0, time.Now().Add(20*time.Second); own()-before < 50*time.Millisecond; n++ {
		if time.Now().After(end) {
			t.Fatal("work takes no processor time")
		}
	}
	if p, known := ProcessorTime(1 << 30); known {
		t.Errorf("of no process: %v", p)
	}
}
