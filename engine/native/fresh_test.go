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
