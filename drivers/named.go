package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

func isCast(e cc.ExpressionNode) bool {
	x, ok := csource.Unparen(e).(*cc.CastExpression)
	return ok && x.Case == cc.CastExpressionCast
}

// nameOf is the name of a variable, of a field, or, as "*p", of what a variable
// leads to; "" for anything else.
func nameOf(e cc.ExpressionNode) string {
	switch x := csource.Unparen(e).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			if id, ok := csource.Unparen(x.CastExpression).(*cc.PrimaryExpression); ok {
				if name := nameOf(id); name != "" {
					return "*" + name
				}
			}
		}
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent && !d.IsTypename() {
			return d.Name()
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
			return "." + x.Token2.SrcStr()
		}
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return nameOf(x.PostfixExpression)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return nameOf(x.CastExpression)
		}
	}
	return ""
}

// namesIn are the names in an expression of sums, brackets and casts. What is only asked, the condition of a choice or
// a comparison, has no part in the sum.
func namesIn(u *csource.Unit, e cc.Node) (out []string) {
	u.Walk(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok {
			return true
		}
		switch y := n.(type) {
		case *cc.ConditionalExpression:
			if y.Case == cc.ConditionalExpressionCond {
				out = append(append(out, namesIn(u, y.ExpressionList)...), namesIn(u, y.ConditionalExpression)...)
				return false
			}
		case *cc.EqualityExpression:
			if y.Case != cc.EqualityExpressionRel {
				return false
			}
		case *cc.RelationalExpression:
			if y.Case != cc.RelationalExpressionShift {
				return false
			}
		case *cc.ShiftExpression:
			if y.Case != cc.ShiftExpressionAdd { // by how many bits is no item's number
				out = append(out, namesIn(u, y.ShiftExpression)...)
				return false
			}
		}
		if name := nameOf(x); name != "" {
			out = append(out, name)
			return false
		}
		_, isCall := n.(*cc.PostfixExpression)
		return !isCall
	})
	return out
}

// ties are names that stand on both sides of something.
type ties map[string]map[string]bool

func (t ties) tie(u *csource.Unit, l, r cc.Node) {
	for _, a := range namesIn(u, l) {
		for _, b := range namesIn(u, r) {
			if a == b {
				continue
			}
			t.add(a, b)
			t.add(b, a)
		}
	}
}

func (t ties) add(a, b string) {
	if t[a] == nil {
		t[a] = map[string]bool{}
	}
	t[a][b] = true
}
