package expr

// Extract returns n bits of x from bit low upwards. It goes through wiring
// (concatenations, extensions, leaves) but stays on top of arithmetic, so that
// the bytes of a stored value join again when it is loaded.
func (b *Builder) Extract(x *Expr, low, n int) *Expr {
	w := int(x.width)
	if low == 0 && n == w {
		return x
	}
	switch x.op {
	case OpConst:
		return b.ConstValue(n, x.Value().shr(uint(low)))
	case OpLeaf:
		return b.leaf(x.lo+uint64(low), n)
	case OpExtract:
		return b.Extract(x.x, int(x.low)+low, n)
	case OpNot:
		return b.Not(b.Extract(x.x, low, n))
	case OpConcat:
		k := int(x.y.width)
		switch {
		case low >= k:
			return b.Extract(x.x, low-k, n)
		case low+n <= k:
			return b.Extract(x.y, low, n)
		}
		return b.Concat(b.Extract(x.x, 0, low+n-k), b.Extract(x.y, low, k-low))
	case OpZExt:
		k := int(x.x.width)
		switch {
		case low >= k:
			return b.Const(n, 0)
		case low+n <= k:
			return b.Extract(x.x, low, n)
		}
		return b.ZExt(b.Extract(x.x, low, k-low), n)
	case OpSExt:
		k := int(x.x.width)
		switch {
		case low >= k:
			return b.SExt(b.Extract(x.x, k-1, 1), n)
		case low+n <= k:
			return b.Extract(x.x, low, n)
		}
		return b.SExt(b.Extract(x.x, low, k-low), n)
	case OpAdd, OpSub:
		// Ranges see a sum of numbers that were shorter before, not the lower half of one. Of bytes, which may be
		// joined again, none is taken apart.
		if low == 0 && n >= 32 && truncates(x, n, 4) {
			return b.truncate(x, n)
		}
	}
	if used := x.usedBits(); used <= low {
		return b.Const(n, 0)
	} else if used < low+n {
		return b.ZExt(b.Extract(x, low, used-low), n)
	}
	if e := b.mapTree(x, func(v *Expr) *Expr { return b.Extract(v, low, n) }); e != nil {
		return e
	}
	return b.narrow(b.intern(Expr{op: OpExtract, width: uint8(n), low: uint8(low), x: x}))
}

// Trunc returns the low w bits of x. Unlike Extract it computes sums, products
// and bit operations in the narrow width where the operands allow it for
// nothing: use it for a conversion, Extract for a part of a stored value.
func (b *Builder) Trunc(x *Expr, w int) *Expr { return b.truncate(x, w) }

