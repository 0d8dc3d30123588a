package report

import (
	"fmt"
	"io"
	"strings"

	"klabel/label"
)

// mostOpen is the number of open labels in a comment, and of findings: a host
// takes comments of 65,536 characters.
const mostOpen = 20

// resultMarkdown is a comment for a pull request: short, the worst first.
func resultMarkdown(w io.Writer, r *Result, o Options) error {
	s := r.Summary
	fmt.Fprintf(w, "## klabel: %s\n\n", plainMarkdown(r.title()))
	if s.Labels.Total == 0 {
		fmt.Fprintf(w, "There is no label.\n\n")
	} else {
		fmt.Fprintf(w, "**%s** of the labels that are not proved infeasible are covered: %d of %d, %d infeasible, %d "+
			"open.\n\n",
			s.Ratios.Feasible, s.Labels.Covered, s.Labels.Total-s.Labels.Infeasible, s.Labels.Infeasible,
			s.Labels.Open())
	}
	tables := []grid{criteriaGrid(s)}
	if len(s.Functions) > 0 {
		o.All = false
		g, _ := functionsGrid(s, o)
		tables = append(tables, g)
	}
	for _, g := range tables {
		if err := g.markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if len(r.Findings) > 0 {
		g := grid{columns: []column{{title: "finding"}, {title: "what"}, {title: "test"}}}
		for i, f := range surest(r.Findings) {
			if i == mostOpen {
				g.add(fmt.Sprintf("%d more", len(r.Findings)-i), "", "")
				break
			}
			what := f.sentence()
			if f.Doubt != "" {
				what += " (doubtful: " + f.Doubt + ")"
			}
			g.add(f.place(o), what, f.Test)
		}
		if err := g.markdown(w); err != nil {
			return err
		}
		fmt.Fprintln(w)
	}
	if err := openMarkdown(w, r, o); err != nil {
		return err
	}
	for _, c := range s.Contradictions {
		fmt.Fprintf(w, "**CONTRADICTION**: label %s is covered by %s, and %s says: %s\n\n", c.Label, c.Test, c.Method,
			c.Reason)
	}
	_, err := fmt.Fprintf(w, "%d tests kept of %d generated, %.1f s.\n", s.Tests.Kept, s.Tests.Generated, s.Seconds)
	return err
}

// openMarkdown lists labels without status, folded away.
func openMarkdown(w io.Writer, r *Result, o Options) error {
	g := grid{columns: []column{{title: "label", right: true}, {title: "criteria"}, {title: "position"},
		{title: "predicate"}, {title: "reason"}}}
	n := 0
	for _, l := range r.Rows {
		if l.Status != label.Unknown {
			continue
		}
		if n++; n <= mostOpen {
			g.add(l.ID, strings.Join(l.Tags, ", "), plainMarkdown(o.position(l.Position)),
				"`"+strings.ReplaceAll(l.asks(), "`", "'")+"`", l.reason())
		}
	}
	if n == 0 {
		return nil
	}
	fmt.Fprintf(w, "<details><summary>%d open labels", n)
	if n > mostOpen {
		fmt.Fprintf(w, ", the first %d", mostOpen)
	}
	fmt.Fprint(w, "</summary>\n\n")
	if err := g.markdown(w); err != nil {
		return err
	}
	_, err := fmt.Fprint(w, "\n</details>\n\n")
	return err
}

// plainMarkdown is text that comes from sources and names of files, in which nothing is
// markup: neither Markdown's nor HTML's.
func plainMarkdown(s string) string { return markup.Replace(oneLine(s)) }

var markup = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "\\`",
	"[", "\\[", "]", "\\]", "\\", "\\\\")
