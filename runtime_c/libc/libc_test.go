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
	whole := filepath.Join(t.TempDir(), "whole.c")
	if err := os.WriteFile(whole, Source(), 0o644); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("src/*.c")
	if err != nil || len(files) < 6 {
		t.Fatal("no files", err)
	}
	for _, f := range append(files, whole) {
		args := append([]string{"-Wall", "-Wextra", "-Werror", "-nostdinc", "-fsyntax-only"}, Flags...)
		if msg, err := exec.Command(clang.Path, append(args, f)...).CombinedOutput(); err != nil {
			t.Errorf("%s: %s", f, bytes.TrimSpace(msg))
		}
	}
}
