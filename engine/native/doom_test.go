package native

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestDoomedChoices: six pointers must lead somewhere for a run to get on, twelve others do not
// matter. Most paths die where a pointer is NULL that is one of the first: there are ever more
// of them, for all that the others may be.
func TestDoomedChoices(t *testing.T) {
	dir, _ := explore(t, []string{"--greybox", "--max-instructions=300000"}, writeC(t, `
#include <stdlib.h>
int klee_int(const char *);
int klabel_wants(int);
void klabel_label(int, int);
static int *needed[6], *others[12];
static int sum(void)
{
    int i, n = 0;
    for (i = 0; i < 6; i++)
        n += *needed[i];
    if (klabel_wants(1))
        klabel_label(1, n == 5);
    return n;
}
int main(void)
{
    int i;
    for (i = 0; i < 6; i++)
        if (klee_int("needed"))
            needed[i] = malloc(4), *needed[i] = klee_int("value");
    for (i = 0; i < 12; i++)
        if (klee_int("other"))
            others[i] = malloc(4), *others[i] = klee_int("value");
    return sum();
}
`))
	tests, err := filepath.Glob(filepath.Join(dir, "*.ktest"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		if errors, err := filepath.Glob(strings.TrimSuffix(name, "ktest") + "*.err"); err == nil && len(errors) == 0 {
			return
		}
	}
	t.Errorf("no run got on: %d tests, all of errors", len(tests))
}
