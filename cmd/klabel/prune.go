package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/csource"
	"klabel/label"
	"klabel/prune"
	"klabel/report"
	"klabel/toolchain"
)

// pruneFlags are the command line of prune.
type pruneFlags struct {
	prog     programFlags
	j        campaign.PruneJob
	methods  string
	format   formatFlag[*report.Pruning]
	maxPairs int
}

func newPruneCmd() *cobra.Command {
	var f pruneFlags
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
installed, or whose answer would not be sound for the program, stand back and
say so.`,
		Example: `  klabel prune examples/tag/tag.WM.c
  klabel prune labelled.c --methods eva,compiler --format json`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *pruneFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.methods, "methods", "all", "provers to use, of compiler, eva, wp, eva+wp, native")
	f.format.add(fs, report.Prunings)
	fs.DurationVar(&f.j.Limit, "budget", time.Minute, "time for everything")
	fs.DurationVar(&f.j.Goal, "goal-time", time.Second, "time of a prover for one goal")
	fs.IntVar(&f.j.MemoryMB, "max-memory", 4000, "memory of a prover, in `MB`")
	fs.IntVar(&f.j.Provers, "workers", 2, "provers at a time")
	fs.IntVar(&f.maxPairs, "max-pairs", 20000, "compare at most this many pairs of labels (-1: none)")
	fs.BoolVar(&f.j.Open, "open", false, "other code than the C library is linked to the program")
	fs.StringVar(&f.j.CacheDir, "cache", "", "keep proofs in this `dir` (default: the user's cache directory)")
	fs.BoolVar(&f.j.NoCache, "no-cache", false, "prove everything anew")
	f.prog.add(fs)
}

func (f *pruneFlags) run(cmd *cobra.Command, files []string) error {
	job, _, err := f.prog.job(cmd, files, "budget", "max-memory", "workers")
	if err != nil {
		return err
	}
	if job.PruneMethods, err = prune.ParseMethods(f.methods); err != nil {
		return usageError(err)
	}
	job.MaxPairs = f.maxPairs
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	f.j.Job = job
	res, err := campaign.Prune(cmd.Context(), f.j, tools, campaign.Silent{})
	if err != nil {
		return err
	}
	for _, n := range res.Notes {
		fmt.Fprintf(cmd.ErrOrStderr(), "klabel: %s\n", n)
	}
	return out.Render(cmd.OutOrStdout(), pruning(res.Result, res.Calls))
}

// pruning is a result for report.
func pruning(res *prune.Result, labels []csource.LabelCall) *report.Pruning {
	by := map[label.ID]label.Label{}
	for _, l := range labels {
		by[l.ID] = l.Label()
	}
	out := &report.Pruning{Labels: res.Labels, Seconds: res.Seconds, Pairs: res.Pairs, LeftOut: res.LeftOut,
		Proofs: []report.Proof{}, Notes: res.Notes}
	for _, f := range res.Findings {
		p := report.Proof{Label: by[f.ID], ID: f.ID, Status: f.Status, Method: string(f.Method), Step: f.Step,
			Reason: f.Text, Seconds: f.Seconds, Cached: f.Cached}
		if f.Status != label.Infeasible {
			p.Of = &f.Of
		}
		out.Proofs = append(out.Proofs, p)
	}
	for _, m := range res.Methods {
		out.Methods = append(out.Methods, report.PruneMethod{Name: string(m.Method), Found: m.Found, Seconds: m.Seconds,
			Ran: m.Ran, Note: m.Note})
	}
	return out
}
