// Package label is the vocabulary that every other package speaks: labels,
// their identifiers, criteria, statuses and verdicts, and the label files that
// tools of the field exchange.
//
// It exists so that stages need not import each other. It promises to depend
// on the standard library alone and to hold no state. Limits: how
// a label is found, reached or judged is the business of other packages.
package label

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// ID identifies a label within one program. IDs come from the user's source or
// from the annotator, need not be dense, and index the live view directly.
type ID uint32

// MaxID bounds identifiers, because the live view holds one byte for each
// number up to the largest one in use.
const MaxID ID = 1<<24 - 1

// ParseID reads a decimal label identifier, as written in C source or in a
// label file. It fails on anything that is not a number in 0..MaxID.
func ParseID(s string) (ID, error) {
	t := strings.TrimRight(strings.TrimSpace(s), "uUlL")
	n, err := strconv.ParseUint(t, 0, 64)
	if err != nil {
		return 0, fmt.Errorf("label ID %q is not a number", s)
	}
	if n > uint64(MaxID) {
		return 0, fmt.Errorf("label ID %s is larger than %d", t, MaxID)
	}
	return ID(n), nil
}

func (id ID) String() string { return strconv.FormatUint(uint64(id), 10) }

// Position is a place in the user's source. Lines and columns count from 1; 0
// means unknown. Macro names the macro whose use at this line holds the code.
type Position struct {
	File   string `json:"file"`
	Line   int    `json:"line"`
	Column int    `json:"column,omitempty"`
	Macro  string `json:"macro,omitempty"`
}

func (p Position) String() string {
	if p.Column > 0 {
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	}
	return fmt.Sprintf("%s:%d", p.File, p.Line)
}

// Label is a test objective: the predicate must be true when the run is at the
// position (Bardin et al., "Specify and measure, cover and reveal", 2021).
type Label struct {
	ID        ID       `json:"id"`
	Tags      []string `json:"tags"` // as in the source: "CC", "WM ROR"; may be empty
	Position  Position `json:"position"`
	Predicate string   `json:"predicate"`       // C expression, white space normalised
	Words     string   `json:"words,omitempty"` // the predicate as people read it, where it names klabel's variables
	Function  string   `json:"function,omitempty"`
}

// Criteria returns the criteria that the label counts for: the first word of
// each tag, without repetition, "custom" if there is no tag.
func (l Label) Criteria() []string {
	var out []string
	for _, t := range l.Tags {
		name, _, _ := strings.Cut(strings.TrimSpace(t), " ")
		if name == "" {
			continue
		}
		dup := false
		for _, o := range out {
			dup = dup || o == name
		}
		if !dup {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		out = []string{"custom"}
	}
	return out
}

// Sort orders labels by ID, in place.
func Sort(ls []Label) { sort.Slice(ls, func(i, j int) bool { return ls[i].ID < ls[j].ID }) }
