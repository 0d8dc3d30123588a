package ctree

import (
	"reflect"
	"strings"

	"modernc.org/cc/v4"
)

func isNil(n cc.ExpressionNode) bool {
	if n == nil {
		return true
	}
	v := reflect.ValueOf(n)
	return v.Kind() == reflect.Pointer && v.IsNil()
}

// expr converts an expression; nil for none and for what has no place of its
// own in the text.
func (b *builder) expr(n cc.ExpressionNode, parent *Expr) *Expr {
	if isNil(n) {
		return nil
	}
	e := &Expr{Node: n, Parent: parent, Stmt: b.cur, OpAt: -1, Wrap: true}
	b.convert(n, e)
	if e.Span.End == 0 {
		e.Span = b.span(e.Node)
	}
	if e.Span.Start < 0 {
		e.Kind, e.Closed = Opaque, true
	}
	if e.Type == nil {
		e.Type = e.Node.Type()
	}
	b.finish(e)
	return e
}

// set fills in an operator node.
func (b *builder) set(e *Expr, k Kind, op *cc.Token, kids ...cc.ExpressionNode) {
	e.Kind = k
	e.Op = string(op.Src())
	if s, ok := b.u.Span(op); ok {
		e.OpAt = s.Start
	}
	b.kids(e, kids...)
}

func (b *builder) kids(e *Expr, kids ...cc.ExpressionNode) {
	for _, k := range kids {
		if x := b.expr(k, e); x != nil {
			e.Kids = append(e.Kids, x)
		}
	}
}

func (e *Expr) lvalue() { e.Wrap = false }

// same goes on with the only child of a node that adds nothing.
func (b *builder) same(n cc.ExpressionNode, e *Expr) {
	e.Node = n
	b.convert(n, e)
}

