package campaign

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSweep(t *testing.T) {
	l := layout{dir: filepath.Join(t.TempDir(), "out[1]")}
	if err := l.make(); err != nil {
		t.Fatal(err)
	}
	left := []string{"work/klabel-replay-1/w0/x", "work/.replay-build-2/c/x", "work/.fuzz-build-3/x",
		"engine/run-001.cwd/x",
		".0123456789abcdef.part", "tests/.0123456789abcdef.part"}
	stays := []string{"work/replay", "tests/test000001.ktest", "engine/run-001/info", "summary.json"}
	for _, name := range append(append([]string{}, left...), stays...) {
		path := filepath.Join(l.dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	l.sweep()
	for _, name := range left {
		if exists(filepath.Join(l.dir, name)) {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range stays {
		if !exists(filepath.Join(l.dir, name)) {
			t.Errorf("%s is gone", name)
		}
	}
}
