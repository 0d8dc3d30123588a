package opinion

import (
	"slices"
	"strings"

	"klabel/report"
)

// What explains that a compiler measures a decision otherwise, or not at all.

// nested reports whether a condition holds a decision of its own.
func nested(d report.DecisionRow) bool {
	return slices.ContainsFunc(d.Conditions, func(c report.ConditionRow) bool {
		return strings.Contains(c.Text, "&&") || strings.Contains(c.Text, "||") || strings.Contains(c.Text, "?")
	})
}

// within reports whether a decision stands in a condition of another one.
func (k *checker) within(d report.DecisionRow) bool {
	p := d.Position
	return slices.ContainsFunc(k.nests, func(o report.DecisionRow) bool {
		q := o.Position
		return q.File == p.File && (q.Line < p.Line || q.Line == p.Line && q.Column < p.Column) &&
			o.Function == d.Function && slices.ContainsFunc(o.Conditions, func(c report.ConditionRow) bool {
			return c.Text != d.Text && strings.Contains(c.Text, d.Text)
		})
	})
}

// ofMacros reports whether the conditions of a decision stand in different macros, or some
// in none: clang does not list such conditions in their order.
func ofMacros(d report.DecisionRow) bool {
	return slices.ContainsFunc(d.Conditions, func(c report.ConditionRow) bool {
		return c.Position.Macro != d.Conditions[0].Position.Macro
	})
}

// negatedGroup reports whether a decision holds !( ... && ... ).
func negatedGroup(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] != '!' || !strings.HasPrefix(strings.TrimLeft(text[i+1:], " "), "(") {
			continue
		}
		depth := 0
		for j := i + 1; j < len(text); j++ {
			switch {
			case text[j] == '(':
				depth++
			case text[j] == ')':
				depth--
			case strings.HasPrefix(text[j:], "&&") || strings.HasPrefix(text[j:], "||"):
				return true
			}
			if depth == 0 && text[j] != ' ' {
				break
			}
		}
	}
	return false
}

// lost reports whether tests of the suite that C cannot show have rows of the
// decision.
func (k *checker) lost(d report.DecisionRow) bool {
	return slices.ContainsFunc(d.Vectors, func(v report.VectorRow) bool {
		return slices.ContainsFunc(v.Tests, func(t string) bool { return k.inC[t] == "" })
	})
}
