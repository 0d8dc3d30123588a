package native

import (
	"os"
	"path/filepath"
	"testing"
)

// TestPredicateInDoubt: a predicate of several conditions, of which the solver cannot
// say in time whether they are possible, is given up or met, and never infeasible.
func TestPredicateInDoubt(t *testing.T) {
	file := filepath.Join(t.TempDir(), "doubt.c")
	if err := os.WriteFile(file, []byte(`
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
int main(void)
{
    double x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (klabel_wants(1))
        klabel_label(1, x * x * y > 1e3 && x * y * y < 2e3 && x / y > 1.01 && x / y < 1.02);
    if (klabel_wants(2))
        klabel_label(2, x * y == 123457.0 && x > 300.0 && y - x > 17.0 && y - x < 19.0);
    return 0;
}
`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []string{"0.000001", "0.001"} {
		_, rep := explore(t, []string{"--greybox", "--max-solver-time=" + limit}, compile(t, file))
		for _, id := range rep.Infeasible {
			t.Errorf("%s s a query: label %d is called infeasible", limit, id)
		}
	}
}
