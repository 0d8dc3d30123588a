package report

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// worst is the number of functions in a table unless all are wanted.
const worst = 10

// resultText writes the summary for a terminal: a table of the criteria or of
// the functions, then what happened to the tests and how far the engine came.
func resultText(w io.Writer, r *Result, o Options) error {
	s := r.Summary
	if _, err := fmt.Fprintln(w, s.Program); err != nil {
		return err
	}
	if len(s.Functions) > 0 {
		if err := functionsTable(w, s, o); err != nil {
			return err
		}
	}
	if len(s.Functions) == 0 || len(s.Criteria) > 1 {
		if err := criteriaTable(w, s, o); err != nil {
			return err
		}
	}
	width := o.width()
	for _, c := range s.Criteria {
		if c.Decisions > 0 {
			entry(w, width, c.Name, "counts conditions: %d, of %d decisions", c.Conditions, c.Decisions)
		}
	}
	if n := s.Labels.Duplicate + s.Labels.Subsumed; n > 0 {
		entry(w, width, "redundant", "%d duplicate, %d subsumed, not covered yet", s.Labels.Duplicate,
			s.Labels.Subsumed)
	}
	if s.Labels.Total == 0 {
		entry(w, width, "coverage", "none: no label")
	} else if s.Ratios.differ() {
		entry(w, width, "ratios", "%s", s.Ratios)
	}
	tests := fmt.Sprintf("%d kept of %d generated", s.Tests.Kept, s.Tests.Generated)
	if s.Tests.RuntimeErrors > 0 {
		tests += fmt.Sprintf(", %d with run-time errors", s.Tests.RuntimeErrors)
	}
	if s.Tests.Diverged > 0 {
		tests += fmt.Sprintf(", %d diverged", s.Tests.Diverged)
	}
	if how := s.Tests.howConfirmed(); how != "" {
		tests += "; " + how
	}
	entry(w, width, "tests", "%s", tests)
	if e := s.Engine; e.Name != "" {
		entry(w, width, "engine", "%s %s, mode %s: %d paths, %d instructions, %.1f s (last label after %.1f s)",
			e.Name, e.Version, e.Mode, e.Paths, e.Instructions, e.Seconds, e.LastLabelSeconds)
	}
	functionRemarks(w, s, o)
	findingsText(w, r.Findings, o)
	for _, c := range s.Contradictions {
		fmt.Fprintln(w, Wrapped("CONTRADICTION  ", fmt.Sprintf("label %s is covered by %s, and %s says: %s", c.Label,
			c.Test, c.Method, c.Reason), width))
	}
	for _, n := range s.Notes {
		entry(w, width, "note", "%s", n)
	}
	if s.Interrupted {
		entry(w, width, "note", "interrupted: what was found so far is kept")
	}
	if s.Failure != "" {
		entry(w, width, "note", "the run failed: what was found until then is kept")
	}
	if s.OutputDir != "" {
		fmt.Fprintf(w, "output     %s\n", s.OutputDir)
	}
	return nil
}

func criteriaTable(w io.Writer, s Summary, o Options) error {
	g := criteriaGrid(s)
	return g.render(w, o.width())
}

func criteriaGrid(s Summary) grid {
	g := grid{columns: []column{{title: "criterion", wrap: 12}, number("labels"), number("covered"),
		number("infeasible"), number("unknown"), number("coverage")}}
	for _, c := range s.Criteria {
		g.add(c.Name, c.Total, c.Covered, c.Infeasible, c.Unknown, Share(c.Covered, c.Total-c.Infeasible))
	}
	if len(s.Criteria) != 1 {
		n := s.Labels
		g.foot("all", n.Total, n.Covered, n.Infeasible, n.Open(), s.Ratios.Feasible)
	}
	return g
}

func functionsTable(w io.Writer, s Summary, o Options) error {
	g, shown := functionsGrid(s, o)
	if err := g.render(w, o.width()); err != nil {
		return err
	}
	if n := len(s.Functions); shown < n {
		entry(w, o.width(), s.rowKind()+"s", "the %d with most labels open of %d (--all: every one)", shown, n)
	}
	return nil
}

