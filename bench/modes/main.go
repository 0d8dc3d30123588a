// Command modes measures klabel's modes against each other on the examples and
// prints Markdown: labels covered, paths and seconds of every mode, and the
// ratios between modes that the project has set itself. All figures of one
// table come from one run, one program after another, so that ratios hold
// whatever the machine does otherwise. A mode with +prune runs with pruning. With
// -against each cell is measured with another klabel, too, right before.
package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"klabel/examples"
	"klabel/report"
)

// column is one way of running a program.
type column struct {
	engine, mode string
	against      bool // with the other klabel
}

func main() {
	binary := flag.String("klabel", "./klabel", "the `program` to measure")
	against := flag.String("against", "", "another klabel, the `program` to compare with")
	root := flag.String("examples", "examples", "the examples' `dir`")
	criteria := flag.String("criteria", "WM", "criteria to measure, separated by commas")
	budget := flag.Duration("budget", time.Minute, "`time` for each engine")
	only := flag.String("only", "", "measure examples whose name holds this `text`")
	columns := flag.String("columns", "", "engine:mode pairs, separated by commas (default: all that the machine has)")
	flag.Parse()
	if err := measure(*binary, *against, *root, *criteria, *only, *columns, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "modes:", err)
		os.Exit(1)
	}
}

func measure(binary, against, root, criteria, only, list string, budget time.Duration) error {
	programs, err := examples.All(root)
	if err != nil {
		return err
	}
	cols := []column{{engine: "klee", mode: "ignore"}, {engine: "klee", mode: "tight"}, {engine: "klee", mode: "optim"},
		{engine: "klee", mode: "fused"}, {engine: "native", mode: "ignore"}, {engine: "native", mode: "greybox"}}
	if list != "" {
		cols = nil
		for _, c := range strings.Split(list, ",") {
			e, m, ok := strings.Cut(c, ":")
			if !ok {
				return fmt.Errorf("%q is not ENGINE:MODE", c)
			}
			cols = append(cols, column{engine: e, mode: m})
		}
	} else if os.Getenv("KLABEL_KLEE") == "" {
		if _, err := exec.LookPath("klee"); err != nil {
			fmt.Println("KLEE was not found: only the native engine is measured.")
			cols = cols[4:]
		}
	}
	plain := cols
	if against != "" {
		cols = nil
		for _, c := range plain {
			old := c
			old.against = true
			cols = append(cols, old, c)
		}
	}
	tmp, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	fmt.Printf("%s, %d cores, %s; budget %s.\n", time.Now().Format("2006-01-02"), runtime.NumCPU(), cpu(), budget)
	fmt.Println("Cells: labels covered / paths / seconds of the engine (seconds until the last label).")
	fmt.Println()
	fmt.Print("| program |")
	for _, c := range cols {
		fmt.Printf(" %s |", c)
	}
	fmt.Printf("\n|---|%s\n", strings.Repeat("---|", len(cols)))
	all := map[column]map[string]report.Summary{}
	whole := map[column][]took{}
	var names []string
	for _, p := range programs {
		if !wanted(p, criteria, only) {
			continue
		}
		name := strings.TrimSuffix(filepath.Base(p.File), ".c")
		names = append(names, name)
		fmt.Printf("| %s |", name)
		for _, c := range cols {
			program := binary
			if c.against {
				program = against
			}
			out := filepath.Join(tmp, name+"-"+strings.ReplaceAll(c.String(), " ", "-"))
			s, took, err := run(program, p.File, out, c, budget)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", name, c, err)
			}
			whole[c] = append(whole[c], took)
			if all[c] == nil {
				all[c] = map[string]report.Summary{}
			}
			all[c][name] = s
			fmt.Printf(" %d/%d / %d / %.2f (%.2f) |", s.Labels.Covered, s.Labels.Total, s.Engine.Paths,
				s.Engine.Seconds, s.Engine.LastLabelSeconds)
		}
		fmt.Println()
	}
	fmt.Println()
	optim := column{engine: "klee", mode: "optim"}
	ratios(all, names, optim, column{engine: "klee", mode: "fused"})
	ratios(all, names, optim, column{engine: "native", mode: "greybox"})
	for _, c := range plain {
		old := c
		old.against = true
		ratios(all, names, old, c)
	}
	for _, c := range cols {
		sums(c, all[c], whole[c])
	}
	for _, c := range plain {
		old := c
		old.against = true
		if len(whole[old]) == len(whole[c]) {
			wholeRatios(old, c, whole[old], whole[c])
		}
	}
	return nil
}

