package instrument

import (
	"path/filepath"
	"testing"

	"klabel/label"
)

// In every mode the bridge is C that clang compiles.
func TestBridgeCompiles(t *testing.T) {
	for _, m := range Modes {
		for _, max := range []label.ID{18, maxCopied + 1} {
			dir := t.TempDir()
			file := filepath.Join(dir, "bridge.c")
			writeFile(t, file, Bridge(m, max, []label.ID{1, 17, max}))
			compile(t, filepath.Join(dir, "bridge.o"), "-c", file)
		}
	}
}
