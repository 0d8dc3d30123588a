package instrument

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A fuzzer is told how far a predicate is from holding (branch distance, Korel
// 1990; Tracey et al., ASE 1998): 0 where it holds, for a comparison the number of
// bits of what is missing (of numbers in their order, for floating-point ones), for
// && the sum, for || the least.

// fuzzDeclarations are what the forms below refer to. Statuses of the live view
// that are open: unknown 0, pending 2, refused 7.
const fuzzDeclarations = "fuzz.h"

const (
	farOff  = 64  // of what has no distance
	outside = 255 // of a predicate that cannot be evaluated
)

// distance is what stands after the predicate of a label: what it comes to where
// it does not hold.
func (r *rewriter) distance(c csource.LabelCall, guard string) string {
	d := fmt.Sprint(farOff)
	if !holdsDirective(r.u, c.Pred) && r.u.Pure(c.PredExpr) && !r.u.Calls(c.PredExpr) && plainText(r.u, c.PredExpr) {
		d = r.missing(c.PredExpr, false)
	}
	if guard != "" {
		d = fmt.Sprintf("(%s) ? %s : %du", guard, d, outside)
	}
	return ") ? 0u : " + d + ");"
}

// plainText reports whether all of an expression can be written once more as it
// stands: no statements, which may hold labels.
func plainText(u *csource.Unit, e cc.ExpressionNode) bool {
	ok := true
	u.Walk(e, func(n cc.Node) bool {
		if x, is := n.(*cc.PrimaryExpression); is && x.Case == cc.PrimaryExpressionStmt {
			ok = false
		}
		_, spans := u.Span(n)
		ok = ok && spans
		return ok
	})
	return ok
}

func (r *rewriter) text(n cc.Node) string {
	s, _ := r.u.Span(n)
	return string(r.u.Text[s.Start:s.End])
}

// argument is an expression as one argument of a macro: a comma, in a comma expression or
// between the braces of a compound literal, would make it two.
func (r *rewriter) argument(n cc.Node) string {
	text := r.text(n)
	if strings.Contains(text, ",") {
		return "(" + text + ")"
	}
	return text
}

// missing is C for the distance of e, or of its negation. The second operand of
// && and || is evaluated where C evaluates it.
func (r *rewriter) missing(e cc.ExpressionNode, not bool) string {
	e = csource.Unparen(e)
	switch x := e.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			return r.missing(x.CastExpression, !not)
		}
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd {
			return r.both(x.LogicalAndExpression, x.InclusiveOrExpression, not, not)
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr {
			return r.both(x.LogicalOrExpression, x.LogicalAndExpression, not, !not)
		}
	case *cc.EqualityExpression:
		switch x.Case {
		case cc.EqualityExpressionEq:
			return r.compare(e, x.EqualityExpression, x.RelationalExpression, "==", "!=", not)
		case cc.EqualityExpressionNeq:
			return r.compare(e, x.EqualityExpression, x.RelationalExpression, "!=", "==", not)
		}
	case *cc.RelationalExpression:
		switch x.Case {
		case cc.RelationalExpressionLt:
			return r.compare(e, x.RelationalExpression, x.ShiftExpression, "<", ">=", not)
		case cc.RelationalExpressionGt:
			return r.compare(e, x.RelationalExpression, x.ShiftExpression, ">", "<=", not)
		case cc.RelationalExpressionLeq:
			return r.compare(e, x.RelationalExpression, x.ShiftExpression, "<=", ">", not)
		case cc.RelationalExpressionGeq:
			return r.compare(e, x.RelationalExpression, x.ShiftExpression, ">=", "<", not)
		}
	}
	if not && isInteger(e) {
		return fmt.Sprintf("klabel_missing(%s, ==, 0)", r.argument(e))
	}
	return r.truth(e, not)
}

// truth is the distance of what has no measure.
func (r *rewriter) truth(e cc.ExpressionNode, not bool) string {
	if not {
		return fmt.Sprintf("((%s) ? %du : 0u)", r.text(e), farOff)
	}
	return fmt.Sprintf("((%s) ? 0u : %du)", r.text(e), farOff)
}

// both joins two operands: && if either is asked for, || if one is enough. What
// is asked of the second without the first having its way counts as far off.
func (r *rewriter) both(a, b cc.ExpressionNode, not, either bool) string {
	first, second := r.missing(a, not), r.missing(b, not)
	// a && b, and !(a || b): b is evaluated where a has its way. a || b, and
	// !(a && b): where it has not.
	if !either {
		if r.u.CanFault(b) {
			return fmt.Sprintf("({ unsigned klabel_d = %s; klabel_d ? klabel_d + %du : %s; })", first, farOff, second)
		}
		return fmt.Sprintf("(%s + %s)", first, second)
	}
	return fmt.Sprintf("({ unsigned klabel_d = %s, klabel_e = klabel_d ? %s : 0u; klabel_d < klabel_e ? klabel_d : "+
		"klabel_e; })", first, second)
}

func (r *rewriter) compare(whole, a, b cc.ExpressionNode, op, opposite string, not bool) string {
	form := "klabel_missing(%s, %s, %s)"
	switch {
	case isInteger(a) && isInteger(b):
	case isReal(a) && isReal(b) && !not: // NaN is neither less nor not less
		form = "klabel_missing_fp(%s, %s, %s)"
	default:
		return r.truth(whole, not)
	}
	if not {
		op = opposite
	}
	return fmt.Sprintf(form, r.argument(a), op, r.argument(b))
}

func isReal(e cc.ExpressionNode) bool {
	return e.Type() != nil && (cc.IsIntegerType(e.Type()) || cc.IsFloatingPointType(e.Type()) &&
		!cc.IsComplexType(e.Type()))
}

func isInteger(e cc.ExpressionNode) bool {
	return e.Type() != nil && cc.IsIntegerType(e.Type())
}
