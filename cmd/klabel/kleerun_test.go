package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
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
	// A run without a file goes on with it, unless arguments of its own are given, a
	// project file is there, or tests are no folder of KLEE's.
	t.Chdir(top)
	for _, c := range []struct {
		existing    []string
		given, want []string
	}{
		{[]string{"klee-out-0"}, nil, []string{"prog.c", "--sym-arg", "3"}},
		{[]string{"klee-out-0"}, []string{"--sym-stdin", "4"}, []string{"prog.c", "--sym-stdin", "4"}},
		{[]string{"old.ktest"}, []string{"-x"}, []string{"-x"}},
		{[]string{"klee-out-0", "more"}, nil, nil},
	} {
		f := runFlags{existing: c.existing}
		files, args := f.ofExisting(&cobra.Command{}, c.given)
		if got := append(files, args...); !slices.Equal(got, c.want) {
			t.Errorf("%q %q: %q, want %q", c.existing, c.given, got, c.want)
		}
	}
	write("klabel.toml", "files = [\"other.c\"]\n")
	if files, _ := (&runFlags{existing: []string{"klee-out-0"}}).ofExisting(&cobra.Command{}, nil); len(files) > 0 {
		t.Errorf("in spite of a project file: %q", files)
	}
	// Labels that are in the bitcode count; a name may have spaces; from elsewhere the
	// program is beside the folder, whatever has its name there.
	write("prog.bc", "BC..klabel_enter..")
	if got, _, err := kleeRun(run); err != nil || got != filepath.Join(top, "prog.bc") {
		t.Errorf("with labels in it: %q %v", got, err)
	}
	write("my prog.c", "")
	write("klee-out-0/info", "klee --max-time=3 src/my prog.bc --sym-arg 3\n")
	elsewhere := t.TempDir()
	t.Chdir(elsewhere)
	for _, name := range []string{"my prog.c", "prog.bc"} {
		if err := os.WriteFile(name, nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, args, err := kleeRun(run)
	if err != nil || got != filepath.Join(top, "my prog.c") || !slices.Equal(args, []string{"--sym-arg", "3"}) {
		t.Errorf("with a space: %q %q %v", got, args, err)
	}
	write("klee-out-0/info", "klee --help\n")
	if _, _, err := kleeRun(run); err == nil {
		t.Error("no program, no error")
	}
}
