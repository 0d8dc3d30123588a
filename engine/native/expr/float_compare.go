package expr

import "klabel/engine/native/ieee"

// Comparisons of floating-point numbers are comparisons of integers: the rank of
// a number grows with it, and both zeros have the same.

// magnitude returns the encoding without its sign, in such a way that a greater
// number has a greater one.
func (b *Builder) magnitude(f ieee.Format, x *Expr) *Expr {
	m := b.Extract(x, 0, f.Width()-1)
	if !f.Explicit() || x.canonical() {
		return m
	}
	// An exponent of 0 with the integer bit set means what 1 means.
	p := f.Precision()
	fix := b.And(b.Eq(b.Extract(x, p, f.Exp()), b.Const(f.Exp(), 0)), b.Extract(x, p-1, 1))
	return b.Or(m, b.Concat(b.ZExt(fix, f.Exp()), b.Const(p, 0)))
}

func (b *Builder) fsign(f ieee.Format, x *Expr) *Expr { return b.Extract(x, f.Width()-1, 1) }

// rank maps a number to an integer of its width that grows with it.
func (b *Builder) rank(f ieee.Format, x *Expr) *Expr {
	m := b.ZExt(b.magnitude(f, x), f.Width())
	return b.Ite(b.fsign(f, x), b.Neg(m), m)
}

// infinity is the magnitude of infinity.
func (b *Builder) infinity(f ieee.Format) *Expr {
	return b.ConstValue(f.Width()-1, Value(f.Inf(false)))
}

// FIsNaN holds where x is no number.
func (b *Builder) FIsNaN(f ieee.Format, x *Expr) *Expr {
	if x.number(f) {
		return b.no
	}
	r := b.Ult(b.infinity(f), b.Extract(x, 0, f.Width()-1))
	if f.Explicit() && !x.canonical() {
		p := f.Precision()
		bad := b.And(b.Ne(b.Extract(x, p, f.Exp()), b.Const(f.Exp(), 0)), b.Not(b.Extract(x, p-1, 1)))
		return b.Or(r, bad)
	}
	return r
}

// FLess holds where x < y; no order has a NaN.
func (b *Builder) FLess(f ieee.Format, x, y *Expr) *Expr { return b.forder(f, x, y, b.Slt) }

// FLessEq holds where x <= y.
func (b *Builder) FLessEq(f ieee.Format, x, y *Expr) *Expr { return b.forder(f, x, y, b.Sle) }

func (b *Builder) forder(f ieee.Format, x, y *Expr, cmp func(x, y *Expr) *Expr) *Expr {
	if e := b.narrowCompare(f, x, y, cmp); e != nil {
		return e
	}
	p, q := b.rank(f, x), b.rank(f, y)
	inf := b.rank(f, b.ConstValue(f.Width(), Value(f.Inf(false))))
	r := cmp(p, q)
	switch { // beside a constant one bound of the other's rank keeps NaNs out
	case y.op == OpConst && !x.number(f) && y.number(f) && !f.Explicit():
		return b.And(b.Sle(b.Neg(inf), p), r)
	case x.op == OpConst && !y.number(f) && x.number(f) && !f.Explicit():
		return b.And(r, b.Sle(q, inf))
	}
	return b.And(b.And(b.Not(b.FIsNaN(f, x)), b.Not(b.FIsNaN(f, y))), r)
}

// narrowCompare compares a converted number with a constant, or another one, in
// the format that it was converted from: a wider format keeps the order.
func (b *Builder) narrowCompare(f ieee.Format, x, y *Expr, cmp func(x, y *Expr) *Expr) *Expr {
	from := func(e *Expr) (ieee.Format, bool) {
		if e.op != OpFConvert {
			return 0, false
		}
		g := e.Format()
		return g, g.Precision() <= f.Precision() && g.Exp() <= f.Exp()
	}
	g, okx := from(x)
	h, oky := from(y)
	switch {
	case okx && oky && g == h:
		return b.forder(g, x.x, y.x, cmp)
	case okx && y.op == OpConst:
		if k := b.narrowConst(f, g, y); k != nil {
			return b.forder(g, x.x, k, cmp)
		}
	case oky && x.op == OpConst:
		if k := b.narrowConst(f, h, x); k != nil {
			return b.forder(h, k, y.x, cmp)
		}
	}
	return nil
}

