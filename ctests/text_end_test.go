package ctests

import (
	"testing"
)

// What stands behind a text's NUL is written too: a function that is told a length
// looks there.
func TestTextEnd(t *testing.T) {
	for in, want := range map[string]string{
		"ab\x00\x00": `"ab"`, "\x00u12\x00": `"\000u12"`, "\x00\x00\x00": `""`, "abc": `"abc"`, "": `""`,
		"a\x00\x00b\x00": `"a\000\000b"`,
	} {
		b := []byte(in)
		if got := text(b[:textEnd(b)]); got != want {
			t.Errorf("%q is written %s, want %s", in, got, want)
		}
	}
}
