package drivers

import (
	"modernc.org/cc/v4"
)

// access says what a mention of a variable does with it.
type access uint8

const (
	reads   access = 1 << iota
	writes         // assigns to it, or lets others do so: its address goes somewhere
	measure        // sizeof and the like: neither
)

// accessOf judges one mention of a variable of type t by the nodes above it,
// the nearest last. In doubt it is a write.
func accessOf(n cc.Node, t cc.Type, above []cc.Node) access {
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *cc.PrimaryExpression: // parentheses
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionIndex:
				if x.PostfixExpression != n {
					return reads // it is the index
				}
				a, ok := t.Undecay().(*cc.ArrayType)
				if !ok {
					return reads // what a pointer leads to is not the variable
				}
				t = a.Elem()
			case cc.PostfixExpressionSelect:
				t = x.Type()
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				return reads | writes
			case cc.PostfixExpressionPSelect, cc.PostfixExpressionCall:
				return whole(t)
			default:
				return reads | writes
			}
		case *cc.UnaryExpression:
			switch x.Case {
			case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionAlignofExpr:
				return measure
			case cc.UnaryExpressionInc, cc.UnaryExpressionDec, cc.UnaryExpressionAddrof:
				return reads | writes
			case cc.UnaryExpressionDeref:
				if a, ok := t.Undecay().(*cc.ArrayType); ok {
					t = a.Elem()
					break
				}
				return reads
			default:
				return reads
			}
		case *cc.AssignmentExpression:
			if x.Case == cc.AssignmentExpressionCond || x.UnaryExpression != n {
				return whole(t)
			}
			if x.Case == cc.AssignmentExpressionAssign {
				return writes
			}
			return reads | writes
		case *cc.AdditiveExpression, *cc.CastExpression, *cc.ExpressionList, *cc.ConditionalExpression,
			*cc.ArgumentExpressionList:
			return whole(t)
		default:
			return whole(t)
		}
		n = above[i]
	}
	return whole(t)
}

// whole is what happens to a variable whose value is used: an array's is its
// address.
func whole(t cc.Type) access {
	if _, ok := t.Undecay().(*cc.ArrayType); ok {
		return reads | writes
	}
	return reads
}
