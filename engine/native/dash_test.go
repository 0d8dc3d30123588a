package native

import (
	"fmt"
	"strings"
	"testing"
)

// TestDashes: what stands behind a loop over a text is come to, though each of its characters is a
// choice; and where there are few paths, all of them are seen.
func TestDashes(t *testing.T) {
	const program = `
#include <klee/klee.h>
int klabel_wants(int);
void klabel_label(int, int);
int main(void)
{
    char text[LENGTH];
    int i, blanks = 0;
    klee_make_symbolic(text, sizeof text, "text");
    for (i = 0; i < LENGTH; i++)
        if (text[i] == ' ')
            blanks++;
    if (klabel_wants(1))
        klabel_label(1, blanks <= LENGTH);
    return blanks;
}
`
	of := func(length int) string {
		return writeC(t, strings.ReplaceAll(program, "LENGTH", fmt.Sprint(length)))
	}
	dir, _ := explore(t, []string{"--greybox", "--max-instructions=100000"}, of(200))
	if len(labelTests(t, dir)) == 0 {
		t.Error("no path has come to the end of the text")
	}
	if dir, _ = explore(t, []string{"--greybox", "--max-instructions=100000", "--search=random-path"}, of(200)); len(
		labelTests(t, dir)) > 0 {
		t.Error("an order that is named is another one")
	}
	if _, rep := explore(t, []string{"--greybox"}, of(10)); !rep.Complete || rep.Paths != 1<<10 {
		t.Errorf("of 1024 paths: %d, %q", rep.Paths, rep.Notes)
	}
}
