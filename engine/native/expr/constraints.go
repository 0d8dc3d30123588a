package expr

// Constraints is an immutable set of booleans that hold together: what a path
// has decided. The zero value and nil are the empty set. Forked states share it.
//
// It is kept in groups that share no variable, so that a query needs only the
// groups that it touches, and each group carries a model that satisfies it when
// one is known. Bits that the constraints fix to a value (x == 3, or x < 256 for
// the high bits of x) are replaced by the value everywhere (Simplify), and
// conditions that are among the constraints are replaced by true.
type Constraints struct {
	groups []*Group
	fixed  *Fixed // bits with one value
	failed bool
	size   int
}

// Failed reports whether the constraints are known to contradict each other.
func (c *Constraints) Failed() bool { return c != nil && c.failed }

// Len returns the number of constraints, fixed bytes not counted.
func (c *Constraints) Len() int {
	if c == nil {
		return 0
	}
	return c.size
}

// Complete returns m, which decides whole groups or nothing of them, with the
// bits that the constraints fix as they must be. m may be nil.
func (c *Constraints) Complete(m *Model) *Model {
	if c == nil {
		return (*Fixed)(nil).apply(m, false)
	}
	return c.fixed.apply(m, false)
}

// Groups returns all groups.
func (c *Constraints) Groups() []*Group {
	if c == nil {
		return nil
	}
	return c.groups
}

// Relevant returns the groups that share a variable with s.
func (c *Constraints) Relevant(s *VarSet) []*Group {
	if c == nil || s == nil {
		return nil
	}
	var out []*Group
	for _, g := range c.groups {
		if g.vars.Intersects(s) {
			out = append(out, g)
		}
	}
	return out
}

// Each calls f with each constraint; fixed bytes are not among them.
func (c *Constraints) Each(f func(*Expr)) {
	for _, g := range c.Groups() {
		g.Each(f)
	}
}

// Model returns the union of the groups' models and the fixed bytes. ok is false
// when a group has none yet.
func (c *Constraints) Model() (m *Model, ok bool) {
	if c == nil {
		return &Model{}, true
	}
	ok = true
	for _, g := range c.groups {
		if g.model == nil {
			ok = false
		}
		m = m.Overlay(g.model)
	}
	return c.fixed.apply(m, true), ok
}

// Simplify rewrites e by what the constraints fix.
func (c *Constraints) Simplify(b *Builder, e *Expr) *Expr {
	if c == nil || e.vars == nil {
		return e
	}
	e = c.fixed.simplify(b, e)
	if e.width != 1 || e.vars == nil {
		return e
	}
	for _, g := range c.groups {
		if g.vars.Contains(e.vars) {
			return g.decide(b, e)
		}
	}
	return e
}

// maxScan bounds the search for a condition among a group's constraints.
const maxScan = 64

// implied simplifies e knowing k, for predicates on one term with constants.
func (b *Builder) implied(k, e *Expr) *Expr {
	p, q := k, e
	if k.op == OpNot {
		p = k.x
	}
	if e.op == OpNot {
		q = e.x
	}
	t, _, _ := constPredicate(p)
	if u, _, _ := constPredicate(q); t == nil || u != t {
		return e
	}
	if m := b.meet2(k, e); m != nil {
		if m == k {
			return b.yes
		}
		if m.IsFalse() {
			return b.no
		}
	}
	return e
}

func (b *Builder) meet2(x, y *Expr) *Expr {
	if x.op != OpNot {
		if m := b.meet(x, y); m != nil {
			return m
		}
	}
	if y.op != OpNot {
		return b.meet(y, x)
	}
	return nil
}

// Add returns the constraints with e added. hint, when not nil, must satisfy the
// old constraints and e for all variables of the groups that e touches (the
// model a solver gave for the query e); it spares the solver work later.
func (c *Constraints) Add(b *Builder, e *Expr, hint *Model) *Constraints {
	n := &Constraints{}
	if c != nil {
		*n = *c
	}
	if n.failed {
		return n
	}
	a := adder{b: b, c: n, hint: hint}
	a.add(e)
	return a.c
}

type adder struct {
	b    *Builder
	c    *Constraints
	hint *Model
}

