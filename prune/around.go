package prune

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// What holds around a label: conditions that were decided on every way to it, and whose
// operands nothing has changed since. They are read off the syntax, from the label
// outwards, so that they hold whoever calls the function, with whatever: what a callee or
// a store through a pointer may change is taken for changed.

// mostFacts bounds what is said around a label, the nearest first.
const mostFacts = 16

// fact is something that holds where a label stands.
type fact struct {
	text    string // a statement that leaves the driver, returning 0, where it does not hold
	objects []string
}

// around is a walk from a label outwards.
type around struct {
	r      *reads
	f      *function
	events []event
	label  csource.Span
	inner  []csource.Span // what may run again, or in any order, before the label: inside out
	asides []csource.Span // branches from which no way leads on to the label, but round a loop
	facts  []fact         // the nearest first
}

// facts are what holds around a label, in the order of the program. The inputs that they
// need are those of r.
func (l *labelSite) facts(r *reads, events []event) []fact {
	a := &around{r: r, f: l.fn, events: events, label: l.Call}
	u := l.unit
	u.WalkParents(l.fn.Def, func(n cc.Node, above []cc.Node) bool {
		s, ok := u.Span(n)
		if !ok || len(a.facts) > 0 {
			return !ok
		}
		if s == l.Call && isCall(n) {
			a.outwards(n, above)
			return false
		}
		return s.Contains(l.Call)
	})
	slices.Reverse(a.facts)
	return a.facts
}

func isCall(n cc.Node) bool {
	x, ok := n.(*cc.PostfixExpression)
	return ok && x.Case == cc.PostfixExpressionCall
}

func (a *around) outwards(n cc.Node, above []cc.Node) {
	in := n // the child of the next one
	for i := len(above) - 1; i >= 0 && len(a.facts) < mostFacts; i-- {
		switch x := above[i].(type) {
		case *cc.CompoundStatement:
			a.before(x, in)
		case *cc.SelectionStatement:
			a.selection(x, in)
		case *cc.IterationStatement:
			a.iteration(x, in)
		case cc.ExpressionNode:
			a.expression(x, in)
		}
		if _, list := above[i].(*cc.BlockItemList); !list {
			in = above[i]
		}
	}
}

// expression notes what of it may be evaluated before the part that has the label, or
// after: the order is open but where an operator decides it.
func (a *around) expression(x cc.ExpressionNode, in cc.Node) {
	first := cc.Node(nil)
	switch x := x.(type) {
	case *cc.PrimaryExpression:
		return // parentheses, or a block in them
	case *cc.LogicalAndExpression:
		if first = x.LogicalAndExpression; x.Case == cc.LogicalAndExpressionLAnd && first != in {
			a.condition(x.LogicalAndExpression, true, a.start(in))
			return
		}
	case *cc.LogicalOrExpression:
		if first = x.LogicalOrExpression; x.Case == cc.LogicalOrExpressionLOr && first != in {
			a.condition(x.LogicalOrExpression, false, a.start(in))
			return
		}
	case *cc.ConditionalExpression:
		first = x.LogicalOrExpression
	case *cc.ExpressionList:
		first = x.AssignmentExpression
		if x.ExpressionList == nil {
			return
		}
	}
	if first == in {
		return
	}
	a.again(x)
}

// again notes a node of which all may run between what is found from now on and the label.
func (a *around) again(n cc.Node) {
	if s, ok := a.f.unit.Span(n); ok {
		a.inner = append(a.inner, s)
	}
}

func (a *around) start(n cc.Node) int {
	s, ok := a.f.unit.Span(n)
	if !ok {
		return -1
	}
	return s.Start
}

func (a *around) end(n cc.Node) int {
	s, ok := a.f.unit.Span(n)
	if !ok {
		return -1
	}
	return s.End
}

func (a *around) selection(x *cc.SelectionStatement, in cc.Node) {
	switch in {
	case cc.Node(x.Statement):
		if x.Case == cc.SelectionStatementSwitch {
			a.cases(x)
			return
		}
		a.condition(x.ExpressionList, true, a.start(in))
	case cc.Node(x.Statement2):
		a.condition(x.ExpressionList, false, a.start(in))
		if x.Case != cc.SelectionStatementSwitch {
			a.aside(x.Statement)
		}
	}
}

// aside notes a branch that the label is not behind.
func (a *around) aside(n cc.Node) {
	if s, ok := a.f.unit.Span(n); ok {
		a.asides = append(a.asides, s)
	}
}

// beside reports whether a place between another one and the label is on no way there.
func (a *around) beside(at, from int) bool {
	return slices.ContainsFunc(a.asides, func(s csource.Span) bool {
		return s.Start <= at && at < s.End && !slices.ContainsFunc(a.inner, func(i csource.Span) bool {
			return i.Start >= from && i.Start <= at && at < i.End
		})
	})
}

func (a *around) iteration(x *cc.IterationStatement, in cc.Node) {
	if in == cc.Node(x.Statement) {
		switch x.Case {
		case cc.IterationStatementWhile:
			a.condition(x.ExpressionList, true, a.start(in))
		case cc.IterationStatementFor:
			a.condition(x.ExpressionList2, true, a.start(in))
		case cc.IterationStatementForDecl:
			a.condition(x.ExpressionList, true, a.start(in))
		}
	}
	a.again(x)
}

