package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/report"
	"klabel/toolchain"
)

func newCheckCmd() *cobra.Command {
	var format formatFlag[report.Checked]
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Hold the MC/DC of a suite against what clang itself measures",
		Long: `Builds the C tests in an output directory of 'klabel run --criteria MCDC' with
clang 18 or later and -fcoverage-mcdc, runs them, and shows decision by decision
what the compiler's measure says beside klabel's; each difference is named. What
is compared is unique cause, with "don't care" for what a short circuit skips:
clang knows no other. Where there is a gcc 14 or later with its gcov, the same
is done with -fcondition-coverage, which measures masking, and its measure is a
table of its own. Exits with 1 when a difference has no explanation.`,
		Example: `  klabel check f.klabel`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			out, err := format.renderer(cmd)
			if err != nil {
				return err
			}
			tools, err := toolchain.Probe(cmd.Context(), toolchain.Want{})
			if err != nil {
				return err
			}
			show := newProgress(cmd.ErrOrStderr())
			c, err := campaign.Check(cmd.Context(), args[0], tools, show)
			show.Close()
			if err != nil {
				return err
			}
			if err := out.Render(cmd.OutOrStdout(), c); err != nil {
				return err
			}
			open := c.Open
			if c.Second != nil {
				open += c.Second.Open
			}
			if open > 0 {
				return fmt.Errorf("%d decisions differ without an explanation", open)
			}
			return nil
		},
	}
	format.add(cmd.Flags(), report.Checks)
	return cmd
}
