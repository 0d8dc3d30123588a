package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"klabel/fault"
	"klabel/report"
	"klabel/toolchain"
)

func newDoctorCmd() *cobra.Command {
	var src sourceFlags
	var format string
	cmd := &cobra.Command{
		Use:   "doctor",
		Short: "Say which tools were found, which versions, and what to install",
		Long: `Looks for clang, its sanitizers, KLEE, the provers and what else klabel can use,
and says what was found and what to install. Exits with 4 when something that the
main job needs is missing.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			tools, err := toolchain.Probe(cmd.Context(), src.want(true))
			if err != nil {
				return err
			}
			findings := tools.Findings()
			if format == "json" {
				if err := report.Encode(cmd.OutOrStdout(), findings); err != nil {
					return err
				}
			} else {
				printFindings(cmd, findings)
			}
			for _, f := range findings {
				if f.Needed && !f.OK {
					return fault.WithCode(fault.ToolMissing, fmt.Errorf("%s is needed and was not found\nhint: %s",
						f.Tool, f.Install))
				}
			}
			return nil
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "what to print: text or json")
	src.add(cmd.Flags())
	return cmd
}

func printFindings(cmd *cobra.Command, findings []toolchain.Finding) {
	w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
	for _, f := range findings {
		state := "ok"
		switch {
		case !f.OK && f.Needed:
			state = "MISSING"
		case !f.OK:
			state = "absent"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", state, f.Tool, f.Version, f.Path, f.Purpose)
		if f.Note != "" {
			fmt.Fprintf(w, "\t\t\t\t  %s\n", f.Note)
		}
		if !f.OK && f.Install != "" {
			fmt.Fprintf(w, "\t\t\t\t  install: %s\n", f.Install)
		}
	}
	w.Flush()
}
