package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/ctests"
	"klabel/project"
	"klabel/prune"
	"klabel/report"
	"klabel/toolchain"
)

// runFlags are the command line of run.
type runFlags struct {
	prog    programFlags
	eng     engineFlags
	mode    string
	format  formatFlag[*report.Result]
	reports reportFlag
	bar     campaign.Bar
	cluster clusterFlags

	allFunctions   bool
	jobs           int
	functionBudget time.Duration
	existing       []string
	existingRun    string
	seekFailures   bool
	countFailing   bool
	recheck        bool

	fresh, keepAll, noRandom bool
	noPrune, pruneFirst      bool
	methods                  string
	maxPairs                 int
	style, oracle, programs  string
	linkObjects              bool
}

func newRunCmd() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [FILE... | DIR] [-- ARG...]",
		Short: "Generate a test suite for C, labelled or not",
		Long: `Generates a test suite for a C program with labels: rewrites it for the mode,
compiles it, lets an engine explore it, replays every test while the engine
runs, and ends with a small suite and the status of every label. Sources without
a label are labelled for CC, or for what --criteria names.

What stands after -- is the argument list of the program itself; --sym-args and
--sym-stdin there make its command line and input symbolic. Where nothing stands
there, a program that looks at them is given some, and a file that an argument
names: short ones by klabel's own engine and KLEE, longer ones by the fuzzer.

Without a file it takes those of klabel.toml or, all functions of them, those of
a compile_commands.json here or in build/, but for tests and examples. Where
there is none the build is asked for its commands, and builds nothing: CMake,
Meson, configure, make -n; else every C file below is taken. --build says which.
'klabel run DIR' is the same for another folder; what it writes is written here.
Where most of these files define main, each is a program: they are run one after
the other, in a folder each below the output directory; the budget is for all.

A klabel.toml beside the first file, or in the working directory, gives what the
command line leaves open ('klabel help project-file'). With --all-functions,
and for sources without a label where no file defines main, or several do, or
main takes no input, every function is a way into the program, or those of
--functions PATTERNS: one campaign, in which a test counts for every label that
it covers. Where main reads input, functions join it for labels that it leaves
open, in a third of the budget or when it has shown all that it does.

Running again in the same output directory goes on from what is there. What has
not changed is neither compiled nor explored again, unless there is more time
for it; of a changed program only the tests are replayed that reach a change.

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
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *runFlags) add(fs *pflag.FlagSet) {
	fs.StringVarP(&f.mode, "mode", "m", "", "how labels reach the engine: ignore, naive, tight, optim, fused, "+
		"greybox, fuzz (default: the engine's best)")
	f.format.add(fs, report.Summaries)
	fs.BoolVar(&f.seekFailures, "seek-failures", false, "look for failures too: labels of RTE and FAIL, which tests "+
		"cover that end in an error (implies --count-failing)")
	fs.StringSliceVar(&f.reports.names, "report", nil, "write these `formats` into DIR/report too ('klabel report "+
		"--help' lists them)")
	fs.BoolVar(&f.format.all, "all", false, "print every function, not only those with most labels open")
	fs.BoolVar(&f.fresh, "fresh", false, "forget what the output directory holds")
	fs.BoolVar(&f.keepAll, "keep-all", false, "keep tests that add nothing to the suite")
	fs.BoolVar(&f.noRandom, "no-random", false,
		"leave out the short pass of random and boundary inputs before the engine")
	fs.BoolVar(&f.pruneFirst, "prune", false, "prove labels infeasible or redundant before the engine starts, and not "+
		"just beside it")
	fs.BoolVar(&f.noPrune, "no-prune", false, "do not look for infeasible and redundant labels")
	fs.StringVar(&f.methods, "methods", "", "`provers` for pruning: compiler, eva, wp, eva+wp, native (default: all "+
		"that the tools allow)")
	fs.IntVar(&f.maxPairs, "max-pairs", 20000, "compare at most this many `pairs` of labels when pruning (-1: none)")
	fs.BoolVar(&f.bar.Strict, "strict", false, "exit with 1 when a proof and a test contradict each other")
	fs.Float64Var(&f.bar.FailUnder, "fail-under", 0, "exit with 3 when less than this `percentage` of the feasible "+
		"labels is covered")
	fs.StringVar(&f.style, "style", string(ctests.Plain), "framework of the C tests: plain, cmocka, unity, check, "+
		"googletest, cpputest; none: no C tests")
	fs.StringVar(&f.oracle, "oracle", ctests.Observed, "what the C tests check: observed, none, or the name of a "+
		"`FUNCTION` of yours")
	fs.BoolVar(&f.linkObjects, "link-objects", false, "link the C tests with the program's objects, where a "+
		"function is not static, in place of including its source")
	fs.StringVar(&f.programs, "test-programs", "file", "C tests are one program a source `file`, or one a function: "+
		"file, function")
	fs.BoolVar(&f.allFunctions, "all-functions", false, "every function is a way into the program, not main alone "+
		"(--functions and --skip-functions choose)")
	fs.StringArrayVar(&f.existing, "existing", nil, "start from what these tests cover: `path` of .ktest files, of a "+
		"folder of them, or a pattern of C tests (repeatable)")
	fs.StringVar(&f.existingRun, "existing-run", "", "start from what the project's own tests cover: shell `command` "+
		"that builds and runs them, in a copy of the project")
	fs.BoolVar(&f.recheck, "recheck", false, "a hit counts only if klabel's interpreter meets it too: for programs "+
		"that may forge hits (slow)")
	fs.BoolVar(&f.countFailing, "count-failing", false, "count labels that only tests reach that end in a crash, an "+
		"abort or a loop that nothing ends")
	fs.DurationVar(&f.functionBudget, "function-budget", 0, "`time` for each function, or each program of a folder "+
		"of them, in place of a budget for all")
	fs.IntVar(&f.jobs, "jobs", 0, "engines at a time with --all-functions (default: the number of cores)")
	f.cluster.add(fs)
	f.prog.add(fs)
	f.eng.add(fs)
}

func (f *runFlags) run(cmd *cobra.Command, args []string) error {
	job, err := f.job(cmd, args)
	if err != nil {
		return err
	}
	each, err := f.eachProgram(cmd, args, &job)
	if err != nil {
		return err
	}
	out, err := f.format.renderer(cmd)
	if err == nil {
		err = f.reports.find()
	}
	if err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	show := newProgress(cmd.ErrOrStderr())
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(300) // syntax trees live long: with 100 collections were a quarter of the time of reading
	}
	var sum report.Summary
	if len(each) == 0 {
		sum, err = campaign.Run(cmd.Context(), job, tools, show)
		if errors.Is(err, campaign.ErrOnlyMain) && len(job.Sources) > 1 {
			if each, err = f.jobEach(cmd, args, &job); err != nil {
				return err
			}
		}
	}
	if len(each) > 0 {
		sum, err = campaign.RunPrograms(cmd.Context(), each, f.eng.budget, f.functionBudget, tools, show)
		sum.Program, sum.OutputDir = filepath.Base(abs(f.prog.src.folder())), job.Output()
	}
	show.Close()
	if err != nil && sum.OutputDir == "" { // nothing was begun
		return err
	}
	if perr := out.Render(cmd.OutOrStdout(), &report.Result{Summary: sum}); err == nil {
		err = perr
	}
	if rerr := f.reports.write(sum.OutputDir); err == nil {
		err = rerr
	}
	if err != nil {
		return err
	}
	return f.bar.Outcome(sum)
}

// withOracle lets drivers call the user's own oracle.
func (f *runFlags) withOracle(job *campaign.Job) {
	if f.oracle == ctests.Observed || f.oracle == ctests.None {
		return
	}
	job.Driver.Oracle, job.Driver.Checked = f.oracle, f.seekFailures
	job.Annotate.Oracles = []string{f.oracle}
	if f.seekFailures && job.AllFunctions { // given inputs of its own it refuses what no function returns
		job.Skip = append(slices.Clone(job.Skip), f.oracle)
	}
}

// job is what the command line and the project file ask for.
func (f *runFlags) job(cmd *cobra.Command, args []string) (campaign.Job, error) {
	files, program := splitArgs(cmd, args)
	return f.jobOf(cmd, files, program)
}

func (f *runFlags) jobOf(cmd *cobra.Command, files, program []string) (campaign.Job, error) {
	typed := project.Changed(cmd.Flags())
	if len(files) == 0 && !typed["all-functions"] && !typed["function"] && !typed["compile-commands"] {
		files, program = f.ofExisting(cmd, program)
	}
	job, p, err := f.prog.job(cmd, files)
	if err != nil {
		return job, err
	}
	if f.seekFailures {
		job.Criteria = append(job.Criteria, "RTE", "FAIL")
		job.Annotate.Criteria = job.Criteria
	}
	if f.prog.src.found && f.prog.function == "" { // nobody has said anything: the whole project
		f.allFunctions = true
	}
	if f.allFunctions && len(job.Criteria) == 0 && f.prog.property == "" {
		job.Criteria = []string{defaultCriterion}
		job.Annotate.Criteria = job.Criteria
	}
	every := func(job *campaign.Job) error {
		job.Parallel = f.jobs
		err := f.prog.everyFunction(job, functionOverrides(p, cmd.Flags(), typed))
		f.withOracle(job)
		return err
	}
	switch {
	case f.allFunctions:
		if err := every(&job); err != nil {
			return job, err
		}
	case f.prog.function == "" && f.prog.property == "":
		job.WithoutMain = every
	}
	job.Unlabelled = func(job *campaign.Job) {
		job.Criteria = []string{defaultCriterion}
		job.Annotate.Criteria = job.Criteria
		if f.prog.function == "" {
			job.WithoutMain = every
		}
	}
	if job.Mode, err = parseMode(f.mode); err != nil {
		return job, err
	}
	if job.Strategy, err = steps(p, typed); err != nil {
		return job, err
	}
	if len(program) > 0 {
		job.ProgramArgs = program
	}
	if job.Cluster, err = f.cluster.options(); err != nil {
		return job, err
	}
	job.Version = versionText()
	job.Fresh, job.KeepAll, job.NoRandom, job.MaxPairs = f.fresh, f.keepAll, f.noRandom, f.maxPairs
	job.CountFailing, job.SeekFailures = f.countFailing || f.seekFailures, f.seekFailures
	job.FunctionBudget = f.functionBudget
	job.Recheck = f.recheck
	job.Existing, job.ExistingRun = f.existing, f.existingRun
	f.eng.fill(&job)
	if job.TestStyle, err = parseStyle(f.style); err != nil {
		return job, err
	}
	if f.programs != "file" && f.programs != "function" {
		return job, usageError(fmt.Errorf("unknown --test-programs %q: want file or function", f.programs))
	}
	if !job.AllFunctions {
		f.withOracle(&job)
	}
	job.Oracle, job.LinkObjects, job.ByFunction = f.oracle, f.linkObjects, f.programs == "function"
	switch {
	case f.noPrune && f.pruneFirst:
		return job, usageError(errors.New("--prune and --no-prune exclude each other"))
	case f.noPrune:
		job.Prune = campaign.PruneNever
	case f.pruneFirst:
		job.Prune = campaign.PruneFirst
	}
	if f.methods != "" {
		if job.PruneMethods, err = prune.ParseMethods(f.methods); err != nil {
			return job, usageError(err)
		}
	}
	return job, nil
}

// defaultCriterion is what a project is tested for when nobody says.
const defaultCriterion = "CC"

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
