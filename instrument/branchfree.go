package instrument

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// branchFree reports whether a predicate can be evaluated in one go, without a
// branch in the compiled code: every part is cheap and safe to evaluate on its
// own, whatever the parts before it say.
func branchFree(u *csource.Unit, e cc.ExpressionNode) bool {
	if u.CanFault(e) || u.Calls(e) || u.Volatile(e) || u.Effect(e) != csource.NoEffect {
		return false
	}
	ok := true
	u.Walk(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			// A statement expression may hold any control flow.
			ok = ok && x.Case != cc.PrimaryExpressionStmt && x.Case != cc.PrimaryExpressionGeneric
		case *cc.PostfixExpression:
			ok = ok && x.Case != cc.PostfixExpressionComplit
		case *cc.ConditionalExpression:
			if x.Case == cc.ConditionalExpressionCond {
				ok = ok && selects(x)
			}
		case *cc.LogicalAndExpression:
			ok = ok && (x.Case != cc.LogicalAndExpressionLAnd ||
				placed(u, x, x.LogicalAndExpression, x.InclusiveOrExpression))
		case *cc.LogicalOrExpression:
			ok = ok && (x.Case != cc.LogicalOrExpressionLOr ||
				placed(u, x, x.LogicalOrExpression, x.LogicalAndExpression))
		}
		return ok
	})
	return ok
}

// placed reports whether an operator and its operands can be edited: each has
// a place of its own in the text.
func placed(u *csource.Unit, whole, left, right cc.Node) bool {
	w, ok1 := u.Span(whole)
	l, ok2 := u.Span(left)
	r, ok3 := u.Span(right)
	return ok1 && ok2 && ok3 && w.Contains(l) && w.Contains(r) && l.End <= r.Start
}

// selects reports whether clang makes a select, not a branch, of a ?: even
// without optimisation: both arms are constants or plain variables, and the
// condition is given.
func selects(x *cc.ConditionalExpression) bool {
	return x.ExpressionList != nil && plain(x.ExpressionList) && plain(x.ConditionalExpression)
}

func plain(e cc.ExpressionNode) bool {
	if _, ok := csource.ConstInt(e); ok {
		return true
	}
	p, ok := csource.Unparen(e).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return false
	}
	d, ok := p.ResolvedTo().(*cc.Declarator)
	if !ok || d.Type() == nil || d.IsVolatile() || d.IsThreadLocal() {
		return false
	}
	return cc.IsScalarType(d.Type()) && d.LexicalScope().Parent != nil && !d.IsStatic() && !d.IsExtern()
}

// straighten edits && and || of a branch-free predicate into & and | of truth
// values, so that no short circuit forks.
func straighten(u *csource.Unit, edits *csource.Edits, e cc.ExpressionNode) {
	join := func(whole, left, right cc.ExpressionNode, op string) {
		w, _ := u.Span(whole)
		l, _ := u.Span(left)
		r, _ := u.Span(right)
		if !u.Parenthesised(w) {
			edits.Wrap(w, "(", ")")
		}
		for _, x := range []struct {
			e cc.ExpressionNode
			s csource.Span
		}{{left, l}, {right, r}} {
			switch {
			case !isTruth(x.e):
				edits.Wrap(x.s, "!!(", ")")
			case bindsLoosely(x.e): // a join has its parentheses already
				edits.Wrap(x.s, "(", ")")
			}
		}
		o := u.Operator(l.End, r.Start)
		edits.Replace(o, op)
	}
	u.Walk(e, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.LogicalAndExpression:
			if x.Case == cc.LogicalAndExpressionLAnd {
				join(x, x.LogicalAndExpression, x.InclusiveOrExpression, "&")
			}
		case *cc.LogicalOrExpression:
			if x.Case == cc.LogicalOrExpressionLOr {
				join(x, x.LogicalOrExpression, x.LogicalAndExpression, "|")
			}
		}
		return true
	})
}

// isJoin reports whether e is an && or || that is not in parentheses.
func isJoin(e cc.ExpressionNode) bool {
	switch x := e.(type) {
	case *cc.LogicalAndExpression:
		return x.Case == cc.LogicalAndExpressionLAnd
	case *cc.LogicalOrExpression:
		return x.Case == cc.LogicalOrExpressionLOr
	}
	return false
}

// bindsLoosely reports whether e is better read in parentheses beside & and |.
func bindsLoosely(e cc.ExpressionNode) bool {
	switch e.(type) {
	case *cc.RelationalExpression, *cc.EqualityExpression:
		return true
	}
	return false
}

// isTruth reports whether the value of e is 0 or 1 by its operator.
func isTruth(e cc.ExpressionNode) bool {
	switch x := csource.Unparen(e).(type) {
	case *cc.RelationalExpression:
		return x.Case != cc.RelationalExpressionShift
	case *cc.EqualityExpression:
		return x.Case != cc.EqualityExpressionRel
	case *cc.UnaryExpression:
		return x.Case == cc.UnaryExpressionNot
	case *cc.LogicalAndExpression, *cc.LogicalOrExpression:
		return isJoin(x)
	case *cc.PrimaryExpression:
		return x.Type() != nil && x.Type().Kind() == cc.Bool
	}
	return false
}
