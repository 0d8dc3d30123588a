package native

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestLeftOpen: what priorities, handlers at the end, the place of objects in memory
// and a format may do natively is no reason to call a label infeasible. Labels below
// 10 can be covered, or could be on another machine; the others cannot.
func TestLeftOpen(t *testing.T) {
	for _, c := range []struct{ name, before, body string }{
		{"constructors by priority", `static int n = 2;
			__attribute__((constructor(200))) static void late(void) { L(n == 7, 1) L(n == 2, 11) n = 3; }
			__attribute__((constructor(101))) static void early(void) { n = 7; }`, `L(n == 3, 2) L(n == 7, 12)`},
		{"exit in a handler", `static int n;
			static void second(void) { L(n == 1, 1) L(n == 0, 11) }
			static void first(void) { n++; exit(3); }`, `atexit(second); atexit(first);`},
		{"a handler's own handler comes next", `static int n;
			static void third(void) { L(n == 1, 1) n = 9; }
			static void second(void) { L(n == 9, 2) L(n == 1, 11) }
			static void first(void) { n++; atexit(third); if (x == 3) exit(1); }`, `atexit(second); atexit(first);`},
		{"exit in a handler, and destructors", `static int n;
			__attribute__((destructor)) static void last(void) { L(n == 9, 1) L(n == 5, 11) }
			static void first(void) { n = 9; exit(2); n = 5; }`, `if (x == 3) atexit(first);`},
		{"branches in a destructor", `static int n;
			__attribute__((destructor)) static void last(void) { if (n > 5) { L(n == 9, 1) } else if (n > 0) { L(n == 3, 2) }
				for (int i = 0; i < n; i++) L(i + n == 30, 3) }`, `for (int i = 0; i < x && i < 20; i++) {} n = x;
				L(x == 255 && n == 254, 11)`},
		{"no handlers after _exit", `static int n;
			static void second(void) { L(n == 1, 11) }
			static void first(void) { n++; _exit(0); }`, `atexit(second); atexit(first); L(x == 1, 1)`},
		{"how much was printed", ``, `int k = 0; printf("%d%%%n", 3, &k); L(k == 2, 1) L(k == 0, 11)`},
		{"printed without a count", ``, `int k = 0; printf("%d%%n", x); L(k == 0, 1) L(k != 0, 11)`},
		{"asprintf", `int asprintf(char **, const char *, ...);`,
			`char *p = 0; L(asprintf(&p, "%d", x) == -1, 1)`},
		{"the end of an array", `static int a[2], b[2];`, `L(a + 2 == b, 1) L(b + 2 == a, 2) L(a == b, 11)`},
		{"an array's own end", `static int a[2];`, `int n = 0; for (int *p = a; p != a + 2; p++) n++;
			L(n == 2, 1) L(n == 3, 11)`},
		{"freed, and given again", ``, `char *p = malloc(8), *o = p; p[0] = 1; free(p); char *q = malloc(8); q[0] = 1;
			if (q == o) { L(1, 1) }`},
		{"a frame's place", `static char *seen;
			static int again(void) { char c; int r = seen == &c; seen = &c; return r; }`, `again(); L(again(), 1)`},
		{"texts", ``, `const char *a = "xabc", *b = "abc"; L(a + 1 == b, 1) L(a[0] == 'y', 11)`},
		{"order of functions", `static void f(void) {} static void g(void) {}`,
			`L((void *)f < (void *)g, 1) L((void *)f > (void *)g, 2) L((void *)f == (void *)g, 11)`},
		{"an address in a union", ``, `union { char *p; unsigned long n; } u; u.p = (char *)&x;
			L(u.n & 1, 1) L(!(u.n & 1), 2)`},
		{"an address as bytes", ``, `char *p = (char *)&x; unsigned long n; memcpy(&n, &p, sizeof n);
			L(n % 2, 1) L(n % 2 == 0, 2)`},
		{"a structure's hash", `struct s { char *p; int n; }; static char c;`, `struct s a = {&c, 3}; unsigned h = 7;
			for (unsigned i = 0; i < sizeof a; i++) h = h * 31 + ((unsigned char *)&a)[i]; L(h == 12345, 1)`},
		{"a structure's numbers beside an address", `struct s { char *p; int n; char t[12]; }; static char c;`,
			`struct s a = {&c, 3, "abcdef"}, b = a; L(b.n == 3 && b.p == &c, 1) L(b.n != 3, 11) L(b.t[x & 1] == 'z', 12)`},
		{"a byte of a parameter's address in an arm", `static char c; struct s { char *p; unsigned char n; };`,
			`struct s a = {&c, 1}; int v = 0; if (x > 3) v = *(unsigned char *)&a.p; L(v & 1, 1)`},
		{"a byte at an unknown place", `static char c;`, `char *p[2] = {&c, 0}; L(((unsigned char *)p)[x & 7] == 77, 1)`},
		{"a byte of an address with an offset", `static char c[300];`,
			`char *p = c + x; L(*(unsigned char *)&p == 77 && x == 4, 1)`},
		{"half of an address", `static char c;`, `char *p = &c; int n; memcpy(&n, &p, 4); L(n == 77, 1)`},
		{"bytes of a function's address", `static void f(void) {}`, `void (*p)(void) = f; unsigned short n[4];
			memcpy(n, &p, 8); L(n[0] == 77, 1)`},
		{"bytes of an address, packed", `struct __attribute__((packed)) s { char n; char *p; }; static char c;`,
			`struct s a = {3, &c}; L(((unsigned char *)&a)[3] == 77, 1) L(a.n == 4, 11)`},
		{"addresses in the order of their bytes", `static char c, d;`, `char *p = &c, *q = &d;
			L(memcmp(&p, &q, sizeof p) < 0, 1) L(memcmp(&p, &q, sizeof p) > 0, 2)`},
		{"the bytes of one address", `struct s { char *p; int n; }; static char c;`, `struct s a, b; memset(&a, 0, sizeof a);
			a.p = &c; b = a; a.n = 3; b.n = 3; L(!memcmp(&a, &b, sizeof a), 1) L(memcmp(&a, &b, sizeof a), 11)`},
		{"numbers like addresses", `static int t[] = {0, 256, 1, 4096, 5, 16384};`,
			`L(t[1] == 256, 1) L(t[1] == 7, 11) L(((unsigned char *)t)[5] == 2, 12)`},
		{"an allocation in one arm and the other", ``, `char *p = malloc(4); int v = 0;
			if (x > 3) { v = p == 0; } else { if (!p) { L(1, 1) } }`},
	} {
		program := writeC(t, `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <klee/klee.h>
int klabel_wants(unsigned);
void klabel_label(unsigned, int);
#define L(c, id) if (klabel_wants(id)) klabel_label(id, !!(c));
static unsigned char x;
`+c.before+`
int main(void) { klee_make_symbolic(&x, 1, "x"); `+c.body+` return 0; }`)
		_, rep := explore(t, []string{"--greybox", "--merge"}, program)
		for _, id := range rep.Infeasible {
			if id < 10 {
				t.Errorf("%s: label %d is called infeasible", c.name, id)
			}
		}
		for id := uint32(11); id < 13; id++ {
			stands := strings.Contains(c.before+c.body, fmt.Sprintf(", %d)", id))
			if stands && !slices.Contains(rep.Infeasible, id) {
				t.Errorf("%s: label %d is not called infeasible: %q", c.name, id, rep.Notes)
			}
		}
	}
}

