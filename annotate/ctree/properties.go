package ctree

import (
	"strings"

	"modernc.org/cc/v4"
)

func (b *builder) properties(e *Expr) {
	e.Const = constant(e.Node)
	if sp := e.Span; sp.Start >= 0 && len(e.Kids) > 0 {
		if i := strings.Index(string(b.u.Text[sp.Start:min(sp.End, sp.Start+10)]), "__builtin_"); i == 0 {
			// A use of a compiler builtin that takes a type has one text for all
			// that is in it.
			if e.Kids[0].Span == sp && e.Kind != Call {
				e.Kind, e.Closed, e.Const = Opaque, true, false
			}
		}
	}
	if e.Closed && e.Kind != Call {
		e.NoTemp = e.NoTemp || e.Kind == CompLit
		return
	}
	pure, safe := true, true
	for _, k := range e.Kids {
		pure, safe = pure && k.Pure, safe && k.Safe
		e.NoTemp = e.NoTemp || k.NoTemp
		e.Jumps = e.Jumps || k.Jumps
	}
	switch e.Kind {
	case Leaf, Ident:
		return
	case Assign, IncDec, Call, Opaque, CompLit:
		return
	case StmtExpr:
		e.Jumps = true
		e.Body.WalkExprs(func(x *Expr) { e.NoTemp = e.NoTemp || x.NoTemp && x.Kind == Call })
		return
	}
	e.Pure, e.Safe = pure, safe && !canFail(e)
	switch e.Kind {
	case Index, Member, Arrow, Deref:
		e.Pure = e.Pure && !b.u.Restless(e.Type) && !b.restlessAccess(e)
		if !e.Pure {
			e.Safe = false
		}
	case Cast:
		// What it leads to, the parser's type may not say: *(volatile int *)p.
		if c, ok := e.Node.(*cc.CastExpression); ok && b.u.RestlessName(c.TypeName) {
			e.Pure, e.Safe = false, false
		}
		e.Literal = e.Kids[0].Literal
	case Unary:
		e.Literal = e.Kids[0].Literal
	}
}

// restlessAccess looks at the declarations along the way, because the parser's
// types lose qualifiers behind pointers.
func (b *builder) restlessAccess(e *Expr) bool {
	if p, ok := e.Node.(*cc.PostfixExpression); ok && (e.Kind == Member || e.Kind == Arrow) {
		if f := p.Field(); f != nil && f.Declarator() != nil &&
			(f.Declarator().IsVolatile() || f.Declarator().IsAtomic() || b.u.Restless(f.Type())) {
			return true
		}
	}
	if len(e.Kids) == 0 {
		return false
	}
	t := e.Kids[0].Type
	if p, ok := t.Decay().(*cc.PointerType); ok && b.u.Restless(p.Elem()) {
		return true
	}
	return b.u.Restless(t) && e.Kind == Member
}

// canFail reports whether the operation itself may be undefined for some
// operands: then it must not run where the program would not run it. What is
// computed from constants has a value.
func canFail(e *Expr) bool {
	if e.Const {
		return false
	}
	switch e.Kind {
	case Index:
		// A constant index into a known array is as good as a member.
		if a, ok := e.Kids[0].Type.Undecay().(*cc.ArrayType); ok && e.Kids[1].Const {
			if v, ok := e.Kids[1].Node.Value().(cc.Int64Value); ok && int64(v) >= 0 && int64(v) < a.Len() {
				return false
			}
		}
		return e.Parent == nil || e.Parent.Kind != AddrOf
	case Arrow, Deref:
		return true
	case Binary:
		a, ok1 := e.Kids[0].Num()
		c, ok2 := e.Kids[1].Num()
		if !ok1 || !ok2 {
			return true // pointer arithmetic
		}
		t := Common(a, c)
		switch e.Op {
		case "/", "%":
			return !t.Float && !divides(e.Kids[1])
		case "<<", ">>":
			return !e.Kids[1].Const || a.Promote().Signed && e.Op == "<<"
		case "+", "-", "*":
			return t.Signed && !t.Float && !fits(a, c, e.Op)
		}
	case Unary:
		n, ok := e.Kids[0].Num()
		return ok && e.Op == "-" && n.IsInt() && n.Promote().Signed && n.Bits >= n.Promote().Bits
	case Cast:
		from, ok1 := e.Kids[0].Num()
		to, ok2 := e.Num()
		return ok1 && ok2 && from.Float && !to.Float
	}
	return false
}

// divides reports whether any integer can be divided by a constant: not by 0, and the
// least one not by -1.
func divides(e *Expr) bool {
	switch v := e.Node.Value().(type) {
	case cc.Int64Value:
		return e.Const && v != 0 && v != -1
	case cc.UInt64Value:
		return e.Const && v != 0
	}
	return false
}

// fits reports that small operands cannot overflow an int.
func fits(a, b Num, op string) bool {
	if op == "*" {
		return a.Bits+b.Bits < 31
	}
	return a.Bits < 31 && b.Bits < 31
}

// constant reports whether the parser could compute the value.
func constant(n cc.ExpressionNode) bool {
	switch n.Value().(type) {
	case cc.Int64Value, cc.UInt64Value, cc.Float64Value, *cc.LongDoubleValue:
		return true
	case *cc.ZeroValue:
		return true
	}
	return false
}
