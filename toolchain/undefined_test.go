package toolchain

import (
	"slices"
	"testing"
)

// Names that linkers look for in vain, in the words of GNU's and of lld.
func TestUndefined(t *testing.T) {
	const said = "/usr/bin/ld: /tmp/b.o: in function `twice':\n" +
		"b.c:4: undefined reference to `away'\n" +
		"/usr/bin/ld: b.c:5: undefined reference to `away'\n" +
		"/usr/bin/ld: run_tests: internal symbol `far' isn't defined\n" +
		"ld.lld: error: undefined symbol: modes\n" +
		"ld.lld: error: undefined hidden symbol: shade\n" +
		"/usr/bin/ld: final link failed: bad value\n"
	got := Undefined(said)
	if want := []string{"away", "far", "modes", "shade"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Undefined("all is well"); len(got) != 0 {
		t.Errorf("%q of nothing", got)
	}
}
