package report

import "klabel/label"

// The page's decisions, with files as numbers.
type (
	pageDecision struct {
		Number     int             `json:"number"`
		Criterion  string          `json:"criterion"`
		Hyper      bool            `json:"hyper,omitempty"`
		File       int             `json:"file"`
		Line       int             `json:"line"`
		Function   string          `json:"function,omitempty"`
		Text       string          `json:"text"`
		Note       string          `json:"note,omitempty"`
		Folded     []string        `json:"folded,omitempty"`
		Conditions []pageCondition `json:"conditions"`
		Rows       []pageVector    `json:"rows,omitempty"`
	}
	pageCondition struct {
		Text   string    `json:"text"`
		Status string    `json:"status"`
		Pair   *pagePair `json:"pair,omitempty"`
		Reason string    `json:"reason,omitempty"` // or, of what is no decision, what shows it
	}
	pagePair struct {
		True      label.ID `json:"true"`
		False     label.ID `json:"false"`
		TrueTest  string   `json:"true_test"`
		FalseTest string   `json:"false_test"`
	}
	pageVector struct {
		Label   label.ID `json:"label"`
		Values  string   `json:"values"`
		Outcome bool     `json:"outcome"`
		Status  string   `json:"status"`
		Tests   []string `json:"tests,omitempty"`
		More    int      `json:"more,omitempty"`
		Reason  string   `json:"reason,omitempty"`
	}
)

func pageDecisions(ds []DecisionRow, files map[string]int) (out []pageDecision) {
	for _, d := range ds {
		file, ok := files[d.Position.File]
		if !ok {
			file = -1
		}
		p := pageDecision{Number: d.Number, Criterion: d.Criterion, Hyper: d.Hyper, File: file, Line: d.Position.Line,
			Function: d.Function, Text: d.Text, Note: d.Note, Folded: d.Folded, Conditions: []pageCondition{}}
		for _, c := range d.Conditions {
			one := pageCondition{Text: c.Text, Status: c.Status.String(), Reason: c.Reason}
			if d.Hyper {
				one.Reason = c.sentence()
			}
			if c.Pair != nil {
				one.Pair = &pagePair{c.Pair.True.Label, c.Pair.False.Label, c.Pair.True.Test, c.Pair.False.Test}
			}
			p.Conditions = append(p.Conditions, one)
		}
		for _, v := range d.Vectors {
			shown := v.Tests[:min(len(v.Tests), rowTests)]
			p.Rows = append(p.Rows, pageVector{v.Label, v.Values, v.Outcome, v.Status.String(), shown,
				len(v.Tests) - len(shown), v.Reason})
		}
		out = append(out, p)
	}
	return out
}

// rowTests bounds the tests that the page names for one row of a truth table.
const rowTests = 3

// vectorsOf tells of labels that are rows of truth tables for which criteria.
func vectorsOf(ds []DecisionRow) map[label.ID][]string {
	out := map[label.ID][]string{}
	for _, d := range ds {
		for _, v := range d.Vectors {
			out[v.Label] = append(out[v.Label], d.Criterion)
		}
	}
	return out
}
