package campaign

import (
	"bytes"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"klabel/disk"
	"klabel/label"
	"klabel/objective"
	"klabel/report"
	"klabel/store"
)

// pairs is what criteria of pairs (MC/DC) ask of the labels of a program.
type pairs struct {
	decisions []objective.Decision
	paired    map[label.ID]bool  // labels that count for nothing else
	of        map[label.ID][]int // decisions that have a label as a row
}

func newPairs(ds []objective.Decision, ls []label.Label) *pairs {
	p := &pairs{decisions: ds, paired: objective.Paired(ds, ls), of: map[label.ID][]int{}}
	for i, d := range ds {
		for _, id := range d.Labels() {
			p.of[id] = append(p.of[id], i)
		}
	}
	return p
}

// selectNeeded deselects the labels that no objective needs, and selects those
// that one needs again. Never while an engine runs: one that passed a label when
// it was deselected has not looked at it, and must not say that nothing reaches it.
func (c *session) selectNeeded() error {
	if c.pairs == nil || len(c.pairs.paired) == 0 {
		return nil
	}
	need := c.needed(nil)
	var unneeded []label.ID
	for id := range c.pairs.paired {
		if !need[id] {
			unneeded = append(unneeded, id)
		}
	}
	return c.st.SetNeeded(unneeded, slices.Sorted(maps.Keys(need)))
}

// unneeded deselects what these labels, of which something has become known, have
// made superfluous.
func (c *session) unneeded(news []label.ID) error {
	if c.pairs == nil {
		return nil
	}
	touched := map[int]bool{}
	for _, id := range news {
		for _, d := range c.pairs.of[id] {
			touched[d] = true
		}
	}
	if len(touched) == 0 {
		return nil
	}
	beside := map[int]bool{} // a label may be a row for several criteria
	for d := range touched {
		for _, id := range c.pairs.decisions[d].Labels() {
			for _, o := range c.pairs.of[id] {
				beside[o] = true
			}
		}
	}
	need := c.needed(beside)
	var out []label.ID
	for d := range touched {
		for _, id := range c.pairs.decisions[d].Labels() {
			if c.pairs.paired[id] && !need[id] {
				out = append(out, id)
			}
		}
	}
	return c.st.SetNeeded(out, nil)
}

// needed are the labels that conditions of these decisions, nil: of all, wait for.
func (c *session) needed(of map[int]bool) map[label.ID]bool {
	need := map[label.ID]bool{}
	for i := range c.pairs.decisions {
		if of != nil && !of[i] {
			continue
		}
		for _, x := range c.pairs.decisions[i].Conditions {
			if x.Pairs != nil {
				x.Want(c.known).Needed(c.known, func(id label.ID) { need[id] = true })
			}
		}
	}
	return need
}

func (c *session) known(id label.ID) label.Status {
	st, _ := c.st.Status(id)
	return st.Status
}

// pairedLabels are the labels of a snapshot that count for nothing by themselves.
func pairedLabels(snap *store.Snapshot) map[label.ID]bool {
	if len(snap.Decisions) == 0 {
		return nil
	}
	ls := make([]label.Label, len(snap.Labels))
	for i, l := range snap.Labels {
		ls[i] = l.Label
	}
	return objective.Paired(snap.Decisions, ls)
}

// states gives what a snapshot knows of labels, and why in words.
func states(snap *store.Snapshot) (known objective.Known, why func(label.ID) string) {
	of := map[label.ID]store.State{}
	for _, l := range snap.Labels {
		of[l.ID] = l.State
	}
	known = func(id label.ID) label.Status { return of[id].Status }
	why = func(id label.ID) string {
		if r := of[id].Reason; r != nil && r.Method != store.Unneeded {
			return r.Text
		}
		return ""
	}
	return known, why
}

// counts are the totals of a snapshot, and those of each criterion. What counts
// is a label or, of criteria of pairs, a condition.
func counts(snap *store.Snapshot) (all report.Counts, criteria []report.CriterionCounts) {
	by := map[string]*report.CriterionCounts{}
	of := func(name string) *report.CriterionCounts {
		if by[name] == nil {
			by[name] = &report.CriterionCounts{Name: name}
		}
		return by[name]
	}
	paired := pairedLabels(snap)
	rows := map[string]map[label.ID]bool{} // by criterion: what counts for conditions there
	for _, d := range snap.Decisions {
		for _, id := range d.Labels() {
			if rows[d.Criterion] == nil {
				rows[d.Criterion] = map[label.ID]bool{}
			}
			rows[d.Criterion][id] = true
		}
	}
	for _, l := range snap.Labels {
		if paired[l.ID] || l.Status == label.Deselected {
			continue
		}
		add(&all, l.State)
		for _, name := range l.Criteria() {
			if !rows[name][l.ID] {
				of(name).Add(l.Status)
			}
		}
	}
	known, why := states(snap)
	for _, d := range snap.Decisions {
		n := of(d.Criterion)
		if !d.Hyper {
			n.Decisions++
		}
		for i := range d.Conditions {
			s := d.Result(i, known, why).Status
			n.Add(s)
			if !d.Hyper {
				n.Conditions++
			}
			add(&all, store.State{Status: s})
		}
	}
	for _, n := range by {
		criteria = append(criteria, *n)
	}
	slices.SortFunc(criteria, func(a, b report.CriterionCounts) int { return strings.Compare(a.Name, b.Name) })
	return all, criteria
}

