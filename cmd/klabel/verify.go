package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/campaign"
	"klabel/fault"
	"klabel/label"
	"klabel/report"
)

// verifyFlags are the command line of verify.
type verifyFlags struct {
	timeout time.Duration
	format  formatFlag[report.Verification]
}

func newVerifyCmd() *cobra.Command {
	var f verifyFlags
	cmd := &cobra.Command{
		Use:   "verify DIR",
		Short: "Replay a kept suite and confirm the labels that it covers",
		Long: `Replays the tests in an output directory of 'klabel run', as their files are
now, and compares the labels that they cover with those that the campaign calls
covered. Nothing there is changed. Exits with 1 when a label is not confirmed.
A test that does not show what it should is tried again with ten times the time;
if that is not enough either, its labels are neither confirmed nor refuted, and
that is said.
Tests in C, of --existing, are run as they were built; one that has changed
since confirms nothing. Tests of the project's own, of --existing-run, are not
run: how many labels they alone cover is said.`,
		Example: `  klabel verify triangle.klabel`,
		Args:    cobra.ExactArgs(1),
		RunE:    f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *verifyFlags) add(fs *pflag.FlagSet) {
	fs.DurationVar(&f.timeout, "test-timeout", campaign.DefaultTestTimeout, "wall-clock limit of one replay")
	f.format.add(fs, report.Verifications)
}

func (f *verifyFlags) run(cmd *cobra.Command, args []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	if _, err := campaign.Result(args[0]); err != nil {
		return err
	}
	show := newProgress(cmd.ErrOrStderr())
	v, err := campaign.Verify(cmd.Context(), args[0], f.timeout, show)
	show.Close()
	if err != nil {
		return err
	}
	if err := out.Render(cmd.OutOrStdout(), v); err != nil {
		return err
	}
	if len(v.Open) > 0 {
		return fault.WithHint(fmt.Errorf("not confirmed: labels %s", numbersOf(v.Open)),
			"klabel run with the same output directory restores missing and damaged tests")
	}
	if len(v.Late) > 0 {
		return fault.WithHint(fmt.Errorf("neither confirmed nor refuted, the tests did not end in time: labels %s",
			numbersOf(v.Late)), "try again when the machine is less busy, or with a longer --test-timeout")
	}
	return nil
}

func numbersOf(ids []label.ID) string { return strings.Trim(fmt.Sprint(ids), "[]") }
