package csource

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"klabel/label"
)

// LabelKind tells the forms of labels apart.
type LabelKind uint8

// The kinds of label calls.
const (
	Plain     LabelKind = iota // cov_label, pc_label and the user's own names
	Bindings                   // pc_label_bindings: a label that binds names to values, for guards of hyperlabels
	Sequence                   // pc_label_sequence: a member of a sequence
	Condition                  // pc_label_sequence_condition: what ends sequences that are under way
)

// LabelCall is a label as it stands in a unit's text.
type LabelCall struct {
	Kind     LabelKind
	Macro    string // the name it was written with
	ID       label.ID
	Tags     []string
	Pred     Span              // the predicate
	PredExpr cc.ExpressionNode // the same in the tree
	Call     Span              // from the name to the closing parenthesis
	Stmt     Span              // Call, and the semicolon when Statement
	// Statement says that the call is an expression statement of its own; else
	// it is part of a larger expression. Body says that this statement is the
	// whole body of an if, an else or a loop.
	Statement, Body bool
	Position        label.Position
	Function        string
	Predicate       string // text of Pred, white space normalised

	Member, Length int     // Sequence: which of how many, from 1
	Name           string  // Sequence, Condition: what the condition and the members that it ends have in common
	Bound          []Bound // Bindings
}

// Bound is a name that a label binds to the value of an expression.
type Bound struct {
	Name    string
	Value   Span
	Expr    cc.ExpressionNode // the same in the tree
	Integer bool              // the value itself counts, not whether it is 0
}

// Label is the call in the words of package label.
func (c LabelCall) Label() label.Label {
	return label.Label{ID: c.ID, Tags: c.Tags, Position: c.Position, Predicate: c.Predicate, Function: c.Function}
}

// valuesMacro binds integers; the others bind truth values.
const valuesMacro = "cov_label_bind_values"

var labelKinds = map[string]LabelKind{
	"cov_label":                   Plain,
	"pc_label":                    Plain,
	"cov_label_bind":              Bindings,
	"pc_label_bindings":           Bindings,
	valuesMacro:                   Bindings,
	"cov_sequence":                Sequence,
	"pc_label_sequence":           Sequence,
	"cov_sequence_condition":      Condition,
	"pc_label_sequence_condition": Condition,
}

// LabelNames are the names of the label macros, the user's own included.
func LabelNames(own []string) []string {
	var out []string
	for n := range labelKinds {
		out = append(out, n)
	}
	sort.Strings(out)
	for _, n := range own {
		if n = strings.TrimSpace(n); n != "" && !contains(out, n) {
			out = append(out, n)
		}
	}
	return out
}

// LabelFunctions are the label macros that the unit declares as functions, outside of others.
func (u *Unit) LabelFunctions() (names []string) {
	for _, n := range u.labels {
		if slices.ContainsFunc(u.IdentifierSpans(n), func(s Span) bool {
			return !slices.ContainsFunc(u.Functions(), func(f *Function) bool { return f.Span.Contains(s) })
		}) {
			names = append(names, n)
		}
	}
	return names
}

// LabelMacros are the names among the label macros that the unit mentions.
func (u *Unit) LabelMacros() (names []string) {
	for _, n := range u.labels {
		if len(u.IdentifierSpans(n)) > 0 {
			names = append(names, n)
		}
	}
	return names
}

// Warning is a remark on the unit's labels that does not stop anything.
type Warning struct {
	Position label.Position
	Message  string
}

func (w Warning) String() string { return w.Position.String() + ": " + w.Message }

// LabelError lists everything that is wrong with labels, each with its place.
type LabelError struct{ Problems []Warning }

func (e *LabelError) Error() string {
	var b strings.Builder
	for i, p := range e.Problems {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(p.String())
	}
	return b.String()
}

// Unwrap makes every LabelError match ErrLabels.
func (e *LabelError) Unwrap() error { return ErrLabels }

type labelResult struct {
	labels    []LabelCall
	sequences []LabelCall
	warnings  []Warning
	problems  []Warning
}

// Labels returns the labels in the order of the text. The error is a
// *LabelError that names file and line of each duplicate ID, predicate with a
// side effect and ID that is not a number.
func (u *Unit) Labels() ([]LabelCall, error) {
	r := u.labelCalls()
	problems := append(append([]Warning(nil), r.problems...), duplicates(r.labels)...)
	if len(problems) > 0 {
		return nil, &LabelError{problems}
	}
	return r.labels, nil
}

// LabelWarnings are remarks on the labels that were found.
func (u *Unit) LabelWarnings() []Warning { return u.labelCalls().warnings }

// Sequences are the calls that only hyperlabels need, in the order of the text:
// they are no labels. A rewriter leaves out those that are still there.
func (u *Unit) Sequences() []LabelCall { return u.labelCalls().sequences }

// AllLabels returns the labels of a program of several units, in order. An ID
// may stand only once in all of them; a label in a header that several units
// include is one label.
func AllLabels(units ...*Unit) ([]LabelCall, error) {
	type place struct {
		at   label.Position
		text string
	}
	var all []LabelCall
	var problems []Warning
	included := map[place]bool{} // by the units before
	for _, u := range units {
		r := u.labelCalls()
		problems = append(problems, r.problems...)
		var here []place
		for _, c := range r.labels {
			p := place{c.Position, string(u.Text[c.Call.Start:c.Call.End])}
			if !included[p] {
				all = append(all, c)
			}
			here = append(here, p)
		}
		for _, p := range here {
			included[p] = true
		}
	}
	problems = append(problems, duplicates(all)...)
	if len(problems) > 0 {
		return nil, &LabelError{problems}
	}
	return all, nil
}

func duplicates(calls []LabelCall) (out []Warning) {
	first := map[label.ID]LabelCall{}
	for _, c := range calls {
		f, ok := first[c.ID]
		if !ok {
			first[c.ID] = c
			continue
		}
		out = append(out, Warning{c.Position, fmt.Sprintf("label %d is already at %s; every label needs an ID of its "+
			"own", c.ID, describe(f.Position))})
	}
	return out
}

func describe(p label.Position) string {
	if p.Macro != "" {
		return fmt.Sprintf("%s (macro %s)", p, p.Macro)
	}
	return p.String()
}
