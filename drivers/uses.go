package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// use says how a function treats a pointer parameter.
type use struct {
	indexed  bool // indexed or moved
	handed   bool // given to something else: a call, another variable
	nullTest bool // compared with NULL
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
		array, handed, null := mention(above)
		seen.indexed = seen.indexed || array
		seen.handed = seen.handed || handed
		seen.nullTest = seen.nullTest || null
		out[d.Name()] = seen
		return true
	})
	return out
}

// mention judges one mention of a pointer by the nodes above it.
func mention(above []cc.Node) (indexed, handed, nullTest bool) {
	for i := len(above) - 1; i >= 0; i-- {
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
			return false, true, true
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

// references lists the names at file scope that a function mentions, itself
// and through the functions of the unit that it mentions; then those that the
// rest of the unit mentions.
func references(u *csource.Unit, f *csource.Function) (near, far []*cc.Declarator) {
	seen := map[string]bool{}
	done := map[string]bool{}
	visit := func(f *csource.Function, out []*cc.Declarator) []*cc.Declarator {
		queue := []*csource.Function{f}
		for len(queue) > 0 {
			f := queue[0]
			queue = queue[1:]
			if done[f.Name] {
				continue
			}
			done[f.Name] = true
			u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
				id, ok := n.(*cc.PrimaryExpression)
				if !ok || id.Case != cc.PrimaryExpressionIdent {
					return true
				}
				d, ok := id.ResolvedTo().(*cc.Declarator)
				if !ok || d.IsParam() || d.IsTypename() || d.Linkage() == cc.None {
					return true
				}
				if def := u.Function(d.Name()); def != nil {
					queue = append(queue, def)
				} else if !seen[d.Name()] {
					seen[d.Name()] = true
					out = append(out, d)
				}
				return true
			})
		}
		return out
	}
	near = visit(f, nil)
	for _, other := range u.Functions() {
		if !other.Origin.System {
			far = visit(other, far)
		}
	}
	return near, far
}
