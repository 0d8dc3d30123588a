package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"runtime/pprof"
	"strconv"
	"strings"
	"time"

	native "klabel/engine/native/exec"
	"klabel/label"
)

// area is something that the engine is about. The first one whose function is in a stack,
// from the innermost outwards, has the sample.
type area struct {
	name  string
	parts []string
}

var areas = []area{
	{"SAT", []string{"solver.(*cdcl)."}},
	{"bit-blasting", []string{"solver.(*blaster).", "solver.(*gates)."}},
	{"ranges, local search", []string{"solver.(*box", "solver.(*seek", "solver.(*backward", "solver.(*linear"}},
	{"solver, else", []string{"klabel/engine/native/solver."}},
	{"constraints", []string{"expr.(*Constraints)", "expr.(*adder)", "expr.(*Group)", "expr.(*Model)", "expr.(*Fixed)",
		"expr.(*Evaluator)"}},
	{"expressions", []string{"klabel/engine/native/expr."}},
	{"memory of states", []string{"klabel/engine/native/memory.", "exec.(*State).own", "exec.(*Engine).clone"}},
	{"searching", []string{"exec.(*states)", "exec.(*distances)", "exec.(*Engine).labelOrder",
		"exec.(*Engine).countWanted", "exec.(*Engine).computeDistances"}},
	{"decoding", []string{"klabel/engine/native/code.(*decoder)", "klabel/engine/native/ir."}},
	{"interpreting", []string{"klabel/engine/native/exec.", "klabel/engine/native/code."}},
	{"collecting garbage", []string{"runtime.gcBgMarkWorker", "runtime.bgsweep", "runtime.bgscavenge"}},
}

func profileFunctions(klabel string, files, functions []string, criteria, keep string, budget time.Duration) error {
	if len(files) != 1 {
		return fmt.Errorf("one C file, not %d", len(files))
	}
	dir, err := os.MkdirTemp("", "klabel-functions-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	fmt.Print("| function | ended | paths | instructions | questions to SAT |")
	for _, a := range areas {
		fmt.Printf(" %s |", a.name)
	}
	fmt.Printf(" else |\n|%s\n", strings.Repeat("---|", len(areas)+6))
	for _, f := range functions {
		if err := profileFunction(klabel, files[0], f, criteria, dir, keep, budget); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil
}

func profileFunction(klabel, file, function, criteria, dir, keep string, budget time.Duration) error {
	cmd := exec.Command(klabel, "instrument", file, "--criteria", criteria, "--function", function, "--mode", "greybox",
		"--no-project")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("%w: %s", err, stderr.String())
	}
	source := filepath.Join(dir, "engine.c")
	if err := os.WriteFile(source, text, 0o644); err != nil {
		return err
	}
	prog, err := load(context.Background(), source)
	if err != nil {
		return err
	}
	entry := ""
	if m := entryName.FindSubmatch(text); m != nil {
		entry = string(m[1])
	}
	out := filepath.Join(dir, "cpu")
	if keep != "" {
		out = keep + "." + function
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	debug.SetGCPercent(300)
	o := native.Options{Greybox: true, Merge: true, MaxTime: budget, Seed: 1, SolverTime: 2 * time.Second,
		MaxMemoryMB: 2000, Entry: entry}
	ex := native.New(prog, &quiet{}, labels{}, o)
	if err := pprof.StartCPUProfile(f); err != nil {
		return err
	}
	stats, err := ex.Run(context.Background())
	pprof.StopCPUProfile()
	if err != nil {
		return err
	}
	ended := "yes"
	if len(stats.Incomplete) > 0 {
		ended = "no"
	}
	for _, why := range stats.Incomplete {
		fmt.Fprintf(os.Stderr, "%s: %s\n", function, why)
	}
	shares, rest, err := sharesOf(out)
	if err != nil {
		return err
	}
	fmt.Printf("| %s | %s | %d | %d | %d |", function, ended, stats.Completed+stats.Partial, stats.Instructions,
		ex.SolverStats().BySAT)
	for i := range areas {
		fmt.Printf(" %.0f %% |", 100*shares[i])
	}
	fmt.Printf(" %.0f %% |\n", 100*rest)
	return nil
}

// entryName is the function that a driver begins with, where it is not main.
var entryName = regexp.MustCompile(`(?m)^[^;\n]*void (klabel_entry_[0-9]+)\(void\)$`)

// sample is the first line of a stack in pprof's text of traces.
var sample = regexp.MustCompile(`^ +([0-9.]+)(ms|s|us|mins) +(.*)$`)

// sharesOf sums the samples of a profile by areas.
func sharesOf(profile string) (shares []float64, rest float64, err error) {
	text, err := exec.Command("go", "tool", "pprof", "-traces", profile).Output()
	if err != nil {
		return nil, 0, fmt.Errorf("go tool pprof: %w", err)
	}
	shares = make([]float64, len(areas))
	total := 0.0
	for _, stack := range strings.Split(string(text), "-----------+-")[1:] {
		_, stack, _ = strings.Cut(stack, "\n")
		m := sample.FindStringSubmatch(strings.SplitN(stack, "\n", 2)[0])
		if m == nil {
			continue
		}
		v, _ := strconv.ParseFloat(m[1], 64)
		v *= map[string]float64{"us": 1e-6, "ms": 1e-3, "s": 1, "mins": 60}[m[2]]
		total += v
		if i := areaOf(stack); i >= 0 {
			shares[i] += v
		} else {
			rest += v
		}
	}
	if total == 0 {
		return shares, 0, nil
	}
	for i := range shares {
		shares[i] /= total
	}
	return shares, rest / total, nil
}

func areaOf(stack string) int {
	for _, line := range strings.Split(stack, "\n") {
		for i, a := range areas {
			for _, p := range a.parts {
				if strings.Contains(line, p) {
					return i
				}
			}
		}
	}
	return -1
}

type quiet struct{}

func (quiet) Test(*native.Test) error { return nil }
func (quiet) Message(string)          {}
func (quiet) Warning(string)          {}

// labels is a view in which what the engine has found is pending, as before a replay.
type labels map[uint32]label.Status

func (v labels) Status(id uint32) label.Status { return v[id] }
func (v labels) Claim(id uint32) bool {
	was := v[id].Open()
	v[id] = label.Pending
	return was
}
