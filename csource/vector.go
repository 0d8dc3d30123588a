package csource

import "modernc.org/cc/v4"

// The parser gives an element of a vector the type of the vector, and a sum of vectors
// the type of an element. What is one number and what is many is told apart here.
// Limits: an element of what is computed in the same expression, as (a + b)[0], is not read.

// Element is the type of the element of a vector that x is; nil, if it is none.
func (u *Unit) Element(x *cc.PostfixExpression) cc.Type {
	if x.Case != cc.PostfixExpressionIndex || !isVector(x.PostfixExpression) {
		return nil
	}
	a := u.AST
	for _, t := range []cc.Type{a.Char, a.SChar, a.UChar, a.Short, a.UShort, a.Int, a.UInt, a.Long, a.ULong, a.LongLong,
		a.ULongLong, a.Float, a.Double} {
		if t.Kind() == x.PostfixExpression.Type().Kind() {
			return t
		}
	}
	return nil
}

// elements is how many elements the vector has that x takes one of.
func (u *Unit) elements(x *cc.PostfixExpression) (int64, bool) {
	t := u.Element(x)
	if t == nil || t.Size() <= 0 {
		return 0, false
	}
	return x.PostfixExpression.Type().VectorSize() / t.Size(), true
}

// isVector reports whether the value of e is many numbers.
func isVector(e cc.ExpressionNode) bool {
	e = Unparen(e)
	switch x := e.(type) {
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionIndex && isVector(x.PostfixExpression) {
			return false
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
			return isVector(x.CastExpression)
		}
	case *cc.ShiftExpression:
		return isVector(x.ShiftExpression)
	case *cc.AdditiveExpression:
		return isVector(x.AdditiveExpression) || isVector(x.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		return isVector(x.MultiplicativeExpression) || isVector(x.CastExpression)
	case *cc.AndExpression:
		return isVector(x.AndExpression) || isVector(x.EqualityExpression)
	case *cc.ExclusiveOrExpression:
		return isVector(x.ExclusiveOrExpression) || isVector(x.AndExpression)
	case *cc.InclusiveOrExpression:
		return isVector(x.InclusiveOrExpression) || isVector(x.ExclusiveOrExpression)
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond {
			return x.ExpressionList != nil && isVector(x.ExpressionList) || isVector(x.ConditionalExpression)
		}
	}
	t := typeOf(e)
	return t != nil && t.VectorSize() > 0
}

// width is how many bytes the integer has that e's value is, once promoted.
func (u *Unit) width(e cc.ExpressionNode) int64 {
	t := e.Type()
	if t.VectorSize() > 0 {
		return max(u.AST.ABI.Types[t.Kind()].Size, u.AST.Int.Size())
	}
	return t.Size()
}
