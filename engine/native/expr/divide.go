package expr

// UDiv returns the unsigned quotient.
func (b *Builder) UDiv(x, y *Expr) *Expr {
	w := int(x.width)
	if y.op == OpConst && x.op != OpConst {
		v := y.Value()
		switch {
		case v.IsZero():
			return b.ConstValue(w, Ones(w))
		case v == Value{Lo: 1}:
			return x
		case v.isPow2():
			return b.lshrConst(x, v.trailingZeros())
		case x.op == OpUDiv && x.y.op == OpConst: // (a / c) / d == a / (c * d) if that does not overflow
			if p := x.y.Value().mul(v); x.y.Value().bitLen()+v.bitLen() <= w {
				return b.UDiv(x.x, b.ConstValue(w, p))
			}
		}
		if n := x.usedBits(); n < w { // divide in fewer bits
			if v.bitLen() > n {
				return b.Const(w, 0)
			}
			return b.ZExt(b.UDiv(b.Extract(x, 0, n), b.Extract(y, 0, n)), w)
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.UDiv(v, y) }); e != nil {
			return e
		}
	}
	if x.op != OpConst || y.op != OpConst {
		if n := max(x.usedBits(), y.usedBits()); n < w && n > 0 && nonZero(y) {
			return b.ZExt(b.UDiv(b.Extract(x, 0, n), b.Extract(y, 0, n)), w)
		}
	}
	return b.binary(OpUDiv, x, y)
}

func nonZero(e *Expr) bool {
	lo, _, ok := e.URange()
	return ok && lo > 0
}

// URem returns the unsigned remainder.
func (b *Builder) URem(x, y *Expr) *Expr {
	w := int(x.width)
	if y.op == OpConst && x.op != OpConst {
		v := y.Value()
		switch {
		case v.IsZero():
			return x
		case v == Value{Lo: 1}:
			return b.Const(w, 0)
		case v.isPow2():
			return b.ZExt(b.Extract(x, 0, v.trailingZeros()), w)
		case x.op == OpURem && x.y == y:
			return x
		}
		if _, hi, ok := x.URange(); ok && hi < v.Lo {
			return x
		}
		if n := x.usedBits(); n < w {
			if v.bitLen() > n {
				return x
			}
			return b.ZExt(b.URem(b.Extract(x, 0, n), b.Extract(y, 0, n)), w)
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.URem(v, y) }); e != nil {
			return e
		}
	}
	if x.op != OpConst || y.op != OpConst {
		if x == y {
			return b.Const(w, 0)
		}
		if n := max(x.usedBits(), y.usedBits()); n < w && n > 0 {
			return b.ZExt(b.URem(b.Extract(x, 0, n), b.Extract(y, 0, n)), w)
		}
	}
	return b.binary(OpURem, x, y)
}

// SDiv returns the signed quotient, rounded towards zero.
func (b *Builder) SDiv(x, y *Expr) *Expr { return b.signedDivision(OpSDiv, x, y) }

// SRem returns the signed remainder; it has the sign of x.
func (b *Builder) SRem(x, y *Expr) *Expr { return b.signedDivision(OpSRem, x, y) }

func (b *Builder) signedDivision(op Op, x, y *Expr) *Expr {
	w := int(x.width)
	if x.op == OpConst && y.op == OpConst {
		return b.binary(op, x, y)
	}
	div, rem := b.UDiv, b.URem
	pick := func(q, r func(x, y *Expr) *Expr) func(x, y *Expr) *Expr {
		if op == OpSDiv {
			return q
		}
		return r
	}
	if x.nonNegative() && y.nonNegative() {
		return pick(div, rem)(x, y)
	}
	if y.op == OpConst && w > 1 {
		v := y.Value()
		switch {
		case v.IsZero():
			if op == OpSRem {
				return x
			}
		case v == Value{Lo: 1}:
			return pick(func(x, _ *Expr) *Expr { return x }, func(x, _ *Expr) *Expr { return b.Const(w, 0) })(x, y)
		case v == Ones(w):
			return pick(func(x, _ *Expr) *Expr { return b.Neg(x) }, func(x, _ *Expr) *Expr { return b.Const(w, 0) })(x,
				y)
		case op == OpSRem && v.Bit(w-1) && !v.isPow2(): // the sign of the divisor does not matter
			return b.SRem(x, b.Neg(y))
		}
		if x.op == OpSExt && !v.IsZero() { // divide in the narrow width if the divisor fits without -1
			n := int(x.x.width)
			if short := v.Mask(n); short.signExtend(n, w) == v && n > 1 {
				return b.SExt(b.signedDivision(op, x.x, b.ConstValue(n, short)), w)
			}
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.signedDivision(op, v, y) }); e != nil {
			return e
		}
	}
	return b.binary(op, x, y)
}
