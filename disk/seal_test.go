package disk

import (
	"os"
	"path/filepath"
	"testing"
)

func TestSealed(t *testing.T) {
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a.ll"), filepath.Join(dir, "b.ll")
	if Sealed(path, "; ") {
		t.Error("a file that is not there is taken")
	}
	if err := Seal(path, []byte("define i32 @f() {\n  ret i32 0\n}\n"), "; "); err != nil {
		t.Fatal(err)
	}
	if !Sealed(path, "; ") {
		t.Error("a whole file is refused")
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	taken := func(path string, content []byte) bool {
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		return Sealed(path, "; ")
	}
	if taken(other, whole) {
		t.Error("another's file is taken")
	}
	for n := range whole {
		if taken(path, whole[:n]) {
			t.Errorf("cut to %d bytes it is taken", n)
		}
		changed := append([]byte{}, whole...)
		changed[n] ^= 1
		if taken(path, changed) {
			t.Errorf("changed at %d it is taken", n)
		}
	}
}