func (b *builder) convert(n cc.ExpressionNode, e *Expr) {
	switch n := n.(type) {
	case *cc.ExpressionList:
		if n.ExpressionList == nil {
			b.same(n.AssignmentExpression, e)
			return
		}
		e.Kind = Comma
		for l := n; l != nil; l = l.ExpressionList {
			b.kids(e, l.AssignmentExpression)
		}
	case *cc.ConstantExpression:
		b.same(n.ConditionalExpression, e)
	case *cc.AssignmentExpression:
		if n.Case == cc.AssignmentExpressionCond {
			b.same(n.ConditionalExpression, e)
			return
		}
		b.set(e, Assign, &n.Token, n.UnaryExpression, n.AssignmentExpression)
		if len(e.Kids) > 0 {
			e.Kids[0].lvalue()
		}
	case *cc.ConditionalExpression:
		if n.Case == cc.ConditionalExpressionLOr {
			b.same(n.LogicalOrExpression, e)
			return
		}
		b.set(e, CondExpr, &n.Token, n.LogicalOrExpression, n.ExpressionList, n.ConditionalExpression)
	case *cc.LogicalOrExpression:
		if n.Case == cc.LogicalOrExpressionLAnd {
			b.same(n.LogicalAndExpression, e)
			return
		}
		b.set(e, Logic, &n.Token, n.LogicalOrExpression, n.LogicalAndExpression)
	case *cc.LogicalAndExpression:
		if n.Case == cc.LogicalAndExpressionOr {
			b.same(n.InclusiveOrExpression, e)
			return
		}
		b.set(e, Logic, &n.Token, n.LogicalAndExpression, n.InclusiveOrExpression)
	case *cc.InclusiveOrExpression:
		if n.Case == cc.InclusiveOrExpressionXor {
			b.same(n.ExclusiveOrExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.InclusiveOrExpression, n.ExclusiveOrExpression)
	case *cc.ExclusiveOrExpression:
		if n.Case == cc.ExclusiveOrExpressionAnd {
			b.same(n.AndExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.ExclusiveOrExpression, n.AndExpression)
	case *cc.AndExpression:
		if n.Case == cc.AndExpressionEq {
			b.same(n.EqualityExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.AndExpression, n.EqualityExpression)
	case *cc.EqualityExpression:
		if n.Case == cc.EqualityExpressionRel {
			b.same(n.RelationalExpression, e)
			return
		}
		b.set(e, Compare, &n.Token, n.EqualityExpression, n.RelationalExpression)
	case *cc.RelationalExpression:
		if n.Case == cc.RelationalExpressionShift {
			b.same(n.ShiftExpression, e)
			return
		}
		b.set(e, Compare, &n.Token, n.RelationalExpression, n.ShiftExpression)
	case *cc.ShiftExpression:
		if n.Case == cc.ShiftExpressionAdd {
			b.same(n.AdditiveExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.ShiftExpression, n.AdditiveExpression)
	case *cc.AdditiveExpression:
		if n.Case == cc.AdditiveExpressionMul {
			b.same(n.MultiplicativeExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.AdditiveExpression, n.MultiplicativeExpression)
	case *cc.MultiplicativeExpression:
		if n.Case == cc.MultiplicativeExpressionCast {
			b.same(n.CastExpression, e)
			return
		}
		b.set(e, Binary, &n.Token, n.MultiplicativeExpression, n.CastExpression)
	case *cc.CastExpression:
		if n.Case == cc.CastExpressionUnary {
			b.same(n.UnaryExpression, e)
			return
		}
		e.Kind = Cast
		b.kids(e, n.CastExpression)
	case *cc.UnaryExpression:
		b.unary(n, e)
	case *cc.PostfixExpression:
		b.postfix(n, e)
	case *cc.PrimaryExpression:
		b.primary(n, e)
	default:
		e.Kind, e.Closed = Opaque, true
	}
}

func (b *builder) unary(n *cc.UnaryExpression, e *Expr) {
	switch n.Case {
	case cc.UnaryExpressionPostfix:
		b.same(n.PostfixExpression, e)
	case cc.UnaryExpressionInc, cc.UnaryExpressionDec:
		b.set(e, IncDec, &n.Token, n.UnaryExpression)
		e.Kids[0].lvalue()
	case cc.UnaryExpressionAddrof:
		b.set(e, AddrOf, &n.Token, n.CastExpression)
		e.Kids[0].lvalue()
	case cc.UnaryExpressionDeref:
		b.set(e, Deref, &n.Token, n.CastExpression)
	case cc.UnaryExpressionPlus, cc.UnaryExpressionMinus, cc.UnaryExpressionCpl:
		b.set(e, Unary, &n.Token, n.CastExpression)
	case cc.UnaryExpressionNot:
		b.set(e, Not, &n.Token, n.CastExpression)
	case cc.UnaryExpressionImag, cc.UnaryExpressionReal:
		e.Kind, e.Closed = Opaque, true
	default: // sizeof, alignof, &&label
		e.Kind, e.Pure, e.Safe, e.Literal = Leaf, true, true, true
	}
}

func (b *builder) postfix(n *cc.PostfixExpression, e *Expr) {
	switch n.Case {
	case cc.PostfixExpressionPrimary:
		b.same(n.PrimaryExpression, e)
	case cc.PostfixExpressionIndex:
		b.set(e, Index, &n.Token, n.PostfixExpression, n.ExpressionList)
		e.Type = b.u.Element(n) // else the parser's
		if e.Kids[0].Type.Undecay().Kind() == cc.Array {
			e.Kids[0].lvalue()
		}
	case cc.PostfixExpressionCall:
		b.call(n, e)
	case cc.PostfixExpressionSelect:
		b.set(e, Member, &n.Token, n.PostfixExpression)
		e.Kids[0].lvalue()
	case cc.PostfixExpressionPSelect:
		b.set(e, Arrow, &n.Token, n.PostfixExpression)
	case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
		b.set(e, IncDec, &n.Token, n.PostfixExpression)
		e.Postfix = true
		e.Kids[0].lvalue()
	default:
		// The members of a compound literal are evaluated, but its lifetime
		// ends with the block around it.
		e.Kind, e.Closed = CompLit, true
	}
}

func (b *builder) call(n *cc.PostfixExpression, e *Expr) {
	e.Kind = Call
	sp := b.span(n)
	b.kids(e, n.PostfixExpression)
	if len(e.Kids) == 0 {
		e.Kind, e.Closed = Opaque, true
		return
	}
	e.Kids[0].lvalue()
	name := e.CalleeName()
	if name == "" && sp.Start >= 0 && strings.HasPrefix(string(b.u.Text[sp.Start:min(sp.End, sp.Start+10)]),
		"__builtin_") {
		name = "__builtin_"
	}
	expect := strings.HasPrefix(name, "__builtin_expect")
	if assumptions[name] || labelNames[name] || b.macros[name] || strings.HasPrefix(name, "__builtin_") && !expect ||
		strings.HasPrefix(name, "__atomic_") || strings.HasPrefix(name, "__sync_") ||
		strings.HasPrefix(name, "__c11_") {
		e.Closed = true
	}
	e.NoTemp = setjmps[name]
	for l := n.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		b.kids(e, l.AssignmentExpression)
	}
	if expect && len(e.Kids) > 1 {
		e.Kind, e.Kids = Expect, e.Kids[1:2]
	}
}

func (b *builder) primary(n *cc.PrimaryExpression, e *Expr) {
	switch n.Case {
	case cc.PrimaryExpressionIdent:
		e.Kind = Ident
		switch d := n.ResolvedTo().(type) {
		case *cc.Declarator:
			e.Pure = !b.u.Restless(n.Type()) && !d.IsVolatile() && !d.IsAtomic()
		case *cc.Enumerator:
			e.Pure, e.Literal = true, true
		}
		e.Safe = e.Pure
	case cc.PrimaryExpressionExpr:
		b.same(n.ExpressionList, e)
	case cc.PrimaryExpressionStmt:
		e.Kind = StmtExpr
		e.Span = b.span(n)
		save := b.cur
		e.Body = b.block(n.CompoundStatement, nil)
		b.cur = save
	case cc.PrimaryExpressionGeneric:
		e.Kind, e.Closed = Opaque, true
	default:
		e.Kind, e.Pure, e.Safe, e.Literal = Leaf, true, true, true
	}
}

// finish computes what follows from the children.
func (b *builder) finish(e *Expr) {
	if n, ok := numOf(e); ok {
		if e.num = b.nums[n]; e.num == nil {
			e.num = &n
			b.nums[n] = &n
		}
	}
	b.properties(e)
	// The parser knows the value of some expressions with side effects too.
	e.Const = e.Const && e.Pure
	e.Literal = e.Literal && e.Pure
}
