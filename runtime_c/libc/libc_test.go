package libc

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"klabel/toolchain"
)

// TestWarnings compiles each file on its own, and the whole, with all warnings
// as errors and without any system header.
func TestWarnings(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	files, err := filepath.Glob("src/*.c")
	more, err2 := filepath.Glob("src/more/*.c")
	if err != nil || err2 != nil || len(files) < 6 || len(more) < 6 {
		t.Fatal("no files", err, err2)
	}
	files = append(files, more...)
	for name, text := range map[string][]byte{"whole.c": Source(), "more.c": More()} {
		files = append(files, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range files {
		args := append([]string{"-Wall", "-Wextra", "-Werror", "-Wno-unused-parameter", "-nostdinc", "-Isrc",
			"-fsyntax-only"}, Flags...)
		if msg, err := exec.Command(clang.Path, append(args, f)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", f, bytes.TrimSpace(msg))
		}
	}
}

// TestAgainstTheSystem compares strtod and sscanf with the system's, wherever
// the library does not say that it is not exact.
func TestAgainstTheSystem(t *testing.T) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	clang, err := tools.RequireClang()
	if err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	text, err := os.ReadFile("src/scan.c")
	if err != nil {
		t.Fatal(err)
	}
	text, _, _ = bytes.Cut(text, []byte("/* The names that glibc's")) // aliases keep their names
	scan, bin := filepath.Join(dir, "scan.c"), filepath.Join(dir, "scan")
	if err := os.WriteFile(scan, text, 0o644); err != nil {
		t.Fatal(err)
	}
	object := filepath.Join(dir, "scan.o")
	args := append([]string{"-O1", "-Isrc", "-c", scan, "-o", object}, Flags...)
	for _, n := range []string{"strtod", "strtof", "strtold", "atof", "sscanf", "vsscanf", "fscanf", "vfscanf", "scanf",
		"vscanf"} {
		args = append(args, "-D"+n+"=k_"+n)
	}
	for _, a := range [][]string{args, {"-w", "-O1", "testdata/scan.c", object, "-o", bin}} {
		if msg, err := exec.Command(clang.Path, a...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, msg)
		}
	}
	if msg, err := exec.Command(bin).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, msg)
	}
}
