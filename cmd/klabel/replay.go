package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/report"
	"klabel/toolchain"
)

func newReplayCmd() *cobra.Command {
	var prog programFlags
	var eng engineFlags
	var tests, cTests []string
	var format formatFlag[*report.Result]
	var bar campaign.Bar
	cmd := &cobra.Command{
		Use:   "replay [FILE...] --tests PATH | --c-tests PATTERN",
		Short: "Measure tests against the labels",
		Long: `Replays tests natively and says which labels they cover. --tests takes .ktest
files, folders that hold some, and whole output directories of KLEE; of those,
tests that end in an error of the engine's cover nothing, except failed labels.

--c-tests takes tests written in C. Files with a main function are programs;
they include the source under test, or are linked with it.

A klabel.toml counts as for 'klabel run', except for its output directory:
without -o nothing is kept.`,
		Example: `  klabel replay labelled.c --tests klee-last
  klabel replay labelled.c --tests 'old/*.ktest' --tests more/ --format json
  klabel replay plain.c --criteria CC,WM --c-tests 'tests/*.c'`,
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := format.renderer(cmd)
			if err != nil {
				return err
			}
			if (len(tests) == 0) == (len(cTests) == 0) {
				return usageError(fmt.Errorf("--tests or --c-tests says which tests to measure"))
			}
			// The project's output is that of runs; what is measured stays apart.
			job, _, err := prog.job(cmd, args, "output")
			if err != nil {
				return err
			}
			eng.fill(&job)
			tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
			if err != nil {
				return err
			}
			show := newProgress(cmd.ErrOrStderr())
			var sum report.Summary
			if len(cTests) > 0 {
				sum, err = campaign.MeasureCTests(cmd.Context(), job, cTests, tools, show)
			} else {
				sum, err = campaign.Measure(cmd.Context(), job, tests, tools, show)
			}
			show.Close()
			if err != nil {
				return err
			}
			if err := out.Render(cmd.OutOrStdout(), &report.Result{Summary: sum}); err != nil {
				return err
			}
			return bar.Outcome(sum)
		},
	}
	fs := cmd.Flags()
	fs.StringArrayVar(&tests, "tests", nil, "`path` of tests: files, folders, KLEE output directories, patterns "+
		"(repeatable)")
	fs.StringArrayVar(&cTests, "c-tests", nil, "`pattern` of C test files; each with a main function is a program "+
		"(repeatable)")
	format.add(fs, report.Summaries)
	fs.Float64Var(&bar.FailUnder, "fail-under", 0, "exit with 3 when less than this `percentage` of the feasible "+
		"labels is covered")
	prog.add(fs)
	eng.addReplay(fs)
	return cmd
}
