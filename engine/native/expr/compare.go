package expr

// Ne returns x != y.
func (b *Builder) Ne(x, y *Expr) *Expr { return b.Not(b.Eq(x, y)) }

// Ugt, Uge, Sgt and Sge are the comparisons the other way round.
func (b *Builder) Ugt(x, y *Expr) *Expr { return b.Ult(y, x) }
func (b *Builder) Uge(x, y *Expr) *Expr { return b.Ule(y, x) }
func (b *Builder) Sgt(x, y *Expr) *Expr { return b.Slt(y, x) }
func (b *Builder) Sge(x, y *Expr) *Expr { return b.Sle(y, x) }

// Eq returns x == y.
func (b *Builder) Eq(x, y *Expr) *Expr {
	if x == y {
		return b.yes
	}
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	if xl, xh, ok := x.URange(); ok {
		if yl, yh, _ := y.URange(); xh < yl || yh < xl {
			return b.no
		}
	}
	switch {
	case x.op == OpConst:
		return b.binary(OpEq, x, y)
	case b.complementary(x, y):
		return b.no
	case y.op == OpConst:
		return b.eqConst(x, y)
	}
	switch {
	case x.op == OpNot && y.op == OpNot:
		return b.Eq(x.x, y.x)
	case w == 1 && x.op == OpNot:
		return b.Not(b.Eq(x.x, y))
	case w == 1 && y.op == OpNot:
		return b.Not(b.Eq(x, y.x))
	case x.op == OpZExt && y.op == OpZExt:
		n := int(max(x.x.width, y.x.width))
		return b.Eq(b.ZExt(x.x, n), b.ZExt(y.x, n))
	case x.op == OpSExt && y.op == OpSExt:
		n := int(max(x.x.width, y.x.width))
		return b.Eq(b.SExt(x.x, n), b.SExt(y.x, n))
	case x.op == OpConcat && y.op == OpConcat && x.y.width == y.y.width:
		return b.And(b.Eq(x.x, y.x), b.Eq(x.y, y.y))
	case x.op == OpAdd || y.op == OpAdd || x.op == OpSub && y.op == OpSub:
		if d := b.Sub(x, y); d.op == OpConst { // a+3 == a
			return b.Bool(d.isZero())
		} else if d.op == OpLeaf || d.op == OpAdd && d.y.op == OpConst && d.x.op == OpLeaf { // x+y == y+3 is x == 3
			return b.Eq(d, b.Const(w, 0))
		}
		if x.op == OpAdd && y.op == OpAdd && x.y.op == OpConst && y.y.op == OpConst {
			return b.Eq(x.x, b.Add(y.x, b.Sub(y.y, x.y)))
		}
	}
	return b.ordered(OpEq, x, y)
}

// eqConst builds x == k for a constant k and an x that is none.
func (b *Builder) eqConst(x, k *Expr) *Expr {
	w := int(x.width)
	if w == 1 {
		if k.lo == 1 {
			return x
		}
		return b.Not(x)
	}
	v := k.Value()
	switch x.op {
	case OpAdd:
		if x.y.op == OpConst {
			return b.Eq(x.x, b.Sub(k, x.y))
		}
	case OpSub:
		switch {
		case x.x.op == OpConst:
			return b.Eq(x.y, b.Sub(x.x, k))
		case k.isZero():
			return b.Eq(x.x, x.y)
		}
	case OpNot:
		return b.Eq(x.x, b.Not(k))
	case OpXor:
		switch {
		case x.y.op == OpConst:
			return b.Eq(x.x, b.Xor(x.y, k))
		case k.isZero():
			return b.Eq(x.x, x.y)
		case k.isOnes():
			return b.Eq(x.x, b.Not(x.y))
		}
	case OpOr:
		if k.isZero() {
			return b.And(b.Eq(x.x, k), b.Eq(x.y, k))
		}
	case OpAnd:
		if k.isOnes() {
			return b.And(b.Eq(x.x, k), b.Eq(x.y, k))
		}
	case OpMul:
		if x.y.op == OpConst && x.y.lo&1 == 1 {
			return b.Eq(x.x, b.ConstValue(w, v.mul(inverse(x.y.Value()))))
		}
	case OpUDiv:
		if c := x.y; c.op == OpConst && !c.isZero() {
			low := v.mul(c.Value())
			if v.bitLen()+c.Value().bitLen() > w+1 || low.Mask(w) != low || w == 128 &&
				v.bitLen()+c.Value().bitLen() > w {
				break
			}
			if high := low.add(c.Value()).Mask(w); high.Cmp(low) > 0 {
				return b.And(b.Ule(b.ConstValue(w, low), x.x), b.Ult(x.x, b.ConstValue(w, high)))
			}
			return b.Ule(b.ConstValue(w, low), x.x)
		}
	case OpConcat:
		n := int(x.y.width)
		return b.And(b.Eq(x.x, b.Extract(k, n, w-n)), b.Eq(x.y, b.Extract(k, 0, n)))
	case OpZExt:
		n := int(x.x.width)
		if v.bitLen() > n {
			return b.no
		}
		return b.Eq(x.x, b.ConstValue(n, v))
	case OpSExt:
		n := int(x.x.width)
		if v.Mask(n).signExtend(n, w) != v {
			return b.no
		}
		return b.Eq(x.x, b.ConstValue(n, v))
	case OpIte:
		if x.y.op == OpConst || x.z.op == OpConst {
			return b.Ite(x.x, b.Eq(x.y, k), b.Eq(x.z, k))
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.Eq(v, k) }); e != nil {
			return e
		}
	}
	return b.binary(OpEq, x, k)
}

