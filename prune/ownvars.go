package prune

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// ownVars knows the variables of a function that nobody but the function's own text
// changes, by their names: none whose address is taken.
type ownVars struct {
	f     *function
	shown map[string]bool // by name
}

func ownVariables(f *function) *ownVars {
	o := &ownVars{f: f, shown: map[string]bool{}}
	show := func(e cc.ExpressionNode) {
		for e != nil {
			if d := rootVariable(e); d != nil {
				o.shown[d.Name()] = true
				return
			}
			switch x := csource.Unparen(e).(type) {
			case *cc.PostfixExpression:
				e = x.PostfixExpression
			default:
				return
			}
		}
	}
	f.unit.Walk(f.Def, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionAddrof {
				show(x.CastExpression)
			}
		case *cc.PostfixExpression:
			// An array within a structure: from its items one comes to the other members.
			if m := x.Field(); x.Case == cc.PostfixExpressionSelect && (m == nil || m.Type().Kind() == cc.Array) {
				show(x.PostfixExpression)
			}
		}
		return true
	})
	return o
}

// of is the variable that an expression is, or is a member of; nil if it is none of these.
func (o *ownVars) of(e cc.ExpressionNode) *cc.Declarator {
	if d := rootVariable(e); d != nil && o.has(d) {
		return d
	}
	return nil
}

func (o *ownVars) has(d *cc.Declarator) bool {
	if o.shown[d.Name()] || d.Type() == nil || d.IsStatic() || d.IsExtern() {
		return false
	}
	s, ok := o.f.unit.Span(d)
	return ok && o.f.Span.Contains(s)
}

// rootVariable is the variable that an expression names, or of which it names a member.
func rootVariable(e cc.ExpressionNode) *cc.Declarator {
	for e != nil {
		switch x := csource.Unparen(e).(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionPrimary:
				e = x.PrimaryExpression
			case cc.PostfixExpressionSelect:
				e = x.PostfixExpression
			default:
				return nil
			}
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionIdent {
				return nil
			}
			d, _ := x.ResolvedTo().(*cc.Declarator)
			return d
		default:
			return nil
		}
	}
	return nil
}
