package campaign

import (
	"strings"
	"testing"
)

// TestSpace reads files of a size: what is too large is seen when enough of them are read, not
// before, and not where nobody knows how much memory there is.
func TestSpace(t *testing.T) {
	for _, c := range []struct {
		files, size int
		free        int64
		refusedAt   int // 0: never
	}{
		{files: 100, size: 1000, free: 100 * 1000 * bytesOfTree},
		{files: 100, size: 1001, free: 100 * 1000 * bytesOfTree, refusedAt: enoughFiles},
		{files: 100, size: 1 << 20},
		{files: enoughFiles - 1, size: 1 << 20, free: 1},
	} {
		s := &space{files: c.files, free: c.free}
		at := 0
		for i := range c.files {
			if err := s.takes(c.size); err != nil {
				if at = i + 1; !strings.Contains(err.Error(), "100 files are too many") {
					t.Errorf("%+v: %v", c, err)
				}
				break
			}
		}
		if at != c.refusedAt {
			t.Errorf("%+v: refused at file %d", c, at)
		}
	}
}

// TestFreeMemory reads what kernels tell: the machine's memory, and a container's limit.
func TestFreeMemory(t *testing.T) {
	const machine = "MemTotal:       8000 kB\nMemFree:        10 kB\nMemAvailable:   4000 kB\n"
	const stat = "anon 1000\nfile 5000\ninactive_file 700\nactive_file 9\n"
	for _, c := range []struct {
		name, machine, most, used string
		want                      int64
	}{
		{"no container", machine, "", "", 4000 << 10},
		{"a container without a limit", machine, "max\n", "123456\n", 4000 << 10},
		{"a limit, and old files", machine, "100000\n", "60000\n", 40700},
		{"more than the machine has", machine, "100000000\n", "0\n", 4000 << 10},
		{"used up", machine, "1000\n", "5000\n", 1},
		{"another system", "", "", "", 0},
	} {
		if got := freeOf(c.machine, c.most, c.used, stat); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}
