// Command curves draws labels over time for klabel's modes with KLEE: which mode
// is ahead at every moment, not at the end alone. For each program it prints the
// labels covered, the ratio of the areas under the curves and the most that it can be
// (all labels from the beginning), and the time at which the last mode
// reaches what the first one ends with; -svg writes the curves.
//
// Time is KLEE's own: its processor time as run.stats says, so that ratios hold on
// a machine that does other things too. The modes of a program run one after
// another; the shortest of them ends the comparison. With -repeat they take turns,
// each time with another seed; figures are medians then, of ratios within a turn.
// A mode may have options of KLEE's: fused:--search=bfs.
//
//	go run ./bench/curves -klabel ./klabel -budget 60s -repeat 5 -svg dist/curves
package main

import (
	"bytes"
	"cmp"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/report"
)

// program is one to measure; the examples are labelled already.
type program struct{ name, file, criteria string }

func main() {
	binary := flag.String("klabel", "./klabel", "the `program` to measure")
	budget := flag.Duration("budget", time.Minute, "`time` for each run")
	modes := flag.String("modes", "optim,fused", "`modes`, the one to measure against first")
	examples := flag.String("examples", "examples", "the examples' `dir`")
	programs := flag.String("programs", "bench/curves/programs", "`dir` of larger programs, labelled for MCC")
	only := flag.String("only", "", "measure programs whose name holds this `text`")
	svg := flag.String("svg", "", "write the curves into this `dir`")
	repeat := flag.Int("repeat", 1, "`times` that each program is run in each mode")
	flag.Parse()
	m := measurement{*binary, strings.Split(*modes, ","), *budget, max(1, *repeat)}
	if err := m.programs(*examples, *programs, *only, *svg); err != nil {
		fmt.Fprintln(os.Stderr, "curves:", err)
		os.Exit(1)
	}
}

// measurement is what to run, and how often.
type measurement struct {
	binary string
	modes  []string // the one to measure against first
	budget time.Duration
	repeat int
}

func (m measurement) programs(examples, larger, only, svg string) error {
	tmp, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	all, err := programs(tmp, examples, larger, only)
	if err != nil {
		return err
	}
	first, last := m.modes[0], m.modes[len(m.modes)-1]
	fmt.Printf("| program | %s | area %s/%s | of at most | time to %s's last label |\n|---|%s---|---|---|\n",
		strings.Join(m.modes, " | "), last, first, first, strings.Repeat("---|", len(m.modes)))
	var areas, bounds, times []float64
	behind := []string{}
	for _, p := range all {
		turns, err := m.program(p, tmp)
		if err != nil {
			return err
		}
		area, t := ratios(turns)
		bound := most(turns)
		areas, bounds, times = append(areas, area.median), append(bounds, bound.median), append(times, t.median)
		if area.median < 1 {
			behind = append(behind, p.name)
		}
		fmt.Printf("| %s |", p.name)
		for i := range m.modes {
			var labels, seconds []float64
			for _, curves := range turns {
				end := horizon(curves)
				labels = append(labels, float64(curves[i].at(end)))
				seconds = append(seconds, min(curves[i].end, end))
			}
			fmt.Printf(" %g/%d in %.1f s |", median(labels), turns[0][i].total, median(seconds))
		}
		fmt.Printf(" %s | %s | %s |\n", area, bound, t)
		if svg != "" {
			if err := m.draw(filepath.Join(svg, p.name+".svg"), p.name, turns[0]); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\nGeometric means: area %.3f of at most %.3f, time %.3f. Area below 1: %s.\n", mean(areas),
		mean(bounds), mean(times),
		cmp.Or(strings.Join(behind, ", "), "none"))
	return nil
}

// program runs one program in each mode, turn by turn: who begins changes, so that
// what else the machine does falls on all of them.
func (m measurement) program(p program, tmp string) (turns [][]curve, err error) {
	for r := range m.repeat {
		curves := make([]curve, len(m.modes))
		for k := range m.modes {
			i := (k + r) % len(m.modes)
			curves[i], err = run(m.binary, p, m.modes[i], filepath.Join(tmp, "out"), m.budget, r)
			if err != nil {
				return nil, fmt.Errorf("%s, %s: %w", p.name, m.modes[i], err)
			}
		}
		turns = append(turns, curves)
	}
	return turns, nil
}

// draw writes the curves of one program as SVG.
func (m measurement) draw(path, name string, curves []curve) error {
	var lines []report.Curve
	for i, c := range curves {
		line := report.Curve{Name: m.modes[i]}
		for _, p := range c.points {
			line.Points = append(line.Points, report.Point{Seconds: p.seconds, Labels: p.labels})
		}
		lines = append(lines, line)
	}
	var b bytes.Buffer
	if err := report.WriteCurves(&b, name+": labels covered over KLEE's seconds", lines, horizon(curves)); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// programs are the labelled examples, the larger ones, and a generated controller.
func programs(tmp, examples, larger, only string) (out []program, err error) {
	found, err := filepath.Glob(filepath.Join(examples, "*", "*.WM.c"))
	if err != nil {
		return nil, err
	}
	more, err := filepath.Glob(filepath.Join(larger, "*.c"))
	if err != nil {
		return nil, err
	}
	generated := filepath.Join(tmp, "controller.c")
	if err := os.WriteFile(generated, []byte(controller()), 0o666); err != nil {
		return nil, err
	}
	for _, f := range found {
		out = append(out, program{strings.TrimSuffix(filepath.Base(f), ".c"), f, ""})
	}
	for _, f := range append(more, generated) {
		out = append(out, program{strings.TrimSuffix(filepath.Base(f), ".c"), f, "MCC"})
	}
	out = slices.DeleteFunc(out, func(p program) bool { return !strings.Contains(p.name, only) })
	if len(out) == 0 {
		return nil, fmt.Errorf("no program's name holds %q", only)
	}
	return out, nil
}
