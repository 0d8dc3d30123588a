package main

import (
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

// doctorFlags are the command line of doctor.
type doctorFlags struct {
	src    sourceFlags
	format formatFlag[[]report.Tool]
}

func newDoctorCmd() *cobra.Command {
	var f doctorFlags
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which tools were found, which versions, and what to install",
		Long: `Looks for clang, its sanitizers, KLEE, the provers and what else klabel can use,
and says what was found and what to install. Exits with 4 when something that
the main job needs is missing.`,
		Args: cobra.NoArgs,
		RunE: f.run,
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *doctorFlags) add(fs *pflag.FlagSet) {
	f.format.add(fs, report.Tools)
	f.src.add(fs)
}

func (f *doctorFlags) run(cmd *cobra.Command, _ []string) error {
	out, err := f.format.renderer(cmd)
	if err != nil {
		return err
	}
	tools, err := toolchain.Probe(cmd.Context(), f.src.want(true))
	if err != nil {
		return err
	}
	var found []report.Tool
	for _, f := range tools.Findings() {
		found = append(found, report.Tool(f))
	}
	if err := out.Render(cmd.OutOrStdout(), found); err != nil {
		return err
	}
	for _, f := range found {
		if f.Needed && !f.OK {
			return fault.WithHint(fault.WithCode(fault.ToolMissing, fmt.Errorf("%s is needed and was not found",
				f.Tool)), "%s", f.Install)
		}
	}
	return nil
}
