package report

import (
	"fmt"
	"strings"

	"klabel/label"
)

// FunctionStatus says how the work on one function ended.
type FunctionStatus string

// The ends of a function.
const (
	Done        FunctionStatus = "done"
	LeftOut     FunctionStatus = "left out" // it cannot be driven, or has no label
	Failed      FunctionStatus = "failed"
	Interrupted FunctionStatus = "interrupted"
	NotStarted  FunctionStatus = "not started"
)

// FunctionRow is the outcome for one function: its labels, whatever test covers
// them, and the entries that were tried for it.
type FunctionRow struct {
	Name           string         `json:"name"`
	File           string         `json:"file"`
	Line           int            `json:"line"`
	Static         bool           `json:"static,omitempty"`
	Status         FunctionStatus `json:"status"`
	Reason         string         `json:"reason,omitempty"` // why it is not done, or what keeps its labels open
	Labels         Counts         `json:"labels"`
	Tests          Tests          `json:"tests"`
	Seconds        float64        `json:"seconds"`
	Entries        []EntryRow     `json:"entries,omitempty"`
	Contradictions int            `json:"contradictions,omitempty"`
	Notes          []string       `json:"notes,omitempty"`
	OutputDir      string         `json:"output_dir,omitempty"`
}

// Sentence is the row in one line, for progress.
func (r FunctionRow) Sentence() string {
	if r.Status != Done {
		reason, _, _ := strings.Cut(r.Reason, "\n")
		if reason == "" {
			return fmt.Sprintf("%s: %s", r.Name, r.Status)
		}
		return fmt.Sprintf("%s: %s: %s", r.Name, r.Status, reason)
	}
	return fmt.Sprintf("%s: %d of %d labels covered, %.1f s", r.Name, r.Labels.Covered, r.Labels.Total, r.Seconds)
}

// EntryRow is a way into the program that was tried.
type EntryRow struct {
	Name     string   `json:"name"`               // as tests name it: "f", "f+state"; "" is the program's own main
	Narrowed []string `json:"narrowed,omitempty"` // what it leaves out: "4 items behind p"; empty: it is exhaustive
	Complete bool     `json:"complete,omitempty"` // an engine saw all of its paths
	Reason   string   `json:"reason,omitempty"`   // why it was left out
	Tests    int      `json:"tests"`
	Paths    uint64   `json:"paths,omitempty"`
	Seconds  float64  `json:"seconds,omitempty"`
}

// SumFunctions fills the totals from the rows of the functions.
func (s *Summary) SumFunctions() {
	s.Labels, s.Tests, s.Done, s.LeftOut, s.Failed = Counts{}, Tests{}, 0, 0, 0
	for _, r := range s.Functions {
		switch r.Status {
		case Done:
			s.Done++
		case LeftOut:
			s.LeftOut++
		case Failed:
			s.Failed++
		}
		s.Labels, s.Tests = s.Labels.Plus(r.Labels), s.Tests.Plus(r.Tests)
	}
	s.Ratios = s.Labels.Ratios()
}

// LabelRow is what is known of one label.
type LabelRow struct {
	label.Label
	Status  label.Status `json:"status"`
	Covered bool         `json:"covered"`
	Test    string       `json:"test,omitempty"`   // the test that covered it first
	Tests   []string     `json:"tests,omitempty"`  // every test of the suite that covers it
	Reason  string       `json:"reason,omitempty"` // why it has its status: the proof in words, or what keeps it open
	Method  string       `json:"method,omitempty"` // what proved it
	Tried   []string     `json:"tried,omitempty"`  // unknown: the entries that were tried, what each leaves out
	Seconds float64      `json:"seconds,omitempty"`
	Of      *label.ID    `json:"of,omitempty"` // the label that it is a duplicate of, or subsumed by
}

// TestRow is one test.
type TestRow struct {
	Name    string        `json:"name"`
	Entry   string        `json:"entry,omitempty"`  // "" is the program's own main
	File    string        `json:"file"`             // the .ktest file
	C       string        `json:"c_file,omitempty"` // the same as C
	Case    string        `json:"c_case,omitempty"` // the name of its function in there
	SHA256  string        `json:"sha256,omitempty"`
	Kept    bool          `json:"kept"`
	Engine  string        `json:"engine,omitempty"`
	Outcome label.Outcome `json:"outcome"`
	Reason  string        `json:"reason,omitempty"`
	Hits    []label.ID    `json:"hits,omitempty"`
	Seconds float64       `json:"seconds"`           // its replay
	Elapsed float64       `json:"elapsed,omitempty"` // since the campaign's start, when it was found
	// Given is what its driver made up, where it shows an error: NULL, sizes, results.
	Given []string `json:"given,omitempty"`
}

// Finding is something wrong that a test shows: the same kind at the same
// place once, with one test of those that show it.
type Finding struct {
	File     string `json:"file"`
	Line     int    `json:"line"` // 0: unknown
	Function string `json:"function,omitempty"`
	Kind     string `json:"kind"` // "heap-buffer-overflow", "failed assertion", "division by zero", ...
	Message  string `json:"message,omitempty"`
	Entry    string `json:"entry,omitempty"`
	Test     string `json:"test"`
	Path     string `json:"test_file,omitempty"`
	Count    int    `json:"count"` // tests that show it
	// Doubt says why what the test sets may be nothing that a caller makes; Given is
	// what of it the finding may rest on, as klabel made it up: "NULL for p".
	Doubt string   `json:"doubt,omitempty"`
	Given []string `json:"given,omitempty"`
}
