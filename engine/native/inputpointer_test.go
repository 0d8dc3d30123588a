package native

import (
	"path/filepath"
	"slices"
	"testing"
)

// TestInputAsPointer: a union's number read as a pointer ends the path with one error, however many
// objects there are, and forbids claims about what lies behind. An address that the program
// has compared with one of an object's leads there.
func TestInputAsPointer(t *testing.T) {
	program := writeC(t, `
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
struct value { int tag; union { double number; struct value *sub; } u; };
static struct value others[50];
static int far[50][10], fixed;
int main(void)
{
    struct value v;
    int *p;
    klee_make_symbolic(&v, sizeof v, "v");
    klee_make_symbolic(&p, sizeof p, "p");
    others[7].tag = far[3][1] = 7;
    L(v.tag > 3 && v.tag < 2, 1)
    if (p == &fixed) {
        fixed = *p + 1;
        L(fixed == 1, 2)
        return 0;
    }
    if (v.tag == 1) {
        struct value *s = v.u.sub + 1;
        int tag = s->tag;
        L(tag == 7, 3)
        L(tag == 7 && tag == 8, 4)
    }
    return 0;
}`)
	dir, rep := explore(t, []string{"--greybox"}, program)
	if rep.Complete || rep.Paths > 5 {
		t.Errorf("%d paths, complete %v; want few, and that something was left out", rep.Paths, rep.Complete)
	}
	for id, want := range map[uint32]bool{1: true, 2: false, 3: false, 4: false} {
		if got := slices.Contains(rep.Infeasible, id); got != want {
			t.Errorf("label %d: called infeasible %v, want %v", id, got, want)
		}
	}
	if errs, _ := filepath.Glob(filepath.Join(dir, "*.ptr.err")); len(errs) != 1 {
		t.Errorf("errors %v, want that of the number alone", errs)
	}
}

// TestUnsetCopied: of a large block that was never set no byte becomes an unknown of its own, and what it
// decides is not claimed.
func TestUnsetCopied(t *testing.T) {
	_, rep := explore(t, []string{"--greybox"}, writeC(t, `
#include <klee/klee.h>
#include <stdlib.h>
#include <string.h>
int klabel_wants(int);
void klabel_label(int, int);
#define L(p, i) if (klabel_wants(i)) klabel_label(i, !!(p));
int main(void)
{
    char *p = malloc(1 << 20), *q = malloc(1 << 20), c;
    klee_make_symbolic(&c, sizeof c, "c");
    L(c > 5 && c < 5, 1)
    memcpy(q, p, 1 << 20);
    L(q[70000] == 5, 2)
    return 0;
}`))
	if rep.Complete || slices.Contains(rep.Infeasible, 2) || !slices.Contains(rep.Infeasible, 1) {
		t.Errorf("complete %v, infeasible %v", rep.Complete, rep.Infeasible)
	}
	if why := "much memory that was never set is copied"; !slices.Contains(rep.Notes, why) {
		t.Errorf("notes %q lack %q", rep.Notes, why)
	}
}
