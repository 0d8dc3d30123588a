package report

import (
	"fmt"
	"io"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// comparison is several summaries side by side, a measure a row and a mode, or an
// engine, a column, as in table 1 of Berthier et al., SAC 2023.
func comparison(ss []Summary) grid {
	g := grid{columns: []column{{title: "measure", wrap: 9, whole: true}}, keys: 1}
	rows := [][]any{{"labels covered"}, {"infeasible"}, {"instructions"}, {"paths"}, {"tests kept / generated"},
		{"time (s)"}, {"last label (s)"}, {"explored"}}
	title := func(s Summary) string { return s.Engine.Mode }
	if severalEngines(ss) {
		title = func(s Summary) string { return s.Engine.Name }
	}
	for _, s := range ss {
		g.columns = append(g.columns, column{title: title(s), right: true, wrap: 6, whole: true})
		done := "in part"
		if s.Engine.Complete {
			done = "all"
		}
		for i, v := range []any{
			fmt.Sprintf("%d / %d", s.Labels.Covered, s.Labels.Total), s.Labels.Infeasible, s.Engine.Instructions,
			s.Engine.Paths,
			fmt.Sprintf("%d / %d", s.Tests.Kept, s.Tests.Generated),
			fmt.Sprintf("%.1f", s.Engine.Seconds), fmt.Sprintf("%.1f", s.Engine.LastLabelSeconds), done,
		} {
			rows[i] = append(rows[i], v)
		}
	}
	for _, r := range rows {
		g.add(r...)
	}
	return g
}

// severalEngines reports whether engines are compared, and not the modes of one.
func severalEngines(ss []Summary) bool {
	for _, s := range ss {
		if s.Engine.Name != ss[0].Engine.Name {
			return true
		}
	}
	return false
}

func compareText(w io.Writer, ss []Summary, o Options) error {
	if t := trialsOf(ss); t.several() {
		return t.text(w, o)
	}
	if severalEngines(ss) {
		fmt.Fprintln(w, Wrapped("", ss[0].Program, o.width()))
	} else if len(ss) > 0 {
		fmt.Fprintln(w, Wrapped("", fmt.Sprintf("%s, %s %s", ss[0].Program, ss[0].Engine.Name, ss[0].Engine.Version),
			o.width()))
	}
	g := comparison(ss)
	return g.render(w, o.width())
}

func compareMarkdown(w io.Writer, ss []Summary, _ Options) error {
	g := comparison(ss)
	if t := trialsOf(ss); t.several() {
		g = t.grid()
	}
	return g.markdown(w)
}

// compareCSV has a mode a row, for spreadsheets.
func compareCSV(w io.Writer, ss []Summary, _ Options) error {
	t := table.NewWriter()
	t.AppendHeader(table.Row{"program", "engine", "mode", "labels", "covered", "infeasible", "instructions", "paths",
		"tests_kept", "tests_generated", "runtime_errors", "engine_seconds", "last_label_seconds", "complete", "side"})
	for _, s := range ss {
		t.AppendRow(table.Row{s.Program, s.Engine.Name, s.Engine.Mode, s.Labels.Total, s.Labels.Covered,
			s.Labels.Infeasible,
			s.Engine.Instructions, s.Engine.Paths, s.Tests.Kept, s.Tests.Generated, s.Tests.RuntimeErrors,
			fmt.Sprintf("%.3f", s.Engine.Seconds), fmt.Sprintf("%.3f", s.Engine.LastLabelSeconds), s.Engine.Complete,
			s.Side})
	}
	_, err := fmt.Fprintln(w, t.RenderCSV())
	return err
}

// markdown writes the table as Markdown has it.
func (g *grid) markdown(w io.Writer) error {
	t := table.NewWriter()
	var head []string
	var configs []table.ColumnConfig
	for i, c := range g.columns {
		head = append(head, c.title)
		if c.right {
			configs = append(configs, table.ColumnConfig{Number: i + 1, Align: text.AlignRight,
				AlignHeader: text.AlignRight, AlignFooter: text.AlignRight})
		}
	}
	t.SetColumnConfigs(configs)
	t.AppendHeader(cells(head))
	for _, r := range g.rows {
		t.AppendRow(cells(r))
	}
	if g.footer != nil {
		t.AppendFooter(cells(g.footer))
	}
	_, err := fmt.Fprintln(w, t.RenderMarkdown())
	return err
}
