package prune_test

import (
	"slices"
	"testing"

	"klabel/prune"
)

// addressPrograms compare pointers of which C does not say whether they are the same.
// Labels from 1 to 9 may be covered, those from 10 on cannot.
var addressPrograms = map[string]string{
	"side by side": `int a[2], b[2]; int main(void) { cov_label(a + 2 == b, 1, "x"); cov_label(a == b, 12, "x");
		if (b + 2 == a) { cov_label(1, 3, "x"); } cov_label(a + 1 == a, 10, "x"); return 0; }`,
	"through variables": `int a[2], b[2]; static int same(int *p, int *q) { return p == q; }
		int main(void) { int *p = a + 2, *q = b; cov_label(p == q, 1, "x"); if (!(p != q)) { cov_label(1, 2, "x"); }
		cov_label(same(p, q), 3, "x"); cov_label(p != a + 2, 10, "x"); cov_label(!p, 11, "x"); return 0; }`,
	"as numbers": `int a[2], b[2];
		int main(void) { cov_label((unsigned long)(a + 2) == (unsigned long)b, 1, "x"); return 0; }`,
	"texts": `int main(void) { const char *p = "abc", *q = "abc", *r = "xabc"; cov_label(p == q, 1, "x");
		cov_label(r + 1 == q, 2, "x"); if (p != q) { return 0; } cov_label(1, 3, "x"); return 0; }`,
	"texts in a table": `static const char *const t[] = {"abc", "abc", "xabc"};
		int main(void) { cov_label(t[0] == t[1], 1, "x"); cov_label(t[2] + 1 == t[0], 2, "x");
		cov_label(!t[1], 10, "x"); return 0; }`,
	"order": `int a[2], b[2]; int main(void) { int *p = a, *q = b; cov_label(p < q, 1, "x"); cov_label(q < p, 2, "x");
		cov_label(p + 1 < p, 10, "x"); return 0; }`,
	"order as numbers": `int a[2], b[2]; int main(void) { int *p = a, *q = b;
		cov_label((unsigned long)p < (unsigned long)q, 1, "x");
		cov_label((unsigned long)q < (unsigned long)p, 2, "x"); return 0; }`,
	"within one": `int a[4]; int main(void) { int *p = a, *end = a + 4; cov_label(p == end, 10, "x");
		cov_label(p + 4 != end, 11, "x"); cov_label(p == 0, 12, "x"); return 0; }`,
}

func TestPlacesOfObjects(t *testing.T) {
	x := tools(t)
	for name, text := range addressPrograms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range prune.AllMethods {
				if m == prune.Native || m != prune.Compiler && x.FramaC == nil {
					continue
				}
				said, notes := proofs(t, x, text, prune.Options{FramaC: x.FramaC, Methods: []prune.Method{m},
					MaxPairs: -1})
				for _, s := range said {
					if len(s) == len("1 infeasible") {
						t.Errorf("%s says: %s", m, s)
					}
				}
				for _, id := range []string{"10", "11", "12"} {
					if m == prune.Compiler && name == "within one" && !slices.Contains(said, id+" infeasible") {
						t.Errorf("%s does not say that %s is infeasible: %v; %v", m, id, said, notes)
					}
				}
			}
		})
	}
}
