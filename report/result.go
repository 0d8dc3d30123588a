// Package report turns what a campaign knows into what people and other tools
// read: tables for a terminal, JSON, and the formats of other coverage tools.
//
// It exists so that the names in these forms, which other tools depend on, are
// written in one place. It promises to render what it is given, to compute
// nothing but shares, and to write the same bytes for the same value.
//
// Limits: where the numbers come from is the business of package campaign; the
// text of sources and tests is read when a page shows it, and left out where
// the files are gone.
package report

import (
	"fmt"
	"strings"
	"time"

	"klabel/label"
)

// Result is everything that one campaign knows: the summary that a run prints,
// and what stands behind its numbers. It can be filled in part: a format shows
// what there is.
type Result struct {
	Summary
	Rows  []LabelRow `json:"label_rows,omitempty"` // by number
	Suite []TestRow  `json:"test_rows,omitempty"`  // every test that is known, the kept ones and the others
	Runs  []RunRow   `json:"runs,omitempty"`
	// Decisions are those of criteria of pairs, in the order of the text.
	Decisions []DecisionRow `json:"decisions,omitempty"`
}

// Summary is the outcome of one campaign in numbers.
type Summary struct {
	Program  string            `json:"program"`
	Side     string            `json:"side,omitempty"` // of a comparison: the engine or mode that was asked for
	Seconds  float64           `json:"seconds"`
	Labels   Counts            `json:"labels"`
	Criteria []CriterionCounts `json:"criteria"`
	// Functions is empty for a program that was explored from its own main. With Programs they are
	// programs, each of which was run by itself.
	Functions []FunctionRow `json:"functions,omitempty"`
	Programs  bool          `json:"programs,omitempty"`
	Tests     Tests         `json:"tests"`
	Engine    Engine        `json:"engine"`

	Ratios         Ratios          `json:"ratios"`
	Done           int             `json:"done,omitempty"` // of the functions
	LeftOut        int             `json:"left_out,omitempty"`
	Failed         int             `json:"failed,omitempty"`
	Interrupted    bool            `json:"interrupted,omitempty"`
	Broken         []string        `json:"broken,omitempty"`  // files that could not be read, and why
	Failure        string          `json:"failure,omitempty"` // what ended the run early
	Contradictions []Contradiction `json:"contradictions,omitempty"`
	Notes          []string        `json:"notes,omitempty"` // for people: what was given up, what is missing
	OutputDir      string          `json:"output_dir,omitempty"`
	Findings       []Finding       `json:"findings,omitempty"` // what tests show to be wrong
	Sources        []Source        `json:"sources,omitempty"`  // by name
	Tools          []UsedTool      `json:"tools,omitempty"`    // beside the engine
	// What the sources of decisions were compiled from, and with; empty where there are none.
	Compiled *Compiled `json:"compiled,omitempty"`
	Resumed  *Resumed  `json:"resumed,omitempty"` // nil: there was nothing to go on from
}

// Resumed says what a run took over from earlier ones in its directory.
type Resumed struct {
	Nothing       bool `json:"nothing_changed,omitempty"` // the result is that of the last run
	Entries       int  `json:"entries"`
	Unchanged     int  `json:"unchanged"`      // entries that nothing more was expected of
	Explored      int  `json:"explored"`       // entries that an engine worked on
	TestsKept     int  `json:"tests_kept"`     // though the program has changed
	TestsReplayed int  `json:"tests_replayed"` // because it has
}

// Counts are numbers of labels by status; they are counted here alone. A label is in
// one of Covered to Unknown: a redundant label that is covered is covered.
type Counts struct {
	Total      int `json:"total"`
	Covered    int `json:"covered"`
	Infeasible int `json:"infeasible"`
	Duplicate  int `json:"duplicate"`
	Subsumed   int `json:"subsumed"`
	Unknown    int `json:"unknown"`
	// Beside the above: labels that say nothing of their own, covered or not,
	// and how many of the covered ones those are.
	Redundant        int `json:"redundant,omitempty"`
	RedundantCovered int `json:"redundant_covered,omitempty"`
}

// Open is the number of labels that a test could still be wanted for.
func (c Counts) Open() int { return c.Total - c.Covered - c.Infeasible }

// One counts a label of this status.
func (c *Counts) One(s label.Status) {
	c.Total++
	switch s {
	case label.Covered:
		c.Covered++
	case label.Infeasible:
		c.Infeasible++
	case label.Duplicate:
		c.Duplicate++
	case label.Subsumed:
		c.Subsumed++
	default:
		c.Unknown++
	}
}

