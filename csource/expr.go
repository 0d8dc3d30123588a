package csource

import (
	"reflect"

	"modernc.org/cc/v4"
)

// Effect says whether evaluating an expression changes something that outlives
// it. Volatile reads are told apart by Volatile.
type Effect uint8

// The effects, in order of concern.
const (
	NoEffect  Effect = iota // none: the expression can be evaluated again, or not at all
	MayEffect               // a function is called of which nothing is known
	HasEffect               // an assignment, an increment, asm, or a function that does so
)

// Pure reports whether evaluating n once more makes no difference: it has no
// side effect and reads nothing volatile.
func (u *Unit) Pure(n cc.Node) bool { return u.Effect(n) == NoEffect && !u.Volatile(n) }

// Effect judges an expression or statement.
func (u *Unit) Effect(n cc.Node) Effect {
	s, ok := u.Span(n)
	if !ok {
		return NoEffect
	}
	own, called := u.ownEffect(n, s, false)
	return max(own, u.reachableEffect(called))
}

// ownEffect judges n without the bodies of the functions that it calls, which
// are returned. Assignments to automatic variables that are declared within
// scope do not outlive it; in a function's body neither does a return.
func (u *Unit) ownEffect(n cc.Node, scope Span, body bool) (worst Effect, called []*Function) {
	note := func(e Effect) { worst = max(worst, e) }
	assigned := func(lhs cc.ExpressionNode) {
		if !u.assignsWithin(lhs, scope) {
			note(HasEffect)
		}
	}
	visit(n, func(n cc.Node) bool {
		if worst == HasEffect || unevaluated(n) {
			return false
		}
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			if x.Case != cc.AssignmentExpressionCond {
				assigned(x.UnaryExpression)
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
				assigned(x.UnaryExpression)
			}
		case *cc.PostfixExpression:
			switch x.Case {
			case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
				assigned(x.PostfixExpression)
			case cc.PostfixExpressionCall:
				e, f := u.callEffect(x)
				note(e)
				if f != nil {
					called = append(called, f)
				}
			}
		case *cc.AsmStatement, *cc.Asm:
			note(HasEffect)
		case *cc.JumpStatement:
			// Out of an expression, a jump is an effect.
			inside := x.Case == cc.JumpStatementBreak || x.Case == cc.JumpStatementContinue
			if !body && !inside {
				note(HasEffect)
			}
		}
		return true
	})
	return worst, called
}

// callEffect judges a call by what is known of the function's name and
// attributes; for a function that the unit defines it leaves that to its body.
func (u *Unit) callEffect(call *cc.PostfixExpression) (Effect, *Function) {
	d, name := callee(call)
	switch {
	case name == "":
		return MayEffect, nil
	case contains(u.labels, name) || pureFunctions[name]:
		return NoEffect, nil
	case d == nil:
		return MayEffect, nil
	}
	if t := d.Type(); t != nil {
		if a := t.Attributes(); a != nil && (a.IsAttrSet("pure") || a.IsAttrSet("__pure__") || a.IsAttrSet("const") ||
			a.IsAttrSet("__const__")) {
			return NoEffect, nil
		}
	}
	if f := u.definition(name); f != nil {
		return NoEffect, f
	}
	return MayEffect, nil
}

// bodyEffect is what a function's own body does, and what it calls.
type bodyEffect struct {
	own    Effect
	called []*Function
}

// reachableEffect is the worst effect of functions and of all that they call.
func (u *Unit) reachableEffect(fs []*Function) Effect {
	worst := NoEffect
	seen := map[*Function]bool{}
	for len(fs) > 0 && worst < HasEffect {
		f := fs[len(fs)-1]
		fs = fs[:len(fs)-1]
		if seen[f] {
			continue
		}
		seen[f] = true
		u.mu.Lock()
		b, ok := u.bodies[f]
		u.mu.Unlock()
		if !ok {
			b.own, b.called = u.ownEffect(f.Def.CompoundStatement, f.Span, true)
			u.mu.Lock()
			u.bodies[f] = b
			u.mu.Unlock()
		}
		worst = max(worst, b.own)
		fs = append(fs, b.called...)
	}
	return worst
}

// definition is Function by way of a table, for calls.
func (u *Unit) definition(name string) *Function {
	fs := u.Functions()
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.byName == nil {
		u.byName = make(map[string]*Function, len(fs))
		for _, f := range fs {
			u.byName[f.Name] = f
		}
	}
	return u.byName[name]
}

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

