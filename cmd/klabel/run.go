package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/ctests"
	"klabel/project"
	"klabel/prune"
	"klabel/report"
	"klabel/toolchain"
)

func newRunCmd() *cobra.Command {
	var prog programFlags
	var eng engineFlags
	var mode, format string
	var fresh, keepAll, noRandom, noPrune, pruneFirst, strict bool
	var methods string
	var maxPairs int
	var style, oracle string
	var failUnder float64
	var allFunctions bool
	var jobs int
	cmd := &cobra.Command{
		Use:   "run [FILE...] [-- ARG...]",
		Short: "Generate a test suite for C, labelled or not",
		Long: `Generates a test suite for a C program with labels: rewrites it for the mode,
compiles it, lets an engine explore it, replays every test while the engine
runs, and ends with a small suite and the status of every label.

What stands after -- is the argument list of the program itself; --sym-args and
--sym-stdin there make its command line and input symbolic.

A klabel.toml beside the first file, or in the working directory, gives what the
command line leaves open ('klabel help project-file'). --all-functions treats
each function by itself, --functions PATTERNS some of them.

Running again in the same output directory goes on from what is there.`,
		Example: `  klabel run labelled.c
  klabel run plain.c --criteria MCC,WM
  klabel run labelled.c --mode optim --budget 5m --searcher nurs:covnew -o out
  klabel run a.c b.c -I include -D NDEBUG --portfolio 2
  klabel run src/*.c --all-functions --criteria MCC --budget 20s
  klabel run --compile-commands build/compile_commands.json --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, program := splitArgs(cmd, args)
			typed := project.Changed(cmd.Flags())
			job, p, err := prog.job(cmd, files)
			if err != nil {
				return err
			}
			if allFunctions { // said once, not for each function
				if _, err := prog.drv.options(""); err != nil {
					return err
				}
			}
			if allFunctions && prog.function != "" {
				return usageError(errors.New("--function and --all-functions exclude each other"))
			}
			if err := oneOf("format", format, report.FormatText, report.FormatJSON); err != nil {
				return err
			}
			if job.Mode, err = parseMode(mode); err != nil {
				return err
			}
			if len(program) > 0 {
				job.ProgramArgs = program
			}
			job.Fresh, job.KeepAll, job.NoRandom, job.MaxPairs = fresh, keepAll, noRandom, maxPairs
			eng.fill(&job)
			if job.TestStyle, err = parseStyle(style); err != nil {
				return err
			}
			job.Oracle = oracle
			switch {
			case noPrune && pruneFirst:
				return usageError(errors.New("--prune and --no-prune exclude each other"))
			case noPrune:
				job.Prune = campaign.PruneNever
			case pruneFirst:
				job.Prune = campaign.PruneFirst
			}
			if methods != "" {
				if job.PruneMethods, err = prune.ParseMethods(methods); err != nil {
					return usageError(err)
				}
			}
			tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
			if err != nil {
				return err
			}
			show := newProgress(cmd.ErrOrStderr())
			if allFunctions {
				fj := campaign.FunctionsJob{Job: job, Only: prog.what.functions, Skip: prog.what.skip, Parallel: jobs,
					Adapt: functionOverrides(p, cmd.Flags(), typed)}
				return runFunctions(cmd, fj, tools, show, format, strict, failUnder)
			}
			sum, err := campaign.Run(cmd.Context(), job, tools, show)
			show.Close()
			if err != nil && sum.OutputDir == "" { // nothing was begun
				return err
			}
			if perr := printSummary(cmd, format, sum); err == nil {
				err = perr
			}
			if err != nil {
				return err
			}
			switch {
			case strict && len(sum.Contradictions) > 0:
				return fmt.Errorf("%d contradictions between proofs and tests", len(sum.Contradictions))
			case sum.Interrupted:
				return &codedError{exitInterrupted, fmt.Errorf("interrupted; what was found is in %s", sum.OutputDir)}
			case 100*sum.Ratios.Feasible < failUnder:
				return &codedError{exitFailUnder, fmt.Errorf("coverage is %.1f %%, under the %.1f %% asked for", 100*sum.Ratios.Feasible, failUnder)}
			}
			return nil
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&mode, "mode", "m", "", "how labels reach the engine: ignore, naive, tight, optim, fused, greybox (default: the engine's best)")
	fs.StringVar(&format, "format", report.FormatText, "what to print: text or json")
	fs.BoolVar(&fresh, "fresh", false, "forget what the output directory holds")
	fs.BoolVar(&keepAll, "keep-all", false, "keep tests that add nothing to the suite")
	fs.BoolVar(&noRandom, "no-random", false, "leave out the short pass of random and boundary inputs before the engine")
	fs.BoolVar(&pruneFirst, "prune", false, "prove labels infeasible or redundant before the engine starts, and not just beside it")
	fs.BoolVar(&noPrune, "no-prune", false, "do not look for infeasible and redundant labels")
	fs.StringVar(&methods, "methods", "", "`provers` for pruning: compiler, eva, wp, eva+wp, native (default: all that the tools allow)")
	fs.IntVar(&maxPairs, "max-pairs", 20000, "compare at most this many `pairs` of labels when pruning (-1: none)")
	fs.BoolVar(&strict, "strict", false, "exit with 1 when a proof and a test contradict each other")
	fs.Float64Var(&failUnder, "fail-under", 0, "exit with 3 when less than this `percentage` of the feasible labels is covered")
	fs.StringVar(&style, "style", string(ctests.Plain), "framework of the C tests: plain, cmocka, unity, check; none: no C tests")
	fs.StringVar(&oracle, "oracle", ctests.Observed, "what the C tests check: observed, none, or the name of a `FUNCTION` of yours")
	fs.BoolVar(&allFunctions, "all-functions", false, "treat each function by itself, --budget for each (--functions and --skip-functions choose)")
	fs.IntVar(&jobs, "jobs", 0, "functions at a time with --all-functions (default: the number of cores)")
	prog.add(fs)
	eng.add(fs)
	return cmd
}

// runFunctions treats each function and prints one summary.
func runFunctions(cmd *cobra.Command, fj campaign.FunctionsJob, tools *toolchain.Tools, show *progressView, format string, strict bool, failUnder float64) error {
	sum, err := campaign.RunFunctions(cmd.Context(), fj, tools, show)
	show.Close()
	if err != nil {
		return err
	}
	if format == report.FormatJSON {
		err = report.Encode(cmd.OutOrStdout(), sum)
	} else {
		err = report.FunctionsText(cmd.OutOrStdout(), sum)
	}
	if err != nil {
		return err
	}
	contradictions := 0
	for _, f := range sum.Functions {
		contradictions += f.Contradictions
	}
	switch {
	case sum.Interrupted:
		return &codedError{exitInterrupted, fmt.Errorf("interrupted; what was found is in %s", sum.OutputDir)}
	case strict && contradictions > 0:
		return fmt.Errorf("%d contradictions between proofs and tests", contradictions)
	case sum.Failed > 0:
		return fmt.Errorf("%d of %d functions failed", sum.Failed, len(sum.Functions))
	case 100*sum.Ratios.Feasible < failUnder:
		return &codedError{exitFailUnder, fmt.Errorf("coverage is %.1f %%, under the %.1f %% asked for", 100*sum.Ratios.Feasible, failUnder)}
	}
	return nil
}

func printSummary(cmd *cobra.Command, format string, s report.Summary) error {
	if format == report.FormatJSON {
		return report.JSON(cmd.OutOrStdout(), s)
	}
	return report.Text(cmd.OutOrStdout(), s)
}

// oneOf checks the value of a flag that has a fixed set of them.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return usageError(fmt.Errorf("--%s %q: one of %v is wanted", flag, value, allowed))
}

func parseStyle(s string) (ctests.Style, error) {
	if s == string(campaign.NoCTests) {
		return campaign.NoCTests, nil
	}
	style, err := ctests.ParseStyle(s)
	if err != nil {
		return "", usageError(err)
	}
	return style, nil
}
