package prune

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// cases takes what a switch says of its operand: the values of the cases from which the
// label's place is reached.
func (a *around) cases(x *cc.SelectionStatement) {
	body := x.Statement.CompoundStatement
	if body == nil || !a.f.unit.Pure(x.ExpressionList) {
		return
	}
	text, objects, ok := a.r.expression(a.bare(x.ExpressionList))
	if !ok {
		return
	}
	var values []string
	from, direct, known, left := -1, 0, true, true
	for l := body.BlockItemList; l != nil; l = l.BlockItemList {
		at, ok := a.f.unit.Span(l.BlockItem)
		if !ok {
			return
		}
		here := at.Start <= a.label.Start // from where it is reached
		if left && here {                 // nothing comes from before this
			values, from, known = nil, at.Start, true
		}
		s := l.BlockItem.Statement
		for s != nil && s.LabeledStatement != nil {
			c := s.LabeledStatement
			direct++
			switch v, isInt := constant64(c.ConstantExpression); {
			case !here:
			case c.Case == cc.LabeledStatementCaseLabel && isInt:
				values = append(values, v)
			default: // default, a range, a name that is jumped to
				known = false
			}
			if c.Case == cc.LabeledStatementLabel {
				direct--
			}
			s = c.Statement
		}
		left = a.leavesForGood(s)
	}
	// Every label of this switch stands before a statement of its block.
	all := 0
	for _, e := range a.events {
		if e.of == x {
			all++
		}
	}
	if !known || len(values) == 0 || all != direct || !a.kept(objects, from, x) {
		return
	}
	a.facts = append(a.facts, fact{objects: objects, text: fmt.Sprintf("switch (%s) { %s break; default: return 0; } ",
		text, strings.Join(slices.Compact(values), " "))})
}

func constant64(e cc.ExpressionNode) (text string, ok bool) {
	if e == nil {
		return "", false
	}
	switch v := e.Value().(type) {
	case cc.Int64Value:
		return fmt.Sprintf("case %s:", literal(fmt.Sprint(int64(v)))), true
	case cc.UInt64Value:
		return fmt.Sprintf("case %dUL:", uint64(v)), true
	}
	return "", false
}

// leavesForGood reports whether nothing follows a statement where it stands.
func (a *around) leavesForGood(s *cc.Statement) bool {
	switch {
	case s == nil:
		return false
	case s.JumpStatement != nil:
		return true
	case s.LabeledStatement != nil:
		return a.leavesForGood(s.LabeledStatement.Statement)
	case s.CompoundStatement != nil:
		var last *cc.BlockItem
		for l := s.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
			last = l.BlockItem
		}
		return last != nil && a.leavesForGood(last.Statement)
	case s.SelectionStatement != nil && s.SelectionStatement.Case == cc.SelectionStatementSwitch:
		x := s.SelectionStatement
		return a.hasDefault(x) && !a.broken(x.Statement) && a.leavesForGood(x.Statement)
	case s.SelectionStatement != nil:
		return a.leavesForGood(s.SelectionStatement.Statement) && a.leavesForGood(s.SelectionStatement.Statement2)
	}
	return false
}

// hasDefault reports whether one of the cases of a switch is taken whatever its operand is.
func (a *around) hasDefault(x *cc.SelectionStatement) bool {
	return slices.ContainsFunc(a.events, func(e event) bool { return e.of == x && e.always })
}

// broken reports whether a loop or a switch with this body may end by a jump.
func (a *around) broken(body *cc.Statement) (found bool) {
	a.f.unit.WalkParents(body, func(n cc.Node, above []cc.Node) bool {
		if j, ok := n.(*cc.JumpStatement); ok && j.Case == cc.JumpStatementBreak {
			found = found || !slices.ContainsFunc(above, func(n cc.Node) bool {
				switch n := n.(type) {
				case *cc.IterationStatement:
					return true
				case *cc.SelectionStatement:
					return n.Case == cc.SelectionStatementSwitch
				}
				return false
			})
		}
		return !found
	})
	return found
}

// assigned takes the value that a variable of the function's own was given.
func (a *around) assigned(to, value cc.ExpressionNode, from int) {
	if a.r.own.of(to) == nil {
		return
	}
	if name, own, ok := a.r.expression(csource.Unparen(to)); ok && len(own) == 1 {
		a.given(name, own[0], value, from)
	}
}

// given is a value for the input that stands for an object.
func (a *around) given(name, object string, value cc.ExpressionNode, from int) {
	if from < 0 || !a.f.unit.Pure(value) {
		return
	}
	if text, objects, ok := a.r.expression(a.bare(value)); ok {
		a.add(fmt.Sprintf("%s = %s; ", name, text), append(objects, object), from)
	}
}
