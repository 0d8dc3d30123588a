package campaign

import (
	"fmt"
	"slices"
	"strings"

	"klabel/engine/fuzz"
	"klabel/label"
	"klabel/replayer"
)

// finds counts what a fuzzer says to have found: runs that ended normally and hit
// open labels. One is lost if the replay does not confirm all of that. A run that ends
// in an error which only sanitizers see is none of the two: the same input leads the
// replay to the same place, and what it shows there is a finding like any other.
type finds struct {
	all, lost int
	errors    int    // that only the replay's checks see
	why       string // of the last one that is lost
}

// noteFind compares what a fuzzer saw with the verdict.
func (k *judge) noteFind(f replayer.TestFile, v label.Verdict) {
	words := strings.Fields(f.Error)
	if len(words) == 0 || words[0] != fuzz.Covers {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.finds.all++
	switch v.Outcome {
	case label.Normal:
	case label.SanitizerErr:
		k.finds.errors++
		return
	default:
		k.finds.lost++
		k.finds.why = strings.TrimSpace(fmt.Sprintf("%s %s", v.Outcome, v.Reason))
		return
	}
	for _, w := range words[1:] {
		if id, err := label.ParseID(w); err == nil && !slices.Contains(v.Hits, id) {
			k.finds.lost++
			k.finds.why = "label " + w + " is not hit"
			return
		}
	}
}

// findNotes are notes on finds that were not confirmed, none if all were.
func (k *judge) findNotes() (notes []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if f := k.finds; f.lost > 0 {
		notes = append(notes, fmt.Sprintf("finds of the fuzzer that the replay did not confirm: %d of %d; %s", f.lost,
			f.all, f.why))
	}
	if f := k.finds; f.errors > 0 {
		notes = append(notes, fmt.Sprintf("finds of the fuzzer that end in an error which only the replay's "+
			"sanitizers see: %d of %d; the errors are among the findings", f.errors, f.all))
	}
	return notes
}
