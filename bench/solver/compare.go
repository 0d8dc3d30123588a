package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/smt"
	"klabel/engine/native/solver"
)

// subject is something that answers questions.
type subject struct {
	name string
	ask  func(text string) (solver.Result, time.Duration, error)

	answers  []solver.Result
	answered int
	errors   int
	total    time.Duration
	times    []time.Duration
}

// subjects returns the own core, gini and the SMT solvers in PATH.
func subjects(limit time.Duration) []*subject {
	out := []*subject{
		{name: "own core", ask: own(solver.Options{Timeout: limit})},
		{name: "gini", ask: own(solver.Options{Timeout: limit, Gini: true})},
	}
	for _, name := range []string{"z3", "cvc5", "cvc4"} {
		path, err := exec.LookPath(name)
		if err != nil {
			continue
		}
		if p, err := smt.NewPipe(name, path); err == nil {
			out = append(out, &subject{name: name + " (pipe)", ask: piped(p, limit)})
		}
	}
	return out
}

// own asks a fresh solver without its caches.
func own(o solver.Options) func(string) (solver.Result, time.Duration, error) {
	return func(text string) (solver.Result, time.Duration, error) {
		b := expr.NewBuilder()
		cs, err := read(b, text)
		if err != nil {
			return solver.Unknown, 0, err
		}
		s := solver.New(b, o)
		begin := time.Now()
		r, _ := s.Decide(context.Background(), cs)
		return r, time.Since(begin), nil
	}
}

func piped(p *smt.Pipe, limit time.Duration) func(string) (solver.Result, time.Duration, error) {
	return func(text string) (solver.Result, time.Duration, error) {
		b := expr.NewBuilder()
		cs, err := read(b, text)
		if err != nil {
			return solver.Unknown, 0, err
		}
		begin := time.Now()
		r, _, err := p.Check(context.Background(), cs, limit)
		took := time.Since(begin)
		if took >= limit {
			err = nil // no answer in time
		}
		return solver.Result(r), took, err
	}
}

// compare runs all subjects on all files of a directory.
func compare(dir string, limit time.Duration, only string, w io.Writer) error {
	files, err := filepath.Glob(filepath.Join(dir, "*.smt2"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no .smt2 files in %s: record some first", dir)
	}
	var all []*subject
	for _, s := range subjects(limit) {
		if only == "" || strings.Contains(","+only+",", ","+strings.Fields(s.name)[0]+",") {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return fmt.Errorf("no solver of %q is here", only)
	}
	wrong := 0
	for i, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			return err
		}
		for _, s := range all {
			r, took, err := s.ask(string(text))
			if err != nil {
				if s.errors++; s.errors <= 2 {
					fmt.Fprintf(w, "%s: %s: %v\n", f, s.name, err)
				}
			}
			s.answers = append(s.answers, r)
			s.times = append(s.times, took)
			s.total += took
			if r != solver.Unknown {
				s.answered++
			}
			if first := all[0].answers[i]; r != solver.Unknown && first != solver.Unknown && r != first {
				fmt.Fprintf(w, "%s: %s says %v, the own core %v\n", f, s.name, r, first)
				wrong++
			}
		}
	}
	fmt.Fprintf(w, "%d questions, limit %v\n\n| solver | answered | errors | total | median | 90%% | slowest |\n"+
		"|---|---|---|---|---|---|---|\n", len(files), limit)
	for _, s := range all {
		slices.Sort(s.times)
		n := len(s.times)
		fmt.Fprintf(w, "| %s | %d | %d | %.2f s | %v | %v | %v |\n", s.name, s.answered, s.errors, s.total.Seconds(),
			s.times[n/2].Round(time.Microsecond), s.times[n*9/10].Round(time.Microsecond),
			s.times[n-1].Round(time.Millisecond))
	}
	if wrong > 0 {
		return errors.New("the solvers disagree")
	}
	return nil
}
