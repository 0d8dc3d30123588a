package main

import (
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/annotate"
	"klabel/report"
)

// listFlags are the command line of criteria.
type listFlags struct {
	format formatFlag[[]report.Criterion]
}

func newCriteriaCmd() *cobra.Command {
	var f listFlags
	cmd := &cobra.Command{
		Use:   "criteria",
		Short: "List the coverage criteria that annotate knows",
		Long: `Lists the coverage criteria with a line on what each asks for and an example.
Write a number in place of the letter in n-CC and LIMIT-N: 2-CC, LIMIT-1. The
operators of WM can be named alone: WM-ROR, or ROR. docs/criteria.md shows each
criterion on an example.`,
		Example: `  klabel criteria
  klabel annotate f.c --criteria CC,2-CC,WM`,
		Args: cobra.NoArgs,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *listFlags) add(fs *pflag.FlagSet) {
	f.format.add(fs, report.Criteria)
}

func (f *listFlags) run(cmd *cobra.Command, _ []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	var list []report.Criterion
	for _, c := range annotate.Criteria() {
		list = append(list, report.Criterion{Name: c.Name, Tag: c.Tag, Meaning: c.Meaning, Example: c.Example,
			Of: c.Of})
	}
	return out.Render(cmd.OutOrStdout(), list)
}
