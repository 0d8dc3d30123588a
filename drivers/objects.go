package drivers

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// Objects finds the types of the inputs that a program asks for by name: the
// variables it gives to klee_make_symbolic, the results of klee_int, klee_range
// and __VERIFIER_nondet_*. It is for programs with a driver of their own.
func Objects(u *csource.Unit) map[string]*input.Type {
	ts := &types{scope: u.AST.Scope, seen: map[cc.Type]*input.Type{}, packed: oddLayouts(u)}
	out := map[string]*input.Type{}
	integer := &input.Type{Kind: input.Int, Decl: "int @", Size: 4, Signed: true}
	for _, f := range u.Functions() {
		if f.Origin.System {
			continue
		}
		u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
			call, ok := n.(*cc.PostfixExpression)
			if !ok || call.Case != cc.PostfixExpressionCall {
				return true
			}
			name := csource.Callee(call)
			var args []cc.ExpressionNode
			for l := call.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
				args = append(args, l.AssignmentExpression)
			}
			switch {
			case name == "klee_make_symbolic" && len(args) == 3:
				if object, ok := literalString(args[2]); ok {
					if t := pointedTo(args[0]); t != nil {
						if it, err := ts.of(t); err == nil {
							out[object] = it
						}
					}
				}
			case name == "klee_int" && len(args) == 1, name == "klee_range" && len(args) == 3:
				if object, ok := literalString(args[len(args)-1]); ok {
					out[object] = integer
				}
			case strings.HasPrefix(name, "__VERIFIER_nondet_"):
				if it, err := ts.of(call.Type()); err == nil {
					out[name] = it
				}
			}
			return true
		})
	}
	return out
}

func literalString(e cc.ExpressionNode) (string, bool) {
	s, ok := e.Value().(cc.StringValue)
	return strings.TrimRight(string(s), "\x00"), ok
}

// pointedTo is the type of the variable whose address an expression takes:
// &x, or the name of an array, casts aside.
func pointedTo(e cc.ExpressionNode) cc.Type {
	for {
		e = csource.Unparen(e)
		switch x := e.(type) {
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast {
				e = x.CastExpression
				continue
			}
		case *cc.UnaryExpression:
			if x.Case == cc.UnaryExpressionAddrof {
				return x.CastExpression.Type().Undecay()
			}
		}
		t := e.Type()
		if a, ok := t.Undecay().(*cc.ArrayType); ok {
			return a
		}
		return nil
	}
}

// MainParameters is the number of parameters of the unit's main function.
func MainParameters(u *csource.Unit) int {
	f := u.Function("main")
	if f == nil {
		return 0
	}
	n := 0
	for _, p := range f.Params {
		if p.Type().Kind() != cc.Void {
			n++
		}
	}
	return n
}
