package csource

import (
	"reflect"

	"modernc.org/cc/v4"
)

// callee names the function that is called, "" when it is called through a
// pointer. The declarator is nil for a function that was not declared.
func callee(call *cc.PostfixExpression) (*cc.Declarator, string) {
	p, ok := Unparen(call.PostfixExpression).(*cc.PrimaryExpression)
	if !ok || p.Case != cc.PrimaryExpressionIdent {
		return nil, ""
	}
	name := p.Token.SrcStr()
	switch d := p.ResolvedTo().(type) {
	case *cc.Declarator:
		if t := d.Type(); t != nil && t.Kind() != cc.Function {
			return nil, ""
		}
		return d, name
	case nil:
		return nil, name
	}
	return nil, ""
}

// Callee returns the name of the function that a call names, "" for a call
// through a pointer.
func Callee(call *cc.PostfixExpression) string {
	_, name := callee(call)
	return name
}

// assignsWithin reports whether an assignment to lhs is forgotten once scope
// is left: its object is an automatic variable declared there.
func (u *Unit) assignsWithin(lhs cc.ExpressionNode, scope Span) bool {
	for {
		switch x := Unparen(lhs).(type) {
		case *cc.PrimaryExpression:
			d, ok := x.ResolvedTo().(*cc.Declarator)
			if !ok || x.Case != cc.PrimaryExpressionIdent || d.IsStatic() || d.IsExtern() || d.IsThreadLocal() ||
				d.IsVolatile() {
				return false
			}
			s, ok := u.Span(d)
			return ok && scope.Contains(s)
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionSelect:
				lhs = x.PostfixExpression
			case cc.PostfixExpressionIndex:
				if !isArray(x.PostfixExpression) {
					return false
				}
				lhs = x.PostfixExpression
			default:
				return false
			}
		default:
			return false
		}
	}
}

// isArray reports whether e is an array object, not a pointer.
func isArray(e cc.ExpressionNode) bool {
	t := e.Type()
	return t != nil && t.Undecay() != nil && t.Undecay().Kind() == cc.Array
}

// Unparen strips parentheses and one-element lists.
func Unparen(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		switch x := e.(type) {
		case *cc.PrimaryExpression:
			if x.Case != cc.PrimaryExpressionExpr || x.ExpressionList == nil {
				return e
			}
			e = x.ExpressionList
		case *cc.ExpressionList:
			if x.ExpressionList != nil || x.AssignmentExpression == nil {
				return e
			}
			e = x.AssignmentExpression
		default:
			return e
		}
	}
}

// Volatile reports whether evaluating n reads or writes a volatile object, or an atomic one.
func (u *Unit) Volatile(n cc.Node) bool {
	found := false
	visit(n, func(n cc.Node) bool {
		if found || unevaluated(n) {
			return false
		}
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent {
				found = found || (d.IsVolatile() || d.IsAtomic()) && !isPointerDecl(d) || u.Restless(d.Type())
			}
		case *cc.PostfixExpression:
			found = found || x.Case == cc.PostfixExpressionIndex && u.restlessElem(x.PostfixExpression)
		}
		found = found || u.RestlessAccess(n)
		return true
	})
	return found
}

func isPointerDecl(d *cc.Declarator) bool { return d.Type() != nil && d.Type().Kind() == cc.Ptr }

func (u *Unit) restlessElem(e cc.ExpressionNode) bool {
	if e == nil || e.Type() == nil {
		return false
	}
	switch t := e.Type().(type) {
	case *cc.PointerType:
		return u.Restless(t.Elem())
	case *cc.ArrayType:
		return u.Restless(t.Elem())
	}
	return false
}

