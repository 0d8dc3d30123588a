package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tliron/commonlog"
	_ "github.com/tliron/commonlog/simple" // the backend that writes lines to stderr or a file
)

func newRootCmd() *cobra.Command {
	var verbosity int
	var logFile string
	root := &cobra.Command{
		Use:   "klabel",
		Short: "Generate tests for C that satisfy a coverage criterion",
		Long: `klabel generates tests for C that satisfy a coverage criterion: conditions,
multiple conditions, MC/DC, weak mutations, boundaries or objectives of your
own.

A criterion becomes labels (a location and a predicate). A symbolic execution
engine, KLEE or klabel's own, is led to them; every test is replayed natively,
and only what a replay confirms counts as covered.`,
		Example: `  klabel run triangle.c --function classify --criteria MCC
  klabel run labelled.c --mode fused --budget 60s -o out
  klabel compare labelled.c --modes ignore,naive,tight,optim
  klabel doctor`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(*cobra.Command, []string) error {
			var path *string
			if logFile != "" {
				path = &logFile
			}
			commonlog.Configure(verbosity, path)
			return nil
		},
	}
	root.PersistentFlags().CountVarP(&verbosity, "verbose", "v", "say more on stderr (-vv for everything)")
	root.PersistentFlags().StringVar(&logFile, "log", "", "write the log to this `file` instead of stderr")
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: "main", Title: "Generate and measure:"},
		&cobra.Group{ID: "stage", Title: "One stage at a time:"},
		&cobra.Group{ID: "help", Title: "Find out:"},
	)
	for id, cmds := range map[string][]*cobra.Command{
		"main": {newRunCmd(), newCompareCmd(), newReplayCmd(), newServeCmd(), newVerifyCmd(),
			newCheckCmd(), newWorkCmd(), newTopCmd()},
		"stage": {newAnnotateCmd(), newDriverCmd(), newInitCmd(), newInstrumentCmd(), newPruneCmd()},
		"help":  {newCriteriaCmd(), newLabelsCmd(), newReportCmd(), newDoctorCmd(), newVersionCmd()},
	} {
		for _, c := range cmds {
			c.GroupID = id
			root.AddCommand(c)
		}
	}
	root.AddCommand(newNativeEngineCmd())
	addTopics(root)
	// Help fits a terminal of 80 columns, as what commands print does.
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages |", ".FlagUsagesWrapped 80 |"))
	checkArgs(root)
	return root
}

// checkArgs makes the argument checks of every command usage errors, and gives
// commands without a check one that names what is wrong.
func checkArgs(c *cobra.Command) {
	if check := c.Args; check != nil {
		c.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				if strings.HasPrefix(err.Error(), "unknown command") { // of a command that has none
					err = fmt.Errorf("unknown argument %q: want none", args[0])
				}
				return usageError(fmt.Errorf("%s: %w (see 'klabel %s --help')", cmd.Name(), err, cmd.Name()))
			}
			return nil
		}
	}
	for _, sub := range c.Commands() {
		checkArgs(sub)
	}
}
