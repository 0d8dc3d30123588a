package expr

// Slt returns x < y, signed.
func (b *Builder) Slt(x, y *Expr) *Expr {
	w := int(x.width)
	least := Value{}.flipSign(w)
	switch {
	case x == y:
		return b.no
	case x.op == OpConst && y.op == OpConst:
		return b.binary(OpSlt, x, y)
	case w == 1:
		return b.And(x, b.Not(y))
	case x.nonNegative() && y.nonNegative(), x.negative() && y.negative():
		return b.Ult(x, y)
	case x.negative() && y.nonNegative():
		return b.yes
	case x.nonNegative() && y.negative():
		return b.no
	case y.op == OpConst && y.Value() == least, x.op == OpConst && x.Value() == least.not().Mask(w):
		return b.no
	case y.op == OpConst && y.Value() == least.add(Value{Lo: 1}):
		return b.Eq(x, b.ConstValue(w, least))
	case x.op == OpConst && x.Value().add(Value{Lo: 1}) == least.not().Mask(w):
		return b.Eq(y, b.ConstValue(w, least.not()))
	case y.op == OpConst && y.Value() == least.not().Mask(w):
		return b.Ne(x, y)
	case x.op == OpConst && x.Value() == least:
		return b.Ne(y, x)
	case x.op == OpNot && y.op == OpNot:
		return b.Slt(y.x, x.x)
	}
	if n := max(signedBits(x), signedBits(y)); n < w && (x.op == OpSExt || y.op == OpSExt) {
		return b.Slt(b.Extract(x, 0, n), b.Extract(y, 0, n))
	}
	switch {
	case y.op == OpConst && x.op == OpIte:
		if x.y.op == OpConst || x.z.op == OpConst {
			return b.Ite(x.x, b.Slt(x.y, y), b.Slt(x.z, y))
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.Slt(v, y) }); e != nil {
			return e
		}
	case x.op == OpConst && y.op == OpIte:
		if y.y.op == OpConst || y.z.op == OpConst {
			return b.Ite(y.x, b.Slt(x, y.y), b.Slt(x, y.z))
		}
		if e := b.mapTree(y, func(v *Expr) *Expr { return b.Slt(x, v) }); e != nil {
			return e
		}
	}
	return b.binary(OpSlt, x, y)
}

// signedBits is the width of which e is a sign extension.
func signedBits(e *Expr) int {
	switch e.op {
	case OpConst:
		v := e.Value()
		if v.Bit(int(e.width) - 1) {
			v = v.not().Mask(int(e.width))
		}
		return v.bitLen() + 1
	case OpSExt:
		return int(e.x.width)
	case OpZExt:
		return int(e.x.width) + 1
	}
	return int(e.width)
}

// Sle returns x <= y, signed. With a constant it becomes Slt.
func (b *Builder) Sle(x, y *Expr) *Expr {
	w := int(x.width)
	least := Value{}.flipSign(w)
	one := Value{Lo: 1}
	switch {
	case x == y:
		return b.yes
	case w == 1:
		return b.Or(b.Not(y), x)
	case y.op == OpConst:
		if y.Value() == least.not().Mask(w) {
			return b.yes
		}
		return b.Slt(x, b.ConstValue(w, y.Value().add(one)))
	case x.op == OpConst:
		if x.Value() == least {
			return b.yes
		}
		return b.Slt(b.ConstValue(w, x.Value().sub(one)), y)
	}
	if e := b.Slt(y, x); e.op != OpSlt || e.x != y || e.y != x {
		return b.Not(e)
	}
	return b.narrow(b.intern(Expr{op: OpSle, width: 1, x: x, y: y}))
}
