package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
)

// Formats of a comparison.
const (
	FormatText     = "text"
	FormatJSON     = "json"
	FormatMarkdown = "markdown"
	FormatCSV      = "csv"
)

// Compare writes several summaries side by side, a measure a row and a mode a
// column, as in table 1 of Berthier et al., SAC 2023. JSON is the plain list of
// summaries; CSV has a mode a row, for spreadsheets.
func Compare(w io.Writer, format string, ss []Summary) error {
	switch format {
	case FormatJSON:
		if ss == nil {
			ss = []Summary{}
		}
		return Encode(w, ss)
	case FormatCSV:
		t := table.NewWriter()
		t.AppendHeader(table.Row{"program", "engine", "mode", "labels", "covered", "infeasible", "instructions", "paths",
			"tests_kept", "tests_generated", "runtime_errors", "engine_seconds", "last_label_seconds", "complete"})
		for _, s := range ss {
			t.AppendRow(table.Row{s.Program, s.Engine.Name, s.Engine.Mode, s.Labels.Total, s.Labels.Covered, s.Labels.Infeasible,
				s.Engine.Instructions, s.Engine.Paths, s.Tests.Kept, s.Tests.Generated, s.Tests.RuntimeErrors,
				fmt.Sprintf("%.3f", s.Engine.Seconds), fmt.Sprintf("%.3f", s.Engine.LastLabelSeconds), s.Engine.Complete})
		}
		_, err := fmt.Fprintln(w, t.RenderCSV())
		return err
	}
	t := newTable()
	head := table.Row{"measure"}
	rows := []table.Row{{"labels covered"}, {"infeasible"}, {"instructions"}, {"paths"}, {"tests kept / generated"}, {"time (s)"}, {"last label (s)"}, {"explored"}}
	for _, s := range ss {
		head = append(head, s.Engine.Mode)
		done := "in part"
		if s.Engine.Complete {
			done = "all"
		}
		for i, v := range []any{
			fmt.Sprintf("%d / %d", s.Labels.Covered, s.Labels.Total), s.Labels.Infeasible, s.Engine.Instructions, s.Engine.Paths,
			fmt.Sprintf("%d / %d", s.Tests.Kept, s.Tests.Generated),
			fmt.Sprintf("%.1f", s.Engine.Seconds), fmt.Sprintf("%.1f", s.Engine.LastLabelSeconds), done,
		} {
			rows[i] = append(rows[i], v)
		}
	}
	t.AppendHeader(head)
	t.AppendRows(rows)
	t.SetColumnConfigs(rightAligned(2, len(head)))
	if format == FormatMarkdown {
		_, err := fmt.Fprintln(w, t.RenderMarkdown())
		return err
	}
	title := ""
	if len(ss) > 0 {
		title = fmt.Sprintf("%s, %s %s\n", ss[0].Program, ss[0].Engine.Name, ss[0].Engine.Version)
	}
	_, err := fmt.Fprintf(w, "%s%s\n", title, t.Render())
	return err
}
