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
var freeMemory = func() int64 {
	var free int64
	text, _ := os.ReadFile("/proc/meminfo")
	for line := range strings.Lines(string(text)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "MemAvailable:" {
			n, _ := strconv.ParseInt(f[1], 10, 64)
			free = n << 10
		}
	}
	most, used := cgroup("memory.max"), cgroup("memory.current")
	if most > 0 && (free == 0 || most-used < free) {
		free = max(most-used, 1)
	}
	return free
}

// cgroup is a number that a container's kernel tells of it, 0 without one.
func cgroup(name string) int64 {
	text, _ := os.ReadFile("/sys/fs/cgroup/" + name)
	n, _ := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64) // "max" is none
	return n
}