// Calls reports whether evaluating n calls a function.
func (u *Unit) Calls(n cc.Node) bool {
	found := false
	visit(n, func(n cc.Node) bool {
		if found || unevaluated(n) {
			return false
		}
		if x, ok := n.(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall {
			found = true
		}
		return !found
	})
	return found
}

// CanFault reports whether evaluating n can trap or have undefined behaviour
// of its own: an access to memory through a pointer or an index that is not
// known to be in bounds, a division or shift that is not known to be defined,
// or a call. Signed overflow is not counted.
func (u *Unit) CanFault(n cc.Node) bool {
	found := false
	visit(n, func(n cc.Node) bool {
		if found || unevaluated(n) {
			return false
		}
		switch x := n.(type) {
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionCall, cc.PostfixExpressionPSelect:
				found = true
			case cc.PostfixExpressionIndex:
				n, ok := u.elements(x)
				found = !(ok && indexBelow(x, n) || indexInBounds(x))
			}
		case *cc.UnaryExpression:
			found = x.Case == cc.UnaryExpressionDeref
		case *cc.MultiplicativeExpression:
			if x.Case == cc.MultiplicativeExpressionDiv || x.Case == cc.MultiplicativeExpressionMod {
				found = !safeDivisor(x)
			}
		case *cc.ShiftExpression:
			found = x.Case != cc.ShiftExpressionAdd && !u.safeShift(x)
		case *cc.AssignmentExpression:
			switch x.Case {
			case cc.AssignmentExpressionDiv, cc.AssignmentExpressionMod, cc.AssignmentExpressionLsh,
				cc.AssignmentExpressionRsh:
				found = true
			}
		case *cc.CastExpression:
			found = u.castLimits(x) != ""
		case *cc.AsmStatement:
			found = true
		}
		return !found
	})
	return found
}

// indexInBounds reports whether x is an element of an array object, chosen by
// a constant within its bounds.
func indexInBounds(x *cc.PostfixExpression) bool {
	if x.PostfixExpression == nil || x.PostfixExpression.Type() == nil {
		return false
	}
	a, ok := x.PostfixExpression.Type().Undecay().(*cc.ArrayType)
	if !ok || a.IsVLA() || a.IsIncomplete() {
		return false
	}
	return indexBelow(x, a.Len())
}

func indexBelow(x *cc.PostfixExpression, n int64) bool {
	i, ok := ConstInt(x.ExpressionList)
	return ok && i >= 0 && i < n
}

func safeDivisor(x *cc.MultiplicativeExpression) bool {
	if !cc.IsIntegerType(x.Type()) {
		return true // floating-point division is defined (Annex F)
	}
	v, ok := ConstInt(x.CastExpression)
	return ok && v != 0 && v != -1
}

func (u *Unit) safeShift(x *cc.ShiftExpression) bool {
	v, ok := ConstInt(x.AdditiveExpression)
	return ok && v >= 0 && x.Type() != nil && v < 8*u.width(x)
}

// ConstInt is the value of an integer constant expression.
func ConstInt(e cc.ExpressionNode) (int64, bool) {
	if e == nil || reflect.ValueOf(e).IsNil() {
		return 0, false
	}
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return int64(v), true
	case cc.UInt64Value:
		return int64(v), int64(v) >= 0
	}
	return 0, false
}

// unevaluated reports whether n and what is below it is never evaluated.
func unevaluated(n cc.Node) bool {
	switch x := n.(type) {
	case *cc.UnaryExpression:
		switch x.Case {
		case cc.UnaryExpressionSizeofExpr, cc.UnaryExpressionSizeofType, cc.UnaryExpressionAlignofExpr,
			cc.UnaryExpressionAlignofType:
			return true
		}
	case *cc.TypeName, *cc.DeclarationSpecifiers, *cc.SpecifierQualifierList, *cc.AttributeSpecifierList:
		return true
	}
	return false
}

// visit is Walk in no particular order and without positions.
func visit(n cc.Node, f func(cc.Node) bool) {
	if n == nil {
		return
	}
	v := reflect.ValueOf(n)
	if v.Kind() != reflect.Pointer || v.IsNil() || !f(n) {
		return
	}
	v = v.Elem()
	for _, p := range planOf(v.Type()).fields {
		if p.token {
			continue
		}
		if fv := v.Field(p.index); !fv.IsNil() {
			if c, ok := fv.Interface().(cc.Node); ok {
				visit(c, f)
			}
		}
	}
}

func setOf(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
