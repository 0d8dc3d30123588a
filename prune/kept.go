package prune

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A decision with calls is evaluated once, before its labels, which read what each of its
// conditions came to. Package annotate writes it as
//
//	({int klb_1_1=0,klb_1_2=0;_Bool klb_1=(klb_1_1=!!(a)) && (klb_1_2=!!(b));cov_label(klb_1_1, 1, "");klb_1;})
//
// and what such a label says is what the decision says.

const keptPrefix = "klb_"

// decision is a block of that shape.
type decision struct {
	names  map[string]bool // of its variables
	zeroed []string        // those of conditions
	result string
	value  cc.ExpressionNode
}

// decisionOf reads such a block; nil for any other expression.
func decisionOf(e cc.ExpressionNode, labels map[string]bool) *decision {
	x, ok := csource.Unparen(e).(*cc.PrimaryExpression)
	if !ok || x.CompoundStatement == nil {
		return nil
	}
	d := &decision{names: map[string]bool{}}
	last := ""
	for l := x.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		last = ""
		switch i := l.BlockItem; {
		case i.Declaration != nil && d.value == nil:
			if !d.declared(i.Declaration) {
				return nil
			}
		case i.Statement != nil && i.Statement.ExpressionStatement != nil && d.value != nil:
			e := csource.Unparen(i.Statement.ExpressionStatement.ExpressionList)
			if call, ok := e.(*cc.PostfixExpression); ok && isCall(e) && labels[csource.Callee(call)] {
				continue
			}
			if last = nameIn(e); last == "" {
				return nil
			}
		default:
			return nil
		}
	}
	if d.value == nil || last != d.result {
		return nil
	}
	return d
}

func (d *decision) declared(x *cc.Declaration) bool {
	for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
		v, i := l.InitDeclarator.Declarator, l.InitDeclarator.Initializer
		if !strings.HasPrefix(v.Name(), keptPrefix) || i == nil || i.Case != cc.InitializerExpr || d.value != nil {
			return false
		}
		d.names[v.Name()] = true
		switch v.Type().Kind() {
		case cc.Int:
			d.zeroed = append(d.zeroed, v.Name())
		case cc.Bool:
			d.result, d.value = v.Name(), i.AssignmentExpression
		default:
			return false
		}
	}
	return true
}

// nameIn is the name that an expression is; "" if it is none.
func nameIn(e cc.ExpressionNode) string {
	x, ok := csource.Unparen(e).(*cc.PrimaryExpression)
	if !ok || x.Case != cc.PrimaryExpressionIdent {
		return ""
	}
	return x.Token.SrcStr()
}

// keptCondition is the condition of which klb_1_1=!!(a) keeps what it came to; nil for any other expression.
func keptCondition(e cc.ExpressionNode) cc.ExpressionNode {
	x, ok := csource.Unparen(e).(*cc.AssignmentExpression)
	if !ok || x.Case != cc.AssignmentExpressionAssign || !strings.HasPrefix(nameIn(x.UnaryExpression), keptPrefix) {
		return nil
	}
	if n, ok := csource.Unparen(x.AssignmentExpression).(*cc.UnaryExpression); !ok || n.Case != cc.UnaryExpressionNot {
		return nil
	}
	return x.AssignmentExpression
}

// pure reports whether evaluating a condition changes nothing but what a decision keeps of it.
func (a *around) pure(e cc.ExpressionNode) bool {
	if a.f.unit.Pure(e) {
		return true
	}
	d := decisionOf(a.bare(e), a.r.macros)
	if d == nil || a.f.unit.Volatile(d.value) {
		return false
	}
	from, to := a.start(d.value), a.end(d.value)
	for _, e := range a.events {
		if e.at >= from && e.at < to && !d.names[e.name] {
			return false
		}
	}
	return from >= 0
}

// decisionAround is the decision that a label reads, nil if it reads none.
func (l *labelSite) decisionAround(labels map[string]bool) (out *decision) {
	l.unit.Walk(l.fn.Def, func(n cc.Node) bool {
		s, ok := l.unit.Span(n)
		if ok && !s.Contains(l.Call) {
			return false
		}
		if e, is := n.(*cc.PrimaryExpression); is {
			if d := decisionOf(e, labels); d != nil {
				out = d
			}
		}
		return true
	})
	return out
}

// label is what must hold for a label to be met, as statements and a predicate on inputs; no
// predicate if nothing can be told.
func (r *reads) label(l *labelSite) (before, pred string) {
	d := l.decisionAround(r.macros)
	if d == nil {
		return "", r.part(l.PredExpr)
	}
	s, ok := l.unit.Span(d.value)
	if r.kept = d.names; !ok || l.unit.Volatile(d.value) || !r.truth(d.value) || len(r.spans) == 0 {
		r.kept, r.objects = nil, nil // what the conditions came to may be anything
		return "", r.part(l.PredExpr)
	}
	for _, name := range d.zeroed {
		before += "int " + name + " = 0; "
	}
	before += fmt.Sprintf("_Bool %s = %s;\n", d.result, r.text(s))
	if pred = r.part(l.PredExpr); pred == "" {
		pred = d.result + " || 1" // what the decision needs
	}
	return before, pred
}
