// Command mcdc measures what the project has promised of MC/DC, on output directories of
// `klabel run --criteria MCDC`: how many conditions are classified, how many tests the
// functions that decide much take for n conditions, and what measuring MC/DC on the suite's
// C tests costs beside MCC, in processor time. An argument is DIR:FILE, a directory and the
// source it is of.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/label"
	"klabel/report"
)

func main() {
	binary := flag.String("klabel", "./klabel", "the `program` to measure")
	heavy := flag.Int("heavy", 3, "a function decides much if one of its decisions has so many `conditions`")
	rounds := flag.Int("rounds", 3, "`times` that a suite is measured for each criterion, in turn; 0: not at all")
	flag.Parse()
	fmt.Println("| program | conditions | classified | functions that decide much | worst tests / (n + 1) | over 1.3 " +
		"| MC/DC / MCC, processor time |")
	fmt.Println("|---|---|---|---|---|---|---|")
	for _, a := range flag.Args() {
		if err := row(*binary, a, *heavy, *rounds); err != nil {
			fmt.Fprintln(os.Stderr, "mcdc:", err)
			os.Exit(1)
		}
	}
}

func row(binary, arg string, heavy, rounds int) error {
	dir, file, ok := strings.Cut(arg, ":")
	if !ok {
		return fmt.Errorf("%q is not DIR:FILE", arg)
	}
	text, err := exec.Command(binary, "labels", dir, "--objectives", "--format", "json").Output()
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	var all []report.DecisionRow
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	conditions, classified := 0, 0
	functions := map[string][]report.DecisionRow{}
	for _, d := range all {
		for _, c := range d.Conditions {
			conditions++
			if c.Status == label.Covered || c.Status == label.Infeasible {
				classified++
			}
		}
		functions[d.Function] = append(functions[d.Function], d)
	}
	much, over, worst := 0, 0, 0.0
	for _, ds := range functions {
		if !slices.ContainsFunc(ds, func(d report.DecisionRow) bool { return len(d.Conditions) >= heavy }) {
			continue
		}
		much++
		r := ratio(ds)
		if worst = max(worst, r); r > 1.3 {
			over++
		}
	}
	cost := "-"
	if rounds > 0 {
		r, err := costs(binary, dir, file, rounds)
		if err != nil {
			return err
		}
		cost = fmt.Sprintf("%.2f", r)
	}
	fmt.Printf("| %s | %d | %d (%.1f %%) | %d | %.2f | %d | %s |\n", strings.TrimSuffix(filepath.Base(file), ".c"),
		conditions, classified, 100*float64(classified)/float64(max(1, conditions)), much, worst, over, cost)
	return nil
}

// ratio is how many tests show the conditions of a function, of the number of those that
// are shown and one.
func ratio(ds []report.DecisionRow) float64 {
	tests, n := map[string]bool{}, 0
	for _, d := range ds {
		for _, c := range d.Conditions {
			if c.Pair != nil {
				n++
				tests[c.Pair.True.Test], tests[c.Pair.False.Test] = true, true
			}
		}
	}
	return float64(len(tests)) / float64(n+1)
}

// costs is the ratio of the processor time that measuring a suite's C tests takes.
func costs(binary, dir, file string, rounds int) (float64, error) {
	var of [2]time.Duration
	for range rounds {
		for i, criterion := range []string{"MCC", "MCDC"} {
			c := exec.Command(binary, "replay", file, "--criteria", criterion, "--c-tests",
				filepath.Join(dir, "tests", "c", "*.c"))
			if out, err := c.CombinedOutput(); err != nil {
				return 0, fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, out)
			}
			of[i] += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
		}
	}
	return of[1].Seconds() / of[0].Seconds(), nil
}