func (b *Builder) truncate(x *Expr, n int) *Expr {
	if n == int(x.width) || !truncates(x, n, 4) {
		return b.Extract(x, 0, n)
	}
	switch x.op {
	case OpAdd:
		return b.Add(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpSub:
		return b.Sub(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpMul:
		return b.Mul(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpAnd:
		return b.And(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpOr:
		return b.Or(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpXor:
		return b.Xor(b.truncate(x.x, n), b.truncate(x.y, n))
	case OpIte:
		return b.Ite(x.x, b.truncate(x.y, n), b.truncate(x.z, n))
	}
	return b.Extract(x, 0, n)
}

// truncates reports whether the low n bits of e can be computed without e.
func truncates(e *Expr, n, depth int) bool {
	switch e.op {
	case OpConst, OpLeaf, OpZExt, OpSExt:
		return true
	case OpConcat:
		return n <= int(e.y.width) || e.x.op == OpConst || e.y.op == OpConst
	case OpNot:
		return depth > 0 && truncates(e.x, n, depth-1)
	case OpAdd, OpSub, OpMul, OpAnd, OpOr, OpXor:
		return depth > 0 && truncates(e.x, n, depth-1) && truncates(e.y, n, depth-1)
	case OpIte:
		return depth > 0 && truncates(e.y, n, depth-1) && truncates(e.z, n, depth-1)
	}
	return false
}

// Concat returns x above y.
func (b *Builder) Concat(x, y *Expr) *Expr {
	if e := b.fuse(x, y); e != nil {
		return e
	}
	w := int(x.width) + int(y.width)
	switch {
	case x.isZero():
		return b.ZExt(y, w)
	case x.op == OpZExt:
		return b.ZExt(b.Concat(x.x, y), w)
	case x.op == OpConcat: // to the right
		return b.Concat(x.x, b.Concat(x.y, y))
	}
	switch y.op {
	case OpConcat:
		if e := b.fuse(x, y.x); e != nil {
			return b.Concat(e, y.y)
		}
	case OpZExt:
		if x.op == OpConst {
			k := int(y.width) - int(y.x.width)
			return b.Concat(b.Concat(x, b.Const(k, 0)), y.x)
		}
	}
	return b.narrow(b.intern(Expr{op: OpConcat, width: uint8(w), x: x, y: y}))
}

// ConcatBytes joins bytes, the first one lowest (little endian).
func (b *Builder) ConcatBytes(bytes []*Expr) *Expr {
	e := bytes[0]
	for _, c := range bytes[1:] {
		e = b.Concat(c, e)
	}
	return e
}

// fuse joins neighbours x above y into one node that is no concatenation, or
// returns nil.
func (b *Builder) fuse(x, y *Expr) *Expr {
	w := int(x.width) + int(y.width)
	switch {
	case x.op == OpConst && y.op == OpConst:
		v, u := x.Value().shl(uint(y.width)), y.Value()
		return b.ConstValue(w, Value{v.Lo | u.Lo, v.Hi | u.Hi})
	case x.op == OpLeaf && y.op == OpLeaf && x.lo == y.lo+uint64(y.width):
		return b.leaf(y.lo, w)
	case x.op == OpExtract && y.op == OpExtract && x.x == y.x && x.low == y.low+y.width:
		return b.Extract(x.x, int(y.low), w)
	case x.op == OpNot && y.op == OpNot:
		if e := b.fuse(x.x, y.x); e != nil {
			return b.Not(e)
		}
		return b.Not(b.Concat(x.x, y.x))
	case x.op == OpIte && y.op == OpIte && x.x == y.x:
		return b.Ite(x.x, b.Concat(x.y, y.y), b.Concat(x.z, y.z))
	case x.op == OpSExt:
		if e := b.fuse(x.x, y); e != nil {
			return b.SExt(e, w)
		}
	}
	if c, p, q := b.choice(x); c != nil {
		switch d, r, s := b.choice(y); {
		case d == nil:
		case c == d:
			return b.Ite(c, b.Concat(p, r), b.Concat(q, s))
		case b.complementary(c, d):
			return b.Ite(c, b.Concat(p, s), b.Concat(q, r))
		}
	}
	// Copies of the sign of y above y.
	s := x
	if x.op == OpSExt && x.x.width == 1 {
		s = x.x
	}
	if s.width != 1 || s.op == OpConst {
		return nil
	}
	if y.op == OpSExt { // more copies of the same bit
		if b.Extract(y.x, int(y.x.width)-1, 1) == s {
			return b.SExt(y.x, w)
		}
		return nil
	}
	if y.width == 1 {
		if y == s {
			return b.SExt(s, w)
		}
		return nil
	}
	if y.op == OpConcat || y.op == OpConst || y.op == OpZExt {
		return nil
	}
	if b.Extract(y, int(y.width)-1, 1) == s {
		return b.SExt(y, w)
	}
	return nil
}

// choice takes apart what is one of two constants: c ? p : q.
func (b *Builder) choice(e *Expr) (c, p, q *Expr) {
	switch w := int(e.width); {
	case e.op == OpIte && e.y.op == OpConst && e.z.op == OpConst:
		return e.x, e.y, e.z
	case e.op == OpZExt && e.x.width == 1 && e.x.op > OpLeaf:
		return e.x, b.Const(w, 1), b.Const(w, 0)
	case e.op == OpSExt && e.x.width == 1 && e.x.op > OpLeaf:
		return e.x, b.ConstValue(w, Ones(w)), b.Const(w, 0)
	}
	return nil, nil, nil
}

// ZExt returns x extended with zeros to width w.
func (b *Builder) ZExt(x *Expr, w int) *Expr {
	switch {
	case int(x.width) == w:
		return x
	case x.op == OpConst:
		return b.ConstValue(w, x.Value())
	case x.op == OpZExt:
		return b.ZExt(x.x, w)
	case x.op == OpExtract && x.low == 0 && int(x.x.width) == w && x.x.usedBits() <= int(x.width):
		return x.x
	case x.op == OpConcat && x.x.op == OpConst:
		return b.Concat(b.ConstValue(w-int(x.y.width), x.x.Value()), x.y)
	}
	if e := b.mapTree(x, func(v *Expr) *Expr { return b.ZExt(v, w) }); e != nil {
		return e
	}
	return b.narrow(b.intern(Expr{op: OpZExt, width: uint8(w), x: x}))
}

// SExt returns x extended with its sign to width w.
func (b *Builder) SExt(x *Expr, w int) *Expr {
	switch {
	case int(x.width) == w:
		return x
	case x.op == OpConst:
		return b.ConstValue(w, x.Value().signExtend(int(x.width), w))
	case x.op == OpSExt:
		return b.SExt(x.x, w)
	case x.nonNegative():
		return b.ZExt(x, w)
	}
	if e := b.mapTree(x, func(v *Expr) *Expr { return b.SExt(v, w) }); e != nil {
		return e
	}
	return b.narrow(b.intern(Expr{op: OpSExt, width: uint8(w), x: x}))
}
