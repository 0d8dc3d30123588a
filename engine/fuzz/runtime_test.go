package fuzz

import (
	"os"
	"testing"
)

func TestRuntimeIsCompiledOnce(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	get := func() (path string, at os.FileInfo) {
		path, err := runtimeIn(t.Context(), found.clang, nil, dir)
		if err != nil {
			t.Fatal(err)
		}
		if at, err = os.Stat(path); err != nil {
			t.Fatal(err)
		}
		return path, at
	}
	path, first := get()
	if again, second := get(); again != path || !os.SameFile(first, second) {
		t.Error("it was compiled twice")
	}
	if err := os.Truncate(path, first.Size()/2); err != nil {
		t.Fatal(err)
	}
	if _, again := get(); again.Size() != first.Size() {
		t.Errorf("a file that was cut is taken: %d bytes of %d", again.Size(), first.Size())
	}
}