func (a *adder) add(e *Expr) {
	if a.c.failed {
		return
	}
	e = a.c.Simplify(a.b, e)
	switch {
	case e.IsTrue():
		return
	case e.IsFalse():
		a.c = &Constraints{failed: true}
		return
	case e.op == OpAnd:
		a.add(e.x)
		a.add(e.y)
		return
	case e.op == OpNot && e.x.op == OpOr:
		a.add(a.b.Not(e.x.x))
		a.add(a.b.Not(e.x.y))
		return
	}
	if leaf, n, v := a.fixes(e); leaf != nil {
		a.fix(leaf, n, v)
		a.add(e) // what is left of it
		return
	}
	a.insert(e)
}

// fixes returns a leaf of which e, with what is known, decides the bits from n
// upwards, and their value; nil for none.
func (a *adder) fixes(e *Expr) (leaf *Expr, n int, v Value) {
	switch {
	case e.op == OpLeaf:
		return e, 0, Value{Lo: 1}
	case e.op == OpNot && e.x.op == OpLeaf:
		return e.x, 0, Value{}
	}
	t, k, _ := constPredicate(e)
	if t == nil || t.op != OpLeaf {
		return nil, 0, Value{}
	}
	if e.op == OpEq {
		return t, 0, k
	}
	if t.width > 64 {
		return nil, 0, Value{}
	}
	r := newBounds(int(t.width))
	r.meet(e)
	for _, g := range a.c.groups {
		if g.vars.Contains(t.vars) {
			left := maxScan
			g.Each(func(p *Expr) {
				if left--; left >= 0 {
					if u, _, _ := constPredicate(p); u == t {
						r.meet(p)
					}
				}
			})
		}
	}
	open, low := r.prefix()
	if open == int(t.width) {
		return nil, 0, Value{}
	}
	return t, open, Value{Lo: low}.shr(uint(open))
}

// fix replaces the bits of a leaf from n upwards by a value in all constraints.
func (a *adder) fix(leaf *Expr, n int, v Value) {
	a.c.fixed = a.c.fixed.with(leaf.lo+uint64(n), int(leaf.width)-n, v)
	groups := a.c.groups
	var hit []*Group
	kept := make([]*Group, 0, len(groups))
	for _, g := range groups {
		if g.vars.Intersects(leaf.vars) {
			hit = append(hit, g)
			a.c.size -= g.n
		} else {
			kept = append(kept, g)
		}
	}
	a.c.groups = kept
	for _, g := range hit {
		// The group's model remains good for what is left if it agrees with the
		// new values; insert checks that by evaluation.
		old := a.hint
		if a.hint == nil {
			a.hint = g.model
		}
		g.Each(a.add)
		a.hint = old
	}
}

// insert puts a simplified constraint into the groups it touches, made one.
func (a *adder) insert(e *Expr) {
	g := &Group{vars: e.vars, list: &conj{e: e}, n: 1, key: constraintKey(e)}
	rest := make([]*Group, 0, len(a.c.groups)+1)
	known := true
	var model *Model
	for _, o := range a.c.groups {
		if !o.vars.Intersects(e.vars) {
			rest = append(rest, o)
			continue
		}
		list, n, key := o.list, o.n, o.key
		if covered := a.b.weaker(o, e); len(covered) > 0 {
			list, n, key = o.without(covered)
			a.c.size -= o.n - n
		}
		g.vars = a.b.sets.union(g.vars, o.vars)
		g.list = join(list, g.list)
		g.n += n
		g.key += key
		known = known && o.model != nil
		model = model.Overlay(o.model)
	}
	switch {
	case known && a.b.Holds(e, model):
		g.model = model.Restrict(g.vars)
	case a.hint != nil && a.satisfied(g, a.hint):
		g.model = a.hint.Restrict(g.vars)
	}
	a.c.groups = append(rest, g)
	a.c.size++
}

// weaker lists the constraints of a group that follow from e by the constants
// alone: a loop that asks 0 < n, 1 < n, 2 < n leaves one constraint, not many.
func (b *Builder) weaker(g *Group, e *Expr) map[*Expr]bool {
	if t, _, _ := constPredicate(e); t == nil {
		return nil
	}
	var out map[*Expr]bool
	g.Each(func(k *Expr) {
		if b.implied(e, k).IsTrue() {
			if out == nil {
				out = make(map[*Expr]bool)
			}
			out[k] = true
		}
	})
	return out
}

func (a *adder) satisfied(g *Group, m *Model) bool {
	ev := &a.b.ev
	ev.begin(m)
	ok := true
	g.Each(func(k *Expr) { ok = ok && ev.eval(k).Lo == 1 })
	return ok
}

func constraintKey(e *Expr) uint64 { return mix(mix(0x7f4a7c15, e.id), 0x9e37) }
