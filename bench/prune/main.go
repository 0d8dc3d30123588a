// Prune measures the provers on the examples and prints, in Markdown, the
// tables of the LUncov and LClean papers: infeasible labels found by each
// method alone and by all, and what each of LClean's steps finds.
//
//	go run ./bench/prune [-budget 20s] [-methods compiler,native,eva,wp,eva+wp] [-steps "compiler,native;wp"]
//
// wp and eva+wp are asked, as in the papers' third setting, for the labels that
// tests have left open, and for the pairs that no test tells apart; the other
// methods for all labels. The tests are those of the native engine.
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

	"klabel/campaign"
	"klabel/csource"
	"klabel/engine"
	"klabel/engine/native"
	"klabel/examples"
	"klabel/label"
	"klabel/prune"
	"klabel/runtime_c"
	"klabel/store"
	"klabel/toolchain"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == native.Subcommand {
		os.Exit(native.Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	budget := flag.Duration("budget", 20*time.Second, "time for a method on a program")
	list := flag.String("methods", "compiler,native,eva,wp,eva+wp", "methods to measure alone")
	steps := flag.String("steps", "compiler,native;compiler,native,eva,eva+wp",
		"sets of methods whose steps to measure, separated by ;")
	root := flag.String("examples", "examples", "folder of the examples")
	flag.Parse()
	if err := run(context.Background(), *root, *list, *steps, *budget); err != nil {
		fmt.Fprintln(os.Stderr, "prune:", err)
		os.Exit(1)
	}
}

type bench struct {
	tools  *toolchain.Tools
	opts   csource.Options
	budget time.Duration
	wrong  int
}

func run(ctx context.Context, root, list, steps string, budget time.Duration) error {
	methods, err := prune.ParseMethods(list)
	if err != nil {
		return err
	}
	b := &bench{budget: budget}
	if b.tools, err = toolchain.Probe(ctx, toolchain.Want{}); err != nil {
		return err
	}
	if _, err := b.tools.RequireClang(); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "klabel-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	rt, err := runtime_c.Extract(filepath.Join(dir, "c"))
	if err != nil {
		return err
	}
	b.opts = csource.Options{Clang: b.tools.Clang, IncludeDirs: []string{rt.Include}}
	all, err := examples.All(root)
	if err != nil {
		return err
	}
	units := map[string]*csource.Unit{}
	for _, p := range all {
		if units[p.File], err = csource.Load(ctx, p.File, b.opts); err != nil {
			return err
		}
	}
	for s := range strings.SplitSeq(steps, ";") {
		ms, err := prune.ParseMethods(s)
		if err != nil {
			return err
		}
		if len(ms) > 0 {
			if err := b.steps(ctx, all, units, ms); err != nil {
				return err
			}
		}
	}
	if len(methods) > 0 {
		if err := b.alone(ctx, all, units, methods); err != nil {
			return err
		}
	}
	fmt.Printf("\nLabels called infeasible that can be covered: %d.\n", b.wrong)
	return nil
}

// one runs methods on a program and counts.
func (b *bench) one(ctx context.Context, p examples.Program, u *csource.Unit, ms []prune.Method, hits [][]label.ID,
	pairs int) (*prune.Result, int, error) {
	res, err := prune.Run(ctx, prune.Options{Units: []*csource.Unit{u}, Clang: b.tools.Clang, FramaC: b.tools.FramaC,
		Explore: campaign.Explorer(b.tools.Clang),
		CSource: b.opts, Methods: ms, Hits: hits, Budget: b.budget, MaxPairs: pairs})
	if err != nil {
		return nil, 0, err
	}
	for _, m := range res.Methods {
		if m.Note != "" {
			fmt.Fprintf(os.Stderr, "%s %s: %s: %s\n", p.Name, p.Criterion, m.Method, m.Note)
		}
	}
	n := 0
	for _, f := range res.Findings {
		if f.Status == label.Infeasible {
			n++
			if slices.Contains(p.Coverable, f.ID) {
				b.wrong++
			}
		}
	}
	return res, n, nil
}

// alone is LUncov's table: what each method finds of what is infeasible.
func (b *bench) alone(ctx context.Context, all []examples.Program, units map[string]*csource.Unit,
	methods []prune.Method) error {
	fmt.Print("\n| program | labels | infeasible |")
	for _, m := range methods {
		fmt.Printf(" %s |", m)
	}
	fmt.Print("\n|---|---|---|")
	for range methods {
		fmt.Print("---|")
	}
	fmt.Println()
	total, known := map[prune.Method]int{}, 0
	secs := map[prune.Method]float64{}
	for _, p := range all {
		if len(p.Infeasible) == 0 {
			continue
		}
		known += len(p.Infeasible)
		fmt.Printf("| %s %s | %d | %d |", p.Name, p.Criterion, len(p.Coverable)+len(p.Infeasible), len(p.Infeasible))
		for _, m := range methods {
			ms, hits := []prune.Method{m}, [][]label.ID(nil)
			if m == prune.EvaWP {
				ms = []prune.Method{prune.Eva, m}
			}
			if m == prune.WP || m == prune.EvaWP {
				hits = [][]label.ID{p.Coverable}
			}
			res, n, err := b.one(ctx, p, units[p.File], ms, hits, -1)
			if err != nil {
				return err
			}
			total[m] += n
			secs[m] += res.Seconds
			fmt.Printf(" %d, %.1f s |", n, res.Seconds)
		}
		fmt.Println()
	}
	fmt.Printf("| all | | %d |", known)
	for _, m := range methods {
		fmt.Printf(" %d (%.0f %%), %.0f s |", total[m], 100*float64(total[m])/float64(max(1, known)), secs[m])
	}
	fmt.Println()
	return nil
}

// tests returns what the tests hit that the native engine generates: for labels,
// and for paths, which tell more pairs of labels apart.
func (b *bench) tests(ctx context.Context, p examples.Program) (hits [][]label.ID, err error) {
	for _, m := range []engine.Mode{engine.Greybox, engine.Ignore} {
		dir, err := os.MkdirTemp("", "klabel-bench-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(dir)
		_, err = campaign.Run(ctx, campaign.Job{Sources: []campaign.Source{{Path: p.File}}, OutputDir: dir,
			Engine: "native", Mode: m, Budget: 5 * time.Second,
			NoRandom: true, Prune: campaign.PruneNever, KeepAll: true, NoSanitizers: true}, b.tools, campaign.Silent{})
		if err != nil {
			return nil, err
		}
		snap, err := store.Read(dir)
		if err != nil {
			return nil, err
		}
		for _, t := range snap.Tests {
			if t.Verdict.Outcome == label.Normal {
				hits = append(hits, t.Verdict.Hits)
			}
		}
	}
	return hits, nil
}

// steps is LClean's table. WP is told of tests, or it would be asked thousands
// of pairs that a test tells apart.
func (b *bench) steps(ctx context.Context, all []examples.Program, units map[string]*csource.Unit,
	ms []prune.Method) error {
	told := slices.Contains(ms, prune.WP) || slices.Contains(ms, prune.EvaWP)
	fmt.Printf("\nSteps with %v:\n\n", ms)
	fmt.Println("| criterion | labels | step 1: infeasible | of | step 2: duplicate | step 3: duplicate | subsumed | " +
		"pruned | time |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	type row struct {
		labels, inf, known, two, dup, sub int
		secs                              float64
	}
	sum := map[string]*row{}
	var order []string
	for _, p := range all {
		var hits [][]label.ID
		if told {
			var err error
			if hits, err = b.tests(ctx, p); err != nil {
				return err
			}
		}
		res, n, err := b.one(ctx, p, units[p.File], ms, hits, 0)
		if err != nil {
			return err
		}
		for _, name := range []string{p.Criterion, "all"} {
			r := sum[name]
			if r == nil {
				r = &row{}
				sum[name] = r
				order = append(order, name)
			}
			r.labels += res.Labels
			r.inf += n
			r.known += len(p.Infeasible)
			r.secs += res.Seconds
			for _, f := range res.Findings {
				switch {
				case f.Step == 2:
					r.two++
				case f.Step == 3 && f.Status == label.Duplicate:
					r.dup++
				case f.Step == 3:
					r.sub++
				}
			}
		}
	}
	slices.SortFunc(order, func(a, b string) int {
		if (a == "all") != (b == "all") {
			if a == "all" {
				return 1
			}
			return -1
		}
		return 0
	})
	for _, name := range order {
		r := sum[name]
		pruned := r.inf + r.two + r.dup + r.sub
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %d | %d (%.0f %%) | %.1f s |\n", name, r.labels, r.inf, r.known,
			r.two, r.dup, r.sub, pruned, 100*float64(pruned)/float64(max(1, r.labels)), r.secs)
	}
	return nil
}