// TestWrongPrototypes: functions of the C library that the program declares with other
// widths, as programs written for 32 bits do, are called all the same.
func TestWrongPrototypes(t *testing.T) {
	for _, c := range []struct {
		before, body string
		infeasible   []uint32
	}{
		{"int write(int, const void *, unsigned);", "int r = write(1, \"abc\", n & 3); L(r == 2, 1) L(r == 5, 2)",
			nil}, // which may fail
		{"extern void *stdout; unsigned fwrite(const void *, unsigned, unsigned, void *);",
			"int r = fwrite(\"abc\", 1, n & 3, stdout); L(r == 2, 1) L(r == 5, 2)", []uint32{2}},
		{"int strtol(const char *, char **, char);",
			"char a[2] = {n & 63, 0}; int r = strtol(a, 0, 10); L(r == 7, 1) L(r == 12, 2)",
			[]uint32{2}},
	} {
		program := writeC(t, `
int klabel_wants(unsigned);
void klabel_label(unsigned, int);
void klee_make_symbolic(void *, unsigned, const char *);
#define L(c, id) if (klabel_wants(id)) klabel_label(id, !!(c));
`+c.before+`
int main(void) { unsigned n; klee_make_symbolic(&n, sizeof n, "n"); `+c.body+` return 0; }`)
		dir, rep := explore(t, []string{"--greybox", "--merge"}, program)
		if _, covered := coveredLabels(t, dir)["1"]; !covered || !slices.Equal(rep.Infeasible, c.infeasible) {
			t.Errorf("%s: covered: %v, infeasible: %v; %q", c.body, covered, rep.Infeasible, rep.Notes)
		}
	}
}
