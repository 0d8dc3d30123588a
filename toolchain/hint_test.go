package toolchain

import (
	"strings"
	"testing"
)

// What a build defines, and a user who names files alone does not, is said by name.
func TestCompileHint(t *testing.T) {
	for _, c := range []struct{ stderr, want string }{
		{"f.c:186:46: error: use of undeclared identifier 'SCALE_FACTOR'", "with -D SCALE_FACTOR=VALUE"},
		{"f.c:3:5: error: use of undeclared identifier 'count'", ""},
		{"f.c:1:10: fatal error: 'config.h' file not found", "-I"},
	} {
		if got := compileHint(c.stderr); c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.stderr, got, c.want)
		}
	}
}
