package native

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMoreOfTheLibrary holds the second part of the C library against the
// system's: one program sums up what its functions return.
func TestMoreOfTheLibrary(t *testing.T) {
	const source = "testdata/more.c"
	bin := filepath.Join(t.TempDir(), "more")
	if msg, err := exec.Command(clang(t).Path, "-w", "-O0", "-I"+include, source, "testdata/strl.c", "-o", bin, "-lm",
		"-lpthread").CombinedOutput(); err != nil {
		t.Skipf("it does not compile natively: %s", msg)
	}
	out, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	sum := strings.TrimSpace(string(out))
	dir, rep := explore(t, nil, compile(t, source, "-DEXPECTED="+sum+"ul"))
	// Numbers of which the sign alone is known, as strcmp returns, are told apart without a search.
	if rep.Completed != 1 || rep.Instructions < 100000 || len(suffixes(t, dir)) > 0 || rep.SATQueries > 9 {
		t.Errorf("%d paths, %d searches, %v, %q", rep.Completed, rep.SATQueries, suffixes(t, dir), rep.Notes)
	}
}
