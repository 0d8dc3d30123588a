package native

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// needs32 skips a test where programs of 32 bits cannot be compiled and run.
func needs32(t *testing.T) {
	t.Helper()
	if why := clang(t).Runs32(t.Context()); why != nil {
		t.Skipf("SKIPPED: %v", why)
	}
}

// TestIndexBelow: what is subtracted from an index belongs to the index, whichever object
// stands before the one that the program means.
func TestIndexBelow(t *testing.T) {
	const text = `#include <klee/klee.h>
static char a[8] = { 1 }, b[8] = { 0, 1, 2, 3, 4, 5, 6, 7 };
static int c[1000], d[200];
int main(void)
{
    __SIZE_TYPE__ i;
    int k = a[0] + c[0];
    klee_make_symbolic(&i, sizeof i, "i");
    klee_make_symbolic(&k, sizeof k, "k");
    klee_assume((i >= DISTANCE) & (i < DISTANCE + 8));
    klee_assume((k >= 1000) & (k < 1200));
    d[7] = 9;
    if (b[i - DISTANCE] == 5) klee_report_error("x.c", 1, "reached", "five.err");
    if (d[k - 1000] == 9) klee_report_error("x.c", 1, "reached", "nine.err");
    return 0;
}`
	file := filepath.Join(t.TempDir(), "below.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-DDISTANCE=65536"}, {"-DDISTANCE=1024", "-m32"}, {"-DDISTANCE=300", "-m32"}} {
		dir, rep := explore(t, nil, compile(t, file, flags...))
		if got := suffixes(t, dir); !slices.Equal(got, []string{"five.err", "nine.err"}) || !rep.Complete {
			t.Errorf("%v: %v, %q", flags, got, rep.Notes)
		}
	}
}