// functionsGrid has the worst functions first.
func functionsGrid(s Summary, o Options) (grid, int) {
	g := grid{columns: []column{{title: s.rowKind(), wrap: 12}, number("labels"), number("covered"),
		number("infeasible"), number("unknown"), number("tests"), number("coverage")}}
	rows := worstFirst(s.Functions)
	shown := rows
	if !o.All && len(rows) > worst {
		shown = rows[:worst]
	}
	for _, r := range shown {
		if r.Status != Done && r.Labels.Total == 0 {
			g.add(r.Name, "-", "-", "-", "-", "-", r.Status)
			continue
		}
		n := r.Labels
		g.add(r.Name, n.Total, n.Covered, n.Infeasible, n.Open(), r.Tests.Kept, n.Ratios().Feasible)
	}
	if hidden := rows[len(shown):]; len(hidden) > 0 {
		var n Counts
		var t Tests
		for _, r := range hidden {
			n, t = n.Plus(r.Labels), t.Plus(r.Tests)
		}
		g.add(fmt.Sprintf("%d others", len(hidden)), n.Total, n.Covered, n.Infeasible, n.Open(), t.Kept,
			n.Ratios().Feasible)
	}
	n := s.Labels
	g.foot("all", n.Total, n.Covered, n.Infeasible, n.Open(), s.Tests.Kept, s.Ratios.Feasible)
	return g, len(shown)
}

// rowKind is what a row of Functions is.
func (s Summary) rowKind() string {
	if s.Programs {
		return "program"
	}
	return "function"
}

// worstFirst puts those first that failed, then those with most labels open, of them those with most labels.
func worstFirst(rows []FunctionRow) []FunctionRow {
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b FunctionRow) int {
		if (a.Status == Failed) != (b.Status == Failed) {
			if a.Status == Failed {
				return -1
			}
			return 1
		}
		return cmp.Or(b.Labels.Open()-a.Labels.Open(), b.Labels.Total-a.Labels.Total)
	})
	return out
}

// functionRemarks says why functions are not done: each that failed, and the
// others by reason.
func functionRemarks(w io.Writer, s Summary, o Options) {
	by := map[string][]string{}
	var order []string
	rows := s.Functions
	if !o.All && len(rows) > worst { // of those that were tried, what the table shows
		hidden := worstFirst(rows)[worst:]
		rows = slices.DeleteFunc(slices.Clone(rows), func(r FunctionRow) bool {
			return r.Status == Done && slices.ContainsFunc(hidden,
				func(h FunctionRow) bool { return h.Name == r.Name && h.File == r.File })
		})
	}
	for _, r := range rows {
		if r.Reason == "" {
			continue
		}
		word := string(r.Status)
		if r.Status == Done {
			word = "open" // it has labels that are
		}
		head := word + "\x00" + r.Reason
		if by[head] == nil {
			order = append(order, head)
		}
		who := fmt.Sprintf("%s (%s:%d)", r.Name, o.file(r.File), r.Line)
		if s.Programs {
			who = r.Name
		}
		by[head] = append(by[head], who)
	}
	for _, head := range order {
		status, reason, _ := strings.Cut(head, "\x00")
		who := by[head]
		if n := len(who); n > worst && !o.All {
			who = append(slices.Clone(who[:worst]), fmt.Sprintf("%d others", n-worst))
		}
		entry(w, o.width(), status, "%s: %s", strings.Join(who, ", "), reason)
	}
	for _, r := range s.Functions {
		if r.Contradictions > 0 {
			fmt.Fprintln(w, Wrapped("CONTRADICTION  ", fmt.Sprintf("%s: %d between proofs and tests, see %s", r.Name,
				r.Contradictions, r.OutputDir), o.width()))
		}
	}
}

// shown is the test with its entry, whose inputs need not be those of any caller.
func (f Finding) shown() string {
	if f.Entry == "" {
		return f.Test
	}
	if f.Doubt != "" {
		return f.Test + ", entry " + f.Entry + "; doubtful: " + f.Doubt
	}
	return f.Test + ", entry " + f.Entry
}

// surest has the findings without doubt first.
func surest(fs []Finding) []Finding {
	out := slices.Clone(fs)
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Compare(min(len(a.Doubt), 1), min(len(b.Doubt), 1))
	})
	return out
}

// mostFindings is how many findings the text shows: a run for coverage has many
// of one kind, such as every place that takes a NULL for granted.
const mostFindings = 5

func findingsText(w io.Writer, fs []Finding, o Options) {
	for i, f := range surest(fs) {
		if i == mostFindings && !o.All {
			entry(w, o.width(), "finding", "%d more (--all: every one)", len(fs)-i)
			break
		}
		entry(w, o.width(), "finding", "%s: %s (%s)", f.place(o), f.sentence(), f.shown())
	}
	if slices.ContainsFunc(fs, func(f Finding) bool { return f.Entry != "" && f.Doubt == "" }) {
		entry(w, o.width(), "note", "an entry's inputs are what its driver gives: a finding is none of the "+
			"program's where no caller gives them")
	}
}
