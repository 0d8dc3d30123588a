package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"klabel/label"
)

// DecisionRow is a decision under a criterion of pairs (MC/DC): its truth table,
// and for each condition the two tests between which it decides the outcome by
// itself, or why there are none.
type DecisionRow struct {
	// Hyper: no decision. What a criterion asks of some labels together is its one
	// condition, and the labels are its vectors.
	Hyper      bool           `json:"hyper,omitempty"`
	Number     int            `json:"number"`
	Criterion  string         `json:"criterion"`
	Position   label.Position `json:"position"`
	Function   string         `json:"function,omitempty"`
	Text       string         `json:"text"`
	Conditions []ConditionRow `json:"conditions"`
	Vectors    []VectorRow    `json:"vectors"`
	Folded     []string       `json:"folded,omitempty"` // operands that are constant: no conditions
	Note       string         `json:"note,omitempty"`   // too large: what was done instead
}

// ConditionRow is a condition of a decision. Covered is one that a pair shows;
// infeasible one that is proved to have none.
type ConditionRow struct {
	Number   int            `json:"number"`
	Text     string         `json:"text"`
	Position label.Position `json:"position"`
	Status   label.Status   `json:"status"`
	Pair     *PairRow       `json:"pair,omitempty"`
	Shown    []ShownRow     `json:"shown,omitempty"`  // of what is no decision: labels that make it true
	Reason   string         `json:"reason,omitempty"` // the proof in words, or what is missing
}

// ShownRow is a label that makes an objective true, with a test that covers it.
type ShownRow struct {
	Label label.ID `json:"label"`
	Test  string   `json:"test"`
}

// PairRow are the evaluations in which the condition is true, and false.
type PairRow struct {
	True  SideRow `json:"true"`
	False SideRow `json:"false"`
}

// SideRow is one of them. Values has a letter a condition: T, F, and - where it is
// not evaluated.
type SideRow struct {
	Label   label.ID `json:"label"`
	Values  string   `json:"values"`
	Outcome bool     `json:"outcome"`
	Test    string   `json:"test"`
}

// VectorRow is a row of the truth table: a way in which the decision is evaluated.
type VectorRow struct {
	Label   label.ID     `json:"label"`
	Values  string       `json:"values"`
	Outcome bool         `json:"outcome"`
	Status  label.Status `json:"status"` // deselected: no condition needs it
	Tests   []string     `json:"tests,omitempty"`
	Reason  string       `json:"reason,omitempty"`
}

// Add counts a label, or a condition, by its status.
func (c *CriterionCounts) Add(s label.Status) {
	var n Counts
	n.One(s)
	c.Total += n.Total
	c.Covered += n.Covered
	c.Infeasible += n.Infeasible
	c.Unknown += n.Total - n.Covered - n.Infeasible
}

// DecisionLists are the formats of a list of decisions.
var DecisionLists = Formats[[]DecisionRow]{
	{"text", ".txt", "a truth table a decision", textOf(decisionsText)},
	{"json", ".json", "a list of objects", textOf(func(w io.Writer, ds []DecisionRow, _ Options) error {
		if ds == nil {
			ds = []DecisionRow{}
		}
		return Encode(w, ds)
	})},
}

// Decisions chooses decisions as the filter does labels; by status: those that
// have a condition with it.
func (f Filter) Decisions(ds []DecisionRow) []DecisionRow {
	var out []DecisionRow
	for _, d := range ds {
		if len(f.Functions) > 0 && !slices.Contains(f.Functions, d.Function) ||
			len(f.Criteria) > 0 && !slices.ContainsFunc(f.Criteria,
				func(c string) bool { return strings.EqualFold(c, d.Criterion) }) ||
			len(f.Status) > 0 && !slices.ContainsFunc(d.Conditions,
				func(c ConditionRow) bool { return slices.Contains(f.Status, c.Status) }) {
			continue
		}
		out = append(out, d)
	}
	return out
}

// decisionsText writes for each decision its truth table, with the tests of each
// row, and its conditions, with the pair of each.
func decisionsText(w io.Writer, ds []DecisionRow, o Options) error {
	for i, d := range ds {
		if i > 0 {
			fmt.Fprintln(w)
		}
		where := d.Criterion + " " + o.position(d.Position)
		if d.Function != "" {
			where += ", function " + d.Function
		}
		fmt.Fprintf(w, "%s\n", where)
		if d.Hyper {
			entry(w, o.width(), "objective", "%s", d.Text)
		} else {
			entry(w, o.width(), "decision", "%s", d.Text)
		}
		if d.Note != "" {
			entry(w, o.width(), "note", "%s", d.Note)
		}
		g := grid{columns: []column{number("row"), {title: "values"}, {title: "outcome"}, {title: "status"},
			{title: "tests", wrap: 12}}}
		if d.Hyper {
			g = grid{columns: []column{number("label"), {title: "status"}, {title: "tests", wrap: 12}}}
		}
		for _, v := range d.Vectors {
			if d.Hyper {
				g.add(v.Label, v.Status, strings.Join(v.Tests, ", "))
			} else {
				g.add(v.Label, v.Values, outcome(v.Outcome), v.Status, strings.Join(v.Tests, ", "))
			}
		}
		if len(d.Vectors) > 0 {
			if err := g.render(w, o.width()); err != nil {
				return err
			}
		}
		g = grid{columns: []column{{title: "condition", wrap: 12}, {title: "status"},
			{title: "pair or reason", wrap: 24}}}
		if d.Hyper {
			g.columns[0].title, g.columns[2].title = "wants", "shown by, or reason"
		}
		for _, c := range d.Conditions {
			g.add(c.Text, c.Status, c.sentence())
		}
		if err := g.render(w, o.width()); err != nil {
			return err
		}
	}
	return nil
}

func outcome(b bool) string {
	if b {
		return "true"
	}
	return "false"
}

// sentence is the pair of a condition, or why it has none.
func (c ConditionRow) sentence() string {
	if len(c.Shown) > 0 {
		var parts []string
		for _, s := range c.Shown {
			parts = append(parts, fmt.Sprintf("label %s (%s)", s.Label, s.Test))
		}
		return strings.Join(parts, ", ")
	}
	if c.Pair == nil {
		return c.Reason
	}
	return c.Pair.True.sentence() + ", " + c.Pair.False.sentence()
}

func (s SideRow) sentence() string {
	return fmt.Sprintf("%s %s (%s)", s.Values, outcome(s.Outcome), s.Test)
}
