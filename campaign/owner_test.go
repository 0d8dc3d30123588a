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
