package solver

import "klabel/engine/native/ieee"

// fadd is x + y, or x - y where minus holds.
func (t *blaster) fadd(f ieee.Format, x, y []lit, minus lit) []lit {
	a, b := t.unpack(f, x, false), t.unpack(f, y, false)
	bneg := t.g.xor(b.neg, minus)
	differ := t.g.xor(a.neg, bneg)
	// The greater magnitude first.
	am, bm := join(a.sig, a.field), join(b.sig, b.field)
	swap := t.less(am, bm)
	neg := t.g.mux(swap, bneg, a.neg)
	ea, eb := t.muxBits(swap, b.field, a.field), t.muxBits(swap, a.field, b.field)
	sa, sb := t.muxBits(swap, b.sig, a.sig), t.muxBits(swap, a.sig, b.sig)
	sum := t.alignedSum(sa, sb, t.subtract(ea, eb), differ)
	// Shift left while the exponent, which is that of the carry, allows it.
	limit := ea
	p := f.Precision()
	stages := 0
	for 1<<stages < len(sum) {
		stages++
	}
	for s := stages - 1; s >= 0; s-- {
		d := 1 << s
		if s >= len(limit) { // more than any exponent
			continue
		}
		c := t.g.and(t.any(sum[len(sum)-d:]).not(), t.any(limit[s:]))
		sum = t.shiftLeftIf(c, sum, d)
		limit = append(append([]lit(nil), limit[:s]...), t.decrementIf(limit[s:], c)...)
	}
	cut := len(sum) - p - 1
	some := t.any(sum)
	for i := range limit {
		limit[i] = t.g.and(limit[i], some)
	}
	limit = extend(limit, len(limit)+1, litFalse)
	r := t.pack(f, neg, t.roundTail(f, limit, sum[cut:], t.any(sum[:cut]), true))
	none := t.g.and(differ, some.not())
	r[len(r)-1] = t.g.and(neg, none.not())
	inf := t.g.or(a.inf, b.inf)
	r = t.muxBits(inf, signed(constant(f, f.Inf(false)), neg), r)
	return t.orNaN(f, r, t.g.and(t.g.and(a.inf, b.inf), differ), a, b)
}

func join(low, high []lit) []lit {
	return append(append(make([]lit, 0, len(low)+len(high)), low...), high...)
}

// decrementIf is c ? x - 1 : x.
func (t *blaster) decrementIf(x []lit, c lit) []lit {
	out := make([]lit, len(x))
	for i := range x {
		out[i], c = t.g.xor(x[i], c), t.g.and(x[i].not(), c)
	}
	return out
}

// alignedSum adds b, shifted right by d, to a, or subtracts it where differ
// holds; a is not less than b. Below the result's n bits and a carry are three
// more, the lowest of which joins all that was shifted out.
func (t *blaster) alignedSum(a, b, d []lit, differ lit) []lit {
	three := []lit{litFalse, litFalse, litFalse}
	a = append(join(three, a), litFalse)
	b, rest := t.shiftSticky(join(three, b), d, litFalse)
	b[0] = t.g.or(b[0], rest)
	b = append(b, litFalse)
	for i := range b {
		b[i] = t.g.xor(b[i], differ)
	}
	sum, _ := t.addBits(a, b, differ)
	return sum
}

// product multiplies significands that have their top bits set, and returns the
// product with its top bit set.
func (t *blaster) product(f ieee.Format, a, b number) (exp, sig []lit) {
	w := 2 * f.Precision()
	sig = t.mulBits(extend(a.sig, w, litFalse), extend(b.sig, w, litFalse))
	top := sig[w-1]
	sig = t.shiftLeftIf(top.not(), sig, 1)
	exp, _ = t.addBits(a.exp, b.exp, top)
	return exp, sig
}

