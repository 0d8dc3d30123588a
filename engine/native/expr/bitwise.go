package expr

// Not returns the bitwise complement.
func (b *Builder) Not(x *Expr) *Expr {
	w := int(x.width)
	switch {
	case x.op == OpConst:
		return b.ConstValue(w, x.Value().not())
	case x.op == OpNot:
		return x.x
	}
	if w == 1 {
		switch x.op {
		case OpUlt:
			return b.Ule(x.y, x.x)
		case OpUle:
			return b.Ult(x.y, x.x)
		case OpSlt:
			return b.Sle(x.y, x.x)
		case OpSle:
			return b.Slt(x.y, x.x)
		}
	} else {
		switch x.op {
		case OpAdd:
			if x.y.op == OpConst { // ~(a + c) == (-c - 1) - a
				return b.Sub(b.ConstValue(w, x.y.Value().not()), x.x)
			}
		case OpSub:
			if x.x.op == OpConst { // ~(c - a) == a + ~c
				return b.Add(x.y, b.Not(x.x))
			}
		case OpConcat:
			if x.x.op == OpConst || x.y.op == OpConst {
				return b.Concat(b.Not(x.x), b.Not(x.y))
			}
		case OpSExt:
			return b.SExt(b.Not(x.x), w)
		}
		if e := b.mapTree(x, b.Not); e != nil {
			return e
		}
	}
	return b.narrow(b.intern(Expr{op: OpNot, width: x.width, x: x}))
}

// complementary reports whether x is the complement of y by shape.
func (b *Builder) complementary(x, y *Expr) bool {
	if x.op == OpNot && x.x == y || y.op == OpNot && y.x == x {
		return true
	}
	switch { // not (p < q) is q <= p
	case x.op == OpUlt && y.op == OpUle, x.op == OpUle && y.op == OpUlt,
		x.op == OpSlt && y.op == OpSle, x.op == OpSle && y.op == OpSlt:
		return x.x == y.y && x.y == y.x
	case x.op == OpUlt && y.op == OpUlt: // x < c and c-1 < x
		if x.y.op == OpConst && y.x.op == OpConst {
			x, y = y, x
		}
		return x.x.op == OpConst && y.y.op == OpConst && x.y == y.x && x.x.Value().add(Value{Lo: 1}) == y.y.Value()
	case x.op == OpSlt && y.op == OpSlt:
		if x.y.op == OpConst && y.x.op == OpConst {
			x, y = y, x
		}
		return x.x.op == OpConst && y.y.op == OpConst && x.y == y.x &&
			x.x.Value().add(Value{Lo: 1}).Mask(int(x.x.width)) == y.y.Value()
	}
	return false
}

// And returns the bitwise conjunction.
func (b *Builder) And(x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	switch {
	case y.isZero() || x == y:
		return y
	case y.isOnes():
		return x
	case x.op == OpConst:
		return b.binary(OpAnd, x, y)
	case b.complementary(x, y):
		return b.Const(w, 0)
	}
	if w == 1 {
		return b.andBool(x, y)
	}
	if y.op == OpConst {
		if x.op == OpAnd && x.y.op == OpConst {
			return b.And(x.x, b.And(x.y, y))
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.And(v, y) }); e != nil {
			return e
		}
		// A mask is wiring: runs of ones are extracts, runs of zeros are zeros.
		return b.fillBits(x, y.Value(), 0)
	}
	if e := b.splitBitwise(x, y, b.And); e != nil {
		return e
	}
	if x.op == OpAnd && (x.x == y || x.y == y) {
		return x
	}
	if y.op == OpAnd && (y.x == x || y.y == x) {
		return y
	}
	return b.ordered(OpAnd, x, y)
}

// fillBits keeps the bits of x where keep has ones and takes the others from
// fill (0 or all ones), as a concatenation of extracts and constants.
func (b *Builder) fillBits(x *Expr, keep Value, fill uint64) *Expr {
	w := int(x.width)
	var e *Expr
	for i := 0; i < w; {
		j := i + 1
		for j < w && keep.Bit(j) == keep.Bit(i) {
			j++
		}
		var part *Expr
		if keep.Bit(i) {
			part = b.Extract(x, i, j-i)
		} else {
			part = b.ConstValue(j-i, Value{fill, fill})
		}
		if e == nil {
			e = part
		} else {
			e = b.Concat(part, e)
		}
		i = j
	}
	return e
}

// splitBitwise pushes a bitwise operation into operands of which at least one
// is wired from parts with constants: the parts meet the matching parts.
func (b *Builder) splitBitwise(x, y *Expr, f func(x, y *Expr) *Expr) *Expr {
	if cut := constSplit(x); cut > 0 && x.op != OpSExt {
		return b.splitAt(x, y, cut, f)
	}
	if cut := constSplit(y); cut > 0 && y.op != OpSExt {
		return b.splitAt(x, y, cut, f)
	}
	if x.op == OpSExt && y.op == OpSExt && x.x.width == y.x.width {
		return b.SExt(f(x.x, y.x), int(x.width))
	}
	return nil
}

