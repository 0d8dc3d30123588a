package campaign

import (
	"debug/elf"
	"os"
	"path/filepath"
	"testing"
)

// Another program has another sum, with the linker's note and without.
func TestSumOfProgram(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	f, err := elf.Open(self)
	if err != nil {
		t.Skipf("SKIPPED: %v", err)
	}
	defer f.Close()
	note := f.Section(".note.go.buildid")
	if note == nil {
		t.Skip("SKIPPED: the linker leaves no note here")
	}
	dir := t.TempDir()
	seen := map[string]string{}
	look := func(name, path string) {
		sum := sumOfProgram(path)
		if other := seen[sum]; sum == "" || other != "" {
			t.Errorf("%s: sum %q, as %q", name, sum, other)
		}
		seen[sum] = name
	}
	look("this program", self)
	program, err := os.ReadFile(self)
	if err != nil {
		t.Fatal(err)
	}
	program[note.Offset+note.Size-2] ^= 1
	for name, text := range map[string][]byte{"another program": program, "a": []byte("a"), "b": []byte("b")} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, text, 0o755); err != nil {
			t.Fatal(err)
		}
		look(name, path)
	}
	if ownSum() != sumOfProgram(self) {
		t.Error("this program has two sums")
	}
}
