package solver

import (
	"math/bits"

	"klabel/engine/native/expr"
)

// allConst returns the value of bits that are all constants.
func allConst(x []lit) (expr.Value, bool) {
	var v expr.Value
	for i, l := range x {
		if l > litFalse {
			return v, false
		}
		if l == litTrue {
			if i < 64 {
				v.Lo |= 1 << i
			} else {
				v.Hi |= 1 << (i - 64)
			}
		}
	}
	return v, true
}

// openBits counts the bits that are no constant zero.
func openBits(x []lit) int {
	n := 0
	for _, l := range x {
		if l != litFalse {
			n++
		}
	}
	return n
}

// mulBits multiplies modulo 2^w, a row for each bit of the operand with fewer
// bits that count.
func (t *blaster) mulBits(x, y []lit) []lit {
	if openBits(x) < openBits(y) {
		x, y = y, x
	}
	if k, ok := allConst(y); ok {
		return t.mulConst(x, k)
	}
	w := len(x)
	acc := constBits(expr.Value{}, w)
	for i := 0; i < w; i++ {
		if y[i] == litFalse {
			continue
		}
		carry := litFalse
		for j := i; j < w; j++ {
			acc[j], carry = t.g.fullAdder(acc[j], t.g.and(x[j-i], y[i]), carry)
		}
	}
	return acc
}

// mulConst multiplies by a constant with as few additions and subtractions as
// the non-adjacent form of the constant has digits.
func (t *blaster) mulConst(x []lit, k expr.Value) []lit {
	w := len(x)
	acc := constBits(expr.Value{}, w)
	for _, d := range nonAdjacent(k, w) {
		carry, flip := litFalse, lit(0)
		if d.minus {
			carry, flip = litTrue, 1
		}
		for j := d.at; j < w; j++ {
			acc[j], carry = t.g.fullAdder(acc[j], x[j-d.at]^flip, carry)
		}
	}
	return acc
}

type digit struct {
	at    int
	minus bool
}

// nonAdjacent writes k modulo 2^w as a sum of signed powers of two, no two of
// them neighbours; plain binary where that has no more digits.
func nonAdjacent(k expr.Value, w int) []digit {
	k = k.Mask(w)
	var naf, plain []digit
	carry := 0
	for i := 0; i < w; i++ {
		b := 0
		if k.Bit(i) {
			b = 1
			plain = append(plain, digit{at: i})
		}
		next := i+1 < w && k.Bit(i+1)
		switch s := b + carry; {
		case s == 1 && next:
			naf = append(naf, digit{at: i, minus: true})
			carry = 1
		case s == 1:
			naf = append(naf, digit{at: i})
			carry = 0
		case s == 2:
			carry = 1
		}
	}
	if len(plain) <= len(naf) {
		return plain
	}
	return naf
}

// mulNoOverflow returns the product, and whether it needs no more than the
// width's bits: no row of it sticks out, no row's carry does.
func (t *blaster) mulNoOverflow(x, y []lit) (product []lit, ok lit) {
	w := len(x)
	if openBits(x) < openBits(y) {
		x, y = y, x
	}
	acc := constBits(expr.Value{}, w)
	over := litFalse
	top := litFalse // some bit of x at or above w-i is set
	for i := 0; i < w; i++ {
		if i > 0 {
			top = t.g.or(top, x[w-i])
		}
		if y[i] == litFalse {
			continue
		}
		over = t.g.or(over, t.g.and(y[i], top))
		carry := litFalse
		for j := i; j < w; j++ {
			acc[j], carry = t.g.fullAdder(acc[j], t.g.and(x[j-i], y[i]), carry)
		}
		over = t.g.or(over, carry)
	}
	return acc, over.not()
}

// divide returns quotient and remainder, unsigned. They are new variables tied
// by x = q*y + r, r < y, without overflow.
func (t *blaster) divide(e *expr.Expr, x, y []lit) (q, r []lit) {
	return t.divideBits([2]uint64{e.Kid(0).ID(), e.Kid(1).ID() << 1}, e.Kid(1), x, y)
}

// divideBits divides x by y, the bits of den or of its absolute value.
func (t *blaster) divideBits(key [2]uint64, den *expr.Expr, x, y []lit) (q, r []lit) {
	if d, ok := t.divs[key]; ok {
		return d.q, d.r
	}
	w := len(x)
	q, r = make([]lit, w), make([]lit, w)
	qBits, rBits := w, w
	zero := litTrue
	for _, l := range y {
		zero = t.g.and(zero, l.not())
	}
	if zero > litFalse {
		if c := t.notZero(den); c != nil {
			zero = litFalse
			t.relied = append(t.relied, c)
		}
	}
	if zero == litFalse { // q <= x and r <= x, r < y
		qBits, rBits = highest(x), min(highest(x), highest(y))
		if k, ok := allConst(y); ok { // q < 2^(bits of x - bits of y + 1)
			qBits = max(0, min(qBits, highest(x)-valueBits(k)+1))
		}
	}
	for i := range q {
		q[i], r[i] = litFalse, litFalse
		if i < qBits {
			q[i] = t.g.core.newVar()
		}
		if i < rBits {
			r[i] = t.g.core.newVar()
		}
	}
	p, fits := t.mulNoOverflow(q, y)
	s, carry := t.addBits(p, r, litFalse)
	t.g.clause(zero, fits)
	t.g.clause(zero, carry.not())
	t.g.clause(zero, t.less(r, y))
	for i := range x {
		d := t.g.xor(s[i], x[i])
		t.g.clause(zero, d.not())
		if zero != litFalse { // x / 0 is all ones, x % 0 is x
			t.g.clause(zero.not(), q[i])
			t.g.clause(zero.not(), t.g.xor(r[i], x[i]).not())
		}
	}
	t.divs[key] = division{q, r}
	return q, r
}

// highest returns the number of bits up to the last that is no constant zero.
func highest(x []lit) int {
	n := len(x)
	for n > 0 && x[n-1] == litFalse {
		n--
	}
	return n
}

func valueBits(v expr.Value) int {
	if v.Hi != 0 {
		return 64 + bits.Len64(v.Hi)
	}
	return bits.Len64(v.Lo)
}

// signedDivide divides the absolute values and sets the signs afterwards.
func (t *blaster) signedDivide(e *expr.Expr, x, y []lit) []lit {
	nx, ny := x[len(x)-1], y[len(y)-1]
	q, r := t.divideBits([2]uint64{e.Kid(0).ID(), e.Kid(1).ID()<<1 | 1}, e.Kid(1), t.negateIf(nx, x), t.negateIf(ny, y))
	if e.Op() == expr.OpSDiv {
		return t.negateIf(t.g.xor(nx, ny), q)
	}
	return t.negateIf(nx, r)
}

// negateIf is c ? -x : x.
func (t *blaster) negateIf(c lit, x []lit) []lit {
	out := make([]lit, len(x))
	carry := c
	for i := range x {
		b := t.g.xor(x[i], c)
		out[i], carry = t.g.xor(b, carry), t.g.and(b, carry)
	}
	return out
}
