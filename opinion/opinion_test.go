package opinion

import (
	"strings"
	"testing"

	"klabel/label"
	"klabel/report"
	"klabel/toolchain"
)

func TestNegatedGroup(t *testing.T) {
	for text, want := range map[string]bool{
		"a && b": false, "!a && b": false, "!(a) && b": false, "!(a && b) || c": true, "c || ! (a || b)": true,
		"!(f(a)) && (b || c)": false, "a != (b && c)": false, "!((a) || b)": true,
	} {
		if got := negatedGroup(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// A difference is laid to addresses only where the compiler does not agree with itself.
func TestMovable(t *testing.T) {
	at := func(line int) label.Position { return label.Position{File: "f.c", Line: line, Column: 5} }
	rows := []report.CheckRow{{Position: at(1), Klabel: "TT", Compiler: "TF"},
		{Position: at(2), Klabel: "TT", Compiler: "TF"},
		{Position: at(3), Klabel: "TT"}, {Position: at(4), Klabel: "TT", Compiler: "TT", Agrees: true},
		{Position: at(5), Klabel: "TT", Compiler: "FT", Why: "macro"}}
	shown := func(s ...bool) toolchain.MCDCRecord { return toolchain.MCDCRecord{Shown: s} }
	k := checker{sources: []report.Source{{Name: "f.c", Path: "/src/f.c"}}}
	k.movable(rows, map[spot]toolchain.MCDCRecord{
		{"/src/f.c", 1, 5}: shown(true, true), {"/src/f.c", 2, 5}: shown(true, false),
		{"/src/f.c", 3, 5}: shown(true, true), {"/src/f.c", 4, 5}: shown(false, true),
		{"/src/f.c", 5, 5}: shown(true, true)})
	var got []string
	for _, x := range rows {
		got = append(got, x.Why)
	}
	if !strings.HasSuffix(got[0], "clang itself measures TT") || got[1]+got[2]+got[3] != "" || got[4] != "macro" {
		t.Errorf("%q", got)
	}
}

// Pairs of tests that stand in different programs are none that clang can see.
func TestUniqueCauseByProgram(t *testing.T) {
	d := report.DecisionRow{Conditions: make([]report.ConditionRow, 2), Vectors: []report.VectorRow{
		{Values: "TT", Outcome: true, Tests: []string{"a"}}, {Values: "TF", Tests: []string{"b"}},
		{Values: "F-", Tests: []string{"a"}}}}
	k := checker{inC: map[string]string{"a": "one", "b": "two"}}
	if each, together := k.uniqueCause(d); each != "TF" || together != "TT" {
		t.Errorf("%s %s, want TF TT", each, together)
	}
}

// Where a macro gives some of the conditions, clang does not list them in their order.
func TestOrderOfMacros(t *testing.T) {
	d := report.DecisionRow{Conditions: make([]report.ConditionRow, 3), Vectors: []report.VectorRow{
		{Values: "TTT", Outcome: true, Tests: []string{"a"}}, {Values: "TTF", Tests: []string{"b"}}}}
	at := spot{"f.c", 1, 1}
	for _, c := range []struct {
		macros [3]string
		shown  []bool
		want   bool
	}{
		{[3]string{"READY", "READY", ""}, []bool{false, true, false}, true},
		{[3]string{"READY", "AT", "AT"}, []bool{false, true, false}, true},
		{[3]string{"READY", "READY", ""}, []bool{false, true, true}, false},
		{[3]string{"READY", "READY", "READY"}, []bool{false, true, false}, false},
		{[3]string{}, []bool{false, true, false}, false},
	} {
		for i, m := range c.macros {
			d.Conditions[i].Position.Macro = m
		}
		k := checker{inC: map[string]string{"a": "one", "b": "one"},
			theirs: map[spot]toolchain.MCDCRecord{at: {Shown: c.shown}}}
		row := k.compare(d, at)
		if got := strings.HasPrefix(row.Why, "some conditions stand in a macro"); row.Klabel != "FFT" || row.Agrees ||
			got != c.want {
			t.Errorf("%v %v: %+v", c.macros, c.shown, row)
		}
	}
}

// A decision within a condition of another one is measured as little as that one is.
func TestWithinAnother(t *testing.T) {
	row := func(line int, text string, conditions ...string) report.DecisionRow {
		d := report.DecisionRow{Position: label.Position{File: "f.c", Line: line, Column: 5}, Function: "f", Text: text}
		for _, c := range conditions {
			d.Conditions = append(d.Conditions, report.ConditionRow{Text: c})
		}
		return d
	}
	k := checker{nests: []report.DecisionRow{row(2, "m && ((a && b) ? x : y)", "m", "((a && b) ? x : y)")}}
	for _, c := range []struct {
		d    report.DecisionRow
		want bool
	}{
		{row(2, "m && ((a && b) ? x : y)", "m", "((a && b) ? x : y)"), false},
		{row(3, "a && b", "a", "b"), true},
		{row(3, "a && c", "a", "c"), false},
		{row(1, "a && b", "a", "b"), false}, // before it
	} {
		row := k.compare(c.d, spot{"f.c", c.d.Position.Line, 5})
		if got := strings.HasPrefix(row.Why, "it stands within"); got != c.want {
			t.Errorf("line %d, %s: %q", c.d.Position.Line, c.d.Text, row.Why)
		}
	}
}