func (c column) String() string {
	if c.against {
		return c.engine + " " + c.mode + " before"
	}
	return c.engine + " " + c.mode
}

func wanted(p examples.Program, criteria, only string) bool {
	for _, c := range strings.Split(criteria, ",") {
		if strings.HasSuffix(p.File, "."+c+".c") && strings.Contains(p.File, only) {
			return true
		}
	}
	return false
}

// took is what a run costs as a whole, seen from outside: each klabel begins to count
// its own seconds elsewhere.
type took struct {
	wall, processor float64 // seconds
}

// run measures one mode, without the passes that other modes do not have.
func run(binary, file, out string, c column, budget time.Duration) (s report.Summary, t took, err error) {
	mode, prune := strings.CutSuffix(c.mode, "+prune")
	args := []string{"run", file, "--engine", c.engine, "--mode", mode, "--budget", budget.String(),
		"--no-random", "--style", "none", "--fresh", "--format", "json", "-o", out}
	if !prune {
		args = append(args, "--no-prune")
	}
	cmd := exec.Command(binary, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	start := time.Now()
	b, err := cmd.Output()
	if err != nil {
		return s, t, fmt.Errorf("%w: %s", err, stderr.String())
	}
	t = took{time.Since(start).Seconds(), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()}
	return s, t, json.Unmarshal(b, &s)
}

// ratios says how b stands against a: the geometric mean of the engines' times,
// and whether b covers at least as much on every program.
func ratios(all map[column]map[string]report.Summary, names []string, a, b column) {
	if all[a] == nil || all[b] == nil {
		return
	}
	sum, worst := 0.0, 0.0
	var less []string
	for _, n := range names {
		x, y := all[a][n], all[b][n]
		r := math.Max(y.Engine.Seconds, 0.001) / math.Max(x.Engine.Seconds, 0.001)
		sum += math.Log(r)
		worst = math.Max(worst, r)
		if y.Labels.Covered < x.Labels.Covered {
			less = append(less, fmt.Sprintf("%s (%d against %d)", n, y.Labels.Covered, x.Labels.Covered))
		}
	}
	fmt.Printf("* %s takes %.3f of the time of %s (geometric mean of %d programs; worst %.2f).", b,
		math.Exp(sum/float64(len(names))), a, len(names), worst)
	if len(less) == 0 {
		fmt.Println(" It covers at least as many labels on every one.")
	} else {
		fmt.Printf(" It covers fewer labels on %s.\n", strings.Join(less, ", "))
	}
}

// sums adds up whole runs: the search for tools, compilation, pruning and all.
func sums(c column, all map[string]report.Summary, whole []took) {
	var sum took
	for _, t := range whole {
		sum.wall += t.wall
		sum.processor += t.processor
	}
	covered, infeasible := 0, 0
	for _, s := range all {
		covered += s.Labels.Covered
		infeasible += s.Labels.Infeasible
	}
	fmt.Printf("* %s: %.1f s for all runs as a whole, %.1f s of processors; %d labels covered, %d proved infeasible.\n",
		c, sum.wall, sum.processor, covered, infeasible)
}

// wholeRatios says how whole runs of b stand against those of a.
func wholeRatios(a, b column, before, after []took) {
	wall, processor, worst := 0.0, 0.0, 0.0
	for i := range before {
		r := after[i].wall / before[i].wall
		wall += math.Log(r)
		processor += math.Log(after[i].processor / before[i].processor)
		worst = math.Max(worst, r)
	}
	n := float64(len(before))
	fmt.Printf("* Whole runs of %s take %.3f of the time of %s (geometric mean; worst %.2f), %.3f of processor time.\n",
		b, math.Exp(wall/n), a, worst, math.Exp(processor/n))
}

func cpu() string {
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return runtime.GOARCH
	}
	for _, line := range strings.Split(string(b), "\n") {
		if k, v, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(k) == "model name" {
			return strings.TrimSpace(v)
		}
	}
	return runtime.GOARCH
}
