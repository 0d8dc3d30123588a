package drivers_test

import (
	"strings"
	"testing"

	"klabel/drivers"
)

// Variables of the C library that a program declares by hand are that library's, and no stand-in hides them.
func TestLibraryVariables(t *testing.T) {
	c := entryOf(t, `extern char **environ;
extern int optind;
extern char *optopt;
int f(void) { return environ[0] != 0 && optind > 1 && optopt != 0; }
`, "f", drivers.Arguments)
	if strings.Contains(c, "klabel_zero_environ") || strings.Contains(c, "klabel_zero_optind") {
		t.Errorf("the entry defines variables of the C library\n%s", c)
	}
	if !strings.Contains(c, "static __typeof__(optopt) klabel_zero_optopt;") {
		t.Errorf("nobody defines a variable that is only called like one of the C library\n%s", c)
	}
	c = entryOf(t, `extern int optind;
int optind = 1;
void set(int n) { optind = n; }
int f(void) { return optind > 1; }
`, "f", drivers.State)
	if !strings.Contains(c, "&optind") {
		t.Errorf("a variable of the program's own is no state\n%s", c)
	}
}

// A number that a function never mentions is no count of what stands beside it.
func TestUnmentionedCount(t *testing.T) {
	text := `int f(char *line, int len, int n) { line[n] = 0; return n; }
int g(char *line, int len) { line[len - 1] = 0; return len; }
`
	if c := entryOf(t, text, "f", drivers.Arguments); strings.Contains(c, "klee_assume(len") {
		t.Errorf("a number that is not used bounds an array\n%s", c)
	}
	if c := entryOf(t, text, "g", drivers.Arguments); !strings.Contains(c, "len <= 8") {
		t.Errorf("a count bounds no array\n%s", c)
	}
}