// add counts a label, or a condition.
func add(n *report.Counts, st store.State) {
	n.One(st.Status)
	if st.Relation != nil && st.Status != label.Infeasible {
		n.Redundant++
		if st.Status == label.Covered {
			n.RedundantCovered++
		}
	}
}

// conditionCounter returns what adds the conditions of the decisions that have one
// of these labels as their first row, or beyond the limit as the first condition's, to
// counts, and their reasons.
func conditionCounter(snap *store.Snapshot) func(ls []label.ID, n *report.Counts, reasons map[string]int) {
	known, why := states(snap)
	of := map[label.ID][]*objective.Decision{}
	for i := range snap.Decisions {
		d := &snap.Decisions[i]
		first := -1
		if d.Instead != "" {
			first = slices.IndexFunc(snap.Labels, func(l store.LabelState) bool {
				return l.Position == d.Conditions[0].At && slices.Contains(l.Criteria(), d.Criterion)
			})
		}
		switch {
		case len(d.Vectors) > 0:
			of[d.Vectors[0].Label] = append(of[d.Vectors[0].Label], d)
		case first >= 0:
			of[snap.Labels[first].ID] = append(of[snap.Labels[first].ID], d)
		}
	}
	return func(ls []label.ID, n *report.Counts, reasons map[string]int) {
		for _, id := range ls {
			for _, d := range of[id] {
				for i := range d.Conditions {
					r := d.Result(i, known, why)
					add(n, store.State{Status: r.Status})
					if r.Status == label.Unknown {
						reasons[r.Reason]++
					}
				}
			}
		}
	}
}

// decisionRows are the truth tables, with the tests of each row and the pair of
// each condition.
func decisionRows(snap *store.Snapshot, rows []report.LabelRow) []report.DecisionRow {
	known, why := states(snap)
	of := map[label.ID]report.LabelRow{}
	for _, r := range rows {
		of[r.ID] = r
	}
	var out []report.DecisionRow
	for n, d := range snap.Decisions {
		row := report.DecisionRow{Number: n + 1, Criterion: d.Criterion, Position: d.Position, Function: d.Function,
			Text: d.Text, Folded: d.Folded, Note: d.Instead, Hyper: d.Hyper}
		for _, v := range d.Vectors {
			l := of[v.Label]
			row.Vectors = append(row.Vectors, report.VectorRow{Label: v.Label, Values: v.Values, Outcome: v.Outcome,
				Status: l.Status, Tests: l.Tests, Reason: why(v.Label)})
		}
		for i, x := range d.Conditions {
			r := d.Result(i, known, why)
			c := report.ConditionRow{Number: i + 1, Text: x.Text, Position: x.At, Status: r.Status, Reason: r.Reason}
			if r.True != nil && r.False != nil {
				c.Pair = &report.PairRow{True: side(r.True, of), False: side(r.False, of)}
			}
			for _, id := range r.Shown {
				c.Shown = append(c.Shown, report.ShownRow{Label: id, Test: side(&objective.Vector{Label: id}, of).Test})
			}
			row.Conditions = append(row.Conditions, c)
		}
		out = append(out, row)
	}
	return out
}

// side is one evaluation of a pair, with the first test of the suite that has it.
func side(v *objective.Vector, of map[label.ID]report.LabelRow) report.SideRow {
	s := report.SideRow{Label: v.Label, Values: v.Values, Outcome: v.Outcome, Test: of[v.Label].Test}
	if tests := of[v.Label].Tests; len(tests) > 0 && !slices.Contains(tests, s.Test) {
		s.Test = tests[0]
	}
	return s
}

// writeObjectives writes the .hyperlabels file beside the label file.
func (c *session) writeObjectives(snap *store.Snapshot) error {
	if len(snap.Decisions) == 0 {
		return nil
	}
	known, _ := states(snap)
	var b bytes.Buffer
	if err := objective.WriteFile(&b, objective.Hyperlabels(snap.Decisions, known)); err != nil {
		return err
	}
	return describe(disk.Write(filepath.Join(c.layout.dir, c.job.program()+".hyperlabels"), b.Bytes()))
}
