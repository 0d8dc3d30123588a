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
// open labels. One is lost if the replay does not confirm all of that.
type finds struct {
	all, lost int
	errors    int    // of the lost: the replay's checks see more than the fuzzer
	why       string // of the last other one
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
	if v.Outcome != label.Normal {
		k.finds.lost++
		if v.Outcome == label.SanitizerErr {
			k.finds.errors++
		} else {
			k.finds.why = strings.TrimSpace(fmt.Sprintf("%s %s", v.Outcome, v.Reason))
		}
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

// lostFinds is a note on finds that were not confirmed, "" if there are none.
func (k *judge) lostFinds() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.finds.lost == 0 {
		return ""
	}
	text := fmt.Sprintf("finds of the fuzzer that the replay did not confirm: %d of %d", k.finds.lost, k.finds.all)
	if k.finds.errors > 0 {
		text += fmt.Sprintf(", %d of them for errors that only its sanitizers see", k.finds.errors)
	}
	if k.finds.why != "" {
		text += "; " + k.finds.why
	}
	return text
}
