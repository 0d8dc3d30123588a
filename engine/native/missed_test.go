package native

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"klabel/ktest"
)

// missedText comes to labels in many ways after the place where an exploration
// may stop: in callers, in loops, through pointers, by longjmp, at the end.
const missedText = `
#include <klee/klee.h>
#include <setjmp.h>
#include <stdlib.h>
int klabel_wants(int);
void klabel_label(int, int);
double sin(double);
#ifndef SAMPLED
#define sin(d) 0.0
#endif
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
static jmp_buf buffer;
static int x, y, far;
static void last(void) { L(far && x == 77, 1) L(x != x, 2) }
static void first(void) { L(x == 0, 3) L(x > 0, 4) }
static void never(int v) { L(v == 3, 5) L(1, 6) }
static int deep(int n) { L(n == 2 && x == 9, 7) if (n == 0) return y; return deep(n - 1); }
static void jumps(void) { if (x == 5) longjmp(buffer, 2); L(x == 5, 8) }
static void (*table[2])(void) = {jumps, first};
int main(void)
{
    int i;
    first();
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
#ifdef WAY_AT_EXIT
    atexit(last);
#endif
    for (i = 0; i < 3; i++) {
        if (x == i * 10)
            continue;
        if (x > 1000 && sin((double)y) > 2.0)
            return 1;
        L(x == 20 && i == 2, 9)
        L(x == 7 && i == 1, 10)
    }
    if (setjmp(buffer) == 2) {
        L(x == 5 && y == 6, 11)
        L(x == 6, 12)
        return 2;
    }
#ifdef WAY_POINTERS
    table[y & 1]();
#else
    jumps();
#endif
    deep(2);
    if (x < 0 && x > 3)
        never(x);
    far = 1;
    L(x == 12345, 13)
    L(x > 5 && x < 5, 14)
    return 0;
}
`

// TestMissed stops explorations early: what they call infeasible all the same is
// nothing that an input can cover.
func TestMissed(t *testing.T) {
	early := 0
	for _, way := range []struct {
		define string
		also   uint32 // that can be covered, beside those below
	}{{"", 3}, {"AT_EXIT", 1}, {"POINTERS", 4}} {
		possible := []uint32{3, 7, 10, 11, 13, way.also}
		for _, more := range []string{"", "#define SAMPLED\n"} {
			file := filepath.Join(t.TempDir(), "missed.c")
			text := fmt.Sprintf("#define WAY_%s\n%s%s", way.define, more, missedText)
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			program := compile(t, file)
			for _, n := range []int{120, 400, 905, 2500} {
				_, rep := explore(t, []string{"--greybox", fmt.Sprintf("--max-instructions=%d", n)}, program)
				for _, id := range rep.Infeasible {
					if slices.Contains(possible, id) {
						t.Errorf("%q %q: after %d instructions label %d is called infeasible", way.define, more, n, id)
					}
				}
				if !rep.Complete && len(rep.Infeasible) > 0 {
					early++
				}
			}
		}
	}
	if early == 0 {
		t.Error("nothing was proved by explorations that stopped early")
	}
	t.Logf("%d explorations that stopped early proved something", early)
}

// TestNeverSetWaits: what memory decides that was never set is followed when
// nothing else is left, whichever side of the branch before it leads there.
func TestNeverSetWaits(t *testing.T) {
	for _, side := range []string{"k & 1", "!(k & 1)"} {
		program := writeC(t, `
#include <klee/klee.h>
#include <stdlib.h>
int main(void) {
    unsigned char k;
    klee_make_symbolic(&k, sizeof k, "k");
    if (`+side+`) {
        int *p = malloc(8);
        if (*p > 5)
            exit(1);
        exit(2);
    }
    return 3;
}`)
		dir, rep := explore(t, []string{"--search=dfs"}, program)
		first, err := ktest.ReadFile(filepath.Join(dir, "test000001.ktest"))
		if err != nil {
			t.Fatal(err)
		}
		if odd := first.Objects[0].Data[0]&1 == 1; odd == (side == "k & 1") {
			t.Errorf("%s: the first test is one that reads what was never set", side)
		}
		if rep.Paths != 3 || !rep.Complete {
			t.Errorf("%s: %d paths, complete %v; want 3, all", side, rep.Paths, rep.Complete)
		}
	}
}
