package main

import (
	"encoding/json"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"klabel/annotate"
)

func newCriteriaCmd() *cobra.Command {
	var format string
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
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("format", format, "text", "json"); err != nil {
				return err
			}
			if format == "json" {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				enc.SetEscapeHTML(false)
				return enc.Encode(annotate.Criteria())
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "NAME\tMEANING\tEXAMPLE")
			for _, c := range annotate.Criteria() {
				fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Meaning, c.Example)
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "what to print: text or json")
	return cmd
}
