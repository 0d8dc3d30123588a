package report

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// trials are several programs side by side, or several runs of one: what each of
// the sides has covered, by program.
type trials struct {
	programs []string
	sides    []string
	runs     map[[2]string][]Summary // by program and side
}

func trialsOf(ss []Summary) *trials {
	t := &trials{runs: map[[2]string][]Summary{}}
	for _, s := range ss {
		if !slices.Contains(t.programs, s.Program) {
			t.programs = append(t.programs, s.Program)
		}
		if !slices.Contains(t.sides, s.Side) {
			t.sides = append(t.sides, s.Side)
		}
		k := [2]string{s.Program, s.Side}
		t.runs[k] = append(t.runs[k], s)
	}
	return t
}

// several reports whether there is more than one program, or more than one run of
// a side.
func (t *trials) several() bool {
	if len(t.programs) > 1 {
		return true
	}
	for _, r := range t.runs {
		if len(r) > 1 {
			return true
		}
	}
	return false
}

func covered(s Summary) float64 { return float64(s.Labels.Covered) }
func took(s Summary) float64    { return s.Engine.Seconds }

func values(ss []Summary, of func(Summary) float64) (out []float64) {
	for _, s := range ss {
		out = append(out, of(s))
	}
	slices.Sort(out)
	return out
}

func median(sorted []float64) float64 {
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// spread is the median and, where they differ, the least and the greatest value.
func spread(sorted []float64, format string) string {
	if len(sorted) == 0 {
		return "-"
	}
	s := fmt.Sprintf(format, median(sorted))
	if sorted[0] != sorted[len(sorted)-1] {
		s += fmt.Sprintf(" ["+format+"..."+format+"]", sorted[0], sorted[len(sorted)-1])
	}
	return s
}

// significance is the probability that two sides which do not differ would differ
// as much as these (the two-sided test of Mann and Whitney, which asks nothing of
// how values are distributed; exact for few runs). Below two runs a side, and
// where all values are equal, there is nothing to tell.
func significance(a, b []Summary, of func(Summary) float64) string {
	if len(a) < 2 || len(b) < 2 {
		return ""
	}
	r, err := stats.MannWhitneyUTest(values(a, of), values(b, of), stats.LocationDiffers)
	if err != nil {
		return "="
	}
	return fmt.Sprintf("p=%.3f", r.P)
}

// grid has a program a row and a side a column: labels covered, and seconds of the
// engine. Sides after the first are held against it.
func (t *trials) grid() grid {
	g := grid{columns: []column{{title: "program", wrap: 12}, {title: "labels", right: true}}, keys: 2}
	for i, s := range t.sides {
		g.columns = append(g.columns, column{title: s, right: true, wrap: 6, whole: true},
			column{title: "s", right: true, wrap: 6, whole: true, tied: true})
		if i > 0 && t.repeated() {
			g.columns = append(g.columns, column{title: "", right: true, tied: true})
		}
	}
	sums := make([]float64, len(t.sides))
	labels := 0
	for _, p := range t.programs {
		total := 0
		first := t.runs[[2]string{p, t.sides[0]}]
		if len(first) > 0 {
			total = first[0].Labels.Total
		}
		row := []any{p, total}
		for i, s := range t.sides {
			r := t.runs[[2]string{p, s}]
			row = append(row, spread(values(r, covered), "%.0f"), spread(values(r, took), "%.1f"))
			if i > 0 && t.repeated() {
				row = append(row, significance(first, r, covered))
			}
			if len(r) > 0 {
				sums[i] += median(values(r, covered))
			}
		}
		labels += total
		g.add(row...)
	}
	if len(t.programs) > 1 {
		row := []any{"all", labels}
		for i := range t.sides {
			row = append(row, fmt.Sprintf("%.0f", sums[i]), "")
			if i > 0 && t.repeated() {
				row = append(row, "")
			}
		}
		g.add(row...)
	}
	return g
}

func (t *trials) repeated() bool {
	for _, r := range t.runs {
		if len(r) > 1 {
			return true
		}
	}
	return false
}

func (t *trials) text(w io.Writer, o Options) error {
	g := t.grid()
	if t.repeated() {
		fmt.Fprintln(w, Wrapped("", "medians of labels covered and of seconds [least...greatest]; p: held against "+
			t.sides[0], o.width()))
	}
	return g.render(w, o.width())
}
