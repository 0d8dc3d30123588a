package campaign

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/fault"
)

// In a folder of another user's it is said whose, as in a container that a
// project is mounted into.
func TestAnothersFolder(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("SKIPPED: only root can give a folder away")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 4711, 4712); err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	err := anothers(filepath.Join(dir, "f.klabel"), os.ErrPermission)
	if hint := fault.Hint(err); !strings.Contains(hint, "belongs to user 4711, klabel runs as 0") ||
		!strings.Contains(hint, "docker run --user 4711:4712") {
		t.Errorf("%v, hint %q", err, hint)
	}
	if hint := fault.Hint(anothers(filepath.Dir(dir), os.ErrPermission)); strings.Contains(hint, "docker") {
		t.Errorf("one's own folder: %q", hint)
	}
}

// A directory with klabel's mark and a symbolic link where klabel writes, as somebody's
// sources may bring it, is left alone.
func TestLinkedFolder(t *testing.T) {
	for link, refused := range map[string]bool{"tests": true, "work": true, "engine": true, "corpus": true,
		"runtime-errors": true, "klabel.db": true, "summary.json": true, "tests/c": true,
		"tests/test000001.ktest": true, "work/c/replay": true, "work/project/link": false,
		"engine/run-001/link": false, "corpus/entry-f/link": false} {
		dir := t.TempDir()
		if err := claim(dir); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, link)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(t.TempDir(), path); err != nil {
			t.Fatal(err)
		}
		err := claim(dir)
		if refused != (err != nil) || err != nil && !strings.Contains(err.Error(), " is a symbolic link") {
			t.Errorf("%s: %v", link, err)
		}
	}
	// The directory itself may be elsewhere.
	dir := filepath.Join(t.TempDir(), "out")
	if err := os.Symlink(t.TempDir(), dir); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := claim(dir); err != nil {
			t.Error(err)
		}
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "tests")); err != nil {
		t.Fatal(err)
	}
	if claim(dir) == nil {
		t.Error("a link below a link is followed")
	}
}
