package exec

import (
	"slices"

	"klabel/engine/native/code"
	"klabel/engine/native/expr"
	"klabel/engine/native/ir"
)

// branch is what both sides of a condition come to at a join.
func (m *merger) branch(cond *expr.Expr, yes, no *code.Edge, join int32) bool {
	if m.depth++; m.depth > maxNested {
		return false
	}
	base := m.save()
	if !m.guarded(cond, yes, join) {
		return false
	}
	a := m.save()
	m.restore(base)
	if !m.guarded(m.ex.b.Not(cond), no, join) {
		return false
	}
	m.depth--
	return m.meet(cond, a, base, join)
}

// guarded is arm under a further condition.
func (m *merger) guarded(cond *expr.Expr, e *code.Edge, join int32) bool {
	saved := m.guard
	m.guard = m.ex.b.And(saved, cond)
	ok := m.arm(e, join)
	m.guard = saved
	return ok
}

// meet makes the values of the arm that was run last, and those of a, one.
func (m *merger) meet(cond *expr.Expr, a, base env, join int32) bool {
	b := m.save()
	m.restore(base)
	for _, p := range m.f.fn.PhisOf(join) {
		if p.Type.Leaves() != 1 {
			return false
		}
		w := p.Type.Width()
		v, ok := m.either(cond, a.regs[p.Reg], b.regs[p.Reg], w, p.Plain || w == 1)
		if !ok {
			return false
		}
		m.f.regs[p.Reg] = v
	}
	m.log = m.log[:0]
	for i := range a.log {
		if !m.meetWrite(cond, &a.log[i], b.log, base.log, false) {
			return false
		}
	}
	for i := range b.log {
		if !m.meetWrite(cond, &b.log[i], a.log, base.log, true) {
			return false
		}
	}
	return true
}

// meetWrite adds what the arms leave at the place of a write of one of them to the log.
func (m *merger) meetWrite(cond *expr.Expr, x *write, others, base []write, second bool) bool {
	merged := *x
	other, found := Value{}, false
	for i := range others {
		if y := &others[i]; y.same(x) {
			if second {
				return true // done with the first
			}
			other, found = y.v, true
			merged.plain = x.plain && y.plain
		} else if y.overlaps(x) {
			return false
		}
	}
	if !found { // every write before the branch is in both logs
		v, ok := m.read(x.base, x.off, x.w, x.n)
		if !ok {
			return false
		}
		other = v
	}
	first := x.v
	if second {
		first, other = other, first
	}
	v, ok := m.either(cond, first, other, int(x.w), merged.plain)
	merged.v = v
	m.log = append(m.log, merged)
	return ok
}

// either is x where cond holds, else y.
func (m *merger) either(cond *expr.Expr, x, y Value, w int, plain bool) (Value, bool) {
	if x == y {
		return x, true
	}
	ex := m.ex
	if x.E == nil && y.E == nil && !plain || w == int(m.ex.ptr) && (m.isAddress(x) || m.isAddress(y)) {
		return x, false
	}
	if x.E != nil && ex.neverSet(x.E) || y.E != nil && ex.neverSet(y.E) {
		return x, false
	}
	return fromExpr(ex.b.Ite(cond, ex.expr(x, w), ex.expr(y, w))), true
}

func (m *merger) isAddress(v Value) bool {
	if v.E != nil {
		return m.ex.anchor(m.st, v.E) != nil
	}
	if m.ex.ptr < 64 { // any number may look like one
		return v.C >= m.ex.space.CodeBase && m.ex.leadsSomewhere(m.st, v.C)
	}
	return v.C >= m.ex.space.CodeBase && v.C < 1<<48
}

// arm runs from an edge to the join.
func (m *merger) arm(e *code.Edge, join int32) bool {
	for {
		m.f.move(e)
		if e.Block == join {
			return true
		}
		if e = m.straight(e.Target); e == nil {
			return false
		}
	}
}

// straight runs on to the end of a block and returns the edge that is taken then; one
// without moves where a branch within the arm has been merged. nil: it cannot be done.
func (m *merger) straight(pc int32) *code.Edge {
	fn := m.f.fn
	for {
		if m.left--; m.left < 0 {
			return nil
		}
		in := &fn.Code[pc]
		m.f.pc = pc
		switch in.Op {
		case ir.Br:
			return in.X.(*code.Edge)
		case ir.CondBr:
			c, edges := m.f.val(in.A), in.X.([2]*code.Edge)
			if c.E == nil {
				return edges[c.C&1]
			}
			to := m.joins[fn.BlockAt[pc]]
			if to < 0 || !m.branch(c.E, edges[1], edges[0], to) {
				return nil
			}
			return &code.Edge{Block: to, Target: fn.Starts[to]}
		case ir.Switch:
			c, t := m.f.val(in.A), in.X.(*code.SwitchTable)
			if c.E == nil {
				return t.Find(c.C)
			}
			to := m.joins[fn.BlockAt[pc]]
			if to < 0 || !m.cases(c.E, t, int(in.W), to) {
				return nil
			}
			return &code.Edge{Block: to, Target: fn.Starts[to]}
		}
		if !m.step(in) {
			return nil
		}
		pc++
	}
}

// cases is branch for a switch: the default, and before it one case after the other.
func (m *merger) cases(v *expr.Expr, t *code.SwitchTable, w int, join int32) bool {
	if m.depth++; m.depth > maxNested || len(t.Values) > maxCases {
		return false
	}
	b, base := m.ex.b, m.save()
	// Cases that come in by one way are one.
	type group struct {
		edge *code.Edge
		cond *expr.Expr
	}
	var groups []group
	for i := range t.Edges {
		e, eq := &t.Edges[i], b.Eq(v, b.Const(w, t.Values[i]))
		k := slices.IndexFunc(groups, func(g group) bool {
			return g.edge.Block == e.Block && slices.Equal(g.edge.Moves, e.Moves)
		})
		if k >= 0 {
			groups[k].cond = b.Or(groups[k].cond, eq)
		} else {
			groups = append(groups, group{e, eq})
		}
	}
	none := b.True()
	for _, g := range groups {
		none = b.And(none, b.Not(g.cond))
	}
	if !m.guarded(none, &t.Default, join) {
		return false
	}
	for _, g := range groups {
		rest := m.save()
		m.restore(base)
		if !m.guarded(g.cond, g.edge, join) {
			return false
		}
		if !m.meet(b.Not(g.cond), rest, base, join) {
			return false
		}
	}
	m.depth--
	return true
}
