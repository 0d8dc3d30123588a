package report

import (
	"strings"
	"testing"
)

func TestTrials(t *testing.T) {
	var ss []Summary
	add := func(program, side string, covered ...int) {
		for _, n := range covered {
			ss = append(ss, Summary{Program: program, Side: side, Labels: Counts{Total: 20, Covered: n},
				Engine: Engine{Name: side, Seconds: float64(n) / 2}})
		}
	}
	add("f", "native", 10, 12, 11, 10, 13)
	add("f", "fuzz", 3, 2, 4, 5, 1)
	add("g", "native", 7, 7, 7, 7, 7)
	add("g", "fuzz", 7, 7, 7, 7, 7)
	var b strings.Builder
	if err := compareMarkdown(&b, ss, Options{}); err != nil {
		t.Fatal(err)
	}
	// Two groups of five that do not overlap: 2 of the 252 ways to part ten.
	for _, want := range []string{"| f | 20 | 11 [10...13] | 5.5 [5.0...6.5] | 3 [1...5] | 1.5 [0.5...2.5] | p=0.008 |",
		"| g | 20 | 7 | 3.5 | 7 | 3.5 | = |", "| all | 40 | 18 |  | 10 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if trialsOf(ss[:1]).several() || !trialsOf(ss[:2]).several() {
		t.Error("one run is several, or two are not")
	}
}
