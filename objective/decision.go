package objective

import (
	"fmt"
	"slices"
	"strings"

	"klabel/label"
)

// Hyper is the criterion of hyperlabels that the user wrote.
const Hyper = "hyperlabels"

// Decision is a decision of the program under a criterion of pairs (MC/DC): its
// truth table, a label a row, and what each condition asks of the rows. Or it is
// none, and its one condition is what a criterion asks of some labels together.
type Decision struct {
	Hyper      bool           `json:"hyper,omitempty"` // no decision: no truth table
	Criterion  string         `json:"criterion"`
	Position   label.Position `json:"position"`
	Function   string         `json:"function,omitempty"`
	Text       string         `json:"text"`
	Conditions []Condition    `json:"conditions"`
	Vectors    []Vector       `json:"vectors"`
	Folded     []string       `json:"folded,omitempty"`  // constant operands, which are no conditions
	Instead    string         `json:"instead,omitempty"` // beyond the limit: what was done instead
}

// Condition is a condition of a decision. Each of its occurrences is one.
type Condition struct {
	Text    string         `json:"text"`
	At      label.Position `json:"position"`
	Pairs   *Expr          `json:"pairs,omitempty"`   // nil: no two vectors show that it decides
	Written *Hyperlabel    `json:"written,omitempty"` // of a hyperlabel of the user's: how its file has it
	Coupled string         `json:"coupled,omitempty"` // in words: what changes with it, and cannot but do so
	Each    bool           `json:"each,omitempty"`    // Pairs is a conjunction from which what cannot be drops out
}

// Want is what the condition wants of the labels, as things stand.
func (c *Condition) Want(known Known) *Expr {
	if !c.Each || c.Pairs == nil || c.Pairs.Op != OpAnd {
		return c.Pairs
	}
	var left []*Expr
	for _, a := range c.Pairs.Args {
		if a.Status(known) != label.Infeasible {
			left = append(left, a)
		}
	}
	if len(left) == 0 {
		return c.Pairs
	}
	return join(OpAnd, left)
}

// Vector is a way of evaluating a decision: a row of its truth table.
type Vector struct {
	Label   label.ID `json:"label"`
	Values  string   `json:"values"` // a letter a condition: T, F, and - where it is not evaluated
	Outcome bool     `json:"outcome"`
}

// Exprs are the objectives of all conditions that have one, as things stand.
func Exprs(ds []Decision, known Known) []*Expr {
	var out []*Expr
	for _, d := range ds {
		for _, c := range d.Conditions {
			if c.Pairs != nil {
				out = append(out, c.Want(known))
			}
		}
	}
	return out
}

// Merged joins what several files have of one objective that a criterion asks for: a
// definition is used in each of them.
func Merged(ds []Decision) []Decision {
	var out []Decision
	at := map[string]int{}
	for _, d := range ds {
		key := fmt.Sprint(d.Criterion, "\n", d.Position, "\n", d.Text)
		n, have := at[key]
		if !d.Hyper || d.Criterion == Hyper || !have {
			at[key] = len(out)
			out = append(out, d)
			continue
		}
		o := &out[n]
		o.Vectors = append(slices.Clone(o.Vectors), d.Vectors...)
		c := o.Conditions[0]
		op := OpOr
		if c.Each {
			op = OpAnd
		}
		c.Pairs = &Expr{Op: op, Args: append(c.Pairs.parts(op), d.Conditions[0].Pairs.parts(op)...)}
		c.Text = c.Pairs.String()
		o.Conditions = []Condition{c}
	}
	return out
}

// parts are what an operator joins.
func (e *Expr) parts(op Op) []*Expr {
	if e.Op == op {
		return slices.Clone(e.Args)
	}
	return []*Expr{e}
}

// Paired finds the labels that count for nothing by themselves: rows of truth
// tables, all of whose criteria are criteria of decisions, and labels that the
// user's hyperlabels speak of.
func Paired(ds []Decision, ls []label.Label) map[label.ID]bool {
	rows, criteria, users := map[label.ID]bool{}, map[string]bool{}, map[label.ID]bool{}
	for _, d := range ds {
		criteria[d.Criterion] = true
		for _, v := range d.Vectors {
			rows[v.Label] = true
			users[v.Label] = users[v.Label] || d.Criterion == Hyper
		}
	}
	for _, l := range ls {
		if rows[l.ID] && !users[l.ID] &&
			slices.ContainsFunc(l.Criteria(), func(c string) bool { return !criteria[c] }) {
			delete(rows, l.ID)
		}
	}
	return rows
}

// Labels are the labels of the decision's vectors.
func (d *Decision) Labels() []label.ID {
	out := make([]label.ID, len(d.Vectors))
	for i, v := range d.Vectors {
		out[i] = v.Label
	}
	return out
}

// Result is what is known of a condition.
type Result struct {
	Status label.Status // Covered, Infeasible or Unknown
	Reason string       // why it is not covered
	True   *Vector      // of a covered one: the pair, the condition is true in
	False  *Vector      // and false in
	Shown  []label.ID   // of a covered one that is no condition of a decision: the labels that make it true
}

