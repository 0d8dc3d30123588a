package prune

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// inside says what a jump would stay within.
type inside struct{ brk, cont, sw bool }

// leaves reports whether a statement may be left other than at its end, or
// entered other than at its start.
func (b *blocks) leaves(s cc.Node, in inside) bool {
	if s == nil {
		return false
	}
	found := false
	u := b.fn.unit
	var visit func(n cc.Node, in inside)
	visit = func(n cc.Node, in inside) {
		if found {
			return
		}
		switch x := n.(type) {
		case *cc.JumpStatement:
			switch x.Case {
			case cc.JumpStatementBreak:
				found = found || !in.brk
			case cc.JumpStatementContinue:
				found = found || !in.cont
			default:
				found = true
			}
		case *cc.LabeledStatement:
			if x.Case == cc.LabeledStatementLabel || !in.sw { // a case may belong to a switch further out
				found = true
			}
		case *cc.IterationStatement:
			in.brk, in.cont = true, true
		case *cc.SelectionStatement:
			if x.Case == cc.SelectionStatementSwitch {
				in.brk, in.sw = true, true
			}
		case *cc.AsmStatement:
			found = true
		case *cc.Declaration:
			found = found || b.cleanup(x)
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall && b.callLeaves(x) {
				found = true
			}
		}
		for _, c := range u.Children(n) {
			visit(c, in)
		}
	}
	visit(s, in)
	return found
}

func (b *blocks) callLeaves(x *cc.PostfixExpression) bool {
	name := csource.Callee(x)
	return name == "" || b.p.nameMayExit(name)
}

func (b *blocks) leavesItem(i *cc.BlockItem) bool {
	switch {
	case i == nil:
		return false
	case i.Statement != nil:
		return b.leaves(i.Statement, inside{})
	}
	return b.leaves(i, inside{})
}

// anything finds the labels below a node of which nothing else is known: each
// is a group of its own.
func (b *blocks) anything(n cc.Node) {
	u := b.fn.unit
	u.Walk(n, func(n cc.Node) bool {
		if c, ok := n.(*cc.PostfixExpression); ok {
			if s, ok := u.Span(c); ok {
				if l := b.at[u][s]; l != nil {
					b.cut()
					b.cur = append(b.cur, l)
					b.cut()
					return false
				}
			}
		}
		return true
	})
}
