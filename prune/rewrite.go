package prune

import (
	"bytes"
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// newline stands for a line end in texts put in place of a label: edits keep
// the number of lines, a prover's text need not.
const newline = "\x01"

// text rewrites a unit for a prover: each label becomes the statements that
// instead gives ("" for none), assumptions become branches, and line markers
// go. more, if given, makes further edits.
func (p *program) text(u *csource.Unit, instead func(*labelSite) string, more func(*csource.Edits)) []byte {
	e := u.Edits()
	for _, l := range p.labels {
		if l.unit != u {
			continue
		}
		s := instead(l)
		switch {
		case l.Statement && s == "":
			e.Replace(l.Stmt, ";")
		case l.Statement:
			e.Replace(l.Stmt, "{ "+s+" }")
		case s == "":
			e.Replace(l.Call, "((void)0)")
		default:
			e.Replace(l.Call, "({ "+s+" (void)0; })")
		}
	}
	for _, q := range u.Sequences() {
		if q.Statement {
			e.Replace(q.Stmt, ";")
		} else {
			e.Replace(q.Call, "((void)0)")
		}
	}
	for _, f := range p.order {
		if f.unit == u {
			branchOnAssumptions(u, f, e)
		}
	}
	if more != nil {
		more(e)
	}
	return dropMarkers(bytes.ReplaceAll(e.Apply(), []byte(newline), []byte("\n")))
}

// assumes lists the functions whose argument holds from there on.
var assumes = map[string]bool{"klee_assume": true, "klabel_assume": true, "sc_assume": true, "__VERIFIER_assume": true}

// branchOnAssumptions turns `klee_assume(e);` into `if (!(e)) klabel_stop();`:
// a prover that follows branches then knows what e says of the variables, and
// not only that its value is not 0. Conjuncts written with & are taken apart.
func branchOnAssumptions(u *csource.Unit, f *function, e *csource.Edits) {
	if assumes[f.Name] {
		return
	}
	u.WalkParents(f.Def, func(n cc.Node, above []cc.Node) bool {
		es, ok := n.(*cc.ExpressionStatement)
		if !ok || es.ExpressionList == nil {
			return true
		}
		call, ok := csource.Unparen(es.ExpressionList).(*cc.PostfixExpression)
		if !ok || call.Case != cc.PostfixExpressionCall || !assumes[csource.Callee(call)] ||
			call.ArgumentExpressionList == nil || call.ArgumentExpressionList.ArgumentExpressionList != nil {
			return true
		}
		s, ok := u.Span(es)
		if !ok {
			return true
		}
		var b strings.Builder
		if !conjuncts(u, call.ArgumentExpressionList.AssignmentExpression, &b) {
			return true
		}
		e.Replace(s, "{ "+b.String()+"}")
		return false
	})
}

func conjuncts(u *csource.Unit, x cc.ExpressionNode, b *strings.Builder) bool {
	x = csource.Unparen(x)
	if a, ok := x.(*cc.AndExpression); ok && a.Case == cc.AndExpressionAnd && isTruth(a.AndExpression) &&
		isTruth(a.EqualityExpression) {
		return conjuncts(u, a.AndExpression, b) && conjuncts(u, a.EqualityExpression, b)
	}
	if a, ok := x.(*cc.UnaryExpression); ok && a.Case == cc.UnaryExpressionNot {
		// !!e, as the ASSUME macro writes it.
		if in, ok := csource.Unparen(a.CastExpression).(*cc.UnaryExpression); ok && in.Case == cc.UnaryExpressionNot {
			return conjuncts(u, in.CastExpression, b)
		}
	}
	s, ok := u.Span(x)
	if !ok {
		return false
	}
	fmt.Fprintf(b, "if (!(%s)) klabel_stop(); ", csource.NormalizeSpace(u.Text[s.Start:s.End]))
	return true
}

// isTruth reports whether an expression is 0 or 1 and can be evaluated apart
// from its neighbours: it has no effect, whatever the order.
func isTruth(x cc.ExpressionNode) bool {
	switch y := csource.Unparen(x).(type) {
	case *cc.RelationalExpression, *cc.EqualityExpression, *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return true
	case *cc.UnaryExpression:
		return y.Case == cc.UnaryExpressionNot
	case *cc.AndExpression:
		return y.Case == cc.AndExpressionAnd && isTruth(y.AndExpression) && isTruth(y.EqualityExpression)
	}
	return false
}

// dropMarkers leaves out line markers; pragmas stay, they can change what the
// program means.
func dropMarkers(text []byte) []byte {
	var out bytes.Buffer
	out.Grow(len(text))
	for len(text) > 0 {
		line := text
		if i := bytes.IndexByte(text, '\n'); i >= 0 {
			line = text[:i+1]
		}
		text = text[len(line):]
		t := bytes.TrimLeft(line, " \t")
		if len(t) > 1 && t[0] == '#' {
			rest := bytes.TrimLeft(t[1:], " \t")
			if !bytes.HasPrefix(rest, []byte("pragma")) {
				out.WriteByte('\n')
				continue
			}
		}
		out.Write(line)
	}
	return out.Bytes()
}