// Result of condition i. why gives the reason that a label has its status for.
func (d *Decision) Result(i int, known Known, why func(label.ID) string) Result {
	c := d.Conditions[i]
	if d.Instead != "" {
		return Result{Reason: d.Instead}
	}
	if c.Pairs == nil {
		return Result{Status: label.Infeasible, Reason: c.alone("no two evaluations show that it decides by itself")}
	}
	want := c.Want(known)
	r := Result{Status: want.Status(known)}
	switch r.Status {
	case label.Covered:
		w, _ := want.Witness(func(id label.ID) bool { return known(id) == label.Covered }, nil)
		if d.Hyper {
			r.Shown = w
			return r
		}
		for _, id := range w {
			v := d.vector(id)
			if v.Values[i] == 'T' {
				r.True = v
			} else {
				r.False = v
			}
		}
	case label.Infeasible:
		head := "every pair needs a vector that cannot be: "
		if d.Hyper {
			head = "it needs what cannot be: "
		}
		r.Reason = c.alone("") + d.list(i, head, label.Infeasible, known, why)
	default:
		r.Reason = d.list(i, "no test covers ", label.Unknown, known, why)
	}
	return r
}

// alone says that the condition cannot change by itself, where that is known.
func (c Condition) alone(otherwise string) string {
	switch {
	case c.Coupled == "":
		return otherwise
	case otherwise == "":
		return c.Coupled + "; "
	}
	return c.Coupled
}

// mostListed bounds the vectors that a reason names.
const mostListed = 4

// list names the vectors of a condition's pairs that have a status. What the
// condition still waits for are those that an objective needs.
func (d *Decision) list(i int, head string, s label.Status, known Known, why func(label.ID) string) string {
	var parts []string
	take := map[label.ID]bool{}
	if s == label.Unknown {
		d.Conditions[i].Want(known).Needed(known, func(id label.ID) { take[id] = true })
	} else {
		for _, id := range d.Conditions[i].Pairs.Labels() {
			take[id] = known(id) == s
		}
	}
	for _, v := range d.Vectors {
		if !take[v.Label] {
			continue
		}
		text, w := fmt.Sprintf("%s (label %s", v.Values, v.Label), why(v.Label)
		switch {
		case d.Hyper && w == "":
			text = "label " + v.Label.String()
		case d.Hyper:
			text = fmt.Sprintf("label %s (%s)", v.Label, w)
		case w != "":
			text += ": " + w + ")"
		default:
			text += ")"
		}
		parts = append(parts, text)
	}
	if n := len(parts); n > mostListed {
		parts = append(parts[:mostListed], fmt.Sprintf("%d others", n-mostListed))
	}
	join := ", "
	if s == label.Unknown {
		join = " or "
	}
	return head + strings.Join(parts, join)
}

func (d *Decision) vector(id label.ID) *Vector {
	i := slices.IndexFunc(d.Vectors, func(v Vector) bool { return v.Label == id })
	if i < 0 {
		return &Vector{Label: id}
	}
	return &d.Vectors[i]
}

// MarshalText writes the expression as a .hyperlabels file does.
func (e *Expr) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads it.
func (e *Expr) UnmarshalText(b []byte) error {
	p := &parser{s: string(b)}
	x, err := p.expr(0)
	if err != nil {
		return err
	}
	if strings.TrimSpace(p.s) != "" {
		return fmt.Errorf("unexpected %q after the expression", short(p.s))
	}
	*e = *x
	return nil
}

// Hyperlabels are the objectives of decisions as lines of a .hyperlabels file. The
// user's own stand there as they were written; the others are numbered in their
// order, and the note says what they are.
func Hyperlabels(ds []Decision, known Known) []Hyperlabel {
	var out []Hyperlabel
	used := map[label.ID]bool{}
	var numbered []bool
	for _, d := range ds {
		for _, c := range d.Conditions {
			if c.Pairs == nil {
				continue
			}
			h := Hyperlabel{Expr: c.Want(known),
				Note: noted(fmt.Sprintf("%s %s %s of %s", d.Criterion, c.At, c.Text, d.Text))}
			as := c.Written != nil && !used[c.Written.ID]
			switch {
			case as:
				h = *c.Written
				used[h.ID] = true
			case d.Hyper:
				h.Note = noted(fmt.Sprintf("%s %s %s", d.Criterion, c.At, d.Text))
			}
			h.Status = label.Unknown
			if s := c.Want(known).Status(known); s == label.Covered || s == label.Infeasible {
				h.Status = s
			}
			out, numbered = append(out, h), append(numbered, as)
		}
	}
	next := label.ID(1)
	for i := range out {
		if numbered[i] {
			continue
		}
		for used[next] {
			next++
		}
		out[i].ID = next
		next++
	}
	return out
}

func noted(s string) string { return strings.NewReplacer("[", "(", "]", ")", "\n", " ").Replace(s) }
