package expr

// Admits reports whether the values of m satisfy all constraints; a byte that m
// leaves open is 0.
func (c *Constraints) Admits(b *Builder, m *Model) bool {
	if c == nil {
		return true
	}
	if c.failed || !c.fixed.admits(m) {
		return false
	}
	for _, g := range c.groups {
		if !g.Admits(b, m) {
			return false
		}
	}
	return true
}

// Admits reports whether the values of m satisfy the constraints of the group.
func (g *Group) Admits(b *Builder, m *Model) bool {
	holds := true
	b.ev.begin(m)
	g.Each(func(e *Expr) { holds = holds && b.ev.eval(e).Lo == 1 })
	return holds
}

// admits reports whether m has all fixed bits as they must be.
func (f *Fixed) admits(m *Model) bool {
	if f == nil {
		return true
	}
	for _, w := range f.words {
		if m.word(w.at)&w.mask != w.val&w.mask {
			return false
		}
	}
	return true
}
