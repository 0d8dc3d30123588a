package report

import (
	"fmt"
	"io"
	"slices"

	"klabel/label"
)

// Pruning is what provers found out about labels, without any test.
type Pruning struct {
	Labels  int           `json:"labels"`
	Seconds float64       `json:"seconds"`
	Pairs   int           `json:"pairs"`          // of labels, compared
	LeftOut int           `json:"pairs_left_out"` // over the bound
	Proofs  []Proof       `json:"findings"`
	Methods []PruneMethod `json:"methods"`
	Notes   []string      `json:"notes,omitempty"`
}

// Proof is one label's.
type Proof struct {
	label.Label `json:"-"`
	ID          label.ID     `json:"id"`
	Status      label.Status `json:"status"`
	Of          *label.ID    `json:"of,omitempty"`
	Method      string       `json:"method"`
	Step        int          `json:"step"` // of LClean
	Reason      string       `json:"reason"`
	Seconds     float64      `json:"seconds"`
	Cached      bool         `json:"cached,omitempty"`
}

// PruneMethod are the totals of one method.
type PruneMethod struct {
	Name    string  `json:"name"`
	Found   int     `json:"found"`
	Seconds float64 `json:"seconds"`
	Ran     bool    `json:"ran"`
	Note    string  `json:"note,omitempty"` // why it did not run, or gave up
}

func pruningText(w io.Writer, p *Pruning, o Options) error {
	proofs := slices.Clone(p.Proofs)
	slices.SortFunc(proofs, func(a, b Proof) int { return int(a.ID) - int(b.ID) })
	n := map[label.Status]int{}
	g := grid{columns: []column{number("label"), {title: "position", wrap: 20, whole: true},
		{title: "predicate", wrap: 12},
		{title: "status"},
		{title: "method"}, {title: "why", wrap: 12}}}
	for _, f := range proofs {
		n[f.Status]++
		g.add(f.ID, o.position(f.Position), f.Predicate, f.Status, f.Method, f.Reason)
	}
	if len(proofs) > 0 {
		if err := g.render(w, o.width()); err != nil {
			return err
		}
	}
	fmt.Fprintf(w, "%d labels: %d infeasible, %d duplicate, %d subsumed, %d left, in %.1f s\n", p.Labels,
		n[label.Infeasible], n[label.Duplicate],
		n[label.Subsumed], p.Labels-len(proofs), p.Seconds)
	for _, m := range p.Methods {
		if _, err := fmt.Fprintln(w, Wrapped(fmt.Sprintf("  %-9s %4d in %.1f s  ", m.Name, m.Found, m.Seconds), m.Note,
			o.width())); err != nil {
			return err
		}
	}
	return nil
}
