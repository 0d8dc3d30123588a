package expr

// Make builds a node like e from other operands, with simplification.
func (b *Builder) Make(e, x, y, z *Expr) *Expr {
	if x == e.x && y == e.y && z == e.z {
		return e
	}
	switch e.op {
	case OpNot:
		return b.Not(x)
	case OpExtract:
		return b.Extract(x, int(e.low), int(e.width))
	case OpZExt:
		return b.ZExt(x, int(e.width))
	case OpSExt:
		return b.SExt(x, int(e.width))
	case OpIte:
		return b.Ite(x, y, z)
	case OpConcat:
		return b.Concat(x, y)
	}
	if e.IsFloat() {
		return b.float(e.op, e.low, int(e.width), x, y, z)
	}
	return b.Binary(e.op, x, y)
}

// Binary builds the node of a binary operation by its code.
func (b *Builder) Binary(op Op, x, y *Expr) *Expr {
	switch op {
	case OpAdd:
		return b.Add(x, y)
	case OpSub:
		return b.Sub(x, y)
	case OpMul:
		return b.Mul(x, y)
	case OpUDiv:
		return b.UDiv(x, y)
	case OpSDiv:
		return b.SDiv(x, y)
	case OpURem:
		return b.URem(x, y)
	case OpSRem:
		return b.SRem(x, y)
	case OpAnd:
		return b.And(x, y)
	case OpOr:
		return b.Or(x, y)
	case OpXor:
		return b.Xor(x, y)
	case OpShl:
		return b.Shl(x, y)
	case OpLShr:
		return b.LShr(x, y)
	case OpAShr:
		return b.AShr(x, y)
	case OpEq:
		return b.Eq(x, y)
	case OpUlt:
		return b.Ult(x, y)
	case OpUle:
		return b.Ule(x, y)
	case OpSlt:
		return b.Slt(x, y)
	case OpSle:
		return b.Sle(x, y)
	case OpConcat:
		return b.Concat(x, y)
	}
	return nil
}
