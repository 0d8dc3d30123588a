// Command cost measures what a function costs whose labels the first tests cover: it
// writes a file of many such functions, runs klabel on it, and prints the processor time
// of the whole run, with all that it starts, for one function. With -against another
// klabel has a turn before each; the ratio is the median of those of the turns.
//
//	go run ./bench/cost -klabel ./klabel -functions 300 -repeat 3
package main

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/report"
)

func main() {
	binary := flag.String("klabel", "./klabel", "the `program` to measure")
	against := flag.String("against", "", "another `klabel`, to measure beside it")
	functions := flag.Int("functions", 300, "`number` of functions, of 11 lines each")
	repeat := flag.Int("repeat", 3, "`times`")
	flag.Parse()
	if err := measure(*binary, *against, *functions, max(1, *repeat)); err != nil {
		fmt.Fprintln(os.Stderr, "cost:", err)
		os.Exit(1)
	}
}

func measure(binary, against string, functions, repeat int) error {
	dir, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, "many.c")
	if err := os.WriteFile(file, []byte(source(functions)), 0o666); err != nil {
		return err
	}
	var ratios []float64
	for range repeat {
		var other time.Duration
		if against != "" {
			if other, err = run(against, file); err != nil {
				return err
			}
		}
		own, err := run(binary, file)
		if err != nil {
			return err
		}
		fmt.Printf("* %.1f ms of processor time a function", own.Seconds()*1000/float64(functions))
		if against != "" {
			fmt.Printf(", %.1f ms the other klabel", other.Seconds()*1000/float64(functions))
			ratios = append(ratios, own.Seconds()/other.Seconds())
		}
		fmt.Println()
	}
	if len(ratios) > 0 {
		slices.SortFunc(ratios, cmp.Compare)
		fmt.Printf("* new by old: %.2f\n", ratios[len(ratios)/2])
	}
	return nil
}

// run is the processor time of a run that covers all.
func run(binary, file string) (time.Duration, error) {
	// What earlier runs wrote is left: a file system may take longer for new files just after many were removed.
	out, err := os.MkdirTemp(filepath.Dir(file), "out-")
	if err != nil {
		return 0, err
	}
	cmd := exec.Command(binary, "run", file, "--all-functions", "--criteria", "MCC", "--budget", "60s", "-o",
		filepath.Join(out, "out"), "--format", "json")
	text, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("%s: %w", binary, err)
	}
	var s report.Summary
	if err := json.Unmarshal(text, &s); err != nil {
		return 0, err
	}
	if s.Labels.Total == 0 || s.Labels.Covered < s.Labels.Total {
		return 0, fmt.Errorf("%s covers %d of %d labels", binary, s.Labels.Covered, s.Labels.Total)
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// source is C of so many functions, of five kinds in turn: numbers, text, a structure, an
// array with its length, a choice with a call.
func source(functions int) string {
	var s strings.Builder
	s.WriteString("struct p { int x, y; char name[8]; };\n\n")
	each := strings.SplitAfter(kinds, "\n}\n\n")
	for i := range functions {
		fmt.Fprintf(&s, each[i%len(each)], i, max(0, i-4))
	}
	return s.String()
}

// kinds are the functions, as formats: %[1]d is a function's number, %[2]d that of the one four
// before, which the last kind calls.
//
//go:embed kinds.c.tmpl
var kinds string
