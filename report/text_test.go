package report

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"klabel/label"
)

func render[T any](t *testing.T, fs Formats[T], name string, v T, o Options) string {
	t.Helper()
	f, err := fs.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.New(o).Render(&b, v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Ratios are shown where they tell different things.
func TestRatiosInText(t *testing.T) {
	r := &Result{Summary: Summary{Labels: Counts{Total: 6, Covered: 2, Infeasible: 2},
		Ratios: Ratios{2. / 6, 2. / 4, 1. / 2}}}
	got := strings.Join(strings.Fields(render(t, Results, "text", r, Options{})), " ")
	want := "33.3 % of all labels are covered, 50.0 % without infeasible ones, 50.0 % without redundant ones too"
	if !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	r = &Result{Summary: Summary{Labels: Counts{Total: 1, Covered: 1}, Ratios: Ratios{1, 1, 1}}}
	if got := render(t, Results, "text", r, Options{}); strings.Contains(got, "ratios") {
		t.Errorf("ratios in\n%s", got)
	}
}

// Nothing reached of nothing is no success, and only all is 100 %.
func TestRatio(t *testing.T) {
	for _, c := range []struct {
		n     Counts
		shown string
		under float64 // the least percentage that is not reached, in steps of 10
	}{
		{Counts{}, "-", 10},
		{Counts{Total: 22, Infeasible: 22}, "-", 10},
		{Counts{Total: 4, Covered: 2, Unknown: 2}, "50.0 %", 60},
		{Counts{Total: 4, Covered: 2, Infeasible: 2}, "100.0 %", 110},
		{Counts{Total: 100000, Covered: 99999, Unknown: 1}, "99.9 %", 100},
		{Counts{Total: 3, Covered: 1, Duplicate: 2, Redundant: 2}, "33.3 %", 40},
	} {
		r := c.n.Ratios().Feasible
		if r.String() != c.shown {
			t.Errorf("%+v: %s, want %s", c.n, r, c.shown)
		}
		if r.Under(c.under-10) || !r.Under(c.under) {
			t.Errorf("%+v: under %v: %v, under %v: %v", c.n, c.under-10, r.Under(c.under-10), c.under, r.Under(c.under))
		}
		b, err := r.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		var back Ratio
		if err := back.UnmarshalJSON(b); err != nil || back.String() != r.String() {
			t.Errorf("%s becomes %v (%v)", b, back, err)
		}
	}
}

// Every table fits the width asked for, and nothing of its text is lost.
func TestTablesFit(t *testing.T) {
	long := "(a_rather_long_name > another_rather_long_name && !(yet_another_name == 0)) || this_is_the_last_one != 17"
	var s Summary
	s.Program = "wide"
	for i := range 30 {
		s.Functions = append(s.Functions, FunctionRow{Name: fmt.Sprintf("function_%d_with_%s", i,
			strings.Repeat("long_", i)), File: "f.c", Line: i, Status: Done,
			Labels: Counts{Total: 100 + i, Covered: 100, Unknown: i}})
	}
	s.Functions[3].Status, s.Functions[3].Reason = Failed, long
	s.Criteria = []CriterionCounts{{Name: "MCC", Total: 10}, {Name: strings.Repeat("criterion ", 20)}}
	s.SumFunctions()
	rows := []LabelRow{{Label: label.Label{ID: 1, Tags: []string{"MCC", "CC"},
		Position:  label.Position{File: strings.Repeat("directory/", 9) + "f.c", Line: 12345, Column: 12},
		Predicate: long}, Reason: "not within: 4 items behind p; globals as they start; 15 values of d; a stub for " +
		"read_byte"}}
	p := &Pruning{Labels: 1, Proofs: []Proof{{Label: rows[0].Label, ID: 1, Status: label.Infeasible, Method: "eva+wp",
		Reason: strings.Repeat("because ", 20)}},
		Methods: []PruneMethod{{Name: "eva", Note: strings.Repeat("it is so ", 20)}}}
	for _, width := range []int{0, 70, 80, 120, 200} {
		for name, got := range map[string]string{
			"result": render(t, Results, "text", &Result{Summary: s}, Options{Width: width, All: true}),
			"labels": render(t, LabelLists, "text", LabelList{Rows: rows}, Options{Width: width}),
			"prune":  render(t, Prunings, "text", p, Options{Width: width}),
		} {
			limit := width
			if width == 0 {
				limit = 80
			}
			for _, line := range strings.Split(got, "\n") {
				if n := utf8.RuneCountInString(line); n > limit {
					t.Errorf("%s at %d: a line of %d\n%s", name, width, n, line)
				}
			}
			if name == "labels" && width == 200 && !strings.Contains(got, "!(yet_another_name == 0)") {
				t.Errorf("the predicate is torn where there is room:\n%s", got)
			}
		}
	}
	got := render(t, Results, "text", &Result{Summary: s}, Options{})
	if first := strings.Index(got, "function_3_"); first < 0 || first > strings.Index(got, "function_29_") ||
		strings.Contains(got, "function_7_") {
		t.Errorf("want the worst ten, the failed one first:\n%s", got)
	}
	if !strings.Contains(got, "20 others") {
		t.Errorf("the others are not summed up:\n%s", got)
	}
}

func TestUnknownFormat(t *testing.T) {
	if _, err := Prunings.Find("xml"); err == nil || err.Error() != `unknown format "xml": want text or json` {
		t.Error(err)
	}
}
