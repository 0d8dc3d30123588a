package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// use says how a function treats a pointer parameter.
type use struct {
	indexed  bool         // indexed or moved
	handed   bool         // given to something else: another variable, a function that does not take it for one item
	nullTest bool         // compared with NULL
	followed bool         // *p, and the like
	to       []argumentOf // functions that it is given to, as it stands
}

// usesOf looks at every mention of the function's parameters.
func usesOf(u *csource.Unit, f *csource.Function) map[string]use {
	out := map[string]use{}
	params := map[string]bool{}
	for _, p := range f.Params {
		params[p.Name()] = true
	}
	u.WalkParents(f.Def.CompoundStatement, func(n cc.Node, above []cc.Node) bool {
		id, ok := n.(*cc.PrimaryExpression)
		if !ok || id.Case != cc.PrimaryExpressionIdent {
			return true
		}
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if !ok || !d.IsParam() || !params[d.Name()] {
			return true
		}
		seen := out[d.Name()]
		if to, ok := argumentAt(id, above); ok {
			seen.to = append(seen.to, to)
		} else {
			array, handed, null := mention(id, above)
			seen.indexed = seen.indexed || array
			seen.handed = seen.handed || handed
			seen.nullTest = seen.nullTest || null
			seen.followed = seen.followed || !array && !handed && !null
		}
		out[d.Name()] = seen
		return true
	})
	return out
}

// usesOf is asked by every variant of an entry, at every depth. A parameter that is
// handed on to a function of the unit is what that takes it for.
func (s *shared) usesOf(f *csource.Function) map[string]use {
	if known, ok := s.mentioned[f.Name]; ok {
		return known
	}
	out := usesOf(s.unit, f)
	s.mentioned[f.Name] = out // where functions call each other, what each does itself is known
	for name, u := range out {
		for _, to := range u.to {
			g := s.an.funcs[to.function]
			if g == nil || g.Def == nil || to.index >= len(g.Params) {
				u.handed = true
				continue
			}
			there := s.usesOf(g)[g.Params[to.index].Name()]
			u.handed = u.handed || there.handed || there.indexed
			u.followed = u.followed || there.followed
		}
		out[name] = u
	}
	return out
}

// argumentAt reports which argument of a call a mention is, as it stands; the nodes
// above it, the nearest last.
func argumentAt(n cc.Node, above []cc.Node) (to argumentOf, ok bool) {
	for _, x := range slices.Backward(above) {
		switch x := x.(type) {
		case *cc.PrimaryExpression: // parentheses
			n = x
		case *cc.ArgumentExpressionList:
		case *cc.PostfixExpression:
			if to.function = csource.Callee(x); x.Case != cc.PostfixExpressionCall || to.function == "" {
				return to, false
			}
			for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
				if cc.Node(l.AssignmentExpression) == n {
					return to, true
				}
				to.index++
			}
			return to, false
		default:
			return to, false
		}
	}
	return to, false
}

// mention judges one mention of a pointer by the nodes above it.
func mention(n cc.Node, above []cc.Node) (indexed, handed, nullTest bool) {
	for i := len(above) - 1; i >= 0; i-- {
		if i+1 < len(above) {
			n = above[i+1]
		}
		switch x := above[i].(type) {
		case *cc.PrimaryExpression: // parentheses
			continue
		case *cc.CastExpression:
			continue
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionDeref, cc.UnaryExpressionSizeofExpr:
				return false, false, false
			case cc.UnaryExpressionNot:
				return false, false, true
			}
			return true, false, false
		case *cc.PostfixExpression:
			return x.Case != cc.PostfixExpressionPSelect, false, false
		case *cc.AdditiveExpression:
			return x.Case != cc.AdditiveExpressionMul, false, false
		case *cc.EqualityExpression:
			return false, false, x.Case != cc.EqualityExpressionRel
		case *cc.LogicalAndExpression, *cc.LogicalOrExpression, *cc.SelectionStatement, *cc.IterationStatement:
			return false, false, true
		case *cc.ConditionalExpression:
			return false, true, x.LogicalOrExpression == n
		case *cc.ExpressionList:
			if x.ExpressionList == nil && i > 0 {
				switch above[i-1].(type) {
				case *cc.SelectionStatement, *cc.IterationStatement:
					return false, false, true
				}
			}
			return false, true, false
		case *cc.AssignmentExpression:
			return x.Case != cc.AssignmentExpressionAssign, true, false
		case *cc.ExpressionStatement:
			return false, false, false
		default:
			return false, true, false
		}
	}
	return false, true, false
}
