package expr

// binary makes a node of two operands without simplification but folding.
func (b *Builder) binary(op Op, x, y *Expr) *Expr {
	w := x.width
	if op >= OpEq && op <= OpSle {
		w = 1
	}
	if x.op == OpConst && y.op == OpConst {
		return b.ConstValue(int(w), Apply(op, int(x.width), x.Value(), y.Value()))
	}
	return b.narrow(b.intern(Expr{op: op, width: w, x: x, y: y}))
}

// narrow replaces a node whose range is a single value by that constant.
func (b *Builder) narrow(e *Expr) *Expr {
	if e.width <= 64 && e.lo == e.hi && e.op != OpConst && e.op != OpLeaf {
		return b.Const(int(e.width), e.lo)
	}
	return e
}

// ordered makes a commutative node: constants go right, else the older left.
func (b *Builder) ordered(op Op, x, y *Expr) *Expr {
	if x.op == OpConst || y.op != OpConst && x.id > y.id {
		x, y = y, x
	}
	return b.binary(op, x, y)
}

// Add returns x + y.
func (b *Builder) Add(x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	switch {
	case w == 1:
		return b.Xor(x, y)
	case y.isZero():
		return x
	case x == y:
		return b.shlConst(x, 1)
	}
	if y.op == OpConst {
		switch {
		case x.op == OpConst:
			return b.binary(OpAdd, x, y)
		case x.op == OpAdd && x.y.op == OpConst:
			return b.Add(x.x, b.Add(x.y, y))
		case x.op == OpSub && x.x.op == OpConst:
			return b.Sub(b.Add(x.x, y), x.y)
		case x.op == OpNot: // ~a + c == (c - 1) - a
			return b.Sub(b.Sub(y, b.Const(w, 1)), x.x)
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.Add(v, y) }); e != nil {
			return e
		}
		return b.binary(OpAdd, x, y)
	}
	switch { // constants go outwards
	case x.op == OpAdd && x.y.op == OpConst:
		return b.Add(b.Add(x.x, y), x.y)
	case y.op == OpAdd && y.y.op == OpConst:
		return b.Add(b.Add(x, y.x), y.y)
	case x.op == OpSub && x.x.op == OpConst: // (c - a) + y == (y - a) + c
		return b.Add(b.Sub(y, x.y), x.x)
	case y.op == OpSub && y.x.op == OpConst:
		return b.Add(b.Sub(x, y.y), y.x)
	case x.op == OpSub && x.y == y:
		return x.x
	case y.op == OpSub && y.y == x:
		return y.x
	case disjoint(x, y) || disjoint(y, x):
		return b.Or(x, y)
	}
	if e := b.addProducts(x, y); e != nil {
		return e
	}
	return b.ordered(OpAdd, x, y)
}

// disjoint reports whether x lies above all bits that y can have.
func disjoint(x, y *Expr) bool {
	return x.op == OpConcat && x.y.isZero() && y.usedBits() <= int(x.y.width)
}

// addProducts joins a*c + a*d into a*(c+d), with a alone as a*1.
func (b *Builder) addProducts(x, y *Expr) *Expr {
	xf, xc := product(x)
	yf, yc := product(y)
	if xf != yf || xc == nil && yc == nil {
		return nil
	}
	one := b.Const(int(x.width), 1)
	if xc == nil {
		xc = one
	}
	if yc == nil {
		yc = one
	}
	return b.Mul(xf, b.Add(xc, yc))
}

// product splits a*c; c is nil for 1.
func product(e *Expr) (*Expr, *Expr) {
	if e.op == OpMul && e.y.op == OpConst {
		return e.x, e.y
	}
	return e, nil
}

// Neg returns -x.
func (b *Builder) Neg(x *Expr) *Expr { return b.Sub(b.Const(int(x.width), 0), x) }