// constSplit returns where a constant part of a wired node ends, 0 for none.
func constSplit(e *Expr) int {
	switch {
	case e.op == OpZExt:
		return int(e.x.width)
	case e.op == OpConcat && (e.x.op == OpConst || e.y.op == OpConst):
		return int(e.y.width)
	case e.op == OpConcat && constSplit(e.y) > 0:
		return int(e.y.width)
	}
	return 0
}

func (b *Builder) splitAt(x, y *Expr, cut int, f func(x, y *Expr) *Expr) *Expr {
	w := int(x.width)
	return b.Concat(f(b.Extract(x, cut, w-cut), b.Extract(y, cut, w-cut)),
		f(b.Extract(x, 0, cut), b.Extract(y, 0, cut)))
}

// Or returns the bitwise disjunction.
func (b *Builder) Or(x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	switch {
	case y.isZero() || x == y:
		return x
	case y.isOnes():
		return y
	case x.op == OpConst:
		return b.binary(OpOr, x, y)
	case b.complementary(x, y):
		return b.ConstValue(w, Ones(w))
	}
	if w == 1 {
		return b.orBool(x, y)
	}
	if y.op == OpConst {
		if x.op == OpOr && x.y.op == OpConst {
			return b.Or(x.x, b.Or(x.y, y))
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.Or(v, y) }); e != nil {
			return e
		}
		return b.fillBits(x, y.Value().not(), ^uint64(0))
	}
	if e := b.splitBitwise(x, y, b.Or); e != nil {
		return e
	}
	return b.ordered(OpOr, x, y)
}

// Xor returns the bitwise exclusive or.
func (b *Builder) Xor(x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	w := int(x.width)
	switch {
	case y.isZero():
		return x
	case x == y:
		return b.Const(w, 0)
	case x.op == OpConst:
		return b.binary(OpXor, x, y)
	case y.isOnes():
		return b.Not(x)
	case x.op == OpNot && y.op == OpNot:
		return b.Xor(x.x, y.x)
	case x.op == OpNot:
		return b.Not(b.Xor(x.x, y))
	case y.op == OpNot:
		return b.Not(b.Xor(x, y.x))
	case b.complementary(x, y):
		return b.ConstValue(w, Ones(w))
	}
	if y.op == OpConst {
		if x.op == OpXor && x.y.op == OpConst {
			return b.Xor(x.x, b.Xor(x.y, y))
		}
		if e := b.mapTree(x, func(v *Expr) *Expr { return b.Xor(v, y) }); e != nil {
			return e
		}
		if constSplit(x) > 0 {
			return b.splitBitwise(x, y, b.Xor)
		}
		return b.binary(OpXor, x, y)
	}
	switch {
	case x.op == OpXor && x.x == y:
		return x.y
	case x.op == OpXor && x.y == y:
		return x.x
	case y.op == OpXor && y.x == x:
		return y.y
	case y.op == OpXor && y.y == x:
		return y.x
	}
	if w > 1 {
		if e := b.splitBitwise(x, y, b.Xor); e != nil {
			return e
		}
	}
	return b.ordered(OpXor, x, y)
}

// Shl returns x shifted left by y; zero when y is the width or more.
func (b *Builder) Shl(x, y *Expr) *Expr {
	if y.op == OpConst {
		return b.shlConst(x, int(y.Value().shiftAmount(int(x.width))))
	}
	if x.isZero() {
		return x
	}
	return b.binary(OpShl, x, y)
}

func (b *Builder) shlConst(x *Expr, n int) *Expr {
	w := int(x.width)
	switch {
	case n == 0:
		return x
	case n >= w:
		return b.Const(w, 0)
	}
	return b.Concat(b.truncate(x, w-n), b.Const(n, 0))
}

// LShr returns x shifted right by y; zero when y is the width or more.
func (b *Builder) LShr(x, y *Expr) *Expr {
	if y.op == OpConst {
		return b.lshrConst(x, int(y.Value().shiftAmount(int(x.width))))
	}
	if x.isZero() {
		return x
	}
	return b.binary(OpLShr, x, y)
}

func (b *Builder) lshrConst(x *Expr, n int) *Expr {
	w := int(x.width)
	switch {
	case n == 0:
		return x
	case n >= w:
		return b.Const(w, 0)
	}
	return b.ZExt(b.Extract(x, n, w-n), w)
}

// AShr returns x shifted right by y, filled with the sign.
func (b *Builder) AShr(x, y *Expr) *Expr {
	w := int(x.width)
	if y.op == OpConst {
		n := min(int(y.Value().shiftAmount(w)), w-1)
		if n == 0 {
			return x
		}
		return b.SExt(b.Extract(x, n, w-n), w)
	}
	if x.isZero() || x.isOnes() {
		return x
	}
	if x.nonNegative() {
		return b.LShr(x, y)
	}
	return b.binary(OpAShr, x, y)
}
