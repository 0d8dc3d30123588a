package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/csource"
	"klabel/label"
	"klabel/prune"
	"klabel/runtime_c"
	"klabel/toolchain"
)

func newPruneCmd() *cobra.Command {
	var prog programFlags
	var methods, format, cache string
	var budget, goal time.Duration
	var maxPairs, memory, workers int
	var open, noCache bool
	var args []string
	cmd := &cobra.Command{
		Use:   "prune [FILE...]",
		Short: "Prove labels infeasible, duplicate or subsumed",
		Long: `Proves that labels of a labelled program (its driver with main included) can be
covered by no input, say the same as another label, or are covered whenever
another one is. Nothing is executed and no status is stored: 'klabel run' does
the same before it generates tests, unless told --no-prune. Labels and driver
may be those of --criteria and --function, or of a klabel.toml; its budget and
max-memory are the engine's and do not count here.

Methods: compiler (what clang's optimiser removes), eva and wp (Frama-C's value
analysis and weakest precondition), eva+wp (the two combined), native (klabel's
engine explores functions and the program completely). Methods whose tool is not
installed, or whose answer would not be sound for the program, stand back and say
so.`,
		Example: `  klabel prune examples/tag/tag.WM.c
  klabel prune labelled.c --methods eva,compiler --format json`,
		RunE: func(cmd *cobra.Command, files []string) error {
			job, _, err := prog.job(cmd, files, "budget", "max-memory", "workers")
			if err != nil {
				return err
			}
			ms, err := prune.ParseMethods(methods)
			if err != nil {
				return usageError(err)
			}
			if format != "text" && format != "json" {
				return usageError(fmt.Errorf("--format is text or json, not %q", format))
			}
			if !cmd.Flags().Changed("arg") {
				args = job.ProgramArgs
			}
			tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
			if err != nil {
				return err
			}
			clang, err := tools.RequireClang()
			if err != nil {
				return err
			}
			dir, err := os.MkdirTemp("", "klabel-prune-")
			if err != nil {
				return err
			}
			defer os.RemoveAll(dir)
			rt, err := runtime_c.Extract(filepath.Join(dir, "c"))
			if err != nil {
				return err
			}
			co := csource.Options{Clang: clang, LabelMacros: job.LabelMacros, IncludeDirs: []string{rt.Include}}
			units, err := campaign.Units(cmd.Context(), job, rt, tools)
			if err != nil {
				return err
			}
			labels, err := csource.AllLabels(units...)
			if err != nil {
				return err
			}
			if len(labels) == 0 {
				return fmt.Errorf("%s: %w in it\nhint: write cov_label(EXPR, ID, \"TAG\"), or let --criteria CC,MCC,WM write them", job.Sources[0].Path, campaign.ErrNoLabels)
			}
			if cache == "" && !noCache {
				if c, err := os.UserCacheDir(); err == nil {
					cache = filepath.Join(c, "klabel", "prune")
				}
			}
			if noCache {
				cache = ""
			}
			res, err := prune.Run(cmd.Context(), prune.Options{
				Units: units, Open: open, Args: args, Methods: ms, Clang: clang, FramaC: tools.FramaC, Explore: campaign.Explorer(clang),
				CSource: co, WorkDir: filepath.Join(dir, "work"), CacheDir: cache, Budget: budget, Goal: goal, MemoryMB: memory, Workers: workers, MaxPairs: maxPairs,
			})
			if err != nil {
				return err
			}
			for _, n := range res.Notes {
				fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s\n", n)
			}
			if format == "json" {
				return printPruneJSON(cmd.OutOrStdout(), res)
			}
			printPrune(cmd.OutOrStdout(), res, labels)
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&methods, "methods", "all", "provers to use, of compiler, eva, wp, eva+wp, native")
	fs.StringVar(&format, "format", "text", "text or json")
	fs.DurationVar(&budget, "budget", time.Minute, "time for everything")
	fs.DurationVar(&goal, "goal-time", time.Second, "time of a prover for one goal")
	fs.IntVar(&memory, "max-memory", 4000, "memory of a prover, in `MB`")
	fs.IntVar(&workers, "workers", 2, "provers at a time")
	fs.IntVar(&maxPairs, "max-pairs", 20000, "compare at most this many pairs of labels (-1: none)")
	fs.BoolVar(&open, "open", false, "other code than the C library is linked to the program")
	fs.StringArrayVar(&args, "arg", nil, "`argument` of the program, --sym-arg N and the like included (repeatable)")
	fs.StringVar(&cache, "cache", "", "keep proofs in this `dir` (default: the user's cache directory)")
	fs.BoolVar(&noCache, "no-cache", false, "prove everything anew")
	prog.add(fs)
	return cmd
}

// printPrune prints what was proved and by whom.
func printPrune(w io.Writer, res *prune.Result, labels []csource.LabelCall) {
	by := map[label.ID]csource.LabelCall{}
	for _, l := range labels {
		by[l.ID] = l
	}
	found := slices.Clone(res.Findings)
	slices.SortFunc(found, func(a, b prune.Finding) int { return int(a.ID) - int(b.ID) })
	if len(found) > 0 {
		t := table.NewWriter()
		t.SetOutputMirror(w)
		t.SetStyle(table.StyleLight)
		t.AppendHeader(table.Row{"label", "position", "predicate", "status", "method", "why"})
		t.SetColumnConfigs([]table.ColumnConfig{{Number: 3, WidthMax: 50, WidthMaxEnforcer: text.Trim}})
		for _, f := range found {
			l := by[f.ID]
			t.AppendRow(table.Row{f.ID, l.Position, l.Predicate, f.Status, f.Method, f.Text})
		}
		t.Render()
	}
	n := map[label.Status]int{}
	for _, f := range found {
		n[f.Status]++
	}
	fmt.Fprintf(w, "%d labels: %d infeasible, %d duplicate, %d subsumed, %d left, in %.1f s\n", res.Labels, n[label.Infeasible], n[label.Duplicate],
		n[label.Subsumed], res.Labels-len(found), res.Seconds)
	for _, m := range res.Methods {
		fmt.Fprintf(w, "  %-9s %4d in %.1f s  %s\n", m.Method, m.Found, m.Seconds, m.Note)
	}
}

func printPruneJSON(w io.Writer, res *prune.Result) error {
	type finding struct {
		ID      label.ID     `json:"id"`
		Status  label.Status `json:"status"`
		Of      *label.ID    `json:"of,omitempty"`
		Method  prune.Method `json:"method"`
		Step    int          `json:"step"`
		Reason  string       `json:"reason"`
		Seconds float64      `json:"seconds"`
		Cached  bool         `json:"cached,omitempty"`
	}
	type method struct {
		Name    prune.Method `json:"name"`
		Found   int          `json:"found"`
		Seconds float64      `json:"seconds"`
		Ran     bool         `json:"ran"`
		Note    string       `json:"note,omitempty"`
	}
	out := struct {
		Labels   int       `json:"labels"`
		Seconds  float64   `json:"seconds"`
		Pairs    int       `json:"pairs"`
		LeftOut  int       `json:"pairs_left_out"`
		Findings []finding `json:"findings"`
		Methods  []method  `json:"methods"`
		Notes    []string  `json:"notes,omitempty"`
	}{Labels: res.Labels, Seconds: res.Seconds, Pairs: res.Pairs, LeftOut: res.LeftOut, Findings: []finding{}, Methods: []method{}, Notes: res.Notes}
	for _, f := range res.Findings {
		x := finding{ID: f.ID, Status: f.Status, Method: f.Method, Step: f.Step, Reason: f.Text, Seconds: f.Seconds, Cached: f.Cached}
		if f.Status != label.Infeasible {
			x.Of = &f.Of
		}
		out.Findings = append(out.Findings, x)
	}
	for _, m := range res.Methods {
		out.Methods = append(out.Methods, method{m.Method, m.Found, m.Seconds, m.Ran, m.Note})
	}
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(out)
}
