package annotate

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestWarningsSummedUp holds what is said of many places alike to a few lines.
func TestWarningsSummedUp(t *testing.T) {
	var s strings.Builder
	for i := range 7 {
		fmt.Fprintf(&s, "int f%d(int a) { return a && a > 1 && a > 2 && a > 3 && a < 9 && a != 5 && a != 6 && a != 7"+
			" && a != 4; }\n", i)
	}
	l := labelFile(t, write(t, filepath.Join(t.TempDir(), "many.c"), s.String()), Options{Criteria: []string{"MCC"}})
	got := strings.Join(l.Warnings, "\n")
	if len(l.Warnings) != fewWarnings+1 || strings.Count(got, "MCC of 9 atoms") != fewWarnings ||
		!strings.HasSuffix(got, "many.c:3:24: and so at 5 more places, from here on") {
		t.Errorf("%d lines:\n%s", len(l.Warnings), got)
	}
}