// Plus adds two counts.
func (c Counts) Plus(d Counts) Counts {
	return Counts{c.Total + d.Total, c.Covered + d.Covered, c.Infeasible + d.Infeasible, c.Duplicate + d.Duplicate,
		c.Subsumed + d.Subsumed, c.Unknown + d.Unknown, c.Redundant + d.Redundant,
		c.RedundantCovered + d.RedundantCovered}
}

// CriterionCounts are the numbers for one criterion. A label that two criteria
// share counts in both. Of a criterion of pairs a condition counts as a label does.
type CriterionCounts struct {
	Name       string `json:"name"`
	Total      int    `json:"total"`
	Covered    int    `json:"covered"`
	Infeasible int    `json:"infeasible"`
	Unknown    int    `json:"unknown"`
	Conditions int    `json:"conditions,omitempty"` // of Total
	Decisions  int    `json:"decisions,omitempty"`
}

// Plus adds two counts of one criterion.
func (c CriterionCounts) Plus(d CriterionCounts) CriterionCounts {
	return CriterionCounts{c.Name, c.Total + d.Total, c.Covered + d.Covered, c.Infeasible + d.Infeasible,
		c.Unknown + d.Unknown, c.Conditions + d.Conditions, c.Decisions + d.Decisions}
}

// Tests are numbers of tests. Kept ones make up the suite.
type Tests struct {
	Generated     int `json:"generated"`
	Kept          int `json:"kept"`
	RuntimeErrors int `json:"runtime_errors"`
	Diverged      int `json:"diverged"`
	// Confirmed says what further runs of each kept test show its hits: nothing where
	// they are taken as the program notes them.
	Confirmed string `json:"confirmed,omitempty"`
	// OwnAlone are labels that the user's own tests cover, and no other test: those are
	// run once, and note their hits themselves.
	OwnAlone int `json:"labels_of_own_tests_alone,omitempty"`
}

// howConfirmed says what shows the hits of kept tests, and for which labels it does not.
func (t Tests) howConfirmed() string {
	var parts []string
	if t.Confirmed != "" && t.Kept > 0 {
		parts = append(parts, "confirmed by "+t.Confirmed)
	}
	if t.OwnAlone > 0 {
		parts = append(parts, fmt.Sprint(t.OwnAlone)+" covered by your own tests alone, as those note it")
	}
	return strings.Join(parts, "; ")
}

// How the hits of kept tests are confirmed; docs/security.md says what each shows.
const (
	SecondRun   = "a second run"                             // watched from outside
	Interpreted = "a second run and by klabel's interpreter" // --recheck
)

// Plus adds two counts.
func (t Tests) Plus(u Tests) Tests {
	return Tests{t.Generated + u.Generated, t.Kept + u.Kept, t.RuntimeErrors + u.RuntimeErrors, t.Diverged + u.Diverged,
		t.Confirmed, t.OwnAlone + u.OwnAlone}
}

// Engine says what explored the program and how far it came. LastLabelSeconds
// is the time from the engine's start to the test that covered the last label.
type Engine struct {
	Name             string  `json:"name"`
	Version          string  `json:"version"`
	Mode             string  `json:"mode"`
	Paths            uint64  `json:"paths"`
	Instructions     uint64  `json:"instructions"`
	Seconds          float64 `json:"seconds"`
	LastLabelSeconds float64 `json:"last_label_seconds"`
	Complete         bool    `json:"complete"`
}

// RunRow is one run of an engine, with the seconds since the campaign's start
// where they are known.
type RunRow struct {
	Number       uint64    `json:"number"`
	Engine       string    `json:"engine"`
	Mode         string    `json:"mode,omitempty"`
	Entry        string    `json:"entry,omitempty"` // "" is the program's own main
	Running      bool      `json:"running,omitempty"`
	Start        time.Time `json:"start"`
	Seconds      float64   `json:"seconds"`
	Paths        uint64    `json:"paths"`
	Instructions uint64    `json:"instructions"`
	Complete     bool      `json:"complete"`
	Error        string    `json:"error,omitempty"`
}

// Contradiction is a label that a replay covered and that something proved
// infeasible: an error in klabel, in a prover or in their common assumptions.
type Contradiction struct {
	Label  label.ID `json:"label"`
	Test   string   `json:"test"`
	Method string   `json:"method"`
	Reason string   `json:"reason"`
}

// Source is a file that labels stand in.
type Source struct {
	Name string `json:"name"` // as positions name it
	Path string `json:"path"` // where it is read, absolute
	// SHA256 is that of the file when it was tested.
	SHA256 string `json:"sha256,omitempty"`
}
