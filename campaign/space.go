package campaign

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"

	"klabel/fault"
)

// The trees of all files are in memory while a campaign runs: as they are, labelled, and with entries. A
// project that is too large for that would have the machine swap until it is of no use to anybody: it is refused
// as soon as that is to be seen.

const (
	// bytesOfTree is what a byte of preprocessed text takes: 340 were measured of 40 files, entries included.
	bytesOfTree = 400
	// enoughFiles is how many files tell how large the others are.
	enoughFiles = 16
)

// space watches how much memory files take that are being read.
type space struct {
	files      int
	free       int64 // bytes; 0: not known
	read, text atomic.Int64
}

func newSpace(files int) *space { return &space{files: files, free: freeMemory()} }

// takes notes a file that has been read, and whether there is room for all of them.
func (s *space) takes(text int) error {
	read, sum := s.read.Add(1), s.text.Add(int64(text))
	if read < enoughFiles || s.free <= 0 {
		return nil
	}
	want := sum / read * int64(s.files) * bytesOfTree
	if want <= s.free {
		return nil
	}
	return fault.WithHint(fmt.Errorf("%d files are too many at a time: they take about %s of memory, and %s are free",
		s.files, gigabytes(want), gigabytes(s.free)), "name some of the files, of one folder say: klabel run src/*.c")
}

func gigabytes(n int64) string { return fmt.Sprintf("%.1f GB", float64(n)/1e9) }

// freeMemory is how many bytes this process may take yet; 0 where that is not known.
func freeMemory() int64 {
	read := func(path string) string {
		text, _ := os.ReadFile(path) // another system, or no container
		return string(text)
	}
	const group = "/sys/fs/cgroup/memory."
	return freeOf(read("/proc/meminfo"), read(group+"max"), read(group+"current"), read(group+"stat"))
}

// freeOf is that of what the kernel tells of the machine and, if there is a limit, of the container: what it
// holds of files, and nobody has read lately, is free.
func freeOf(machine, most, used, stat string) int64 {
	free := numberOf(machine, "MemAvailable:") << 10
	limit, err := strconv.ParseInt(strings.TrimSpace(most), 10, 64)
	if err != nil { // "max", or none
		return free
	}
	now, _ := strconv.ParseInt(strings.TrimSpace(used), 10, 64)
	within := max(limit-now+numberOf(stat, "inactive_file"), 1)
	if free == 0 {
		return within
	}
	return min(free, within)
}

// numberOf is the number behind a name that begins a line, 0 without one.
func numberOf(text, name string) int64 {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			return n
		}
	}
	return 0
}
