package prune

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// coReached finds the groups of labels that a run which ends normally either
// passes all, in their order, or none of: LClean's co-reached labels.
//
// A group is what is evaluated one after another without a way in or out: the
// statements of a block, the unconditional parts of their expressions, and the
// bodies of functions that are called at one place only. A statement that may
// be left by a jump, or by a call that need not come back, ends the group; so
// does a jump target. Calls that end the run abnormally do not: such a run does
// not count. Of an open program nobody knows all the places that call a function.
func (p *program) coReached() {
	sites := map[*function]int{}
	for _, f := range p.order {
		for _, s := range f.sites {
			if g := p.funcs[s.callee]; g != nil {
				sites[g]++
			}
		}
	}
	b := &blocks{p: p, merged: map[*function]bool{}, at: map[*csource.Unit]map[csource.Span]*labelSite{}}
	for _, l := range p.labels {
		if b.at[l.unit] == nil {
			b.at[l.unit] = map[csource.Span]*labelSite{}
		}
		b.at[l.unit][l.Call] = l
	}
	b.once = func(f *function) bool {
		return !p.isOpen && sites[f] == 1 && !f.taken && f.namesake == nil && f.Name != "main" && !p.recursive(f)
	}
	// Callers first, so that a function called once joins its caller's block.
	done := map[*function]bool{}
	for again := true; again; {
		again = false
		for _, f := range p.order {
			if done[f] || b.merged[f] || b.once(f) && !b.allDone(f, done) {
				continue
			}
			done[f], again = true, true
			b.function(f)
		}
	}
	for _, f := range p.order {
		if !done[f] && !b.merged[f] {
			b.function(f)
		}
	}
	for _, g := range b.groups {
		if len(g) > 1 {
			p.groups = append(p.groups, g)
			for i, l := range g {
				p.rank[l] = i
			}
		}
	}
}

type blocks struct {
	p      *program
	once   func(*function) bool
	merged map[*function]bool // their blocks are part of a caller's
	at     map[*csource.Unit]map[csource.Span]*labelSite
	groups [][]*labelSite
	cur    []*labelSite
	fn     *function
}

// allDone reports whether every caller of f has been looked at.
func (b *blocks) allDone(f *function, done map[*function]bool) bool {
	for _, g := range b.p.order {
		if g.calls[f.Name] && !done[g] && !b.merged[g] {
			return false
		}
	}
	return true
}

// cut ends the current group.
func (b *blocks) cut() {
	if len(b.cur) > 0 {
		b.groups = append(b.groups, b.cur)
	}
	b.cur = nil
}

// apart looks at code that need not be evaluated, or not once, and comes back
// to the current group unless the code may leave it.
func (b *blocks) apart(look func(), leaves bool) {
	outer := b.cur
	b.cur = nil
	look()
	b.cut()
	b.cur = outer
	if leaves {
		b.cut()
	}
}

func (b *blocks) function(f *function) {
	old := b.fn
	b.fn = f
	b.apart(func() { b.compound(f.Def.CompoundStatement) }, false)
	b.fn = old
}

func (b *blocks) compound(c *cc.CompoundStatement) {
	if c == nil {
		return
	}
	cleanup := false
	for l := c.BlockItemList; l != nil; l = l.BlockItemList {
		b.item(l.BlockItem)
		cleanup = cleanup || l.BlockItem.Declaration != nil && b.cleanup(l.BlockItem.Declaration)
	}
	if cleanup {
		b.cut() // a function that need not come back is called here
	}
}

// cleanup reports whether a function is called where a declaration's scope ends.
func (b *blocks) cleanup(d *cc.Declaration) bool {
	if b.fn == nil || !b.fn.cleanup {
		return false
	}
	s, ok := b.fn.unit.Span(d)
	return !ok || reCleanup.Match(b.fn.unit.Text[s.Start:s.End])
}

func (b *blocks) item(i *cc.BlockItem) {
	switch {
	case i == nil:
	case i.Statement != nil:
		b.statement(i.Statement)
	case i.Declaration != nil:
		b.inOrder(i.Declaration)
	default:
		b.apart(func() { b.anything(i) }, true)
	}
}