// Volatile reports whether evaluating n reads or writes a volatile object.
func (u *Unit) Volatile(n cc.Node) bool {
	found := false
	visit(n, func(n cc.Node) bool {
		if found || unevaluated(n) {
			return false
		}
		switch x := n.(type) {
		case *cc.PrimaryExpression:
			if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent {
				found = found || d.IsVolatile() && !isPointerDecl(d) || volatileType(d.Type())
			}
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
				if f := x.Field(); f != nil {
					found = found || volatileType(f.Type())
				}
			}
			if x.Case == cc.PostfixExpressionPSelect || x.Case == cc.PostfixExpressionIndex {
				found = found || volatileElem(x.PostfixExpression)
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionDeref {
				found = found || volatileElem(x.CastExpression)
			}
		}
		return true
	})
	return found
}

func isPointerDecl(d *cc.Declarator) bool { return d.Type() != nil && d.Type().Kind() == cc.Ptr }

func volatileType(t cc.Type) bool { return t != nil && t.Attributes().IsVolatile() }

func volatileElem(e cc.ExpressionNode) bool {
	if e == nil || e.Type() == nil {
		return false
	}
	switch t := e.Type().(type) {
	case *cc.PointerType:
		return volatileType(t.Elem())
	case *cc.ArrayType:
		return volatileType(t.Elem())
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
				found = !indexInBounds(x)
			}
		case *cc.UnaryExpression:
			found = x.Case == cc.UnaryExpressionDeref
		case *cc.MultiplicativeExpression:
			if x.Case == cc.MultiplicativeExpressionDiv || x.Case == cc.MultiplicativeExpressionMod {
				found = !safeDivisor(x)
			}
		case *cc.ShiftExpression:
			found = x.Case != cc.ShiftExpressionAdd && !safeShift(x)
		case *cc.AssignmentExpression:
			switch x.Case {
			case cc.AssignmentExpressionDiv, cc.AssignmentExpressionMod, cc.AssignmentExpressionLsh,
				cc.AssignmentExpressionRsh:
				found = true
			}
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
	i, ok := ConstInt(x.ExpressionList)
	return ok && i >= 0 && i < a.Len()
}

func safeDivisor(x *cc.MultiplicativeExpression) bool {
	if !cc.IsIntegerType(x.Type()) {
		return true // floating-point division is defined (Annex F)
	}
	v, ok := ConstInt(x.CastExpression)
	return ok && v != 0 && v != -1
}

func safeShift(x *cc.ShiftExpression) bool {
	v, ok := ConstInt(x.AdditiveExpression)
	return ok && v >= 0 && x.Type() != nil && v < 8*x.Type().Size()
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
	for _, p := range planOf(v.Type()) {
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

// pureFunctions are functions of the C library and of compilers that change
// nothing their caller can see.
var pureFunctions = setOf(
	"abs", "labs", "llabs", "strlen", "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strchr", "strrchr", "strstr",
	"strspn", "strcspn", "strpbrk", "memcmp", "memchr", "atoi", "atol", "atof",
	"isalnum", "isalpha", "isblank", "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace",
	"isupper", "isxdigit", "isascii", "tolower", "toupper", "__ctype_b_loc", "__ctype_tolower_loc",
	"__ctype_toupper_loc",
	"fabs", "fabsf", "floor", "ceil", "trunc", "round", "sqrt", "sin", "cos", "tan", "fmod", "fmin", "fmax", "copysign",
	"isnan", "isinf", "isfinite", "signbit", "__isnan", "__isinf", "__finite", "__isnanf", "__isinff",
	"__builtin_expect", "__builtin_expect_with_probability", "__builtin_abs", "__builtin_labs", "__builtin_llabs",
	"__builtin_strlen", "__builtin_strcmp", "__builtin_strncmp", "__builtin_memcmp", "__builtin_strchr",
	"__builtin_isnan", "__builtin_isinf", "__builtin_isfinite", "__builtin_fabs", "__builtin_popcount",
	"__builtin_popcountl", "__builtin_popcountll", "__builtin_clz", "__builtin_clzl", "__builtin_clzll",
	"__builtin_ctz",
	"__builtin_ctzl", "__builtin_ctzll", "__builtin_ffs", "__builtin_bswap16", "__builtin_bswap32", "__builtin_bswap64",
	"__builtin_constant_p", "__builtin_object_size", "__builtin_offsetof", "__builtin_types_compatible_p",
	"__ccgo__types_compatible_p", "klee_is_symbolic",
)

func setOf(names ...string) map[string]bool {
	m := make(map[string]bool, len(names))
	for _, n := range names {
		m[n] = true
	}
	return m
}
