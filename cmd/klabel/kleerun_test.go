package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A folder of KLEE's names its program: the C file beside the bitcode, else the
// bitcode, also where the folder was moved along with it.
func TestKleeRun(t *testing.T) {
	top := t.TempDir()
	run := filepath.Join(top, "klee-out-0")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(top, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(run, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := kleeRun(run); err == nil || !strings.Contains(err.Error(), "no file 'info'") {
		t.Errorf("without info: %v", err)
	}
	write("klee-out-0/info", "klee --libc=uclibc --link-llvm-lib=x.bc prog.bc --sym-arg 3\nPID: 4\n")
	if _, _, err := kleeRun(run); err == nil || !strings.Contains(err.Error(), "which is not there") {
		t.Errorf("without a program: %v", err)
	}
	for _, name := range []string{"prog.bc", "prog.c"} {
		write(name, "")
		got, args, err := kleeRun(run + "/")
		if err != nil || got != filepath.Join(top, name) || !slices.Equal(args, []string{"--sym-arg", "3"}) {
			t.Errorf("%q %q %v", got, args, err)
		}
	}
	write("klee-out-0/info", "klee --help\n")
	if _, _, err := kleeRun(run); err == nil {
		t.Error("no program, no error")
	}
}
