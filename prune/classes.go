package prune

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// classTable is what the macros of glibc's ctype.h read: (*__ctype_b_loc())[c]. What stands there
// depends on the character alone, and of those of ASCII on no locale; of others it may be anything.
const classTable = "__ctype_b_loc"

// classOf is the character of which an expression reads the class; nil for any other expression.
func classOf(x *cc.PostfixExpression) cc.ExpressionNode {
	if x.Case != cc.PostfixExpressionIndex {
		return nil
	}
	table, ok := csource.Unparen(x.PostfixExpression).(*cc.UnaryExpression)
	if !ok || table.Case != cc.UnaryExpressionDeref {
		return nil
	}
	call, ok := csource.Unparen(table.CastExpression).(*cc.PostfixExpression)
	if !ok || call.Case != cc.PostfixExpressionCall || csource.Callee(call) != classTable {
		return nil
	}
	return x.ExpressionList
}

// class has the class of a character read by runtime_c/prune/classes.c.
func (r *reads) class(x *cc.PostfixExpression, c cc.ExpressionNode) bool {
	whole, ok := r.u.Span(x)
	index, known := r.u.Span(c)
	if !ok || !known || !r.library(classTable) || intType(c.Type()) == "" {
		return false
	}
	key := csource.NormalizeSpace(r.u.Text[whole.Start:whole.End])
	other := r.input(key, x.Type())
	if other == "" {
		return false
	}
	r.classes = true
	r.objects = append(r.objects, key)
	if r.own != nil {
		r.memory[key] = true
	}
	r.replace(csource.Span{Start: whole.Start, End: index.Start}, "klabel_class(")
	if !r.of(c) {
		return false
	}
	r.replace(csource.Span{Start: index.End, End: whole.End}, ", "+other+")")
	return true
}

// replace notes what stands in place of a part of the text.
func (r *reads) replace(s csource.Span, with string) {
	r.spans, r.with = append(r.spans, s), append(r.with, with)
}

// library reports whether the program leaves a function to the C library.
func (p *program) library(name string) bool {
	return p.funcs[name] == nil && p.funcs[name+weakName] == nil
}
