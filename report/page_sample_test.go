package report

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/label"
)

// large is a result of many labels: files of functions of lines, each with
// labels of every status.
func large(t testing.TB, dir string, labels int) *Result {
	t.Helper()
	const perLine, linesPerFunction, functionsPerFile = 4, 25, 20
	r := &Result{}
	r.Program, r.OutputDir = "large", "out"
	statuses := []label.Status{label.Covered, label.Covered, label.Covered, label.Unknown, label.Infeasible,
		label.Covered, label.Duplicate, label.Covered, label.Subsumed}
	for i := range 800 {
		r.Suite = append(r.Suite, TestRow{Name: fmt.Sprintf("test%06d", i+1), Entry: fmt.Sprintf("function_%d", i%40),
			File: "x.ktest", Kept: true, Engine: "native", Outcome: label.Normal, Elapsed: float64(i*i) / 1e4})
	}
	r.Tests.Kept, r.Tests.Generated = 800, 950
	id := 0
	for file := 0; id < labels; file++ {
		name := fmt.Sprintf("src/module_%d.c", file)
		var text strings.Builder
		for fn := 0; fn < functionsPerFile; fn++ {
			row := FunctionRow{Name: fmt.Sprintf("function_%d_%d", file, fn), File: name,
				Line: fn*(linesPerFunction+4) + 1, Status: Done}
			fmt.Fprintf(&text, "/* Function %d of module %d. */\nint %s(int a, int b, const char *s) {\n", fn, file,
				row.Name)
			for line := 0; line < linesPerFunction; line++ {
				at := fn*(linesPerFunction+4) + line + 3
				fmt.Fprintf(&text, "    if (a > %d && (b < a || s[%d] == 'x')) return %d; /* \"%d\" */\n", line, line,
					fn, at)
				for k := 0; k < perLine && id < labels; k++ {
					id++
					s := statuses[(id*7+fn*file+line*k)%len(statuses)]
					if fn%5 == 0 && s == label.Unknown {
						s = label.Covered
					}
					l := LabelRow{Label: label.Label{ID: label.ID(id), Tags: []string{[]string{"MCC", "CC", "WM"}[k%3]},
						Position:  label.Position{File: name, Line: at, Column: 9 + k},
						Predicate: fmt.Sprintf("(a > %d) && !(b < a) && (s[%d] == 'x')", line, line),
						Function:  row.Name}, Status: s, Covered: s == label.Covered}
					row.Labels.Total++
					switch s {
					case label.Covered:
						row.Labels.Covered++
						for n := range 1 + id%5 {
							l.Tests = append(l.Tests, r.Suite[(id*(n+3)*31)%len(r.Suite)].Name)
						}
						l.Test = l.Tests[0]
					case label.Infeasible:
						row.Labels.Infeasible++
						l.Method, l.Reason = "eva", "no value of a satisfies it"
					case label.Unknown:
						row.Labels.Unknown++
						l.Reason = "not within: 4 items behind s"
						l.Tried = []string{row.Name + ": 4 items behind s", row.Name + "+state: globals as they start"}
					case label.Duplicate:
						row.Labels.Duplicate++
					default:
						row.Labels.Subsumed++
					}
					r.Rows = append(r.Rows, l)
				}
			}
			text.WriteString("    return 0;\n}\n")
			row.Tests.Kept = row.Labels.Covered / 4
			r.Functions = append(r.Functions, row)
			r.Labels = r.Labels.Plus(row.Labels)
		}
		path := filepath.Join(dir, fmt.Sprintf("module_%d.c", file))
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		r.Sources = append(r.Sources, Source{Name: name, Path: path})
	}
	r.Ratios = r.Labels.Ratios()
	r.Engine = Engine{Name: "native", Version: "1", Mode: "greybox", Paths: 12345, Seconds: 64}
	r.Seconds = 65
	return r
}
