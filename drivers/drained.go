package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// drain looks for pointers that a block moves on and numbers that it reduces by as much, as who eats a buffer does:
// c = *next++; have--; or put += n; left -= n. The number tells how many items there are.
func (s *sizes) drain(u *csource.Unit, block *cc.CompoundStatement) {
	moves, falls := map[string][]string{}, map[string][]string{} // by what
	for l := block.BlockItemList; l != nil; l = l.BlockItemList {
		if l.BlockItem == nil || l.BlockItem.Statement == nil ||
			l.BlockItem.Statement.Case != cc.StatementExpr {
			continue
		}
		u.Walk(l.BlockItem.Statement, func(n cc.Node) bool {
			var e cc.ExpressionNode
			by, up := "1", false
			switch x := n.(type) {
			case *cc.PostfixExpression:
				if x.Case != cc.PostfixExpressionInc && x.Case != cc.PostfixExpressionDec {
					return true
				}
				e, up = x.PostfixExpression, x.Case == cc.PostfixExpressionInc
			case *cc.UnaryExpression:
				if x.Case != cc.UnaryExpressionInc && x.Case != cc.UnaryExpressionDec {
					return true
				}
				e, up = x.UnaryExpression, x.Case == cc.UnaryExpressionInc
			case *cc.AssignmentExpression:
				if x.Case != cc.AssignmentExpressionAdd && x.Case != cc.AssignmentExpressionSub {
					return true
				}
				e, up, by = x.UnaryExpression, x.Case == cc.AssignmentExpressionAdd, u.Source(x.AssignmentExpression)
			default:
				return true
			}
			name := nameOf(e)
			if _, ok := e.Type().(*cc.PointerType); ok && up && name != "" {
				moves[by] = append(moves[by], name)
			} else if !up && name != "" && cc.IsIntegerType(e.Type()) {
				falls[by] = append(falls[by], name)
			}
			return true
		})
	}
	for by, pointers := range moves {
		for _, p := range pointers {
			for _, n := range falls[by] {
				s.drained.add(p, n)
			}
		}
	}
}

// drains reports whether a function moves a pointer field, or a variable that it comes to be in, on while an integer
// field, or a variable, falls.
func (a *analysis) drains(integer, pointer string) bool {
	return a.anywhere("drained", integer, pointer, func(s *sizes) bool {
		if len(s.drained) == 0 {
			return false
		}
		for _, p := range append([]string{"." + pointer}, s.flows["."+pointer]...) {
			for _, n := range append([]string{"." + integer}, s.copies["."+integer]...) {
				if s.drained[p][n] {
					return true
				}
			}
		}
		return false
	})
}
