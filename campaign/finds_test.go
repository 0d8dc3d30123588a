package campaign

import (
	"slices"
	"testing"

	"klabel/label"
	"klabel/replayer"
)

// TestFindNotes: what only sanitizers see is a finding and no lost find.
func TestFindNotes(t *testing.T) {
	k := &judge{}
	for _, c := range []struct {
		said string
		v    label.Verdict
	}{
		{"covers 3", label.Verdict{Outcome: label.Normal, Hits: []label.ID{3, 4}}},
		{"covers 3 4", label.Verdict{Outcome: label.Normal, Hits: []label.ID{3, 4}}},
		{"covers 5", label.Verdict{Outcome: label.SanitizerErr, Reason: "heap-buffer-overflow"}},
		{"fails 6", label.Verdict{Outcome: label.Crashed}},
		{"", label.Verdict{Outcome: label.Crashed}},
	} {
		k.noteFind(replayer.TestFile{Error: c.said}, c.v)
	}
	const errors = "finds of the fuzzer that end in an error which only the replay's sanitizers see: 1 of 3; " +
		"the errors are among the findings"
	if got := k.findNotes(); !slices.Equal(got, []string{errors}) {
		t.Errorf("%q", got)
	}
	k.noteFind(replayer.TestFile{Error: "covers 7"}, label.Verdict{Outcome: label.Normal})
	k.noteFind(replayer.TestFile{Error: "covers 7"}, label.Verdict{Outcome: label.TimedOut, Reason: "ran on"})
	const lost = "finds of the fuzzer that the replay did not confirm: 2 of 5; timeout ran on"
	if got := k.findNotes(); len(got) != 2 || got[0] != lost {
		t.Errorf("%q", got)
	}
}
