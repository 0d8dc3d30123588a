package report

import (
	"regexp"
	"strings"

	"klabel/label"
)

// kept is a variable in which klabel keeps the value of a condition that is
// evaluated once: its label asks for the variable, which tells a reader nothing.
var kept = regexp.MustCompile(`^klb_\w+$`)

// Reword says in the program's own words what rows ask for whose predicates name
// variables of klabel's: those of truth tables, and their conditions. What else
// there is stays as it is.
func (r *Result) Reword() {
	type vector struct {
		d      *DecisionRow
		values string
	}
	vectors := map[label.ID]vector{}
	conditions := map[label.Position]string{}
	place := func(p label.Position) label.Position {
		return label.Position{File: p.File, Line: p.Line, Column: p.Column}
	}
	for i := range r.Decisions {
		d := &r.Decisions[i]
		if d.Hyper {
			continue
		}
		for _, v := range d.Vectors {
			vectors[v.Label] = vector{d, v.Values}
		}
		for _, c := range d.Conditions {
			if old, ok := conditions[place(c.Position)]; ok && old != c.Text {
				conditions[place(c.Position)] = "" // of a macro: two stand in one place
				continue
			}
			conditions[place(c.Position)] = c.Text
		}
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if !strings.Contains(row.Predicate, "klb_") {
			continue
		}
		if v, ok := vectors[row.ID]; ok && len(v.values) == len(v.d.Conditions) {
			row.Words = v.d.words(v.values)
			continue
		}
		if row.Words != "" {
			continue
		}
		name := bare(row.Predicate)
		positive, negated := strings.CutPrefix(name, "!")
		if text := conditions[place(row.Position)]; text != "" && kept.MatchString(bare(positive)) {
			row.Words = signed(text, !negated)
		}
	}
}

// words are the conditions of a row of the truth table, each with its sign.
func (d *DecisionRow) words(values string) string {
	var out []string
	for i, c := range d.Conditions {
		if values[i] != '-' {
			out = append(out, signed(c.Text, values[i] == 'T'))
		}
	}
	return strings.Join(out, " && ")
}

func signed(text string, sign bool) string {
	if sign {
		return "(" + text + ")"
	}
	return "!(" + text + ")"
}

// asks is the predicate as people read it.
func (r LabelRow) asks() string {
	if r.Words != "" {
		return null.Replace(r.Words)
	}
	return null.Replace(r.Predicate)
}

// null puts the macro's name where sources are read without it.
var null = strings.NewReplacer("((void*)0)", "NULL", "((void *)0)", "NULL")
