package csource

import (
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

// Steady reports whether n has the same value whenever it is evaluated, as long as
// nothing else changes anything: it is pure, and so is, down to all that it calls,
// what it reads. errno is what functions that count as pure may set.
func (u *Unit) Steady(n cc.Node) bool {
	if !u.Pure(n) {
		return false
	}
	steady, seen, todo := true, map[*Function]bool{}, []cc.Node{n}
	for len(todo) > 0 && steady {
		n := todo[0]
		todo = todo[1:]
		steady = !u.Volatile(n)
		visit(n, func(n cc.Node) bool {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || call.Case != cc.PostfixExpressionCall || unevaluated(n) {
				return !unevaluated(n)
			}
			name := Callee(call)
			steady = steady && name != "__errno_location"
			if f := u.definition(name); f != nil && !seen[f] {
				seen[f] = true
				todo = append(todo, f.Def.CompoundStatement)
			}
			return true
		})
	}
	return steady
}

// Effect judges an expression or statement.
func (u *Unit) Effect(n cc.Node) Effect {
	if e, ok := u.effects.Load(n); ok {
		return e.(Effect)
	}
	s, ok := u.Span(n)
	if !ok {
		return NoEffect
	}
	own, called := u.ownEffect(n, s, false)
	e := max(own, u.reachableEffect(called))
	u.effects.Store(n, e)
	return e
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
