package prune_test

import (
	"strings"
	"testing"

	"klabel/prune"
)

// Behind an access through it a pointer is not NULL: labels from 10 on cannot be
// covered, those from 1 to 9 can, or a replay that has no sanitizers covers them.
func TestNotNullBehindAnAccess(t *testing.T) {
	x := tools(t)
	const s = `struct s { int a, b; struct { short c; int d[3]; } in; }; int keep; void see(int); `
	for name, text := range map[string]string{
		"member":        `int f(struct s *p) { int x = p->b; cov_label(!p, 10, "x"); return x; }`,
		"inner member":  `int f(struct s *p) { p->in.d[2] = 1; cov_label(p == 0, 10, "x"); return 1; }`,
		"itself":        `int f(int **p) { **p = 1; cov_label(!p, 10, "x"); cov_label(!*p, 1, "x"); return 1; }`,
		"item":          `int f(int *p) { see(p[3]); cov_label(!p, 10, "x"); return 1; }`,
		"other block":   `int f(struct s *p, int n) { keep = p->a; while (n--) see(n); cov_label(!p, 10, "x"); return 1; }`,
		"another value": `int f(struct s *p) { keep = p->a; p = (struct s *)(long)keep; cov_label(!p, 1, "x"); return 1; }`,
		"before":        `int f(struct s *p) { cov_label(!p, 1, "x"); if (keep) return 0; see(p->a); return 1; }`,
		"other path": `int f(struct s *p) { if (keep) see(p->a);
			cov_label(!p, 1, "x"); cov_label(!p && keep, 10, "x"); return 1; }`,
		"address":  `int f(struct s *p) { see(&p->b == 0); cov_label(!p, 1, "x"); return 1; }`,
		"dropped":  `int f(struct s *p) { p->a; p->b + 1; cov_label(!p, 1, "x"); return 1; }`,
		"any item": `int f(int *p, long i) { see(p[i]); cov_label(!p, 1, "x"); return 1; }`,
		"far item": `int f(int *p) { see(p[2000]); see(p[-1]); cov_label(!p, 1, "x"); return 1; }`,
		"far member": `struct big { char c[5000]; int n; }; int f(struct big *p) { see(p->n);
			cov_label(!p, 1, "x"); return 1; }`,
		"a predicate's": `int f(struct s *p) { cov_label(p->a == 3, 1, "x"); cov_label(!p, 2, "x"); return 1; }`,
		"called by one": `static int g(struct s *p) { return p->a; } int f(struct s *p) {
			cov_label(g(p) == 3, 1, "x"); cov_label(!p, 2, "x"); return 1; }`,
		"another space": `int f(void) { int __attribute__((address_space(256))) *p = 0; keep = *p;
			cov_label(!p, 1, "x"); return 1; }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, notes := proofs(t, x, s+text, prune.Options{Open: true, Methods: []prune.Method{prune.Compiler},
				MaxPairs: -1})
			want := strings.Count(text, ", 10,")
			for _, f := range said {
				if len(f) == len("1 infeasible") {
					t.Errorf("it says %s", f)
				}
			}
			if len(said) != want {
				t.Errorf("it says %v, %d are infeasible; %v", said, want, notes)
			}
		})
	}
}
