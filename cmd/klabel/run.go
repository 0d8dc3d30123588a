package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

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
	var mode string
	var format formatFlag[*report.Result]
	var reports reportFlag
	var seekFailures bool
	var fresh, keepAll, noRandom, noPrune, pruneFirst bool
	var methods string
	var maxPairs int
	var style, oracle string
	var bar campaign.Bar
	var allFunctions bool
	var jobs int
	var countFailing bool
	var existing []string
	var existingRun string
	var functionBudget time.Duration
	cmd := &cobra.Command{
		Use:   "run [FILE...] [-- ARG...]",
		Short: "Generate a test suite for C, labelled or not",
		Long: `Generates a test suite for a C program with labels: rewrites it for the mode,
compiles it, lets an engine explore it, replays every test while the engine
runs, and ends with a small suite and the status of every label.

What stands after -- is the argument list of the program itself; --sym-args and
--sym-stdin there make its command line and input symbolic.

Without a file it takes those of klabel.toml or, all functions of them, those of
a compile_commands.json here or in build/, but for tests and examples.

A klabel.toml beside the first file, or in the working directory, gives what the
command line leaves open ('klabel help project-file'). With --all-functions every
function is a way into the program, or those of --functions PATTERNS: one
campaign, in which a test counts for every label that it covers.

Running again in the same output directory goes on from what is there.

With --existing-run 'make test' only what the project's own tests leave open is
worked on. The command is run in a copy of the working directory, in which
labelled functions record; labels are covered by it if it ends with 0.`,
		Example: `  klabel run labelled.c
  klabel run plain.c --criteria MCC,WM
  klabel run labelled.c --mode optim --budget 5m --searcher nurs:covnew -o out
  klabel run a.c b.c -I include -D NDEBUG --portfolio 2
  klabel run src/*.c --all-functions --criteria MCC --budget 5m
  klabel run src/*.c --all-functions --criteria MCC --existing-run 'make test'
  klabel run --compile-commands build/compile_commands.json --format json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			files, program := splitArgs(cmd, args)
			typed := project.Changed(cmd.Flags())
			job, p, err := prog.job(cmd, files)
			if err != nil {
				return err
			}
			if seekFailures {
				job.Criteria = append(job.Criteria, "RTE", "FAIL")
				job.Annotate.Criteria = job.Criteria
			}
			if prog.src.found && prog.function == "" { // nobody has said anything: the whole project
				allFunctions = true
				if len(job.Criteria) == 0 && prog.property == "" {
					job.Criteria = []string{defaultCriterion}
					job.Annotate.Criteria = job.Criteria
				}
			}
			if job.AllFunctions = allFunctions; allFunctions {
				if job.Driver, err = prog.drv.options(""); err != nil { // said once, not for each function
					return err
				}
				job.Only, job.Skip, job.Parallel = prog.what.functions, prog.what.skip, jobs
				job.Annotate.Functions, job.Annotate.SkipFunctions = nil, nil
				job.Adapt = functionOverrides(p, cmd.Flags(), typed)
			}
			out, err := format.renderer(cmd)
			if err == nil {
				err = reports.find()
			}
			if err != nil {
				return err
			}
			if job.Mode, err = parseMode(mode); err != nil {
				return err
			}
			if len(program) > 0 {
				job.ProgramArgs = program
			}
			job.Fresh, job.KeepAll, job.NoRandom, job.MaxPairs = fresh, keepAll, noRandom, maxPairs
			job.CountFailing, job.FunctionBudget, job.Existing = countFailing || seekFailures, functionBudget, existing
			job.ExistingRun = existingRun
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
			sum, err := campaign.Run(cmd.Context(), job, tools, show)
			show.Close()
			if err != nil && sum.OutputDir == "" { // nothing was begun
				return err
			}
			if perr := out.Render(cmd.OutOrStdout(), &report.Result{Summary: sum}); err == nil {
				err = perr
			}
			if rerr := reports.write(sum.OutputDir); err == nil {
				err = rerr
			}
			if err != nil {
				return err
			}
			return bar.Outcome(sum)
		},
	}
	fs := cmd.Flags()
	fs.StringVarP(&mode, "mode", "m", "", "how labels reach the engine: ignore, naive, tight, optim, fused, greybox "+
		"(default: the engine's best)")
	format.add(fs, report.Summaries)
	fs.BoolVar(&seekFailures, "seek-failures", false, "look for failures too: labels of RTE and FAIL, which tests "+
		"cover that end in an error (implies --count-failing)")
	fs.StringSliceVar(&reports.names, "report", nil, "write these `formats` into DIR/report too ('klabel report "+
		"--help' lists them)")
	fs.BoolVar(&format.all, "all", false, "print every function, not only those with most labels open")
	fs.BoolVar(&fresh, "fresh", false, "forget what the output directory holds")
	fs.BoolVar(&keepAll, "keep-all", false, "keep tests that add nothing to the suite")
	fs.BoolVar(&noRandom, "no-random", false,
		"leave out the short pass of random and boundary inputs before the engine")
	fs.BoolVar(&pruneFirst, "prune", false, "prove labels infeasible or redundant before the engine starts, and not "+
		"just beside it")
	fs.BoolVar(&noPrune, "no-prune", false, "do not look for infeasible and redundant labels")
	fs.StringVar(&methods, "methods", "", "`provers` for pruning: compiler, eva, wp, eva+wp, native (default: all "+
		"that the tools allow)")
	fs.IntVar(&maxPairs, "max-pairs", 20000, "compare at most this many `pairs` of labels when pruning (-1: none)")
	fs.BoolVar(&bar.Strict, "strict", false, "exit with 1 when a proof and a test contradict each other")
	fs.Float64Var(&bar.FailUnder, "fail-under", 0, "exit with 3 when less than this `percentage` of the feasible "+
		"labels is covered")
	fs.StringVar(&style, "style", string(ctests.Plain), "framework of the C tests: plain, cmocka, unity, check, "+
		"googletest, cpputest; none: no C tests")
	fs.StringVar(&oracle, "oracle", ctests.Observed, "what the C tests check: observed, none, or the name of a "+
		"`FUNCTION` of yours")
	fs.BoolVar(&allFunctions, "all-functions", false, "every function is a way into the program, not main alone "+
		"(--functions and --skip-functions choose)")
	fs.StringArrayVar(&existing, "existing", nil, "start from what these tests cover: `path` of .ktest files, of a "+
		"folder of them, or a pattern of C tests (repeatable)")
	fs.StringVar(&existingRun, "existing-run", "", "start from what the project's own tests cover: shell `command` "+
		"that builds and runs them, in a copy of the project")
	fs.BoolVar(&countFailing, "count-failing", false, "count labels that only tests reach that end in a crash or an "+
		"abort")
	fs.DurationVar(&functionBudget, "function-budget", 0, "`time` for each function, in place of a budget for all")
	fs.IntVar(&jobs, "jobs", 0, "engines at a time with --all-functions (default: the number of cores)")
	prog.add(fs)
	eng.add(fs)
	return cmd
}

// defaultCriterion is what a project is tested for when nobody says.
const defaultCriterion = "CC"

// oneOf checks the value of a flag that has a fixed set of them.
func oneOf(flag, value string, allowed ...string) error {
	for _, a := range allowed {
		if value == a {
			return nil
		}
	}
	return usageError(fmt.Errorf("unknown --%s %q: want %s or %s", flag, value,
		strings.Join(allowed[:len(allowed)-1], ", "), allowed[len(allowed)-1]))
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
