package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"klabel/campaign"
	"klabel/label"
	"klabel/report"
	"klabel/toolchain"
)

func newLabelsCmd() *cobra.Command {
	var src sourceFlags
	var format, status string
	cmd := &cobra.Command{
		Use:   "labels DIR | FILE...",
		Short: "List labels with status, position, predicate and covering test",
		Long: `Lists the labels of an output directory of 'klabel run', with the status of each
and the test that covered it or the reason for its status; or the labels of C
files, of which nothing is known yet.`,
		Example: `  klabel labels triangle.klabel
  klabel labels triangle.klabel --status unknown --format json
  klabel labels labelled.c`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, report.FormatText, report.FormatJSON, report.FormatCSV); err != nil {
				return err
			}
			only, err := parseStatuses(status)
			if err != nil {
				return err
			}
			var rows []report.LabelRow
			if fi, err := os.Stat(args[0]); err == nil && fi.IsDir() {
				if len(args) > 1 {
					return usageError(fmt.Errorf("one output directory is wanted, not %d", len(args)))
				}
				if rows, err = campaign.Labels(args[0]); err != nil {
					return err
				}
			} else {
				sources, err := src.sources(args)
				if err != nil {
					return err
				}
				tools, err := toolchain.Probe(cmd.Context(), src.want(false))
				if err != nil {
					return err
				}
				if rows, err = campaign.SourceLabels(cmd.Context(), sources, src.flags(), src.labelMacros, tools); err != nil {
					return err
				}
			}
			kept := rows[:0]
			for _, r := range rows {
				if only == nil || only[r.Status] {
					kept = append(kept, r)
				}
			}
			return printLabels(cmd, format, kept)
		},
	}
	cmd.Flags().StringVar(&format, "format", report.FormatText, "what to print: text, csv (a .labels file) or json")
	cmd.Flags().StringVar(&status, "status", "", "only labels with one of these `statuses`, separated by commas")
	src.add(cmd.Flags())
	return cmd
}

func parseStatuses(list string) (map[label.Status]bool, error) {
	if list == "" {
		return nil, nil
	}
	out := map[label.Status]bool{}
	for _, name := range strings.Split(list, ",") {
		s, err := label.ParseStatus(strings.TrimSpace(name))
		if err != nil {
			return nil, usageError(err)
		}
		out[s] = true
	}
	return out, nil
}

func printLabels(cmd *cobra.Command, format string, rows []report.LabelRow) error {
	w := cmd.OutOrStdout()
	switch format {
	case report.FormatJSON:
		if rows == nil {
			rows = []report.LabelRow{}
		}
		return report.Encode(w, rows)
	case report.FormatCSV:
		out := make([]label.Row, len(rows))
		for i, r := range rows {
			out[i] = label.RowOf(r.Label, r.Status, "klabel")
			out[i].Drivers = r.Test
		}
		return label.WriteFile(w, out)
	}
	return report.Labels(w, rows)
}
