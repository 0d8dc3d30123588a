package native

import (
	"slices"
	"testing"
)

// TestAllocationsThatFail: what only a run can cover in which an allocation fails is
// not infeasible; where the block is used before its pointer is looked at, such a run
// ends, and the claim stands.
func TestAllocationsThatFail(t *testing.T) {
	for _, c := range []struct {
		name, body string
		claim      bool
	}{
		{"asked", `char *p = malloc(4); L(!p, 1) if (p) p[0] = 1;`, false},
		{"asked after a copy", `char *p = calloc(4, 1), *q = p; if (q == NULL) { L(1, 1) }`, false},
		{"kept first", `struct { char *s; } a; a.s = malloc(4); if (!a.s) { L(1, 1) }`, false},
		{"duplicate", `char *p = strdup("ab"); if (!p) { L(1, 1) }`, false},
		{"grown", `char *p = malloc(4), *q; if (p) { p[0] = 1; q = realloc(p, 90); if (!q) { L(1, 1) } }`, false},
		{"others", `char *p = malloc(4), *q = malloc(5); p[0] = 1; if (p == q) { L(1, 1) }`, false},
		{"read", `char *p = malloc(4); if (read(0, p, 3) == 3 && !p) { L(1, 1) }`, false},
		{"used", `char *p = malloc(4); p[0] = 1; if (!p) { L(1, 1) }`, true},
		{"filled", `char *p = malloc(4); memset(p, 1, 4); if (!p) { L(1, 1) }`, true},
		{"list", `struct n { struct n *next; } *h = 0, *n;
		          for (int i = 0; i < 3; i++) { n = malloc(sizeof *n); n->next = h; h = n; }
		          int k = 0; for (n = h; n; n = n->next) k++; if (k > 3) { L(1, 1) }`, true},
		{"input", `char *p = malloc(4); klee_make_symbolic(p, 4, "p"); if (!p) { L(1, 1) }`, true},
		{"arguments", `if (!argv || !argv[0] || (argc > 1 && !argv[1])) { L(1, 1) }`, true}, // others were not tried
		{"unused", `char *p = malloc(4); (void)p; volatile int x = 1; if (x > 1) { L(1, 1) }`, true},
	} {
		program := writeC(t, `
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <klee/klee.h>
int klabel_wants(unsigned);
void klabel_label(unsigned, int);
#define L(c, id) if (klabel_wants(id)) klabel_label(id, c);
int main(int argc, char **argv) { `+c.body+` return 0; }`)
		_, rep := explore(t, []string{"--greybox"}, program, "--sym-args", "1", "1", "2", "--sym-stdin", "3")
		told := slices.Contains(rep.Notes, "an allocation that fails was not tried")
		if told == c.claim {
			t.Errorf("%s: %q", c.name, rep.Notes)
		}
		if claimed := slices.Contains(rep.Infeasible, 1); claimed != (c.claim && c.name != "arguments") {
			t.Errorf("%s: label 1 is infeasible: %v", c.name, claimed)
		}
	}
}

// TestRefused: where proofs are wanted, runs in which allocations fail are followed. What
// they meet is not infeasible; what they do not is, and all the exploration is complete.
func TestRefused(t *testing.T) {
	for _, c := range []struct {
		name, body string
		claim      bool
	}{
		{"asked", `char *p = malloc(4); L(!p)`, false},
		{"not asked", `char *p = malloc(4); *p = 1; L(!p)`, true},
		{"ends", `char *p = malloc(4); if (!p) exit(1); L(!p)`, true},
		{"aborts", `char *p = malloc(4); if (!p) abort(); L(!p)`, true},
		{"crashes", `char *p = malloc(4); if (!p) *p = 1; L(!p)`, true},
		{"returns", `char *p = make(); L(!p)`, false},
		{"checked", `char *p = make(); if (!p) return 1; L(!p)`, true},
		{"second", `char *p = make(), *q = make(); if (!p) return 1; L(!q)`, false},
		{"both", `char *p = make(), *q = make(); L(!p && !q)`, false},
		{"one of them", `char *p = make(), *q = p ? make() : p; L(!p && q)`, true},
		{"again", `char *p = malloc(4); if (!p) p = malloc(2); L(!p)`, false},
		{"error", `void *p = 0; L(posix_memalign(&p, 16, 4) != 0)`, false},
		{"text", `char *s = 0; int n = asprintf(&s, "%d", 3); L(n < 0)`, false},
		{"old block", `char *p = malloc(2); if (p) { p[0] = 7; char *q = realloc(p, 9000); L(!q && p[0] == 7) }`, false},
		{"old block, changed", `char *p = malloc(2); if (p) { p[0] = 7; char *q = realloc(p, 9000); L(!q && p[0] != 7) }`,
			true},
		{"input", `int x; klee_make_symbolic(&x, 4, "x"); if (x < 0 || x > 3) return 0;
		           char *p = malloc(4); if (p) x = 9; L(x == 2)`, false},
		{"other input", `int x; klee_make_symbolic(&x, 4, "x"); if (x < 0 || x > 3) return 0;
		           char *p = malloc(4); if (p) x = 9; L(x == 5)`, true},
		{"merged", `int x; klee_make_symbolic(&x, 4, "x"); char *p = malloc(4); int ok = 1; if (x > 3) ok = p != 0; L(!ok)`,
			false},
		{"many", `char *p[40]; int n = 0; for (int i = 0; i < 40; i++) p[i] = malloc(1);
		          for (int i = 0; i < 40; i++) if (p[i]) n++; L(n == 39)`, false},
		{"more than are kept", `int n = 0; for (int i = 0; i < 300; i++) { char *p = malloc(1); if (p) n++; free(p); }
		          L(n == 299)`, false},
		{"before", `int x; klee_make_symbolic(&x, 4, "x"); L(x == 77) char *p = malloc(4); if (p) abort();`, false},
		{"before, and ends", `int x; klee_make_symbolic(&x, 4, "x"); L(x == 77) char *p = malloc(4); abort();`, true},
	} {
		program := writeC(t, `
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <klee/klee.h>
int klabel_wants(unsigned);
void klabel_label(unsigned, int);
#define L(c) if (klabel_wants(1)) klabel_label(1, c);
static char *make(void) { char *p = malloc(3); if (p) p[0] = 0; return p; }
int function(void) { `+c.body+` return 0; }
int main(void) { return function() + (make() == 0); }`)
		for _, entry := range []string{"main", "function"} {
			_, rep := explore(t, []string{"--greybox", "--merge", "--proofs", "--entry-point", entry}, program)
			if claimed := slices.Contains(rep.Infeasible, 1); claimed != c.claim {
				t.Errorf("%s, %s: label 1 is infeasible: %v; %q", c.name, entry, claimed, rep.Notes)
			}
			if c.claim && !rep.Complete {
				t.Errorf("%s, %s: not complete: %q", c.name, entry, rep.Notes)
			}
		}
	}
}
