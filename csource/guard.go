package csource

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// maxGuard bounds a guard's text: each operation repeats its operands.
const maxGuard = 8 << 10

// Guard is a condition in C under which an expression can be evaluated: what it
// divides by is not 0, what it shifts by is less than the width, indices of
// arrays are within their bounds, and pointers that it follows are not NULL, as
// far as the expression comes to them. It is "" if nothing of the kind can fail,
// and for expressions that cannot be evaluated twice. readable, if given, makes
// the condition that so many bytes at a pointer may be read; nothing else is
// said of pointers that are neither NULL nor valid, nor of what a function does
// with its arguments.
func (u *Unit) Guard(e cc.ExpressionNode, readable func(pointer, size string) string) string {
	if e == nil || !u.CanFault(e) || !u.Pure(e) {
		return ""
	}
	g := guard{u: u, readable: readable}
	u.Walk(e, func(n cc.Node) bool {
		if x, ok := n.(*cc.PrimaryExpression); ok && (x.Case == cc.PrimaryExpressionStmt ||
			x.Case == cc.PrimaryExpressionGeneric) {
			g.failed = true
		}
		return !g.failed
	})
	if g.failed {
		return ""
	}
	text := g.of(e, true)
	if g.failed || len(text) > maxGuard {
		return ""
	}
	return text
}

type guard struct {
	u        *Unit
	readable func(pointer, size string) string
	failed   bool // a part has no place in the text
}

// text is an operand as it is written, to be used once more.
func (g *guard) text(e cc.Node) string {
	s, ok := g.u.Span(e)
	if !ok {
		g.failed = true
		return ""
	}
	return "(" + NormalizeSpace(g.u.Text[s.Start:s.End]) + ")"
}

func allOf(conditions ...string) string {
	var out []string
	for _, c := range conditions {
		if c != "" {
			out = append(out, c)
		}
	}
	return strings.Join(out, " && ")
}

func orTrue(c string) string {
	if c == "" {
		return "1"
	}
	return c
}

