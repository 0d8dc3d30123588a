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
	var prog programFlags
	var format, status, output string
	cmd := &cobra.Command{
		Use:   "labels [DIR | FILE...]",
		Short: "List labels with status, position, predicate and covering test",
		Long: `Lists the labels of an output directory of 'klabel run', with the status of each
and the test that covered it or the reason for its status; or the labels of C
files, of which nothing is known yet, those that --criteria would write included.
Without an argument it lists what the last run of the project in klabel.toml
found or, before the first run, the labels of its files.`,
		Example: `  klabel labels triangle.klabel
  klabel labels triangle.klabel --status unknown --format json
  klabel labels labelled.c`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, report.FormatText, report.FormatJSON, report.FormatCSV); err != nil {
				return err
			}
			only, err := parseStatuses(status)
			if err != nil {
				return err
			}
			var rows []report.LabelRow
			dir := ""
			if len(args) > 0 && isDir(args[0]) {
				if dir = args[0]; len(args) > 1 {
					return usageError(fmt.Errorf("one output directory is wanted, not %d", len(args)))
				}
			} else {
				job, _, err := prog.job(cmd, args)
				if err != nil {
					return err
				}
				job.OutputDir = output
				if dir = job.Output(); len(args) > 0 || !campaign.HasResults(dir) {
					dir = ""
					tools, err := toolchain.Probe(cmd.Context(), prog.src.want(false))
					if err != nil {
						return err
					}
					if rows, err = campaign.SourceLabels(cmd.Context(), job, tools); err != nil {
						return err
					}
					if len(rows) == 0 {
						fmt.Fprintf(cmd.ErrOrStderr(), "klabel: no labels in %s; --criteria CC,MCC,WM shows those that would be written\n", job.Sources[0].Path)
					}
				}
			}
			if dir != "" {
				if rows, err = campaign.Labels(dir); err != nil {
					return err
				}
			}
			ratios := report.RatiosOf(rows)
			kept := rows[:0]
			for _, r := range rows {
				if only == nil || only[r.Status] {
					kept = append(kept, r)
				}
			}
			if err := printLabels(cmd, format, kept); err != nil || format != report.FormatText || dir == "" {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), ratios)
			return err
		},
	}
	cmd.Flags().StringVar(&format, "format", report.FormatText, "what to print: text, csv (a .labels file) or json")
	cmd.Flags().StringVar(&status, "status", "", "only labels with one of these `statuses`, separated by commas")
	cmd.Flags().StringVarP(&output, "output", "o", "", "output `dir`ectory of the project's runs (default: NAME.klabel)")
	prog.add(cmd.Flags())
	return cmd
}

func isDir(path string) bool {
	fi, err := os.Stat(path)
	return err == nil && fi.IsDir()
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
