package csource

import (
	"bytes"
	"fmt"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"klabel/label"
)

func (u *Unit) labelCalls() *labelResult {
	u.mu.Lock()
	r := u.calls
	u.mu.Unlock()
	if r != nil {
		return r
	}
	r = &labelResult{}
	for _, f := range u.Functions() {
		if u.mentionsLabel(f.Body) {
			u.collect(f, r)
		}
	}
	for _, l := range [][]LabelCall{r.labels, r.sequences} {
		sort.SliceStable(l, func(i, j int) bool { return l[i].Call.Start < l[j].Call.Start })
	}
	u.mu.Lock()
	u.calls = r
	u.mu.Unlock()
	return r
}

func (u *Unit) mentionsLabel(s Span) bool {
	for _, n := range u.labels {
		if bytes.Contains(u.Text[s.Start:s.End], []byte(n)) {
			return true
		}
	}
	return false
}

func (u *Unit) collect(f *Function, r *labelResult) {
	u.WalkParents(f.Def.CompoundStatement, func(n cc.Node, above []cc.Node) bool {
		if unevaluated(n) {
			return false
		}
		call, ok := n.(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall {
			return true
		}
		p, ok := call.PostfixExpression.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionIdent {
			return true
		}
		name := p.Token.SrcStr()
		if !contains(u.labels, name) {
			return true
		}
		c := LabelCall{Kind: labelKinds[name], Macro: name, Function: f.Name}
		c.Call, ok = u.Span(call)
		if !ok {
			return true
		}
		c.Position = u.Origin(c.Call.Start).Position()
		c.Stmt, c.Statement, c.Body = u.statementOf(c.Call, above)
		args := arguments(call)
		switch c.Kind {
		case Sequence, Condition:
			if err := u.fillSequence(&c, args); err != nil {
				r.problems = append(r.problems, Warning{c.Position, err.Error()})
			}
			r.sequences = append(r.sequences, c)
		default:
			if u.fillLabel(&c, args, r) {
				r.labels = append(r.labels, c)
			}
		}
		return true
	})
}

// statementOf looks from a call upwards for the statement that it alone forms.
func (u *Unit) statementOf(call Span, above []cc.Node) (stmt Span, alone, body bool) {
	i := len(above) - 1
	for i >= 0 {
		if l, ok := above[i].(*cc.ExpressionList); ok && l.ExpressionList == nil {
			i--
			continue
		}
		break
	}
	es, ok := above[max(i, 0)].(*cc.ExpressionStatement)
	if !ok {
		return call, false, false
	}
	s, ok := u.Span(es)
	if !ok || !s.Contains(call) {
		return call, false, false
	}
	for i--; i >= 0; i-- {
		switch above[i].(type) {
		case *cc.Statement, *cc.LabeledStatement:
			continue
		case *cc.SelectionStatement, *cc.IterationStatement:
			return s, true, true
		}
		break
	}
	return s, true, false
}

// fillLabel reads the arguments of a label call; false when there is no label
// to speak of.
func (u *Unit) fillLabel(c *LabelCall, args []cc.ExpressionNode, r *labelResult) bool {
	problem := func(format string, a ...any) {
		r.problems = append(r.problems, Warning{c.Position, fmt.Sprintf(format, a...)})
	}
	if len(args) < 2 {
		problem("%s needs a predicate and an ID", c.Macro)
		return false
	}
	c.PredExpr = args[0]
	var ok bool
	if c.Pred, ok = u.Span(args[0]); !ok {
		problem("the predicate of this %s has no place in the text", c.Macro)
		return false
	}
	c.Predicate = NormalizeSpace(u.Text[c.Pred.Start:c.Pred.End])
	id, err := u.labelID(args[1])
	if err != nil {
		problem("%v", err)
		return false
	}
	c.ID = id
	if len(args) > 2 {
		if s, ok := args[2].Value().(cc.StringValue); ok {
			// A label that several criteria share carries all their tags: "CC,WM ROR".
			for _, tag := range strings.Split(strings.TrimRight(string(s), "\x00"), ",") {
				if tag = strings.TrimSpace(tag); tag != "" {
					c.Tags = append(c.Tags, tag)
				}
			}
		}
	}
	if c.Kind == Bindings {
		if err := u.fillBound(c, args); err != nil {
			problem("%v", err)
			return false
		}
	}
	switch u.Effect(args[0]) {
	case HasEffect:
		problem("the predicate of label %d has a side effect: %s", id, c.Predicate)
	case MayEffect:
		r.warnings = append(r.warnings, Warning{c.Position,
			fmt.Sprintf("the predicate of label %d calls a function whose effects are not known: %s", id, c.Predicate)})
	}
	return true
}

func arguments(call *cc.PostfixExpression) (out []cc.ExpressionNode) {
	for l := call.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		out = append(out, l.AssignmentExpression)
	}
	return out
}

// labelID is the number of a label, or of a sequence.
func (u *Unit) labelID(e cc.ExpressionNode) (label.ID, error) {
	id, err := label.ParseID(u.Source(e))
	if err == nil {
		return id, nil
	}
	v, ok := ConstInt(e)
	switch {
	case !ok:
		return 0, err
	case v < 0 || v > int64(label.MaxID):
		return 0, fmt.Errorf("label ID %d is not in 0..%d", v, label.MaxID)
	}
	return label.ID(v), nil
}

// NormalizeSpace joins tokens by one space where there was white space, and
// leaves out line markers and pragmas.
func NormalizeSpace(text []byte) string {
	var b strings.Builder
	end := -1
	l := newLexer(text, 0)
	l.lineStart = false
	for {
		t, ok := l.next()
		if !ok {
			return b.String()
		}
		if t.kind == tokDirective {
			continue
		}
		if end >= 0 && t.start > end {
			b.WriteByte(' ')
		}
		b.Write(text[t.start:t.end])
		end = t.end
	}
}
