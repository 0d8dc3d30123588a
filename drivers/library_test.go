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
	if strings.Contains(c, "**environ;") || strings.Contains(c, "int optind;") {
		t.Errorf("the entry defines variables of the C library\n%s", c)
	}
	if !strings.Contains(c, "char *optopt;") {
		t.Errorf("nobody defines a variable that is only called like one of the C library\n%s", c)
	}
}
