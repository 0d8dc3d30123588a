package ctests

import (
	"slices"
	"strings"
	"testing"
)

// TestMissing: names that linkers look for in vain, in the words of GNU's and of lld.
func TestMissing(t *testing.T) {
	const said = "/usr/bin/ld: /tmp/b.o: in function `twice':\n" +
		"b.c:4: undefined reference to `away'\n" +
		"/usr/bin/ld: b.c:5: undefined reference to `away'\n" +
		"/usr/bin/ld: run_tests: internal symbol `far' isn't defined\n" +
		"ld.lld: error: undefined symbol: modes\n" +
		"ld.lld: error: undefined hidden symbol: shade\n" +
		"/usr/bin/ld: final link failed: bad value\n"
	got := missingIn(said)
	if want := []string{"away", "far", "modes", "shade"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	o := Options{Called: map[string]bool{"away": true}, missing: []string{"away", "modes"}}
	if s := o.standIns(); !strings.Contains(s, "long klabel_missing_1(void) __asm__(\"away\")") ||
		!strings.Contains(s, "char klabel_missing_2[4096] __asm__(\"modes\")") {
		t.Error(s)
	}
	rounds := 0
	o = Options{Sources: []string{"b.c"}}
	err := o.complete(func() error {
		if rounds++; len(o.missing) == 0 {
			return &refusal{said: "a", missing: []string{"far"}}
		}
		return nil
	})
	if err != nil || rounds != 2 || !slices.Equal(o.missing, []string{"far"}) {
		t.Errorf("%v after %d rounds: %q", err, rounds, o.missing)
	}
}
