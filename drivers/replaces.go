package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// What a function that takes an object returns may stand for the object from then on: the same, grown and perhaps
// moved, or a new head of a list. Or it is a part of it, the item that was added: who lets that take the
// object's place has lost the object.

// replaceDepth bounds the calls that are followed.
const replaceDepth = 3

// replaces reports whether what a function returns takes the place of what a parameter leads to. So it is taken
// where nobody can see the function.
func (a *analysis) replaces(f *csource.Function, self string, depth int) bool {
	if f == nil || f.Def == nil || depth == 0 {
		return true
	}
	return a.once(question{"replaces", f.Name, self, depth}, func() bool {
		w := wholes{a: a, names: map[string]bool{self: true}, inner: map[string]bool{}, depth: depth}
		body := f.Def.CompoundStatement
		a.unit.Walk(body, func(n cc.Node) bool { w.steps(n); return true })
		for n := 0; n < len(w.names); { // until nothing is added
			n = len(w.names)
			a.unit.Walk(body, func(n cc.Node) bool { w.assignment(n); return true })
		}
		replaced := false
		a.unit.Walk(body, func(n cc.Node) bool {
			if x, ok := n.(*cc.JumpStatement); ok && x.Case == cc.JumpStatementReturn && x.ExpressionList != nil {
				replaced = replaced || w.is(x.ExpressionList)
			}
			return !replaced
		})
		return replaced
	})
}

// wholes are the variables of a function that hold an object as a whole.
type wholes struct {
	a     *analysis
	names map[string]bool
	inner map[string]bool // they go on to a part in a loop
	depth int
}

// steps notes what a loop moves on to a part of what it leads to: the object is not there any more.
func (w *wholes) steps(n cc.Node) {
	loop, ok := n.(*cc.IterationStatement)
	if !ok {
		return
	}
	w.a.unit.Walk(loop, func(n cc.Node) bool {
		to, _, from := assigned(n)
		if x, ok := plainer(from).(*cc.PostfixExpression); ok && to != "" {
			switch x.Case {
			case cc.PostfixExpressionPSelect, cc.PostfixExpressionSelect, cc.PostfixExpressionIndex:
				if to == nameOf(x.PostfixExpression) {
					w.inner[to] = true
				}
			}
		}
		return true
	})
}

// assignment notes what an assignment makes hold the object, or what has the object for a part.
func (w *wholes) assignment(n cc.Node) {
	to, behind, from := assigned(n)
	if from == nil || !w.is(from) {
		return
	}
	if to == "" {
		to = behind
	}
	if to != "" && to[0] != '.' && to[0] != '*' && !w.inner[to] {
		w.names[to] = true
	}
}

// is reports whether an expression is the object, or what takes its place.
func (w *wholes) is(e cc.ExpressionNode) bool {
	switch x := plainer(e).(type) {
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond && x.ExpressionList != nil {
			return w.is(x.ExpressionList) || w.is(x.ConditionalExpression)
		}
	case *cc.AssignmentExpression:
		return x.AssignmentExpression != nil && w.is(x.AssignmentExpression)
	case *cc.PrimaryExpression:
		name := nameOf(x)
		return w.names[name] && !w.inner[name]
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			return w.call(x)
		}
	}
	return false
}

// call reports whether a call returns what takes the place of the object that it is given.
func (w *wholes) call(x *cc.PostfixExpression) bool {
	f := w.a.funcs[csource.Callee(x)]
	i := 0
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		if w.is(l.AssignmentExpression) && (f == nil || i < len(f.Params) &&
			w.a.replaces(f, f.Params[i].Name(), w.depth-1)) {
			return true
		}
		i++
	}
	return false
}

// assigned is what an assignment changes, or what a variable begins with: the variable, or the pointer whose field it
// is.
func assigned(n cc.Node) (to, behind string, from cc.ExpressionNode) {
	switch x := n.(type) {
	case *cc.AssignmentExpression:
		if x.Case != cc.AssignmentExpressionAssign {
			break
		}
		from = x.AssignmentExpression
		switch x := csource.Unparen(x.UnaryExpression).(type) {
		case *cc.PrimaryExpression:
			to = nameOf(x)
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionPSelect {
				behind = nameOf(x.PostfixExpression)
			}
		}
	case *cc.InitDeclarator:
		if x.Initializer != nil && x.Initializer.AssignmentExpression != nil {
			to, from = x.Declarator.Name(), x.Initializer.AssignmentExpression
		}
	}
	return to, behind, from
}
