package expr

import "math/bits"

// rangeOf computes an unsigned range of a node of width at most 64 from the
// ranges of its operands.
func rangeOf(n *Expr) (lo, hi uint64) {
	top := mask64(int(n.width))
	xl, xh, xok := n.x.URange()
	var yl, yh uint64
	yok := false
	if n.y != nil {
		yl, yh, yok = n.y.URange()
	}
	switch n.op {
	case OpAdd:
		if s, c := bits.Add64(xh, yh, 0); c == 0 && s <= top {
			return xl + yl, s
		}
		if n.y.op == OpConst { // every sum wraps
			if s := (xl + yl) & top; s < yl && (xh+yl)&top < yl {
				return s, (xh + yl) & top
			}
		}
	case OpSub:
		if xl >= yh {
			return xl - yh, xh - yl
		}
	case OpMul:
		if h, p := bits.Mul64(xh, yh); h == 0 && p <= top {
			return xl * yl, p
		}
	case OpUDiv:
		if yl > 0 {
			return xl / yh, xh / yl
		}
	case OpURem:
		if yl > 0 {
			return 0, min(xh, yh-1)
		}
		return 0, xh
	case OpAnd:
		return 0, min(xh, yh)
	case OpOr:
		return max(xl, yl), bitCeil(xh | yh)
	case OpXor:
		return 0, bitCeil(xh | yh)
	case OpNot:
		return top - xh, top - xl
	case OpLShr:
		return 0, xh
	case OpConcat:
		if xok && yok {
			return xl<<n.y.width | yl, xh<<n.y.width | yh
		}
	case OpExtract:
		if xok {
			xl, xh = xl>>n.low, xh>>n.low
			if xh <= top {
				return xl, xh
			}
		}
	case OpZExt:
		return xl, xh
	case OpSExt:
		if half := uint64(1) << (n.x.width - 1); xh < half {
			return xl, xh
		} else if xl >= half {
			up := top &^ mask64(int(n.x.width))
			return xl | up, xh | up
		}
	case OpIte:
		zl, zh, _ := n.z.URange()
		return min(yl, zl), max(yh, zh)
	case OpSDiv, OpSRem:
		if half := uint64(1) << (n.width - 1); xh < half {
			if n.op == OpSRem {
				if yl > 0 && yh < half {
					return 0, min(xh, yh-1)
				}
				return 0, xh
			}
			if yl > 0 && yh < half {
				return xl / yh, xh / yl
			}
		}
	}
	return 0, top
}

// bitCeil fills all bits below the highest one.
func bitCeil(v uint64) uint64 { return mask64(bits.Len64(v)) }

// nonNegative reports whether the sign bit is known to be zero.
func (e *Expr) nonNegative() bool {
	if e.width > 64 {
		switch e.op {
		case OpConst:
			return !e.Value().Bit(int(e.width) - 1)
		case OpZExt:
			return true
		case OpConcat:
			return e.x.nonNegative()
		}
		return false
	}
	_, hi, _ := e.URange()
	return hi>>(e.width-1) == 0
}

// negative reports whether the sign bit is known to be one.
func (e *Expr) negative() bool {
	if e.width > 64 {
		return e.op == OpConst && e.Value().Bit(int(e.width)-1)
	}
	lo, _, _ := e.URange()
	return lo>>(e.width-1) == 1
}

// usedBits is the number of low bits that can be other than zero.
func (e *Expr) usedBits() int {
	if e.width > 64 {
		switch e.op {
		case OpConst:
			return e.Value().bitLen()
		case OpZExt:
			return e.x.usedBits()
		}
		return int(e.width)
	}
	_, hi, _ := e.URange()
	return bits.Len64(hi)
}
