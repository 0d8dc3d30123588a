package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/fault"
	"klabel/label"
)

// lcovText writes a tracefile as geninfo(1) describes it: labels are branches,
// conditions under a criterion of pairs are MC/DC records, which lcov 2.3 and
// later read.
func lcovText(w io.Writer, r *Result, _ Options) error {
	b := bufio.NewWriter(w)
	for _, f := range r.files() {
		// A #line may say any name: it does not end the record.
		fmt.Fprintf(b, "TN:\nSF:%s\n", oneLine(f.Path))
		lcovFunctions(b, f)
		var branches, taken, conditions, shown int
		for at := range f.Lines {
			l := &f.Lines[at]
			// Readers want a line that is hit to have a branch that is taken: rows of
			// a truth table, which are no branches here, do not make it hit.
			if len(l.Branches) > 0 && !slices.ContainsFunc(l.Branches,
				func(r LabelRow) bool { return r.Status == label.Covered }) {
				l.Hits = 0
			}
			for i, row := range l.Branches {
				times := "-" // its line is not known to be executed
				n := len(row.hitting())
				if n > 0 || l.Hits > 0 {
					times = fmt.Sprint(n)
				}
				fmt.Fprintf(b, "BRDA:%d,0,%d,%s\n", l.Number, i, times)
				branches++
				taken += min(n, 1)
			}
		}
		fmt.Fprintf(b, "BRF:%d\nBRH:%d\n", branches, taken)
		several := r.criteriaOfPairs() > 1
		for _, l := range f.Lines {
			for i, c := range l.Conditions {
				n := 0
				if c.Status == label.Covered {
					n = 1
				}
				lcovCondition(b, l, i, n, c, several)
				conditions, shown = conditions+2, shown+2*n
			}
		}
		if conditions > 0 {
			fmt.Fprintf(b, "MCF:%d\nMCH:%d\n", conditions, shown)
		}
		hit := 0
		for _, l := range f.Lines {
			fmt.Fprintf(b, "DA:%d,%d\n", l.Number, l.Hits)
			hit += min(l.Hits, 1)
		}
		fmt.Fprintf(b, "LF:%d\nLH:%d\nend_of_record\n", len(f.Lines), hit)
	}
	return b.Flush()
}

// oneLine is text in which nothing is a line's end, or obeyed by a terminal.
func oneLine(s string) string { return strings.ReplaceAll(fault.Visible(s), "\n", "^J") }

func lcovFunctions(w io.Writer, f sourceFile) {
	hit := 0
	for _, fn := range f.Functions {
		fmt.Fprintf(w, "FN:%d,%s\n", fn.Line, fn.Name)
	}
	for _, fn := range f.Functions {
		fmt.Fprintf(w, "FNDA:%d,%s\n", fn.Hits, fn.Name)
		hit += min(fn.Hits, 1)
	}
	fmt.Fprintf(w, "FNF:%d\nFNH:%d\n", len(f.Functions), hit)
}

// lcovCondition writes both senses of a condition: a pair shows them together.
// lcov tells the decisions of a line apart by their sizes alone, so all of a
// line's conditions are one group.
func lcovCondition(w io.Writer, l sourceLine, i, n int, c measured, several bool) {
	text := strings.Join(strings.Fields(c.Text), " ")
	if several {
		text = c.Criterion + ": " + text
	}
	for _, sense := range "tf" {
		fmt.Fprintf(w, "MCDC:%d,%d,%c,%d,%d,%s\n", l.Number, len(l.Conditions), sense, n, i, text)
	}
}

// criteriaOfPairs is the number of criteria that the decisions are under.
func (r *Result) criteriaOfPairs() int {
	names := map[string]bool{}
	for _, d := range r.Decisions {
		names[d.Criterion] = true
	}
	return len(names)
}