// Sub returns x - y.
func (b *Builder) Sub(x, y *Expr) *Expr {
	w := int(x.width)
	switch {
	case w == 1:
		return b.Xor(x, y)
	case x == y:
		return b.Const(w, 0)
	case y.op == OpConst:
		return b.Add(x, b.ConstValue(w, y.Value().neg()))
	case y.op == OpSub && y.x.isZero(): // x - (-a)
		return b.Add(x, y.y)
	case y.op == OpAdd && y.y.op == OpConst: // x - (a + c)
		return b.Add(b.Sub(x, y.x), b.ConstValue(w, y.y.Value().neg()))
	}
	if x.op == OpConst {
		switch {
		case y.op == OpSub: // c - (a - d)
			return b.Add(b.Sub(y.y, y.x), x)
		case y.op == OpNot: // c - ~a == c + a + 1
			return b.Add(b.Add(y.x, x), b.Const(w, 1))
		}
		if e := b.mapTree(y, func(v *Expr) *Expr { return b.Sub(x, v) }); e != nil {
			return e
		}
		return b.binary(OpSub, x, y)
	}
	switch {
	case x.op == OpAdd && x.y.op == OpConst: // (a + c) - y
		return b.Add(b.Sub(x.x, y), x.y)
	case y.op == OpSub && y.x.op == OpConst: // x - (c - a)
		return b.Add(b.Add(x, y.y), b.ConstValue(w, y.x.Value().neg()))
	case x.op == OpAdd && x.x == y:
		return x.y
	case x.op == OpAdd && x.y == y:
		return x.x
	case y.op == OpAdd && y.x == x:
		return b.Neg(y.y)
	case y.op == OpAdd && y.y == x:
		return b.Neg(y.x)
	case y.op == OpSub && y.x == x: // x - (x - a)
		return y.y
	case x.op == OpSub && x.x == y: // (y - a) - y
		return b.Neg(x.y)
	}
	xf, xc := product(x)
	yf, yc := product(y)
	if xf == yf && (xc != nil || yc != nil) {
		one := b.Const(w, 1)
		if xc == nil {
			xc = one
		}
		if yc == nil {
			yc = one
		}
		return b.Mul(xf, b.Sub(xc, yc))
	}
	return b.binary(OpSub, x, y)
}

// Mul returns x * y.
func (b *Builder) Mul(x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	if w == 1 {
		return b.And(x, y)
	}
	if y.op != OpConst {
		switch {
		case x.op == OpMul && x.y.op == OpConst: // constants go outwards
			return b.Mul(b.Mul(x.x, y), x.y)
		case y.op == OpMul && y.y.op == OpConst:
			return b.Mul(b.Mul(x, y.x), y.y)
		case x.op == OpConcat && x.y.isZero():
			return b.shlConst(b.Mul(b.lowPart(x, w), y), int(x.y.width))
		case y.op == OpConcat && y.y.isZero():
			return b.shlConst(b.Mul(x, b.lowPart(y, w)), int(y.y.width))
		case x.op == OpZExt && x.x.width == 1: // a boolean as a number
			return b.Ite(x.x, y, b.Const(w, 0))
		case y.op == OpZExt && y.x.width == 1:
			return b.Ite(y.x, x, b.Const(w, 0))
		}
		return b.ordered(OpMul, x, y)
	}
	v := y.Value()
	switch {
	case x.op == OpConst:
		return b.binary(OpMul, x, y)
	case v.IsZero():
		return y
	case v == Value{Lo: 1}:
		return x
	case v == Ones(w):
		return b.Neg(x)
	}
	if n := v.trailingZeros(); n > 0 {
		return b.shlConst(b.Mul(x, b.ConstValue(w, v.shr(uint(n)))), n)
	}
	switch {
	case x.op == OpMul && x.y.op == OpConst:
		return b.Mul(x.x, b.Mul(x.y, y))
	case x.op == OpAdd && x.y.op == OpConst:
		return b.Add(b.Mul(x.x, y), b.Mul(x.y, y))
	case x.op == OpSub && x.x.op == OpConst:
		return b.Sub(b.Mul(x.x, y), b.Mul(x.y, y))
	case x.op == OpConcat && x.y.isZero():
		return b.shlConst(b.Mul(b.lowPart(x, w), y), int(x.y.width))
	}
	if e := b.mapTree(x, func(v *Expr) *Expr { return b.Mul(v, y) }); e != nil {
		return e
	}
	return b.binary(OpMul, x, y)
}

// lowPart undoes a shift left: for h:0 it gives h, zero-extended to w.
func (b *Builder) lowPart(x *Expr, w int) *Expr { return b.ZExt(x.x, w) }