func (t *blaster) fmul(f ieee.Format, x, y []lit) []lit {
	a, b := t.unpack(f, x, true), t.unpack(f, y, true)
	neg := t.g.xor(a.neg, b.neg)
	exp, sig := t.product(f, a, b)
	r := t.pack(f, neg, t.round(f, exp, sig, litFalse, true, true))
	r = t.muxBits(t.g.or(a.zero, b.zero), signed(constant(f, f.Zero(false)), neg), r)
	r = t.muxBits(t.g.or(a.inf, b.inf), signed(constant(f, f.Inf(false)), neg), r)
	return t.orNaN(f, r, t.g.or(t.g.and(a.inf, b.zero), t.g.and(a.zero, b.inf)), a, b)
}

// fdiv divides bit by bit, so that operands decide the quotient by propagation.
func (t *blaster) fdiv(f ieee.Format, x, y []lit) []lit {
	a, b := t.unpack(f, x, true), t.unpack(f, y, true)
	neg := t.g.xor(a.neg, b.neg)
	p := f.Precision()
	q := make([]lit, p+2)
	den := extend(b.sig, p+1, litFalse)
	rem := extend(a.sig, p+1, litFalse)
	for i := p + 1; i >= 0; i-- {
		q[i], rem = t.takeAway(rem, den)
		rem = append([]lit{litFalse}, rem[:p]...)
	}
	top := q[p+1]
	exp, _ := t.addBits(a.exp, notBits(b.exp), top) // a - b - 1, or a - b
	sig := t.shiftLeftIf(top.not(), q, 1)
	res := t.pack(f, neg, t.round(f, exp, sig, t.any(rem), true, true))
	res = t.muxBits(t.g.or(a.zero, b.inf), signed(constant(f, f.Zero(false)), neg), res)
	res = t.muxBits(t.g.or(a.inf, b.zero), signed(constant(f, f.Inf(false)), neg), res)
	return t.orNaN(f, res, t.g.or(t.g.and(a.inf, b.inf), t.g.and(a.zero, b.zero)), a, b)
}

// takeAway subtracts den from rem if it fits.
func (t *blaster) takeAway(rem, den []lit) (fits lit, out []lit) {
	diff, fits := t.addBits(rem, notBits(den), litTrue)
	return fits, t.muxBits(fits, diff, rem)
}

// fsqrt finds the root bit by bit, the highest first.
func (t *blaster) fsqrt(f ieee.Format, x []lit) []lit {
	a := t.unpack(f, x, true)
	p := f.Precision()
	num := t.shiftLeftIf(a.exp[0], extend(join(constInt(0, p+1), a.sig), 2*p+2, litFalse), 1)
	rem := constInt(0, p+4)
	root := constInt(0, p+4)
	for i := p; i >= 0; i-- { // rem = 4 rem + two bits; try 4 root + 1
		rem = append([]lit{num[2*i], num[2*i+1]}, rem[:p+2]...)
		try := append([]lit{litTrue, litFalse}, root[:p+2]...)
		var bit lit
		bit, rem = t.takeAway(rem, try)
		root = append([]lit{bit}, root[:p+3]...)
	}
	half := append(append([]lit(nil), a.exp[1:]...), a.exp[len(a.exp)-1])
	r := t.pack(f, litFalse, t.round(f, half, root[:p+1], t.any(rem), false, false))
	r = t.muxBits(t.g.or(a.zero, a.inf), x, r)
	return t.orNaN(f, r, t.g.and(a.neg, a.zero.not()), a)
}