// of is the guard of e; load says that the value of e is read, and not only its
// place named.
func (g *guard) of(e cc.Node, load bool) string {
	if g.failed || unevaluated(e) {
		return ""
	}
	switch x := e.(type) {
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd {
			if then := g.of(x.InclusiveOrExpression, true); then != "" {
				return allOf(g.of(x.LogicalAndExpression, true),
					fmt.Sprintf("(!%s || (%s))", g.text(x.LogicalAndExpression), then))
			}
			return g.of(x.LogicalAndExpression, true)
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr {
			if then := g.of(x.LogicalAndExpression, true); then != "" {
				return allOf(g.of(x.LogicalOrExpression, true),
					fmt.Sprintf("(%s || (%s))", g.text(x.LogicalOrExpression), then))
			}
			return g.of(x.LogicalOrExpression, true)
		}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond {
			yes, no := "", g.of(x.ConditionalExpression, load)
			if x.ExpressionList != nil {
				yes = g.of(x.ExpressionList, load)
			}
			if first := g.of(x.LogicalOrExpression, true); yes+no == "" {
				return first
			} else {
				return allOf(first, fmt.Sprintf("(%s ? (%s) : (%s))", g.text(x.LogicalOrExpression), orTrue(yes),
					orTrue(no)))
			}
		}
	case *cc.MultiplicativeExpression:
		if x.Case == cc.MultiplicativeExpressionDiv || x.Case == cc.MultiplicativeExpressionMod {
			return allOf(g.of(x.MultiplicativeExpression, true), g.of(x.CastExpression, true), g.division(x))
		}
	case *cc.ShiftExpression:
		if x.Case != cc.ShiftExpressionAdd && !safeShift(x) && x.Type() != nil {
			return allOf(g.of(x.ShiftExpression, true), g.of(x.AdditiveExpression, true),
				fmt.Sprintf("(unsigned long)%s < %d", g.text(x.AdditiveExpression), 8*x.Type().Size()))
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionAddrof:
			return g.of(x.CastExpression, false)
		case cc.UnaryExpressionDeref:
			return allOf(g.of(x.CastExpression, true), g.follow(x.CastExpression, "", load))
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			return allOf(g.of(x.PostfixExpression, !isArray(x.PostfixExpression)), g.of(x.ExpressionList, true),
				g.index(x, load))
		case cc.PostfixExpressionSelect:
			return g.of(x.PostfixExpression, false)
		case cc.PostfixExpressionPSelect:
			field := ""
			if f := x.Field(); f != nil && !f.IsBitfield() && f.Name() != "" {
				field = "->" + f.Name()
			}
			return allOf(g.of(x.PostfixExpression, true), g.follow(x.PostfixExpression, field, load && !isArray(x)))
		case cc.PostfixExpressionCall:
			return g.kids(x)
		}
	}
	if kids := g.u.Children(e); len(kids) == 1 {
		return g.of(kids[0], load)
	}
	return g.kids(e)
}

func (g *guard) kids(e cc.Node) string {
	var all []string
	for _, k := range g.u.Children(e) {
		all = append(all, g.of(k, true))
	}
	return allOf(all...)
}

// division says that a quotient exists, and can be had from the processor.
func (g *guard) division(x *cc.MultiplicativeExpression) string {
	if safeDivisor(x) || x.Type() == nil {
		return ""
	}
	r := g.text(x.CastExpression)
	zero := r + " != 0"
	v, known := ConstInt(x.CastExpression)
	if known && v != 0 {
		zero = ""
	}
	lowest := map[int64]string{4: "(-2147483647 - 1)", 8: "(-9223372036854775807L - 1)"}[x.Type().Size()]
	if !cc.IsSignedInteger(x.Type()) || lowest == "" || known && v == 0 {
		return zero
	}
	return allOf(zero, fmt.Sprintf("(%s != -1 || %s != %s)", r, g.text(x.MultiplicativeExpression), lowest))
}

// index says that an element of an array is there. What a pointer points to is
// not known to have an end, nor is an array of one element or none, which may
// stand for more at the end of a structure.
func (g *guard) index(x *cc.PostfixExpression, load bool) string {
	if x.PostfixExpression.Type() == nil || x.ExpressionList == nil || x.ExpressionList.Type() == nil ||
		!cc.IsIntegerType(x.ExpressionList.Type()) {
		return ""
	}
	if a, ok := x.PostfixExpression.Type().Undecay().(*cc.ArrayType); ok && isArray(x.PostfixExpression) {
		if indexInBounds(x) || a.IsVLA() || a.IsIncomplete() || a.Len() <= 1 {
			return ""
		}
		n := a.Len()
		if !load {
			n++ // its end may be named
		}
		return fmt.Sprintf("(unsigned long)%s < %d", g.text(x.ExpressionList), n)
	}
	p := g.text(x.PostfixExpression)
	if !load || g.readable == nil || isArray(x) {
		return p + " != 0"
	}
	place := fmt.Sprintf("(%s + %s)", p, g.text(x.ExpressionList))
	return allOf(p+" != 0", g.readable(place, "sizeof *"+place))
}

// follow says that what a pointer points to is there.
func (g *guard) follow(p cc.ExpressionNode, field string, load bool) string {
	t, ok := typeOf(p).(*cc.PointerType)
	if ok && (t.Elem() == nil || t.Elem().Kind() == cc.Function) || isArray(p) {
		return ""
	}
	text := g.text(p)
	if !load || g.readable == nil || !ok || t.Elem().IsIncomplete() {
		return text + " != 0"
	}
	place, size := text, "1"
	switch {
	case field != "":
		place = "&" + text + field
		size = "sizeof " + text + field
	case t.Elem().Size() > 0:
		size = "sizeof *" + text
	}
	return allOf(text+" != 0", g.readable(place, size))
}

func typeOf(e cc.ExpressionNode) cc.Type {
	if e == nil || e.Type() == nil {
		return nil
	}
	return e.Type()
}
