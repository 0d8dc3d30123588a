package expr

// Group is a part of the constraints that shares no variable with the rest.
type Group struct {
	vars  *VarSet
	list  *conj
	n     int
	key   uint64 // a hash of the constraints, whatever their order
	model *Model // satisfies the group; nil when not known
}

// conj is a conjunction as a tree of shared parts.
type conj struct {
	e           *Expr // a leaf when not nil
	left, right *conj
}

func (c *conj) each(f func(*Expr)) {
	for c != nil {
		if c.e != nil {
			f(c.e)
			return
		}
		c.right.each(f)
		c = c.left
	}
}

func join(a, b *conj) *conj {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return &conj{left: a, right: b}
}

// Vars returns the variables of the group.
func (g *Group) Vars() *VarSet { return g.vars }

// Len returns the number of constraints in the group.
func (g *Group) Len() int { return g.n }

// Key is a hash of the group's constraints; equal groups have equal keys.
func (g *Group) Key() uint64 { return g.key }

// Each calls f with each constraint of the group.
func (g *Group) Each(f func(*Expr)) { g.list.each(f) }

// Model returns a model that satisfies the group, or nil.
func (g *Group) Model() *Model { return g.model }

// SetModel records a model that was checked to satisfy the group.
func (g *Group) SetModel(m *Model) { g.model = m.Restrict(g.vars) }

// decide replaces a boolean that is one of the constraints, or its opposite,
// or follows from one by the constants alone.
func (g *Group) decide(b *Builder, e *Expr) *Expr {
	left := maxScan
	res := e
	g.Each(func(k *Expr) {
		if left--; left < 0 || res.op == OpConst {
			return
		}
		switch {
		case k == e:
			res = b.yes
		case b.complementary(k, e):
			res = b.no
		default:
			res = b.implied(k, e)
		}
	})
	return res
}

// without returns the group's constraints but some. The variables stay: they
// are e's as well.
func (g *Group) without(drop map[*Expr]bool) (list *conj, n int, key uint64) {
	g.Each(func(k *Expr) {
		if !drop[k] {
			list = join(&conj{e: k}, list)
			n++
			key += constraintKey(k)
		}
	})
	return list, n, key
}
