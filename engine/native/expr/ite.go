package expr

// Ite returns x where c holds, else y.
func (b *Builder) Ite(c, x, y *Expr) *Expr {
	switch {
	case c.op == OpConst:
		if c.lo != 0 {
			return x
		}
		return y
	case x == y:
		return x
	case c.op == OpNot:
		return b.Ite(c.x, y, x)
	case c.op == OpUle || c.op == OpSle: // one of a condition and its opposite stands for both
		return b.Ite(b.Not(c), y, x)
	}
	if x.op == OpIte && x.x == c {
		return b.Ite(c, x.y, y)
	}
	if y.op == OpIte && y.x == c {
		return b.Ite(c, x, y.z)
	}
	w := int(x.width)
	if w == 1 {
		switch {
		case x.IsTrue() || x == c:
			return b.Or(c, y)
		case x.IsFalse():
			return b.And(b.Not(c), y)
		case y.IsTrue():
			return b.Or(b.Not(c), x)
		case y.IsFalse() || y == c:
			return b.And(c, x)
		case b.complementary(x, y):
			return b.Eq(c, x)
		}
		return b.intern(Expr{op: OpIte, width: 1, x: c, y: x, z: y})
	}
	if x.op == OpConst && y.op == OpConst {
		one := Value{Lo: 1}
		switch {
		case y.isZero() && x.Value() == one:
			return b.ZExt(c, w)
		case x.isZero() && y.Value() == one:
			return b.ZExt(b.Not(c), w)
		case y.isZero() && x.isOnes():
			return b.SExt(c, w)
		case x.isZero() && y.isOnes():
			return b.SExt(b.Not(c), w)
		}
	}
	if c.op == OpEq && c.y == x && c.x == y { // p == q ? q : p
		return y
	}
	if c.op == OpEq && c.x == x && c.y == y {
		return y
	}
	return b.narrow(b.intern(Expr{op: OpIte, width: x.width, x: c, y: x, z: y}))
}

// maxTree bounds the nodes that mapTree visits: a table of 256 bytes passes.
const maxTree = 600

// mapTree applies f to the constants at the leaves of an Ite whose leaves are
// all constants, so that a table lookup followed by an operation is a lookup in
// the changed table. It returns nil for other nodes and for trees too large.
func (b *Builder) mapTree(x *Expr, f func(*Expr) *Expr) *Expr {
	if x.flags&flagConstTree == 0 {
		return nil
	}
	if x.y.op == OpConst && x.z.op == OpConst { // the common small case
		return b.Ite(x.x, f(x.y), f(x.z))
	}
	memo := make(map[*Expr]*Expr)
	var walk func(e *Expr) *Expr
	walk = func(e *Expr) *Expr {
		if r, ok := memo[e]; ok {
			return r
		}
		if len(memo) > maxTree {
			return nil
		}
		var r *Expr
		if e.op == OpConst {
			r = f(e)
		} else if y := walk(e.y); y != nil {
			if z := walk(e.z); z != nil {
				r = b.Ite(e.x, y, z)
			}
		}
		if r != nil {
			memo[e] = r
		}
		return r
	}
	return walk(x)
}

// Select returns elems[index]: a decision diagram over the bits of the index.
// All elements have the same width. An index that is too large gives some
// element: ask for the bounds first.
func (b *Builder) Select(elems []*Expr, index *Expr) *Expr {
	if index.op == OpConst {
		if i := index.Value(); i.Hi == 0 && i.Lo < uint64(len(elems)) {
			return elems[i.Lo]
		}
		return elems[len(elems)-1]
	}
	level := append([]*Expr(nil), elems...)
	for bit := 0; len(level) > 1; bit++ {
		if bit >= int(index.width) {
			level = level[:1]
			break
		}
		c := b.Extract(index, bit, 1)
		half := level[:0]
		for i := 0; i < len(level); i += 2 {
			if i+1 < len(level) {
				half = append(half, b.Ite(c, level[i+1], level[i]))
			} else {
				half = append(half, level[i])
			}
		}
		level = half
	}
	return level[0]
}
