package instrument

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Labels that stand at one place mostly combine the same few atoms: those of a
// decision with nine conditions are up to 512 predicates of nine atoms. In a
// replay each atom is evaluated once, before them and under its own guard, and
// the predicates ask for what came out. So clang's time, and a replay's, grow
// with the atoms, and not with the labels times the atoms.

// atom is a part of a predicate without && or || or ! or ?: at its top.
type atom struct {
	span  csource.Span
	text  string
	guard string // where it can be evaluated
	alone bool   // where the guard holds it can, whatever stands before it
	name  string // of the variable that holds what came out, "" if it stands in place

	negated bool // it stands below one !, or three
}

// composed is what a predicate is made of. A chain has no more than atoms, some of them
// negated, with && between them: it holds where each has its value, and needs not be told
// of one that has none.
type composed struct {
	atoms []atom
	chain bool
}

// together rewrites labels that follow one another with nothing between them.
func (r *rewriter) together(group []csource.LabelCall) {
	if len(group) == 1 {
		r.label(Replay, group[0])
		return
	}
	parts := make([]composed, len(group))
	uses := map[string]int{}
	for i, c := range group {
		parts[i].chain = true
		if holdsDirective(r.u, c.Pred) || !r.u.Pure(c.PredExpr) || !r.atoms(&parts[i], c.PredExpr, false) {
			parts[i].atoms = nil
		}
		for _, a := range parts[i].atoms {
			uses[a.text]++
		}
	}
	names, variables := map[string]string{}, []string(nil)
	for _, p := range parts {
		for i, a := range p.atoms {
			if a.alone && uses[a.text] > 1 && names[a.text] == "" && !plainName(a.text) {
				names[a.text] = fmt.Sprintf("klabel_atom%d", len(variables)+1)
				variables = append(variables, names[a.text]+" = "+a.value("2"))
			}
			p.atoms[i].name = names[a.text]
		}
	}
	if len(variables) == 0 {
		for _, c := range group {
			r.label(Replay, c)
		}
		return
	}
	for i, c := range group {
		before, after := r.inParts(c, parts[i])
		if i == 0 {
			before = "{ unsigned char klabel_lost, " + strings.Join(variables, ", ") + "; " + before
		}
		if i == len(group)-1 {
			after += " }"
		}
		r.edits.Replace(csource.Span{Start: c.Stmt.Start, End: c.Pred.Start}, before)
		r.edits.Replace(csource.Span{Start: c.Pred.End, End: c.Stmt.End}, after)
	}
}

// plainName reports whether an atom is a variable, which needs no other one.
func plainName(text string) bool {
	return !slices.ContainsFunc([]byte(strings.Trim(text, "()")), func(c byte) bool { return !isWord(c) })
}

// inParts is what stands before and after the predicate of a label, whose atoms it
// edits. One without any is guarded as a whole.
func (r *rewriter) inParts(c csource.LabelCall, p composed) (before, after string) {
	before, after = r.form(Replay, c)
	if len(p.atoms) == 0 {
		if g := r.guard(Replay, c); g != "" {
			before, after = before+g+" && (", ")"+after
		}
		return before, after
	}
	for _, a := range p.atoms {
		lost, known := "(klabel_lost = 1, 0)", "klabel_known(%s)"
		switch {
		case p.chain && a.negated:
			lost, known = "1", "%s"
		case p.chain:
			lost, known = "0", "(%s == 1)"
		}
		switch {
		case a.guard == "" && a.name != "":
			r.edits.Replace(a.span, a.name)
		case a.name != "":
			r.edits.Replace(a.span, fmt.Sprintf(known, a.name))
		case a.guard != "":
			r.edits.Replace(a.span, "("+a.value(lost)+")")
		}
	}
	if !p.chain && slices.ContainsFunc(p.atoms, func(a atom) bool { return a.guard != "" }) {
		before, after = "klabel_lost = 0; "+before+"(", ") && !klabel_lost"+after
	}
	return before, after
}

// value is 0 or 1, or what lost says where the atom cannot be evaluated.
func (a atom) value(lost string) string {
	if a.guard == "" {
		return "!!" + a.text
	}
	return a.guard + " ? !!" + a.text + " : " + lost
}

// atoms adds those of e, which stands below so many ! that it is negated or not, and
// reports whether all have a place in the text.
func (r *rewriter) atoms(p *composed, e cc.ExpressionNode, negated bool) bool {
	switch x := csource.Unparen(e).(type) {
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd {
			p.chain = p.chain && !negated
			return r.atoms(p, x.LogicalAndExpression, negated) && r.atoms(p, x.InclusiveOrExpression, negated)
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr {
			p.chain = false
			return r.atoms(p, x.LogicalOrExpression, false) && r.atoms(p, x.LogicalAndExpression, false)
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			return r.atoms(p, x.CastExpression, !negated)
		}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond && x.ExpressionList != nil {
			p.chain = false
			return r.atoms(p, x.LogicalOrExpression, false) && r.atoms(p, x.ExpressionList, false) &&
				r.atoms(p, x.ConditionalExpression, false)
		}
	}
	if _, ok := csource.ConstInt(e); ok {
		return true
	}
	s, ok := r.u.Span(e)
	if !ok {
		return false
	}
	a := atom{span: s, text: "(" + csource.NormalizeSpace(r.u.Text[s.Start:s.End]) + ")", negated: negated}
	a.guard, a.alone = r.u.GuardAlone(e, readable)
	p.atoms = append(p.atoms, a)
	return true
}

// runs parts labels into those that follow one another with only white space between them.
func (r *rewriter) runs(labels []csource.LabelCall) (out [][]csource.LabelCall) {
	for i, c := range labels {
		if i > 0 && c.Statement && !c.Body && labels[i-1].Statement && !labels[i-1].Body {
			last := labels[i-1].Stmt.End
			if last <= c.Stmt.Start && strings.TrimSpace(string(r.u.Text[last:c.Stmt.Start])) == "" {
				out[len(out)-1] = append(out[len(out)-1], c)
				continue
			}
		}
		out = append(out, []csource.LabelCall{c})
	}
	return out
}