// fma is x * y + z, rounded once: the sum of the exact product and z.
func (t *blaster) fma(f ieee.Format, x, y, z []lit) []lit {
	a, b, c := t.unpack(f, x, true), t.unpack(f, y, true), t.unpack(f, z, true)
	p, k := f.Precision(), expBits(f)
	pneg := t.g.xor(a.neg, b.neg)
	differ := t.g.xor(pneg, c.neg)
	pzero := t.g.or(a.zero, b.zero)
	pexp, psig := t.product(f, a, b)
	lowest := constInt(-1<<(k-2), k)
	pexp, psig = t.muxBits(pzero, lowest, pexp), t.muxBits(pzero, constInt(0, 2*p), psig)
	cexp := t.muxBits(c.zero, lowest, c.exp)
	csig := t.muxBits(c.zero, constInt(0, 2*p), join(constInt(0, p), c.sig))
	swap := t.less(join(psig, flipTop(pexp)), join(csig, flipTop(cexp)))
	neg := t.g.mux(swap, c.neg, pneg)
	ea, eb := t.muxBits(swap, cexp, pexp), t.muxBits(swap, pexp, cexp)
	sum := t.alignedSum(t.muxBits(swap, csig, psig), t.muxBits(swap, psig, csig), t.subtract(ea, eb), differ)
	none := t.any(sum).not()
	sum, by := t.normalise(sum)
	exp := t.subtract(t.addConst(ea, 1), extend(by, k, litFalse))
	r := t.pack(f, neg, t.round(f, exp, sum, litFalse, true, true))
	r = t.muxBits(none, signed(constant(f, f.Zero(false)), t.g.and(neg, differ.not())), r)
	pinf := t.g.or(a.inf, b.inf)
	inf := t.g.or(pinf, c.inf)
	r = t.muxBits(inf, signed(constant(f, f.Inf(false)), t.g.mux(pinf, pneg, c.neg)), r)
	invalid := t.g.or(t.g.and(a.inf, b.zero), t.g.and(a.zero, b.inf))
	invalid = t.g.or(invalid, t.g.and(t.g.and(pinf, c.inf), differ))
	return t.orNaN(f, r, invalid, a, b, c)
}

func (t *blaster) fresh(n int) []lit {
	out := make([]lit, n)
	for i := range out {
		out[i] = t.g.core.newVar()
	}
	return out
}

// maxRemExp bounds the exponents for which a remainder is computed bit by bit:
// a double's would take two thousand subtractions.
const maxRemExp = 8

// frem is fmod. For wide formats only what all remainders have in common is
// said, and a model that relies on more fails its check.
func (t *blaster) frem(f ieee.Format, x, y []lit) []lit {
	a, b := t.unpack(f, x, true), t.unpack(f, y, true)
	var r []lit
	if f.Exp() <= maxRemExp {
		r = t.longDivision(f, a, b)
	} else {
		r = signed(t.fresh(f.Width()), a.neg)
		t.relaxed = true
		n := f.Width() - 1
		usual := t.g.or(t.g.or(t.g.or(a.nan, b.nan), a.inf), t.g.or(b.zero, a.zero)).not()
		t.g.clause(usual.not(), t.less(r[:n], y[:n]), b.inf)
		t.g.clause(usual.not(), t.less(x[:n], r[:n]).not())
	}
	r = t.muxBits(t.g.or(a.zero, b.inf), x, r)
	return t.orNaN(f, r, t.g.or(a.inf, b.zero), a, b)
}

// longDivision subtracts b, shifted by the difference of the exponents and less
// and less, from a wherever it can.
func (t *blaster) longDivision(f ieee.Format, a, b number) []lit {
	p, k := f.Precision(), expBits(f)
	d := t.subtract(a.exp, b.exp)
	small := d[k-1] // a is less than b
	rem := extend(a.sig, p+1, litFalse)
	den := extend(b.sig, p+1, litFalse)
	_, rem = t.takeAway(rem, den)
	for i := 2*f.Bias() + p - 1; i > 0; i-- {
		active := t.less(d[:k-1], constInt(i, k-1)).not() // i <= d
		_, next := t.takeAway(append([]lit{litFalse}, rem[:p]...), den)
		rem = t.muxBits(active, next, rem)
	}
	none := t.any(rem).not()
	sig, by := t.normalise(rem[:p])
	exp := t.subtract(b.exp, extend(by, k, litFalse))
	r := t.pack(f, a.neg, t.round(f, exp, sig, litFalse, true, false))
	r = t.muxBits(none, signed(constant(f, f.Zero(false)), a.neg), r)
	less := append([]lit(nil), a.raw...)
	if f.Explicit() { // an exponent of 0 with the integer bit set becomes 1
		less[p] = t.g.mux(less[p-1], a.field[0], less[p])
	}
	return t.muxBits(small, less, r)
}
