package native

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"klabel/disk"
)

// A compiled library is summed up once, and again when it is another one.
func TestKnownLibrary(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.ll")
	if known(path) {
		t.Error("a library that is not there is known")
	}
	if err := disk.Seal(path, []byte("define i32 @f() { ret i32 0 }\n"), comment); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1, 0)
	put := func(change byte, at time.Time) {
		t.Helper()
		b, err := os.ReadFile(path)
		if err == nil {
			b[0] ^= change
			err = os.WriteFile(path, b, 0o666)
		}
		if err == nil {
			err = os.Chtimes(path, at, at)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	put(0, at)
	if !known(path) {
		t.Error("a whole library is not known")
	}
	if put(1, at); !known(path) {
		t.Error("the library is read again")
	}
	if put(0, at.Add(time.Second)); known(path) {
		t.Error("a damaged library is known")
	}
}
