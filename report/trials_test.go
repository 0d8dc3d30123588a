package report

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
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

// Comparisons of six modes, and of six engines over several programs, fit narrow
// terminals: what has no room beside the rest comes below it, and no number is torn.
func TestNarrowComparisons(t *testing.T) {
	var modes, engines []Summary
	for i, mode := range []string{"ignore", "naive", "tight", "optim", "fused", "greybox"} {
		s := Summary{Program: "program", Side: mode, Tests: Tests{Generated: 123456 + i, Kept: 987 + i}}
		s.Labels = Counts{Total: 4321, Covered: 4000 + i, Infeasible: 310 + i}
		s.Engine = Engine{Name: "native", Mode: mode, Instructions: 1234567890 + uint64(i), Paths: 7654321 + uint64(i)}
		modes = append(modes, s)
		for run := range 3 {
			s.Program, s.Engine.Seconds = "another_long_name_of_a_program", float64(100*i+run)
			s.Labels.Covered += run
			engines = append(engines, s)
		}
	}
	for _, width := range []int{40, 62, 80, 132} {
		for name, got := range map[string]string{
			"modes":   render(t, Comparisons, "text", modes, Options{Width: width}),
			"engines": render(t, Comparisons, "text", engines, Options{Width: width}),
		} {
			for _, line := range strings.Split(got, "\n") {
				if n := utf8.RuneCountInString(line); n > width {
					t.Errorf("%s at %d: a line of %d\n%s", name, width, n, line)
				}
			}
			words := strings.Fields(got)
			want := []string{"1234567895", "7654326", "992", "greybox", "ignore", "4005"}
			if name == "engines" {
				want = []string{"4006", "501.0", "greybox", "p=0.100"}
				if width > 60 {
					want = append(want, "[4005...4008]", "[500.0...502.0]")
				}
			}
			for _, w := range want {
				if !slices.Contains(words, w) {
					t.Errorf("%s at %d: no %s in one piece\n%s", name, width, w, got)
				}
			}
		}
	}
}
