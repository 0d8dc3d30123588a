package prune

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// searches are functions that look for a character in a text. Of a literal the result, where only
// whether there is one is asked, says what the character is: that it is none of ";#", and not 0 either.
var searches = []string{"strchr", "__builtin_strchr"} // names that are the C library's for every program

// searchOf is the call of such a function on a literal: the literal and the character.
func searchOf(e cc.ExpressionNode) (call *cc.PostfixExpression, in, char cc.ExpressionNode) {
	x, ok := csource.Unparen(e).(*cc.PostfixExpression)
	if !ok || x.Case != cc.PostfixExpressionCall {
		return nil, nil, nil
	}
	text := x.ArgumentExpressionList
	if !slices.Contains(searches, csource.Callee(x)) || text == nil {
		return nil, nil, nil
	}
	wanted := text.ArgumentExpressionList
	if wanted == nil || wanted.ArgumentExpressionList != nil || intType(wanted.AssignmentExpression.Type()) == "" {
		return nil, nil, nil
	}
	in = uncast(text.AssignmentExpression)
	if s, ok := in.(*cc.PrimaryExpression); !ok || s.Case != cc.PrimaryExpressionString {
		return nil, nil, nil
	}
	return x, in, wanted.AssignmentExpression
}

// uncast takes parentheses and casts away.
func uncast(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		e = csource.Unparen(e)
		c, ok := e.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			return e
		}
		e = c.CastExpression
	}
}

// isNull reports whether an expression is a null pointer that stands there as a constant.
func isNull(e cc.ExpressionNode) bool {
	v := uncast(e).Value()
	return v == cc.Int64Value(0) || v == cc.UInt64Value(0)
}

// truth reports whether all that an expression's being 0 or not depends on is arithmetic on objects.
func (r *reads) truth(e cc.ExpressionNode) bool {
	call, in, char := searchOf(e)
	if call == nil {
		return r.of(e)
	}
	whole, ok := r.u.Span(call)
	text, has := r.u.Span(in)
	index, known := r.u.Span(char)
	if !ok || !has || !known || !r.library(csource.Callee(call)) {
		return false
	}
	r.classes = true
	r.replace(csource.Span{Start: whole.Start, End: index.Start},
		"klabel_among("+string(r.u.Text[text.Start:text.End])+", ")
	if !r.of(char) {
		return false
	}
	r.replace(csource.Span{Start: index.End, End: whole.End}, ")")
	return true
}

// found reports the same of a comparison with NULL of what such a function gives.
func (r *reads) found(x *cc.EqualityExpression) bool {
	null, ok := r.u.Span(x.RelationalExpression)
	if call, _, _ := searchOf(x.EqualityExpression); call == nil || !ok || !isNull(x.RelationalExpression) {
		return false
	}
	if !r.truth(x.EqualityExpression) {
		return false
	}
	r.replace(null, "0")
	return true
}

// part is what can be told of a predicate, whatever the rest of it is: those of its conjuncts that are
// arithmetic on objects. Where these cannot hold it cannot either. It is "" if there are none.
func (r *reads) part(e cc.ExpressionNode) string {
	if x, ok := csource.Unparen(e).(*cc.LogicalAndExpression); ok && x.Case == cc.LogicalAndExpressionLAnd {
		left, right := r.part(x.LogicalAndExpression), r.part(x.InclusiveOrExpression)
		if left == "" || right == "" {
			return left + right
		}
		return left + " && " + right
	}
	s, ok := r.u.Span(e)
	objects := r.objects
	r.spans, r.with, r.keeps = nil, nil, false
	if !ok || !r.truth(e) || len(r.spans) == 0 && !r.keeps {
		r.objects = objects
		return ""
	}
	return "(" + r.text(s) + ")"
}
