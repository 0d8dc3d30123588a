package native

import (
	"slices"
	"testing"
)

// TestOutcomes: output may fail, and what only such a run covers is not infeasible.
func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		body  string
		claim bool
	}{
		{`L(puts("a") < 0)`, false},
		{`L(putchar('a') != 'a')`, false},
		{`L(printf("%d", 12) < 0)`, false},
		{`L(fflush(stdout))`, false},
		{`L(fputs("a", stdout) < 0)`, false},
		{`L(fwrite("ab", 1, 2, stdout) != 2)`, false},
		{`L(fwrite("ab", 1, 2, stdout) == 1)`, false},
		{`L(fwrite("ab", 1, 2, stdout) > 2)`, true},
		{`L(write(1, "ab", 2) != 2)`, false},
		{`putchar('a'); L(ferror(stdout))`, false},
		{`volatile int x = 1; L(printf("%d", 12) > 2 || x > 1)`, true},
		{`int n = puts("a"); L(n < 0 && n >= 0)`, true},
	} {
		program := writeC(t, `
#include <stdio.h>
#include <unistd.h>
int klabel_wants(unsigned);
void klabel_label(unsigned, int);
#define L(c) if (klabel_wants(1)) klabel_label(1, c);
int main(void) { `+c.body+` return 0; }`)
		_, rep := explore(t, []string{"--greybox"}, program)
		if claimed := slices.Contains(rep.Infeasible, 1); claimed != c.claim {
			t.Errorf("%s: label 1 is infeasible: %v %q", c.body, claimed, rep.Notes)
		}
	}
}
