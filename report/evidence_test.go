package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
)

// TestEvidence: what a reviewer needs is there, and what makes it void is said.
func TestEvidence(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "f.c")
	if err := os.WriteFile(path, []byte("int f;\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	header := filepath.Join(dir, "f.h")
	if err := os.WriteFile(header, []byte("#define A\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := &Result{Summary: Summary{Program: "f", Tools: []UsedTool{{"klabel", "1.2"}, {"clang", "14.0.6"}},
		Engine:   Engine{Name: "native", Version: "1"},
		Criteria: []CriterionCounts{{"CC", 4, 4, 0, 0, 0, 0}, {"MCDC", 3, 1, 1, 1, 3, 1}},
		Sources:  []Source{{Name: "f.c", Path: path, SHA256: digest("int f;\n")}, {Name: "other.h", Path: path}},
		Compiled: &Compiled{Replay: []string{"-O0", "-g"},
			Headers: []Header{{"f.h", header, digest("#define A\n"), false}},
			Units:   []Unit{{"f.c", path, digest("int f;\n"), []string{"-DB=1", "-std=c99"}, []string{"f.h"}}}}},
		Suite: []TestRow{{Name: "test000001", SHA256: "aa", Kept: true, Case: "test_f"},
			{Name: "test000002", SHA256: "bb", Kept: true}, {Name: "test000003", Kept: true}},
		Decisions: []DecisionRow{{Number: 1, Criterion: "MCDC",
			Position: label.Position{File: "f.c", Line: 3, Column: 7},
			Function: "f", Text: "a && x > 5 && x > 0",
			Conditions: []ConditionRow{{Number: 1, Text: "a", Status: label.Covered, Pair: &PairRow{
				SideRow{1, "TTT", true, "test000001"}, SideRow{4, "F--", false, "test000002"}}},
				{Number: 2, Text: "x > 5", Reason: "no test covers TF- (label 3)"},
				{Number: 3, Text: "x > 0", Status: label.Infeasible,
					Reason: "x > 0 cannot change alone: x > 5 changes with it"}},
			Vectors: []VectorRow{{Label: 1, Values: "TTT", Outcome: true, Status: label.Covered},
				{Label: 2, Values: "TTF", Status: label.Infeasible, Reason: "no value of x"}}}}}
	text := render(t, Results, "evidence", r, Options{})
	for _, want := range []string{
		"**MCDC**: of 3 conditions in 1 decisions, 1 are shown by a pair of tests, 1 are proved to have no pair, " +
			"1 are open.",
		"| clang | 14.0.6 |", "| f.c | " + digest("int f;\n") + " |", "| test000001 |", "test_f", "| aa |",
		"| `a` | TTT true (test000001) | F-- false (test000002) | shown |", "| OPEN | no test covers TF- (label 3) |",
		"| no pair exists | x > 0 cannot change alone: x > 5 changes with it |", "- TTF cannot be: no value of x",
		"is compiled with `-O0 -g` before", "| f.c | -DB=1 -std=c99 | " + digest("int f;\n"),
		"| f.h | | " + digest("#define A\n") + " |", "| reviewed by | date | signature |",
	} {
		if !strings.Contains(strings.Join(strings.Fields(text), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	for _, no := range []string{"test000003", "other.h", "**Note**", "CC"} {
		if strings.Contains(text, no) {
			t.Errorf("%q is in\n%s", no, text)
		}
	}
	var e Evidence
	if err := json.Unmarshal([]byte(render(t, Results, "evidence-json", r, Options{})), &e); err != nil {
		t.Fatal(err)
	}
	if len(e.Tests) != 2 || len(e.Decisions) != 1 || len(e.Tools) != 3 || len(e.Notes) != 0 {
		t.Errorf("%+v", e)
	}
	if err := os.WriteFile(path, []byte("int g;\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(header, []byte("#define A 2\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	r.Suite[1].Kept = false
	text = render(t, Results, "evidence", r, Options{})
	if !strings.Contains(text, "f.c is not what was tested") || !strings.Contains(text, "f.h is not what was tested") ||
		!strings.Contains(text, "test000002 is not in the suite any more") {
		t.Errorf("what makes it void is not said:\n%s", text)
	}
}
