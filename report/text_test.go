package report

import (
	"strings"
	"testing"

	"klabel/label"
)

func TestRatiosOf(t *testing.T) {
	one := label.ID(1)
	row := func(s label.Status, of *label.ID) LabelRow {
		return LabelRow{Status: s, Covered: s == label.Covered, Of: of}
	}
	rows := []LabelRow{row(label.Covered, nil), row(label.Covered, &one), row(label.Infeasible, nil), row(label.Infeasible, &one), row(label.Subsumed, &one),
		row(label.Unknown, nil), row(label.Deselected, nil)}
	got := RatiosOf(rows)
	if want := (Ratios{2. / 6, 2. / 4, 1. / 2}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	var b strings.Builder
	if err := Text(&b, Summary{Ratios: got}); err != nil || !strings.Contains(b.String(), "33.3 % of all labels are covered, 50.0 % without infeasible ones, 50.0 % without redundant ones too") {
		t.Errorf("%v\n%s", err, b.String())
	}
	b.Reset()
	if err := Text(&b, Summary{Ratios: Ratios{1, 1, 1}}); err != nil || strings.Contains(b.String(), "ratios") {
		t.Errorf("%v\n%s", err, b.String())
	}
}
