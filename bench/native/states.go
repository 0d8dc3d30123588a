package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"

	"klabel/engine/native/exec"
	"klabel/label"
)

// probe looks at the heap when a program says that all states are there.
type probe struct {
	before, live, held uint64
	profile            string
	err                error
}

func (p *probe) Test(*exec.Test) error { return nil }
func (p *probe) Message(string)        {}
func (p *probe) Warning(line string) {
	if line != "all states are there" {
		fmt.Fprintln(os.Stderr, line)
		return
	}
	p.held = resident()
	p.live = heap()
	if p.profile != "" {
		f, err := os.Create(p.profile)
		if err == nil {
			err = errors.Join(pprof.WriteHeapProfile(f), f.Close())
		}
		p.err = err
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// resident is the memory of the process; 0 where the system does not say.
func resident() uint64 {
	var size, pages uint64
	if b, err := os.ReadFile("/proc/self/statm"); err == nil {
		_, _ = fmt.Sscan(string(b), &size, &pages)
	}
	return pages * uint64(os.Getpagesize())
}

func measure(file string, bits, memory int, profile string) error {
	prog, err := load(context.Background(), file, fmt.Sprintf("-DROUNDS=%d", bits))
	if err != nil {
		return err
	}
	// As engine/native does it for an exploration.
	debug.SetGCPercent(300)
	if memory > 0 {
		debug.SetMemoryLimit(int64(memory) << 20 * 3 / 4)
	}
	debug.FreeOSMemory()
	p := &probe{before: heap(), profile: profile}
	o := exec.Options{Searchers: []string{"bfs"}, MaxMemoryMB: memory}
	// Only the first state of a pair may run to the end: the limit stops the rest.
	o.MaxPaths = 1
	started := time.Now()
	stats, err := exec.New(prog, p, none{}, o).Run(context.Background())
	if err == nil {
		err = p.err
	}
	if err != nil {
		return err
	}
	if p.live == 0 {
		return fmt.Errorf("%s did not come to where all states are", file)
	}
	each := float64(p.live-p.before) / float64(stats.MaxStates)
	fmt.Printf("| %s | %d | %d | %.0f | %.1f | %.1f | %d | %.1f |\n", strings.TrimSuffix(filepath.Base(file), ".c"),
		stats.MaxStates, stats.Dropped, each, each/1e3, float64(p.held)/1e9, stats.Instructions,
		time.Since(started).Seconds())
	return nil
}

// none is a view without labels.
type none struct{}

func (none) Status(uint32) label.Status { return label.Infeasible }
func (none) Claim(uint32) bool          { return false }
