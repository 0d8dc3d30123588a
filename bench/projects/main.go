// Projects runs klabel on every project of a folder and prints, in Markdown, what
// became of the labels: the table of projects, and the causes why labels stay
// unknown.
//
//	go run ./bench/projects -klabel ./klabel [-budget 60s] [-criteria MCC] [-out DIR] FOLDER...
//	go run ./bench/projects -klabel ./klabel -engines native,fuzz,native+fuzz [-repeat 3] FOLDER...
//
// With -engines each project is run with each of them, one after the other in an order
// that changes, and the table says how many labels each covers in the same time.
// A FOLDER holds projects, a folder each, as they were fetched; a project is what
// its compile_commands.json or klabel.toml says, or else the C files of its folder,
// src/ and lib/, without tests and examples. Figures are those of klabel's own
// output directories, which stay where -out says.
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"klabel/campaign"
	"klabel/label"
	"klabel/report"
)

func main() {
	b := bench{}
	flag.StringVar(&b.klabel, "klabel", "klabel", "the klabel to measure")
	flag.DurationVar(&b.budget, "budget", time.Minute, "time for a project")
	flag.StringVar(&b.criteria, "criteria", "MCC", "what to test for")
	flag.StringVar(&b.out, "out", "", "where the output directories stay (default: a folder that goes)")
	engines := flag.String("engines", "", "engines to compare, with commas")
	flag.IntVar(&b.repeat, "repeat", 1, "runs of each engine; medians are shown")
	only := flag.String("only", "", "projects to run, with commas (default: all)")
	flag.Parse()
	if flag.NArg() == 0 {
		fmt.Fprintln(os.Stderr, "projects: which folder holds the projects?")
		os.Exit(2)
	}
	if *engines != "" {
		b.engines = strings.Split(*engines, ",")
	}
	if err := b.run(context.Background(), flag.Args(), *only); err != nil {
		fmt.Fprintln(os.Stderr, "projects:", err)
		os.Exit(1)
	}
}

type bench struct {
	klabel, criteria, out string
	budget                time.Duration
	engines               []string // nil: klabel's own choice
	repeat                int
}

// row is what one project came to.
type row struct {
	name       string
	lines      int
	result     *report.Result
	seconds    float64
	megabytes  float64
	infeasible map[string]int // by method
	causes     map[string]int // of unknown labels
}

func (b *bench) run(ctx context.Context, folders []string, only string) error {
	klabel, err := exec.LookPath(b.klabel)
	if err != nil {
		return err
	}
	if b.klabel, err = filepath.Abs(klabel); err != nil {
		return err
	}
	if b.out == "" {
		if b.out, err = os.MkdirTemp("", "klabel-bench-"); err != nil {
			return err
		}
		defer os.RemoveAll(b.out)
	}
	if b.out, err = filepath.Abs(b.out); err != nil {
		return err
	}
	var rows []row
	var compared []comparison
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		for _, e := range entries {
			fi, err := os.Stat(filepath.Join(folder, e.Name())) // a link to a folder is one, too
			if err != nil || !fi.IsDir() || only != "" && !slices.Contains(strings.Split(only, ","), e.Name()) {
				continue
			}
			if len(b.engines) > 0 {
				c, err := b.compare(ctx, filepath.Join(folder, e.Name()))
				if err != nil {
					fmt.Fprintf(os.Stderr, "projects: %s: %v\n", e.Name(), err)
					continue
				}
				compared = append(compared, c)
				continue
			}
			r, err := b.project(ctx, filepath.Join(folder, e.Name()), "", "")
			if err != nil {
				fmt.Fprintf(os.Stderr, "projects: %s: %v\n", e.Name(), err)
				continue
			}
			rows = append(rows, r)
		}
	}
	if len(compared) > 0 {
		b.engineTable(compared)
		return nil
	}
	if len(rows) == 0 {
		return errors.New("no project could be run: a folder is wanted whose folders are projects")
	}
	table(rows)
	causes(rows)
	return nil
}

