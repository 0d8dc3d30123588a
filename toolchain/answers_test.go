package toolchain

import (
	"os"
	"path/filepath"
	"testing"
)

// TestAnswers: what a program file says is asked once, as long as the file and the words are the
// same and what is kept is whole; a script is asked each time.
func TestAnswers(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", filepath.Join(dir, "cache"))
	program := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		return path
	}
	clang, script := program("clang-99", "\x7fELF 1"), program("clang", "#!/bin/sh\n")
	times := 0
	says := func(want int, what string, argv ...string) {
		t.Helper()
		r, err := asked(argv, func() (Result, error) {
			times++
			return Result{Stdout: []byte("hello"), Stderr: []byte(argv[1])}, nil
		})
		if err != nil || string(r.Stdout) != "hello" || string(r.Stderr) != argv[1] || times != want {
			t.Errorf("%s: %+v, %v, asked %d times, want %d", what, r, err, times, want)
		}
	}
	says(1, "first", clang, "--version")
	says(1, "again", clang, "--version")
	says(2, "another question", clang, "-###")
	says(2, "both are kept", clang, "--version")
	link := filepath.Join(dir, "clang-98")
	if err := os.Symlink(clang, link); err != nil {
		t.Fatal(err)
	}
	says(3, "by another name", link, "--version")
	program("clang-99", "\x7fELF 22")
	says(4, "another file", clang, "--version")
	kept, _ := filepath.Glob(filepath.Join(dir, "cache", "klabel", "answers", "*"))
	if len(kept) != 4 {
		t.Fatalf("%q", kept)
	}
	for _, path := range kept {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)-3] ^= 1
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	says(5, "damaged", clang, "--version")
	says(5, "mended", clang, "--version")
	if r, err := askedAnew([]string{clang, "--version"}, func() (Result, error) {
		return Result{Stdout: []byte("later")}, nil
	}); err != nil || string(r.Stdout) != "later" {
		t.Errorf("asked anew: %+v, %v", r, err)
	}
	if r, err := asked([]string{clang, "--version"}, nil); err != nil || string(r.Stdout) != "later" {
		t.Errorf("the later answer: %+v, %v", r, err)
	}
	says(6, "a script", script, "--version")
	says(7, "a script again", script, "--version")
}
