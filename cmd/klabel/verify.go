package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/fault"
	"klabel/report"
)

func newVerifyCmd() *cobra.Command {
	var timeout time.Duration
	var format string
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Replay a kept suite and confirm every label that it is said to cover",
		Long: `Replays the tests in an output directory of 'klabel run', as their files are now,
and compares the labels that they cover with those that the campaign calls
covered. Nothing there is changed. Exits with 1 when a label is not confirmed.
Tests of the project's own, of 'klabel run --existing-run', are not run: how many
labels they alone cover is said.`,
		Example: `  klabel verify triangle.klabel`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if _, err := campaign.Result(args[0]); err != nil {
				return err
			}
			show := newProgress(cmd.ErrOrStderr())
			v, err := campaign.Verify(cmd.Context(), args[0], timeout, show)
			show.Close()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if format == "json" {
				if err := report.Encode(w, v); err != nil {
					return err
				}
			} else {
				for _, p := range v.Problems {
					fmt.Fprintln(w, p)
				}
				fmt.Fprintf(w, "%d of %d covered labels confirmed by %d tests\n", v.Confirmed, v.Covered, v.Tests)
				if v.Elsewhere > 0 {
					fmt.Fprintf(w, "%d are covered by the project's own tests alone, of 'klabel run --existing-run'\n",
						v.Elsewhere)
				}
			}
			if len(v.Open) == 0 {
				return nil
			}
			ids := strings.Trim(fmt.Sprint(v.Open), "[]")
			return fault.WithHint(fmt.Errorf("not confirmed: labels %s", ids),
				"klabel run with the same output directory restores missing and damaged tests")
		},
	}
	cmd.Flags().DurationVar(&timeout, "test-timeout", campaign.DefaultTestTimeout, "wall-clock limit of one replay")
	cmd.Flags().StringVar(&format, "format", "text", "what to print: text or json")
	return cmd
}
