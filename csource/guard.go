package csource

import (
	"fmt"
	"slices"
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
	text, _ := u.guard(e, readable)
	return text
}

// Guarded reports whether Guard says all that there is to say against following a
// NULL pointer: an expression that it stands back from, and calls, may do so.
func (u *Unit) Guarded(e cc.ExpressionNode) bool {
	calls := false
	u.Walk(e, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		calls = calls || ok && x.Case == cc.PostfixExpressionCall
		return !calls
	})
	_, known := u.guard(e, nil)
	return known && !calls
}

// GuardAlone is Guard, and whether its condition is all that it takes to evaluate the
// expression, even where the program itself does not come to it: nothing is called,
// and each array has an end that is known.
func (u *Unit) GuardAlone(e cc.ExpressionNode, readable func(pointer, size string) string) (guard string, alone bool) {
	guard, alone = u.guard(e, readable)
	u.Walk(e, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		if ok && x.Case == cc.PostfixExpressionIndex && isArray(x.PostfixExpression) {
			a, ok := x.PostfixExpression.Type().Undecay().(*cc.ArrayType)
			alone = alone && ok && !a.IsVLA() && !a.IsIncomplete() && (a.Len() > 1 || indexInBounds(x))
		}
		alone = alone && !(ok && x.Case == cc.PostfixExpressionCall)
		return alone
	})
	return guard, alone
}

// guard reports beside the condition whether it is all that is asked for.
func (u *Unit) guard(e cc.ExpressionNode, readable func(pointer, size string) string) (string, bool) {
	if e == nil || !u.CanFault(e) {
		return "", true
	}
	if !u.Pure(e) {
		return "", false
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
		return "", false
	}
	text := strings.Join(g.of(e, true), " && ")
	if g.failed || len(text) > maxGuard {
		return "", false
	}
	return text, true
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

// conditions hold together and are evaluated in this order: what one says need
// not be said again after it.
type conditions []string

func (c conditions) and(more ...string) conditions {
	for _, m := range more {
		if m != "" && !slices.Contains(c, m) {
			c = append(c, m)
		}
	}
	return c
}

// beyond is what of more c does not say.
func (c conditions) beyond(more conditions) conditions {
	return slices.DeleteFunc(slices.Clone(more), func(m string) bool { return slices.Contains(c, m) })
}

func (c conditions) String() string {
	if len(c) == 0 {
		return "1"
	}
	return strings.Join(c, " && ")
}

// binary is the guard of an operation that evaluates both operands, and needs
// more itself.
func (g *guard) binary(left, right cc.Node, more ...string) conditions {
	return g.of(left, true).and(g.of(right, true)...).and(more...)
}

// lazy is the guard of && and ||: skips, before the left operand's text, is
// when the right one is not come to.
func (g *guard) lazy(left, right cc.Node, skips string) conditions {
	all, known := g.of(left, true), conditions{}
	if skips == "!" {
		known = conditions{g.text(left) + " != 0"}
	}
	if then := known.beyond(all.beyond(g.of(right, true))); len(then) > 0 {
		return all.and(fmt.Sprintf("(%s%s || (%s))", skips, g.text(left), then))
	}
	return all
}

// of is the guard of e; load says that the value of e is read, and not only its
// place named.
func (g *guard) of(e cc.Node, load bool) conditions {
	if g.failed || unevaluated(e) {
		return nil
	}
	switch x := e.(type) {
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd {
			return g.lazy(x.LogicalAndExpression, x.InclusiveOrExpression, "!")
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr {
			return g.lazy(x.LogicalOrExpression, x.LogicalAndExpression, "")
		}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond {
			return g.choice(x, load)
		}
	case *cc.MultiplicativeExpression:
		if x.Case == cc.MultiplicativeExpressionDiv || x.Case == cc.MultiplicativeExpressionMod {
			return g.binary(x.MultiplicativeExpression, x.CastExpression, g.division(x)...)
		}
	case *cc.CastExpression:
		if limits := g.u.castLimits(x); limits != "" {
			t := g.text(x.CastExpression)
			return g.of(x.CastExpression, true).and(strings.ReplaceAll(limits, "@", t))
		}
	case *cc.ShiftExpression:
		if x.Case != cc.ShiftExpressionAdd && !g.u.safeShift(x) && x.Type() != nil {
			g.failed = g.failed || isVector(x) || isVector(x.AdditiveExpression)
			return g.binary(x.ShiftExpression, x.AdditiveExpression,
				fmt.Sprintf("(unsigned long)%s < %d", g.text(x.AdditiveExpression), 8*g.u.width(x)))
		}
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionAddrof:
			return g.of(x.CastExpression, false)
		case cc.UnaryExpressionDeref:
			return g.of(x.CastExpression, true).and(g.follow(x.CastExpression, "", load)...)
		}
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionIndex:
			return g.of(x.PostfixExpression, !isArray(x.PostfixExpression)).and(g.of(x.ExpressionList, true)...).
				and(g.index(x, load)...)
		case cc.PostfixExpressionSelect:
			return g.of(x.PostfixExpression, false)
		case cc.PostfixExpressionPSelect:
			field := ""
			if f := x.Field(); f != nil && !f.IsBitfield() && f.Name() != "" {
				field = "->" + f.Name()
			}
			return g.of(x.PostfixExpression, true).and(g.follow(x.PostfixExpression, field, load && !isArray(x))...)
		case cc.PostfixExpressionCall:
			return g.kids(x)
		}
	}
	if kids := g.u.Children(e); len(kids) == 1 {
		return g.of(kids[0], load)
	}
	return g.kids(e)
}

