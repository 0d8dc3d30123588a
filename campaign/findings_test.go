package campaign

import (
	"testing"

	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// TestPlacesOfFindings: what a reason says of the place is told apart from the message, in folders with spaces too.
func TestPlacesOfFindings(t *testing.T) {
	for _, c := range []struct {
		outcome      label.Outcome
		reason, file string
		line         int
	}{
		{label.Aborted, "assertion failed: f(x) (3) (in C/a b.c:7, void f(int))", "in C/a b.c", 7},
		{label.ReportedErr, "reported error: bad (my code/a.c:8, user.err)", "my code/a.c", 8},
		{label.SanitizerErr, "AddressSanitizer: SEGV on a null pointer at Graph Algorithms in C/J.c:52",
			"Graph Algorithms in C/J.c", 52},
		{label.SanitizerErr, "UndefinedBehaviorSanitizer: load of null pointer of type 'struct t' at b c.c:20:230",
			"b c.c", 20},
		{label.SanitizerErr, "memory error at a b.c:4", "a b.c", 4},
		{label.SanitizerErr, "memory error in f (a b.c:4)", "a b.c", 4},
	} {
		got := findings([]report.TestRow{{Outcome: c.outcome, Reason: c.reason}}, &store.Snapshot{})
		if len(got) != 1 || got[0].File != c.file || got[0].Line != c.line {
			t.Errorf("%s: %+v", c.reason, got)
		}
	}
}
