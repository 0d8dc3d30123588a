// Command curves draws labels over time for klabel's modes with KLEE: which mode
// is ahead at every moment, not at the end alone. For each program it prints the
// labels covered, the area under the curve, and the time at which the last mode
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
	"database/sql"
	"flag"
	"fmt"
	"math"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	_ "modernc.org/sqlite"

	"klabel/label"
	"klabel/report"
	"klabel/store"
)

// program is one to measure; the examples are labelled already.
type program struct{ name, file, criteria string }

// point is how many labels are covered at a time.
type point struct {
	seconds float64
	labels  int
}

// curve is what one run covered, and when.
type curve struct {
	points []point
	end    float64 // seconds of the run
	over   bool    // it ended before its budget did: nothing was left to find
	total  int
}

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
	fmt.Printf("| program | %s | area %s/%s | time to %s's last label |\n|---|%s---|---|\n",
		strings.Join(m.modes, " | "), last, first, first, strings.Repeat("---|", len(m.modes)))
	var areas, times []float64
	behind := []string{}
	for _, p := range all {
		turns, err := m.program(p, tmp)
		if err != nil {
			return err
		}
		area, t := ratios(turns)
		areas, times = append(areas, area.median), append(times, t.median)
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
		fmt.Printf(" %s | %s |\n", area, t)
		if svg != "" {
			if err := m.draw(filepath.Join(svg, p.name+".svg"), p.name, turns[0]); err != nil {
				return err
			}
		}
	}
	fmt.Printf("\nGeometric means: area %.3f, time %.3f. Area below 1: %s.\n", mean(areas), mean(times),
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

// ratio is a median, and the least and the greatest of them.
type ratio struct {
	median, least, most float64
	of                  int
}

func (r ratio) String() string {
	if r.of == 1 {
		return fmt.Sprintf("%.3f", r.median)
	}
	return fmt.Sprintf("%.3f (%.2f to %.2f)", r.median, r.least, r.most)
}

func ratioOf(xs []float64) ratio {
	return ratio{median(xs), slices.Min(xs), slices.Max(xs), len(xs)}
}

// ratios hold the last mode against the first, in each turn for itself.
func ratios(turns [][]curve) (area, time ratio) {
	var areas, times []float64
	for _, curves := range turns {
		end := horizon(curves)
		a, z := curves[0], curves[len(curves)-1]
		goal := a.at(end)
		areas = append(areas, z.area(end)/max(a.area(end), 1e-9))
		times = append(times, z.reaches(goal, end)/max(a.reaches(goal, end), 1e-3))
	}
	return ratioOf(areas), ratioOf(times)
}

func median(xs []float64) float64 {
	s := slices.Sorted(slices.Values(xs))
	n := len(s)
	return (s[(n-1)/2] + s[n/2]) / 2
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

func run(binary string, p program, mode, out string, budget time.Duration, seed int) (curve, error) {
	mode, options, _ := strings.Cut(mode, ":")
	args := []string{"run", p.file, "--engine", "klee", "--mode", mode, "--budget", budget.String(), "--no-random",
		"--no-prune", "--klee-arg=--timer-interval=50ms",
		"--klee-arg=--stats-write-interval=50ms", "--style", "none", "--fresh", "--no-project", "-o", out,
		"--seed", fmt.Sprint(seed)}
	for _, o := range strings.Fields(options) {
		args = append(args, "--klee-arg="+o)
	}
	if p.criteria != "" {
		args = append(args, "--criteria", p.criteria)
	}
	cmd := exec.Command(binary, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return curve{}, fmt.Errorf("%w: %s", err, stderr.String())
	}
	snap, err := store.Read(out)
	if err != nil {
		return curve{}, err
	}
	c, err := curveOf(snap)
	for _, r := range snap.Runs {
		budget -= r.End.Sub(r.Start)
	}
	c.over = budget > time.Second
	return c, err
}

// curveOf puts the tests of a run on KLEE's clock.
func curveOf(snap *store.Snapshot) (curve, error) {
	c := curve{total: len(snap.Labels)}
	var spent float64 // by the runs before
	seen := map[label.ID]bool{}
	for _, r := range snap.Runs {
		clock, began, err := readClock(r.Dir)
		if err != nil {
			return c, err
		}
		tests := slices.Clone(snap.Tests)
		slices.SortFunc(tests, func(a, b store.Test) int { return a.At.Compare(b.At) })
		for _, t := range tests {
			if t.Run != r.Number || t.Verdict.Outcome != label.Normal {
				continue
			}
			before := len(seen)
			for _, id := range t.Verdict.Hits {
				seen[id] = true
			}
			if len(seen) > before {
				c.points = append(c.points, point{spent + clock.processor(t.At.Sub(began).Seconds()), len(seen)})
			}
		}
		spent += clock.end()
	}
	c.end = spent
	return c, nil
}

// tick is one row of run.stats: seconds on the wall and of the processor.
type tick struct{ wall, processor float64 }

type clock []tick

// readClock reads KLEE's times, and when they began: it wrote the last of them when
// it wrote to the file for the last time.
func readClock(dir string) (c clock, began time.Time, err error) {
	path := filepath.Join(dir, "run.stats")
	fi, err := os.Stat(path)
	if err != nil {
		return nil, began, err
	}
	u := url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro"}
	db, err := sql.Open("sqlite", u.String())
	if err != nil {
		return nil, began, err
	}
	defer db.Close()
	rows, err := db.Query("SELECT WallTime, UserTime FROM stats ORDER BY WallTime")
	if err != nil {
		return nil, began, fmt.Errorf("%s: %w", path, err)
	}
	defer rows.Close()
	c = clock{{}}
	for rows.Next() {
		var wall, user float64
		if err := rows.Scan(&wall, &user); err != nil {
			return nil, began, err
		}
		c = append(c, tick{wall / 1e6, user / 1e6})
	}
	last := c[len(c)-1].wall
	return c, fi.ModTime().Add(-time.Duration(last * float64(time.Second))), rows.Err()
}

// processor is the processor's time at a time on the wall.
func (c clock) processor(wall float64) float64 {
	i, _ := slices.BinarySearchFunc(c, wall, func(t tick, w float64) int { return cmp.Compare(t.wall, w) })
	if i == 0 {
		return 0
	}
	if i == len(c) {
		return c.end()
	}
	a, b := c[i-1], c[i]
	return a.processor + (b.processor-a.processor)*(wall-a.wall)/max(b.wall-a.wall, 1e-9)
}

func (c clock) end() float64 { return c[len(c)-1].processor }

// horizon is where a comparison ends: with the first run that its budget ended. A
// run that was over before keeps its level.
func horizon(curves []curve) float64 {
	end := 0.0
	for _, c := range curves {
		end = max(end, c.end)
	}
	for _, c := range curves {
		if !c.over {
			end = min(end, c.end)
		}
	}
	return max(end, 1e-3)
}

// at is how many labels are covered at a time.
func (c curve) at(t float64) (n int) {
	for _, p := range c.points {
		if p.seconds <= t {
			n = p.labels
		}
	}
	return n
}

// reaches is when so many labels are covered; twice the end if never.
func (c curve) reaches(n int, end float64) float64 {
	if n == 0 {
		return 0
	}
	for _, p := range c.points {
		if p.labels >= n && p.seconds <= end {
			return p.seconds
		}
	}
	return 2 * end
}

func (c curve) area(end float64) (sum float64) {
	at, n := 0.0, 0
	for _, p := range c.points {
		if p.seconds > end {
			break
		}
		sum += (p.seconds - at) * float64(n)
		at, n = p.seconds, p.labels
	}
	return sum + (end-at)*float64(n)
}

func mean(xs []float64) float64 {
	sum := 0.0
	for _, x := range xs {
		sum += math.Log(max(x, 1e-3))
	}
	return math.Exp(sum / float64(len(xs)))
}