// choice is the guard of c ? a : b; what both need is asked for once.
func (g *guard) choice(x *cc.ConditionalExpression, load bool) conditions {
	all := g.of(x.LogicalOrExpression, true)
	var yes conditions
	if x.ExpressionList != nil {
		yes = g.of(x.ExpressionList, load)
	}
	no := g.of(x.ConditionalExpression, load)
	for _, c := range yes {
		if slices.Contains(no, c) {
			all = all.and(c)
		}
	}
	yes, no = all.beyond(yes), all.beyond(no)
	if len(yes)+len(no) == 0 {
		return all
	}
	return all.and(fmt.Sprintf("(%s ? (%s) : (%s))", g.text(x.LogicalOrExpression), yes, no))
}

func (g *guard) kids(e cc.Node) conditions {
	var all conditions
	for _, k := range g.u.Children(e) {
		all = all.and(g.of(k, true)...)
	}
	return all
}

// division says that a quotient exists, and can be had from the processor.
func (g *guard) division(x *cc.MultiplicativeExpression) conditions {
	if safeDivisor(x) || x.Type() == nil {
		return nil
	}
	g.failed = g.failed || isVector(x)
	r := g.text(x.CastExpression)
	zero := r + " != 0"
	v, known := ConstInt(x.CastExpression)
	if known && v != 0 {
		zero = ""
	}
	lowest := map[int64]string{4: "(-2147483647 - 1)", 8: "(-9223372036854775807L - 1)"}[g.u.width(x)]
	if !cc.IsSignedInteger(x.Type()) || lowest == "" || known && v == 0 {
		return conditions{zero}
	}
	return conditions{zero, fmt.Sprintf("(%s != -1 || %s != %s)", r, g.text(x.MultiplicativeExpression), lowest)}
}

// castLimits is a condition on @, the operand of a cast from a floating-point number
// to an integer, under which the integer has room for it; "" for other casts.
func (u *Unit) castLimits(x *cc.CastExpression) string {
	if x.Case != cc.CastExpressionCast || x.CastExpression == nil || x.Type() == nil {
		return ""
	}
	to, from := x.Type(), typeOf(x.CastExpression)
	if from == nil || !cc.IsFloatingPointType(from) && !Half(from) || cc.IsComplexType(from) || to.Kind() == cc.Bool ||
		!cc.IsIntegerType(to) || isVector(x) || isVector(x.CastExpression) || Foreign(to) != "" {
		return ""
	}
	switch n, signed := 8*to.Size(), cc.IsSignedInteger(to); {
	case n > 64:
		return ""
	case !signed:
		return fmt.Sprintf("(@ > -1.0 && @ < 0x1p%d)", n)
	case n == 64: // no double is between this and what is too low
		return "(@ >= -0x1p63 && @ < 0x1p63)"
	default:
		return fmt.Sprintf("(@ > %d.0 && @ < 0x1p%d)", -int64(1)<<(n-1)-1, n-1)
	}
}

// index says that an element of an array is there. What a pointer points to is
// not known to have an end, nor is an array of one element or none, which may
// stand for more at the end of a structure.
func (g *guard) index(x *cc.PostfixExpression, load bool) conditions {
	if x.PostfixExpression.Type() == nil || x.ExpressionList == nil || x.ExpressionList.Type() == nil ||
		!cc.IsIntegerType(x.ExpressionList.Type()) {
		return nil
	}
	if a, ok := x.PostfixExpression.Type().Undecay().(*cc.ArrayType); ok && isArray(x.PostfixExpression) {
		if indexInBounds(x) || a.IsVLA() || a.IsIncomplete() || a.Len() <= 1 {
			return nil
		}
		n := a.Len()
		if !load {
			n++ // its end may be named
		}
		return conditions{fmt.Sprintf("(unsigned long)%s < %d", g.text(x.ExpressionList), n)}
	}
	if n, ok := g.u.elements(x); ok {
		if indexBelow(x, n) {
			return nil
		}
		return conditions{fmt.Sprintf("(unsigned long)%s < %d", g.text(x.ExpressionList), n)}
	}
	p := g.text(x.PostfixExpression)
	if !load || g.readable == nil || isArray(x) {
		return conditions{p + " != 0"}
	}
	place := fmt.Sprintf("(%s + %s)", p, g.text(x.ExpressionList))
	return conditions{p + " != 0", g.readable(place, "sizeof *"+place)}
}

// follow says that what a pointer points to is there.
func (g *guard) follow(p cc.ExpressionNode, field string, load bool) conditions {
	t, ok := typeOf(p).(*cc.PointerType)
	if ok && (t.Elem() == nil || t.Elem().Kind() == cc.Function) || isArray(p) {
		return nil
	}
	text := g.text(p)
	if !load || g.readable == nil || !ok || t.Elem().IsIncomplete() {
		return conditions{text + " != 0"}
	}
	place, size := text, "1"
	switch {
	case field != "":
		place = "&" + text + field
		size = "sizeof " + text + field
	case t.Elem().Size() > 0:
		size = "sizeof *" + text
	}
	return conditions{text + " != 0", g.readable(place, size)}
}

func typeOf(e cc.ExpressionNode) cc.Type {
	if e == nil || e.Type() == nil {
		return nil
	}
	return e.Type()
}