func (b *blocks) statement(s *cc.Statement) {
	switch {
	case s == nil:
	case s.CompoundStatement != nil:
		b.compound(s.CompoundStatement)
	case s.ExpressionStatement != nil:
		if s.ExpressionStatement.ExpressionList != nil {
			b.expr(s.ExpressionStatement.ExpressionList)
		}
	case s.SelectionStatement != nil:
		sel := s.SelectionStatement
		b.expr(sel.ExpressionList)
		leaves := b.leaves(sel.Statement, inside{}) || sel.Statement2 != nil && b.leaves(sel.Statement2, inside{})
		if sel.Case == cc.SelectionStatementSwitch {
			leaves = b.leaves(s, inside{})
			b.apart(func() { b.statement(sel.Statement) }, leaves)
			return
		}
		b.apart(func() { b.statement(sel.Statement) }, false)
		b.apart(func() { b.statement(sel.Statement2) }, leaves)
	case s.IterationStatement != nil:
		it := s.IterationStatement
		if it.Case == cc.IterationStatementFor && it.ExpressionList != nil {
			b.expr(it.ExpressionList)
		}
		if it.Case == cc.IterationStatementForDecl && it.Declaration != nil {
			b.inOrder(it.Declaration)
		}
		leaves := b.leaves(s, inside{})
		b.apart(func() {
			// What stands in the head is evaluated before each round or after
			// it: apart from the body, which a break can leave.
			for _, n := range b.fn.unit.Children(it) {
				if e, ok := n.(cc.ExpressionNode); ok && !(it.Case == cc.IterationStatementFor &&
					e == it.ExpressionList) {
					b.apart(func() { b.expr(e) }, false)
				}
			}
			b.statement(it.Statement)
		}, leaves)
	case s.JumpStatement != nil:
		if s.JumpStatement.ExpressionList != nil {
			b.expr(s.JumpStatement.ExpressionList)
		}
		b.cut()
	case s.LabeledStatement != nil:
		b.cut() // a way in
		b.statement(s.LabeledStatement.Statement)
	default:
		b.apart(func() { b.anything(s) }, true)
	}
}

// inOrder looks at the expressions of a declaration.
func (b *blocks) inOrder(n cc.Node) {
	if e, ok := n.(cc.ExpressionNode); ok {
		b.expr(e)
		return
	}
	for _, c := range b.fn.unit.Children(n) {
		b.inOrder(c)
	}
}

// expr looks at an expression's parts in the order of the text, which for the
// parts that hold labels is the order of evaluation up to what C leaves open:
// labels change nothing, so that the open order does not matter.
func (b *blocks) expr(e cc.Node) {
	u := b.fn.unit
	switch x := e.(type) {
	case nil:
		return
	case *cc.LogicalAndExpression:
		if x.Case == cc.LogicalAndExpressionLAnd {
			b.expr(x.LogicalAndExpression)
			b.apart(func() { b.expr(x.InclusiveOrExpression) }, b.leaves(x.InclusiveOrExpression, inside{}))
			return
		}
	case *cc.LogicalOrExpression:
		if x.Case == cc.LogicalOrExpressionLOr {
			b.expr(x.LogicalOrExpression)
			b.apart(func() { b.expr(x.LogicalAndExpression) }, b.leaves(x.LogicalAndExpression, inside{}))
			return
		}
	case *cc.ConditionalExpression:
		if x.Case == cc.ConditionalExpressionCond {
			b.expr(x.LogicalOrExpression)
			for _, arm := range u.Children(x) {
				if arm != cc.Node(x.LogicalOrExpression) {
					b.apart(func() { b.expr(arm) }, b.leaves(arm, inside{}))
				}
			}
			return
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionSizeofExpr || x.Case == cc.UnaryExpressionSizeofType {
			return
		}
	case *cc.PrimaryExpression:
		if x.CompoundStatement != nil { // ({ ... })
			b.compound(x.CompoundStatement)
			return
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionCall {
			b.call(x)
			return
		}
	}
	for _, c := range u.Children(e) {
		b.expr(c)
	}
}

func (b *blocks) call(x *cc.PostfixExpression) {
	u := b.fn.unit
	if s, ok := u.Span(x); ok {
		if l := b.at[u][s]; l != nil {
			b.cur = append(b.cur, l)
			return
		}
	}
	for _, c := range u.Children(x) {
		b.expr(c)
	}
	name := csource.Callee(x)
	if f := b.p.funcs[name]; f != nil && b.once(f) && !b.merged[f] {
		// Called here and nowhere else: its block is part of this one. A return
		// in its middle leads back here, but not past what follows it there.
		b.merged[f] = true
		b.inlined(f)
		return
	}
	if b.callLeaves(x) {
		b.cut()
	}
}

// inlined continues the current group with a function's block, up to the first
// way out of it, and goes on after the call unless the call may not come back.
func (b *blocks) inlined(f *function) {
	old := b.fn
	b.fn = f
	for l := f.Def.CompoundStatement.BlockItemList; l != nil; l = l.BlockItemList {
		if !b.leavesItem(l.BlockItem) {
			b.item(l.BlockItem)
			continue
		}
		b.apart(func() {
			for ; l != nil; l = l.BlockItemList {
				b.item(l.BlockItem)
			}
		}, false)
		break
	}
	b.fn = old
	if f.mayExit {
		b.cut()
	}
}