// narrowConst returns k in a narrower format, nil if it is not exactly there.
func (b *Builder) narrowConst(f, g ieee.Format, k *Expr) *Expr {
	v := ieee.Bits(k.Value())
	n := f.Convert(v, g)
	if f.IsNaN(v) || g.Convert(n, f) != v {
		return nil
	}
	return b.ConstValue(g.Width(), Value(n))
}

// FEqual holds where x == y: a NaN equals nothing, the zeros are equal.
func (b *Builder) FEqual(f ieee.Format, x, y *Expr) *Expr {
	if x.op == OpConst {
		x, y = y, x
	}
	if y.op == OpConst {
		v := ieee.Bits(y.Value())
		switch {
		case f.IsNaN(v):
			return b.no
		case f.Order(v, f.Zero(false)) == 0:
			return b.Eq(b.magnitude(f, x), b.Const(f.Width()-1, 0))
		case !f.Explicit():
			return b.Eq(x, y)
		}
	}
	if e := b.narrowCompare(f, x, y, b.Eq); e != nil {
		return e
	}
	numbers := b.And(b.Not(b.FIsNaN(f, x)), b.Not(b.FIsNaN(f, y)))
	return b.And(numbers, b.Eq(b.rank(f, x), b.rank(f, y)))
}

// FNeg flips the sign of x, a NaN's as well.
func (b *Builder) FNeg(f ieee.Format, x *Expr) *Expr {
	w := f.Width()
	return b.Concat(b.Not(b.fsign(f, x)), b.Extract(x, 0, w-1))
}

// FAbs clears the sign of x.
func (b *Builder) FAbs(f ieee.Format, x *Expr) *Expr {
	return b.ZExt(b.Extract(x, 0, f.Width()-1), f.Width())
}

// FCopySign returns x with the sign of y.
func (b *Builder) FCopySign(f ieee.Format, x, y *Expr) *Expr {
	return b.Concat(b.fsign(f, y), b.Extract(x, 0, f.Width()-1))
}

// FMin returns the lesser of x and y as fmin does: a number rather than a NaN.
func (b *Builder) FMin(f ieee.Format, x, y *Expr) *Expr {
	first := b.Or(b.FLessEq(f, x, y), b.FIsNaN(f, y))
	return b.Ite(first, x, y)
}

// FMax returns the greater of x and y as fmax does.
func (b *Builder) FMax(f ieee.Format, x, y *Expr) *Expr {
	first := b.Or(b.FLessEq(f, y, x), b.FIsNaN(f, y))
	return b.Ite(first, x, y)
}

// FClass holds where x is in one of the classes of LLVM's is.fpclass: bits 0 to
// 9 are signalling NaN, quiet NaN, -inf, -normal, -denormal, -0, +0, +denormal,
// +normal, +inf.
func (b *Builder) FClass(f ieee.Format, x *Expr, classes uint64) *Expr {
	p := f.Precision()
	frac := b.Extract(x, 0, p-1)
	exp := b.Extract(x, f.Width()-1-f.Exp(), f.Exp())
	neg := b.fsign(f, x)
	nan := b.FIsNaN(f, x)
	quiet := b.Extract(x, p-2, 1)
	top := b.Eq(exp, b.ConstValue(f.Exp(), Ones(f.Exp())))
	low := b.Eq(exp, b.Const(f.Exp(), 0))
	none := b.Eq(frac, b.Const(p-1, 0))
	if f.Explicit() { // an exponent of 0 with the integer bit set is a normal number
		whole := b.Extract(x, p-1, 1)
		low = b.And(low, b.Not(whole))
	}
	inf := b.And(top, b.And(none, b.Not(nan)))
	normal := b.And(b.Not(b.Or(top, low)), b.Not(nan))
	zero, denormal := b.And(low, none), b.And(low, b.Not(none))
	class := [...]*Expr{b.And(nan, b.Not(quiet)), b.And(nan, quiet), b.And(neg, inf), b.And(neg, normal),
		b.And(neg, denormal),
		b.And(neg, zero), b.And(b.Not(neg), zero), b.And(b.Not(neg), denormal), b.And(b.Not(neg), normal),
		b.And(b.Not(neg), inf)}
	r := b.no
	for i, c := range class {
		if classes>>i&1 != 0 {
			r = b.Or(r, c)
		}
	}
	return r
}
