package instrument

import (
	"os/exec"
	"path/filepath"
	"testing"

	"klabel/runtime_c"
)

// Whatever length KLEE chooses, up to the bound, is the one that the input gets.
func TestEveryLengthOfInput(t *testing.T) {
	dir := t.TempDir()
	c, program := filepath.Join(dir, "p.c"), filepath.Join(dir, "p")
	writeFile(t, c, []byte(runtime_c.Piece("instrument/"+inputDeclarations)+`
#include <stdio.h>
struct klabel_file file;
struct { unsigned files; struct klabel_file *input; } __exe_fs = {0, &file};
static int chosen, end;
int klee_range(int from, int to, const char *name) { end = to; return from + chosen; }
int main(void)
{
    int most, bad = 0;
    for (most = 0; most < 70; most++)
        for (chosen = 0; chosen <= most; chosen++) {
            file.size = 99;
            klabel_open_input(most);
            if (file.size != (unsigned)chosen || end != most + 1) {
                printf("%d of %d: %u\n", chosen, most, file.size);
                bad = 1;
            }
        }
    return bad;
}
`))
	if b, err := exec.Command(clangOf(t).Path, "-w", "-fsanitize=undefined", "-fno-sanitize-recover", c, "-o",
		program).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, b)
	}
	if b, err := exec.Command(program).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, b)
	}
}
