package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// A pipe where a source wants a file, whether somebody writes to it or nobody does,
// however it is named: clang, which would wait for ever, is ended, and the pipe is named.
func TestPipesAreNoFiles(t *testing.T) {
	c := realClang(t)
	dir := t.TempDir()
	pipe := filepath.Join(dir, "pipe.h")
	if err := unix.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "f.c")
	for _, written := range []bool{false, true} {
		for name, text := range map[string]string{
			"header": "#include \"pipe.h\"\n",
			"macro":  "#define H <pipe.h>\n#include H\n",
			"incbin": "__asm__(\".incbin \\\"" + pipe + "\\\"\");\n",
		} {
			if written { // by this process, which keeps it open and says nothing
				f, err := os.OpenFile(pipe, os.O_RDWR, 0)
				if err != nil {
					t.Fatal(err)
				}
				defer f.Close()
			}
			if err := os.WriteFile(file, []byte(text+"int x;\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			err := c.IR(t.Context(), file, filepath.Join(dir, "out.ll"), []string{"-I" + dir})
			if name == "incbin" {
				err = c.Executable(t.Context(), []string{file}, filepath.Join(dir, "out.o"), []string{"-c"})
			}
			if !errors.Is(err, ErrNoFile) || !strings.Contains(err.Error(), "pipe.h is a pipe or a device") ||
				strings.Contains(err.Error(), "\n") {
				t.Errorf("%s, written %v: %v", name, written, err)
			}
			_, err = c.Preprocess(t.Context(), file, []string{"-I" + dir})
			if name != "incbin" && !errors.Is(err, ErrNoFile) {
				t.Errorf("%s, written %v: preprocessing: %v", name, written, err)
			}
		}
	}
}
