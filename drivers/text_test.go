package drivers_test

import (
	"strings"
	"testing"
)

// A text has room for the longest that it is compared with, within what is cheap.
func TestSpelt(t *testing.T) {
	const text = `
#include <stdio.h>
#include <string.h>
struct option { const char *name; int n; };
static int same(const char *a, const char *b) { return a && b && strcmp(a, b) == 0; }
int direct(const char *s) { return !strcmp(s, "AFTER_TWELVE") ? 1 : strncmp("MUCH_LONGER_THAN_THAT", s, 21) == 0; }
int through(struct option *o) { return same(o->name, "a rather long name") && o->n; }
int caller(const char *s) { return direct(s); }
int said(const char *s) { return printf("this is not what it is compared with: %s", s); }
int endless(const char *s) { return !strcmp(s, "nobody writes names of more than forty-eight characters"); }
`
	for function, want := range map[string]string{
		"direct": "(*s_text)[22]", "through": "(*o_name_text)[19]", "caller": "(*s_text)[22]", "said": "(*s_text)[9]",
		"endless": "(*s_text)[9]",
	} {
		if got := entryOf(t, text, function, 0); !strings.Contains(got, want) {
			t.Errorf("%s: no %s in\n%s", function, want, got)
		}
	}
}