// inverse returns the multiplicative inverse of an odd number modulo 2^128.
func inverse(v Value) Value {
	x := v // right in 3 bits; each step doubles them
	for i := 0; i < 6; i++ {
		x = x.mul(Value{Lo: 2}.sub(v.mul(x)))
	}
	return x
}

// Ult returns x < y, unsigned.
func (b *Builder) Ult(x, y *Expr) *Expr {
	w := int(x.width)
	switch {
	case x == y || y.isZero() || x.isOnes():
		return b.no
	case x.op == OpConst && y.op == OpConst:
		return b.binary(OpUlt, x, y)
	case w == 1:
		return b.And(b.Not(x), y)
	}
	if xl, xh, ok := x.URange(); ok {
		switch yl, yh, _ := y.URange(); {
		case xh < yl:
			return b.yes
		case xl >= yh:
			return b.no
		case y.op == OpConst && yl == xl+1:
			return b.Eq(x, b.Const(w, xl))
		case x.op == OpConst && xl+1 == yh:
			return b.Eq(y, b.Const(w, yh))
		case y.op == OpConst && yl == xh:
			return b.Ne(x, y)
		case x.op == OpConst && xl == yl:
			return b.Ne(y, x)
		}
	}
	if x.op == OpZExt || y.op == OpZExt {
		if n := max(x.usedBits(), y.usedBits()); n < w {
			if m := max(wiredBits(x), wiredBits(y)); m < w {
				return b.Ult(b.Extract(x, 0, m), b.Extract(y, 0, m))
			}
		}
	}
	switch {
	case y.op == OpConst:
		if e := b.ultConst(x, y); e != nil {
			return e
		}
	case x.op == OpConst:
		if e := b.ugtConst(y, x); e != nil {
			return e
		}
	case x.op == OpNot && y.op == OpNot:
		return b.Ult(y.x, x.x)
	case x.op == OpConcat && y.op == OpConcat && x.x == y.x:
		return b.Ult(x.y, y.y)
	case x.op == OpConcat && y.op == OpConcat && x.y == y.y:
		return b.Ult(x.x, y.x)
	}
	return b.binary(OpUlt, x, y)
}

// wiredBits is the width that remains when zero extension is taken off.
func wiredBits(e *Expr) int {
	switch e.op {
	case OpConst:
		return e.usedBits()
	case OpZExt:
		return int(e.x.width)
	}
	return int(e.width)
}

// ultConst builds x < k, or nil.
func (b *Builder) ultConst(x, k *Expr) *Expr {
	w := int(x.width)
	v := k.Value()
	if v == (Value{Lo: 1}) {
		return b.Eq(x, b.Const(w, 0))
	}
	if k.isOnes() {
		return b.Ne(x, k)
	}
	switch x.op {
	case OpUDiv:
		if c := x.y; c.op == OpConst && !c.isZero() && v.bitLen()+c.Value().bitLen() <= w {
			return b.Ult(x.x, b.ConstValue(w, v.mul(c.Value())))
		}
	case OpConcat:
		n := int(x.y.width)
		if low := v.Mask(n); low.IsZero() {
			return b.Ult(x.x, b.ConstValue(w-n, v.shr(uint(n))))
		} else if x.y.isZero() { // h:0 < k is h <= k >> n
			return b.Ule(x.x, b.ConstValue(w-n, v.shr(uint(n))))
		}
	case OpNot:
		return b.Ult(b.Not(k), x.x)
	case OpIte:
		if x.y.op == OpConst || x.z.op == OpConst {
			return b.Ite(x.x, b.Ult(x.y, k), b.Ult(x.z, k))
		}
		return b.mapTree(x, func(v *Expr) *Expr { return b.Ult(v, k) })
	}
	return nil
}

// ugtConst builds k < x, or nil.
func (b *Builder) ugtConst(x, k *Expr) *Expr {
	w := int(x.width)
	v := k.Value()
	if v.IsZero() {
		return b.Ne(x, k)
	}
	if v.add(Value{Lo: 1}) == Ones(w) {
		return b.Eq(x, b.ConstValue(w, Ones(w)))
	}
	switch x.op {
	case OpUDiv: // k < a / c is (k+1)*c <= a
		if c := x.y; c.op == OpConst && !c.isZero() {
			if v = v.add(Value{Lo: 1}); v.bitLen()+c.Value().bitLen() <= w {
				return b.Ule(b.ConstValue(w, v.mul(c.Value())), x.x)
			}
		}
	case OpConcat:
		n := int(x.y.width)
		if x.y.isZero() || v.Mask(n) == Ones(n) {
			return b.Ult(b.ConstValue(w-n, v.shr(uint(n))), x.x)
		}
	case OpNot:
		return b.Ult(x.x, b.Not(k))
	case OpIte:
		if x.y.op == OpConst || x.z.op == OpConst {
			return b.Ite(x.x, b.Ult(k, x.y), b.Ult(k, x.z))
		}
		return b.mapTree(x, func(v *Expr) *Expr { return b.Ult(k, v) })
	}
	return nil
}

// Ule returns x <= y, unsigned. With a constant it becomes Ult.
func (b *Builder) Ule(x, y *Expr) *Expr {
	w := int(x.width)
	one := Value{Lo: 1}
	switch {
	case x == y || x.isZero() || y.isOnes():
		return b.yes
	case y.op == OpConst:
		return b.Ult(x, b.ConstValue(w, y.Value().add(one)))
	case x.op == OpConst:
		return b.Ult(b.ConstValue(w, x.Value().sub(one)), y)
	case w == 1:
		return b.Or(b.Not(x), y)
	}
	if e := b.Ult(y, x); e.op != OpUlt || e.x != y || e.y != x {
		return b.Not(e)
	}
	return b.narrow(b.intern(Expr{op: OpUle, width: 1, x: x, y: y}))
}
