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
	if free := freeMemory(); free < 0 {
		t.Errorf("%d bytes are free", free)
	}
}
