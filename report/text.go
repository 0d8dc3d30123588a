package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"

	"klabel/label"
)

// Text writes the summary for a terminal: a table of the criteria, then what
// happened to the tests and how far the engine came.
func Text(w io.Writer, s Summary) error {
	t := newTable()
	t.AppendHeader(table.Row{"criterion", "labels", "covered", "infeasible", "unknown", "coverage"})
	for _, c := range s.Criteria {
		t.AppendRow(table.Row{c.Name, c.Total, c.Covered, c.Infeasible, c.Unknown, percent(ratio(c.Covered, c.Total-c.Infeasible))})
	}
	if len(s.Criteria) != 1 {
		t.AppendFooter(table.Row{"all", s.Labels.Total, s.Labels.Covered, s.Labels.Infeasible, s.Labels.Unknown, percent(s.Ratios.Feasible)})
	}
	t.SetColumnConfigs(rightAligned(2, 6))
	if _, err := fmt.Fprintf(w, "%s\n%s\n", s.Program, t.Render()); err != nil {
		return err
	}
	if s.Labels.Duplicate+s.Labels.Subsumed > 0 {
		fmt.Fprintf(w, "redundant  %d duplicate, %d subsumed, not covered yet\n", s.Labels.Duplicate, s.Labels.Subsumed)
	}
	if s.Ratios.All != s.Ratios.Feasible || s.Ratios.Feasible != s.Ratios.Distinct {
		fmt.Fprintf(w, "ratios     %s\n", s.Ratios)
	}
	fmt.Fprintf(w, "tests      %d kept of %d generated", s.Tests.Kept, s.Tests.Generated)
	if s.Tests.RuntimeErrors > 0 {
		fmt.Fprintf(w, ", %d with run-time errors", s.Tests.RuntimeErrors)
	}
	if s.Tests.Diverged > 0 {
		fmt.Fprintf(w, ", %d diverged", s.Tests.Diverged)
	}
	fmt.Fprintln(w)
	if s.Engine.Name != "" {
		fmt.Fprintf(w, "engine     %s %s, mode %s: %d paths, %d instructions, %.1f s (last label after %.1f s)\n",
			s.Engine.Name, s.Engine.Version, s.Engine.Mode, s.Engine.Paths, s.Engine.Instructions, s.Engine.Seconds, s.Engine.LastLabelSeconds)
	}
	for _, c := range s.Contradictions {
		fmt.Fprintf(w, "CONTRADICTION  label %s is covered by %s, and %s says: %s\n", c.Label, c.Test, c.Method, c.Reason)
	}
	for _, n := range s.Notes {
		fmt.Fprintf(w, "note       %s\n", n)
	}
	if s.Interrupted {
		fmt.Fprintln(w, "note       interrupted: what was found so far is kept")
	}
	if s.Failure != "" {
		fmt.Fprintln(w, "note       the run failed: what was found until then is kept")
	}
	if s.OutputDir != "" {
		fmt.Fprintf(w, "output     %s\n", s.OutputDir)
	}
	return nil
}

// LabelRow is one line of the label listing.
type LabelRow struct {
	label.Label
	Status  label.Status `json:"status"`
	Covered bool         `json:"covered"`
	Test    string       `json:"test,omitempty"`   // the test that covered it first
	Reason  string       `json:"reason,omitempty"` // why it has its status
	Method  string       `json:"method,omitempty"`
	Of      *label.ID    `json:"of,omitempty"` // the label that it is a duplicate of, or subsumed by
}

// RatiosOf computes the ratios of a whole listing.
func RatiosOf(rows []LabelRow) Ratios {
	var total, covered, infeasible, redundant, both int
	for _, r := range rows {
		if r.Status == label.Deselected {
			continue
		}
		total++
		switch {
		case r.Status == label.Infeasible:
			infeasible++
			continue
		case r.Of != nil:
			redundant++
		}
		if r.Covered {
			covered++
			if r.Of != nil {
				both++
			}
		}
	}
	return Ratios{ratio(covered, total), ratio(covered, total-infeasible), ratio(covered-both, total-infeasible-redundant)}
}

// Labels writes the label listing as a table.
func Labels(w io.Writer, rows []LabelRow) error {
	t := newTable()
	t.AppendHeader(table.Row{"label", "status", "criteria", "position", "predicate", "test or reason"})
	for _, r := range rows {
		why := r.Test
		if r.Reason != "" && r.Status != label.Covered {
			why = r.Reason
		}
		t.AppendRow(table.Row{r.ID, r.Status, join(r.Tags), r.Position, r.Predicate, why})
	}
	t.SetColumnConfigs([]table.ColumnConfig{
		{Number: 5, WidthMax: 48, WidthMaxEnforcer: text.WrapText},
		{Number: 6, WidthMax: 44, WidthMaxEnforcer: text.WrapSoft},
	})
	_, err := fmt.Fprintln(w, t.Render())
	return err
}

func newTable() table.Writer {
	t := table.NewWriter()
	s := table.StyleLight
	s.Format.Header = text.FormatDefault
	s.Format.Footer = text.FormatDefault
	s.Options.DrawBorder = false
	s.Options.SeparateColumns = false
	t.SetStyle(s)
	t.SuppressTrailingSpaces()
	return t
}

func rightAligned(from, to int) []table.ColumnConfig {
	var out []table.ColumnConfig
	for i := from; i <= to; i++ {
		out = append(out, table.ColumnConfig{Number: i, Align: text.AlignRight, AlignHeader: text.AlignRight, AlignFooter: text.AlignRight})
	}
	return out
}

func percent(r float64) string { return fmt.Sprintf("%.1f %%", 100*r) }

func join(tags []string) string {
	out := ""
	for i, t := range tags {
		if i > 0 {
			out += ", "
		}
		out += t
	}
	return out
}