// before looks at what stands in a block before the statement with the label.
func (a *around) before(x *cc.CompoundStatement, in cc.Node) {
	var items []*cc.BlockItem
	for l := x.BlockItemList; l != nil && cc.Node(l.BlockItem) != in; l = l.BlockItemList {
		items = append(items, l.BlockItem)
	}
	for i := len(items) - 1; i >= 0 && len(a.facts) < mostFacts; i-- {
		a.item(items[i])
	}
}

func (a *around) item(x *cc.BlockItem) {
	switch {
	case x.Statement != nil && x.Statement.SelectionStatement != nil:
		s := x.Statement.SelectionStatement
		switch {
		case s.Case == cc.SelectionStatementSwitch:
		case a.leavesForGood(s.Statement) && s.Statement2 != nil:
			a.condition(s.ExpressionList, false, a.start(s.Statement2))
		case a.leavesForGood(s.Statement):
			a.condition(s.ExpressionList, false, a.end(s))
			a.aside(s.Statement)
		case s.Statement2 != nil && a.leavesForGood(s.Statement2):
			a.condition(s.ExpressionList, true, a.start(s.Statement))
		}
	case x.Statement != nil && x.Statement.IterationStatement != nil:
		// (What a loop's head declares is not what the name means behind it.)
		if s := x.Statement.IterationStatement; s.Case != cc.IterationStatementForDecl && !a.broken(s.Statement) {
			c := s.ExpressionList
			if s.Case == cc.IterationStatementFor {
				c = s.ExpressionList2
			}
			a.condition(c, false, a.end(s))
		}
	case x.Statement != nil && x.Statement.ExpressionStatement != nil:
		if e, ok := csource.Unparen(x.Statement.ExpressionStatement.ExpressionList).(*cc.AssignmentExpression); ok &&
			e.Case == cc.AssignmentExpressionAssign {
			a.assigned(e.UnaryExpression, e.AssignmentExpression, a.end(x.Statement))
		}
	case x.Declaration != nil:
		var all []*cc.InitDeclarator
		for l := x.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			all = append(all, l.InitDeclarator)
		}
		for _, d := range slices.Backward(all) {
			if i := d.Initializer; i != nil && i.Case == cc.InitializerExpr && a.r.own.has(d.Declarator) {
				if name := a.r.variable(d.Declarator); name != "" {
					a.given(name, d.Declarator.Name(), i.AssignmentExpression, a.end(d))
				}
			}
		}
	}
}

// condition takes what a condition says that was decided so; nothing between from and the
// label may have changed it.
func (a *around) condition(e cc.ExpressionNode, holds bool, from int) {
	if e == nil || from < 0 || !a.pure(e) {
		return
	}
	a.decided(e, holds, from)
}

func (a *around) decided(e cc.ExpressionNode, holds bool, from int) {
	e = a.bare(e)
	if d := decisionOf(e, a.r.macros); d != nil {
		a.decided(d.value, holds, from)
		return
	}
	if c := keptCondition(e); c != nil {
		a.decided(c, holds, from)
		return
	}
	switch x := e.(type) { // each operand by itself where that says as much: one may have changed
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			a.decided(x.CastExpression, !holds, from)
			return
		}
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd && holds {
			a.decided(x.InclusiveOrExpression, holds, from)
			a.decided(x.LogicalAndExpression, holds, from)
			return
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr && !holds {
			a.decided(x.LogicalAndExpression, holds, from)
			a.decided(x.LogicalOrExpression, holds, from)
			return
		}
	}
	if text, objects, ok := a.r.expression(e); ok {
		if holds {
			text = "!" + text
		}
		a.add(fmt.Sprintf("if (%s) return 0; ", text), objects, from)
	}
}

// bare takes parentheses away, and the labels that stand before a condition.
func (a *around) bare(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		e = csource.Unparen(e)
		list, ok := e.(*cc.ExpressionList)
		if !ok || list.ExpressionList == nil {
			return e
		}
		block, ok := csource.Unparen(list.AssignmentExpression).(*cc.PrimaryExpression)
		if !ok || block.CompoundStatement == nil {
			return e
		}
		e = list.ExpressionList
	}
}

// add notes a fact if what it speaks of is as it was.
func (a *around) add(text string, objects []string, from int) {
	if a.kept(objects, from, nil) {
		a.facts = append(a.facts, fact{text: text, objects: objects})
	}
}

// kept reports whether nothing on a way from a place to the label changes objects, and no
// way leads to the label past that place. own is a switch whose cases are known.
func (a *around) kept(objects []string, from int, own *cc.SelectionStatement) bool {
	to := a.label.Start
	for _, s := range a.inner {
		if s.Start >= from {
			to = max(to, s.End)
		}
	}
	for _, e := range a.events {
		if e.at < from || e.at >= to || a.beside(e.at, from) {
			continue
		}
		if e.entry && !(e.of != nil && (e.of == own || a.start(e.of) >= from)) {
			return false
		}
		for _, o := range objects {
			if e.memory && a.r.memory[o] || e.name != "" && slices.Contains(words(o), e.name) {
				return false
			}
		}
	}
	return true
}