// project runs klabel on one folder, with an engine if one is named.
func (b *bench) project(ctx context.Context, dir, engine, suffix string) (r row, err error) {
	r.name = filepath.Base(dir)
	out := filepath.Join(b.out, r.name+suffix)
	args := []string{"run", "--all-functions", "--criteria", b.criteria, "--budget", b.budget.String(), "--fresh",
		"-o", out}
	if engine != "" {
		args = append(args, "--engine", engine)
	}
	if !described(dir) {
		files, include := sources(dir)
		if len(files) == 0 {
			return r, errors.New("no C file")
		}
		args = append(args, files...)
		for _, i := range include {
			args = append(args, "-I", i)
		}
	}
	ctx, stop := context.WithTimeout(ctx, 10*b.budget+10*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, b.klabel, args...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	began := time.Now()
	failed := cmd.Run()
	r.seconds = time.Since(began).Seconds()
	if r.result, err = campaign.Result(out); err != nil {
		return r, fmt.Errorf("%w: %v: %s", err, failed, lastLine(stderr.String()))
	}
	r.infeasible, r.causes = map[string]int{}, map[string]int{}
	for _, l := range r.result.Rows {
		switch l.Status {
		case label.Infeasible:
			r.infeasible[l.Method]++
		case label.Unknown:
			r.causes[cause(l.Reason)]++
		}
	}
	for _, s := range r.result.Sources {
		if text, err := os.ReadFile(s.Path); err == nil {
			r.lines += bytes.Count(text, []byte("\n"))
		}
	}
	return r, filepath.WalkDir(out, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if fi, err := d.Info(); err == nil {
				r.megabytes += float64(fi.Size()) / 1e6
			}
		}
		return err
	})
}

func lastLine(s string) string {
	s = strings.TrimSpace(s)
	return s[strings.LastIndexByte(s, '\n')+1:]
}

// described reports whether klabel finds the files of a project by itself.
func described(dir string) bool {
	for _, name := range []string{"klabel.toml", "compile_commands.json", "build/compile_commands.json"} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}

var noProduct = regexp.MustCompile(`(?i)(^|[_.-])(tests?|examples?|demo|fuzz\w*|main)([_.-]|$)`)

// sources are the C files of a folder without a description, and where their
// headers are.
func sources(dir string) (files, include []string) {
	for _, sub := range []string{".", "src", "lib", "include"} {
		found, err := filepath.Glob(filepath.Join(dir, sub, "*.[ch]"))
		if err != nil || len(found) == 0 {
			continue
		}
		include = append(include, sub)
		for _, f := range found {
			if base := filepath.Base(f); strings.HasSuffix(base, ".c") && !noProduct.MatchString(base) {
				files = append(files, filepath.Join(sub, base))
			}
		}
	}
	return files, include
}

// prefixes of reasons, and what they are called in the table.
var prefixes = []struct{ text, cause string }{
	{"reached only by failing tests", "only failing tests reach it"},
	{"all ", "all tests of its entries fail"},
	{"infeasible under", "infeasible under the user's assumptions"},
	{"not reached", "not reached"},
	{"reached, its predicate", "reached, not satisfied"},
}

// cause sorts a reason: what an entry leaves out by the first thing that it names,
// without its numbers and names.
func cause(reason string) string {
	for _, p := range prefixes {
		if strings.HasPrefix(reason, p.text) {
			if strings.Contains(reason, "has no entry") {
				return "its function has no entry"
			}
			return p.cause
		}
	}
	if rest, ok := strings.CutPrefix(reason, "not within: "); ok {
		first, _, _ := strings.Cut(rest, ", ")
		return "not within: " + strings.Join(strings.Fields(named.ReplaceAllString(first, "...")), " ")
	}
	return "other"
}

// named are numbers and what stands behind a preposition: names of the program.
var named = regexp.MustCompile(`\b\d+\b|\b(behind|of|in|for) \S+`)
