package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// FunctionStatus says how the campaign of one function ended.
type FunctionStatus string

// The ends of a function's campaign.
const (
	Done        FunctionStatus = "done"
	LeftOut     FunctionStatus = "left out" // it cannot be driven, or has no label
	Failed      FunctionStatus = "failed"
	Interrupted FunctionStatus = "interrupted"
	NotStarted  FunctionStatus = "not started"
)

// FunctionRow is the outcome for one function.
type FunctionRow struct {
	Name           string         `json:"name"`
	File           string         `json:"file"`
	Line           int            `json:"line"`
	Static         bool           `json:"static,omitempty"`
	Status         FunctionStatus `json:"status"`
	Reason         string         `json:"reason,omitempty"`
	Labels         Counts         `json:"labels"`
	Tests          Tests          `json:"tests"`
	Seconds        float64        `json:"seconds"`
	Contradictions int            `json:"contradictions,omitempty"`
	Notes          []string       `json:"notes,omitempty"`
	OutputDir      string         `json:"output_dir,omitempty"`
}

// Sentence is the row in one line, for progress.
func (r FunctionRow) Sentence() string {
	if r.Status != Done {
		reason, _, _ := strings.Cut(r.Reason, "\n")
		if reason == "" {
			return fmt.Sprintf("%s: %s", r.Name, r.Status)
		}
		return fmt.Sprintf("%s: %s: %s", r.Name, r.Status, reason)
	}
	return fmt.Sprintf("%s: %d of %d labels covered, %.1f s", r.Name, r.Labels.Covered, r.Labels.Total, r.Seconds)
}

// Functions is the outcome of a campaign for each function of a program.
type Functions struct {
	Program   string        `json:"program"`
	Seconds   float64       `json:"seconds"`
	Functions []FunctionRow `json:"functions"`
	Labels    Counts        `json:"labels"`
	Tests     Tests         `json:"tests"`
	Ratios    struct {
		All      float64 `json:"all"`
		Feasible float64 `json:"feasible"`
	} `json:"ratios"`
	Done        int    `json:"done"`
	LeftOut     int    `json:"left_out"`
	Failed      int    `json:"failed"`
	Interrupted bool   `json:"interrupted,omitempty"`
	OutputDir   string `json:"output_dir,omitempty"`
}

// Sum fills the totals from the rows.
func (f *Functions) Sum() {
	f.Labels, f.Tests, f.Done, f.LeftOut, f.Failed = Counts{}, Tests{}, 0, 0, 0
	for _, r := range f.Functions {
		switch r.Status {
		case Done:
			f.Done++
		case LeftOut:
			f.LeftOut++
		case Failed:
			f.Failed++
		}
		f.Labels.Total += r.Labels.Total
		f.Labels.Covered += r.Labels.Covered
		f.Labels.Infeasible += r.Labels.Infeasible
		f.Labels.Duplicate += r.Labels.Duplicate
		f.Labels.Subsumed += r.Labels.Subsumed
		f.Labels.Unknown += r.Labels.Unknown
		f.Tests.Generated += r.Tests.Generated
		f.Tests.Kept += r.Tests.Kept
		f.Tests.RuntimeErrors += r.Tests.RuntimeErrors
		f.Tests.Diverged += r.Tests.Diverged
	}
	n := f.Labels
	f.Ratios.All, f.Ratios.Feasible = ratio(n.Covered, n.Total), ratio(n.Covered, n.Total-n.Infeasible)
}

// FunctionsText writes the table for a terminal, a row a function.
func FunctionsText(w io.Writer, f Functions) error {
	t := newTable()
	t.AppendHeader(table.Row{"function", "labels", "covered", "infeasible", "unknown", "tests", "time (s)", "coverage"})
	for _, r := range f.Functions {
		if r.Status != Done && r.Labels.Total == 0 {
			t.AppendRow(table.Row{r.Name, "-", "-", "-", "-", "-", fmt.Sprintf("%.1f", r.Seconds), string(r.Status)})
			continue
		}
		t.AppendRow(table.Row{r.Name, r.Labels.Total, r.Labels.Covered, r.Labels.Infeasible, r.Labels.Unknown, r.Tests.Kept,
			fmt.Sprintf("%.1f", r.Seconds), percent(ratio(r.Labels.Covered, r.Labels.Total-r.Labels.Infeasible))})
	}
	t.AppendFooter(table.Row{"all", f.Labels.Total, f.Labels.Covered, f.Labels.Infeasible, f.Labels.Unknown, f.Tests.Kept,
		fmt.Sprintf("%.1f", f.Seconds), percent(f.Ratios.Feasible)})
	t.SetColumnConfigs(append(rightAligned(2, 8), table.ColumnConfig{Number: 1, WidthMax: 40, WidthMaxEnforcer: text.WrapText}))
	if _, err := fmt.Fprintf(w, "%s\n%s\n", f.Program, t.Render()); err != nil {
		return err
	}
	for _, r := range f.Functions {
		if r.Reason != "" {
			fmt.Fprintf(w, "%-10s %s (%s:%d): %s\n", r.Status, r.Name, r.File, r.Line, strings.ReplaceAll(r.Reason, "\n", "\n           "))
		}
	}
	for _, r := range f.Functions {
		if r.Contradictions > 0 {
			fmt.Fprintf(w, "CONTRADICTION  %s: %d between proofs and tests, see %s\n", r.Name, r.Contradictions, r.OutputDir)
		}
	}
	if f.Interrupted {
		fmt.Fprintln(w, "note       interrupted: what was found so far is kept")
	}
	_, err := fmt.Fprintf(w, "output     %s\n", f.OutputDir)
	return err
}
