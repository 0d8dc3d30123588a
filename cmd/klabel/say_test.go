package main

import (
	"strings"
	"testing"
)

// Long messages break between words on a terminal, and nowhere else; a hint is
// copied as it stands.
func TestSaid(t *testing.T) {
	long := strings.Repeat("word ", 30)
	hint := "hint: klabel " + strings.Repeat("flag ", 30)
	got := said("first: "+long+"\n"+hint+"\n  ^ here", 60)
	for i, l := range got {
		if i < 3 && (len(l) > 60 || i > 0 && !strings.HasPrefix(l, "        word")) {
			t.Errorf("line %d: %q", i, l)
		}
	}
	if n := len(got); n < 5 || got[n-2] != "klabel: "+strings.TrimSpace(hint)+" " || got[n-1] != "klabel:   ^ here" {
		t.Errorf("%q", got)
	}
	if got := said(long, 0); len(got) != 1 {
		t.Errorf("no terminal, but %q", got)
	}
	if got := said("a\x1b[31mb", 80); strings.Contains(got[0], "\x1b") {
		t.Errorf("a terminal obeys %q", got)
	}
	twice := said("a.h:1: not found\n  ^\nhint: -I\nb.c:2: wrong\na.h:1: not found\n  ^\nhint: -I", 80)
	const want = "klabel: a.h:1: not found|klabel:   ^|klabel: hint: -I|klabel: b.c:2: wrong"
	if strings.Join(twice, "|") != want {
		t.Errorf("%q", twice)
	}
}
