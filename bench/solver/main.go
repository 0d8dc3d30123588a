package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"klabel/engine/native"
	"klabel/engine/native/expr"
	"klabel/engine/native/smt"
	"klabel/engine/native/solver"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "solver:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) == 0 {
		return fmt.Errorf("say record or compare")
	}
	fs := flag.NewFlagSet(args[0], flag.ContinueOnError)
	out := fs.String("o", "questions", "directory for the questions")
	limit := fs.Duration("limit", 5*time.Second, "time for a question")
	only := fs.String("solvers", "", "solvers to compare: own,gini,z3,cvc5,cvc4 (default all)")
	most := fs.Int("most", 200, "questions kept of a program")
	if err := fs.Parse(args[1:]); err != nil {
		return err
	}
	switch {
	case args[0] == "record" && fs.NArg() > 0:
		for _, p := range fs.Args() {
			if err := record(p, *out, *most); err != nil {
				return err
			}
		}
		return nil
	case args[0] == "compare" && fs.NArg() == 1:
		return compare(fs.Arg(0), *limit, *only, os.Stdout)
	}
	return fmt.Errorf("usage: record [-o DIR] PROGRAM.ll... | compare DIR")
}

// record explores a program and keeps the questions that reached the SAT core.
func record(program, dir string, most int) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp("", "questions")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	name := strings.TrimSuffix(filepath.Base(program), ".ll")
	if name == "engine-greybox-1" { // a work directory of klabel run
		name = filepath.Base(filepath.Dir(filepath.Dir(program)))
	}
	n := 0
	record := func(cs []*expr.Expr, r solver.Result, took time.Duration) {
		if n++; n > most {
			return
		}
		text, _, unwritable := smt.Write(cs)
		if unwritable != nil || slices.ContainsFunc(cs, (*expr.Expr).HasFloat) { // the reader knows bit-vectors
			return
		}
		file := filepath.Join(dir, fmt.Sprintf("%s-%04d.smt2", name, n))
		if e := os.WriteFile(file, []byte(text), 0o644); e != nil {
			err = e
		}
	}
	code := native.Recorded(context.Background(), []string{"--greybox", "--max-time", "30s", "--output-dir",
		filepath.Join(scratch, "out"), program}, record, os.Stdout, os.Stderr)
	if code != 0 && err == nil {
		err = fmt.Errorf("exploring %s failed with code %d", program, code)
	}
	return err
}
