package fault

import (
	"errors"
	"testing"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain ünï\n\ttext": "plain ünï\n\ttext", "a\x1b[31mb": "a^[[31mb", "\x00\r\x7f": "^@^M^?",
		"\u009b31m": "\ufffd31m",
		"\xff\xfe":  "\ufffd", "x\u202ey": "x\ufffdy", "^[": "^[",
	} {
		if got := Visible(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	for name, good := range map[string]bool{"f.c": true, "a b,c'\"ü.c": true, "a\nb.c": false, "\t.c": false,
		"\x1b.c": false, "\xff.c": false} {
		if err := CheckName(name); (err == nil) != good || err != nil && !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}
