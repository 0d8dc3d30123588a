package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/report"
	"klabel/toolchain"
)

// replayFlags are the command line of replay.
type replayFlags struct {
	prog          programFlags
	eng           engineFlags
	tests, cTests []string
	format        formatFlag[*report.Result]
	bar           campaign.Bar
}

func newReplayCmd() *cobra.Command {
	var f replayFlags
	cmd := &cobra.Command{
		Use:   "replay [FILE...] --tests PATH | --c-tests PATTERN | DIR",
		Short: "Measure tests against the labels",
		Long: `Replays tests natively and says which labels they cover. --tests takes .ktest
files, folders that hold some, and whole output directories of KLEE; of those,
tests that end in an error of the engine's cover nothing, except failed labels.

A folder that KLEE has written, klee-last say, is enough by itself: it names the
program that was run. 'klabel run --existing DIR' goes on from it.

--c-tests takes tests written in C. Files with a main function are programs;
they include sources under test and are linked with the others that those
need, or with all where they include none. A main of a source is renamed.

A klabel.toml counts as for 'klabel run', except for its output directory:
without -o nothing is kept.`,
		Example: `  klabel replay klee-last
  klabel replay labelled.c --tests klee-last
  klabel replay labelled.c --tests 'old/*.ktest' --tests more/ --format json
  klabel replay plain.c --criteria CC,WM --c-tests 'tests/*.c'`,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *replayFlags) add(fs *pflag.FlagSet) {
	fs.StringArrayVar(&f.tests, "tests", nil, "`path` of tests: files, folders, KLEE output directories, patterns "+
		"(repeatable)")
	fs.StringArrayVar(&f.cTests, "c-tests", nil, "`pattern` of C test files; each with a main function is a program "+
		"(repeatable)")
	f.format.add(fs, report.Summaries)
	fs.Float64Var(&f.bar.FailUnder, "fail-under", 0, "exit with 3 when less than this `percentage` of the feasible "+
		"labels is covered")
	f.prog.add(fs)
	f.eng.addReplay(fs)
}

func (f *replayFlags) run(cmd *cobra.Command, args []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	var program []string // arguments of it
	if st, err := os.Stat(strings.Join(args, " ")); len(args) == 1 && len(f.tests)+len(f.cTests) == 0 && err == nil &&
		st.IsDir() {
		f.tests = []string{args[0]}
		if args[0], program, err = kleeRun(args[0]); err != nil {
			return err
		}
	}
	if len(args) == 1 && len(f.tests)+len(f.cTests) == 0 {
		if _, err := os.Stat(args[0]); err != nil {
			return usageError(fmt.Errorf("%s: %w", args[0], errors.Unwrap(err)))
		}
	}
	if (len(f.tests) == 0) == (len(f.cTests) == 0) {
		return usageError(fmt.Errorf("--tests or --c-tests says which tests to measure"))
	}
	// The project's output is that of runs; what is measured stays apart.
	job, _, err := f.prog.job(cmd, args, "output")
	if err != nil {
		return err
	}
	if len(program) > 0 {
		job.ProgramArgs = program
	}
	f.eng.fill(&job)
	tools, err := toolchain.Probe(cmd.Context(), f.prog.src.want(false))
	if err != nil {
		return err
	}
	show := newProgress(cmd.ErrOrStderr())
	var sum report.Summary
	if len(f.cTests) > 0 {
		sum, err = campaign.MeasureCTests(cmd.Context(), job, f.cTests, tools, show)
	} else {
		sum, err = campaign.Measure(cmd.Context(), job, f.tests, tools, show)
	}
	show.Close()
	if err != nil {
		return err
	}
	if err := out.Render(cmd.OutOrStdout(), &report.Result{Summary: sum}); err != nil {
		return err
	}
	return f.bar.Outcome(sum)
}
