package solver

import "klabel/engine/native/ieee"

// frint rounds to an integer: it drops the bits below the point and adds one
// above them where the direction asks for it.
func (t *blaster) frint(f ieee.Format, mode ieee.Mode, x []lit) []lit {
	p, e := f.Precision(), f.Exp()
	a := t.unpack(f, x, false)
	frac := x[:p-1]
	above := t.addConst(extend(a.field, e+1, litFalse), -f.Bias()) // the exponent
	small := above[e]                                              // below 1
	whole := t.less(flipTop(above), flipTop(constInt(p-1, e+1))).not()
	// drop[i]: bit i is below the point. With exponent n these are p-1-n.
	ones := make([]lit, p-1)
	for i := range ones {
		ones[i] = litTrue
	}
	drop := append(t.shiftRight(ones, above[:e], litFalse), litFalse)
	guard, rest, last := litFalse, litFalse, drop[p-2] // the integer bit is last when all are dropped
	kept := make([]lit, 0, p-1+e)
	var unit []lit
	for i, l := range frac {
		guard = t.g.or(guard, t.g.and(l, t.g.and(drop[i], drop[i+1].not())))
		rest = t.g.or(rest, t.g.and(l, drop[i+1]))
		below := litTrue
		if i > 0 {
			below = drop[i-1]
		}
		one := t.g.and(drop[i].not(), below)
		last = t.g.or(last, t.g.and(l, one))
		kept = append(kept, t.g.and(l, drop[i].not()))
		unit = append(unit, one)
	}
	unit = append(unit, drop[p-2])
	up := t.roundsUp(mode, a.neg, guard, rest, last)
	for i := range unit {
		unit[i] = t.g.and(unit[i], up)
	}
	sum, _ := t.addBits(append(kept, a.field...), extend(unit, p-1+e, litFalse), litFalse)
	r := t.pack(f, a.neg, fields{frac: sum[:p-1], exp: sum[p-1:]})
	// Below 1 the point is left of all bits: at least a half, or more than it.
	half := t.g.and(small, t.all(extend(above, e+1, litFalse))) // exponent -1
	below := t.g.and(a.zero.not(), half.not())
	any := t.any(frac)
	up = t.roundsUp(mode, a.neg, half, t.g.or(below, t.g.and(half, any)), litFalse)
	one := t.muxBits(up, signed(constant(f, f.One()), a.neg), signed(constant(f, f.Zero(false)), a.neg))
	r = t.muxBits(small, one, r)
	r = t.muxBits(whole, x, r)
	return t.orNaN(f, r, litFalse, a)
}

func (t *blaster) roundsUp(mode ieee.Mode, neg, guard, rest, last lit) lit {
	switch mode {
	case ieee.NearestEven:
		return t.g.and(guard, t.g.or(rest, last))
	case ieee.NearestAway:
		return guard
	case ieee.Up:
		return t.g.and(neg.not(), t.g.or(guard, rest))
	case ieee.Down:
		return t.g.and(neg, t.g.or(guard, rest))
	}
	return litFalse
}

func (t *blaster) fconvert(f, to ieee.Format, x []lit) []lit {
	lowest := func(f ieee.Format) int { return 2 - f.Bias() - f.Precision() }
	under := lowest(f) < 1-to.Bias()
	over := f.Bias() >= to.Bias()
	a := t.unpack(f, x, 1-f.Bias() >= lowest(to)-1) // else denormals round to zero
	k := max(expBits(f), expBits(to))
	exp := extend(a.exp, k, a.exp[len(a.exp)-1])
	r := t.pack(to, a.neg, t.round(to, exp, a.sig, litFalse, under, over))
	r = t.muxBits(a.zero, signed(constant(to, to.Zero(false)), a.neg), r)
	r = t.muxBits(a.inf, signed(constant(to, to.Inf(false)), a.neg), r)
	// A NaN keeps the upper bits of its fraction.
	n, m := f.Precision()-1, to.Precision()-1
	frac := x[:n]
	if m < n {
		frac = frac[n-m:]
	} else {
		frac = join(constInt(0, m-n), frac)
	}
	frac = append([]lit(nil), frac...)
	frac[m-1] = litTrue
	exps := make([]lit, to.Exp())
	for i := range exps {
		exps[i] = litTrue
	}
	nan := t.muxBits(a.refused, constant(to, to.NaN()), t.pack(to, a.neg, fields{frac: frac, exp: exps}))
	return t.muxBits(a.nan, nan, r)
}

// ftoint shifts the significand to where the point is at the lowest bit.
func (t *blaster) ftoint(f ieee.Format, x []lit, w int, sign bool) []lit {
	a := t.unpack(f, x, false)
	p := f.Precision()
	n := max(w, p)
	k := max(expBits(f), 10)
	exp := extend(a.exp, k, a.exp[len(a.exp)-1])
	by := t.subtract(constInt(n-1, k), exp)
	reg := join(constInt(0, n-p), a.sig)
	great := by[k-1] // 2^n or more
	reg = t.shiftRight(reg, by[:k-1], litFalse)
	mag := reg[:w]
	bad := t.g.or(t.g.or(great, t.any(reg[w:])), t.g.or(a.nan, a.inf))
	if sign {
		bad = t.g.or(bad, mag[w-1])
	} else {
		bad = t.g.or(bad, t.g.and(a.neg, mag[w-1]))
	}
	low := constInt(0, w)
	low[w-1] = litTrue
	return t.muxBits(bad, low, t.negateIf(a.neg, mag))
}

func (t *blaster) inttof(f ieee.Format, x []lit, sign bool) []lit {
	neg := litFalse
	w := len(x)
	if sign {
		neg = x[w-1]
		x = t.negateIf(neg, x)
	}
	zero := t.any(x).not()
	sig, by := t.normalise(x)
	k := max(expBits(f), 10)
	exp := t.subtract(constInt(w-1, k), extend(by, k, litFalse))
	r := t.pack(f, neg, t.round(f, exp, sig, litFalse, false, w > f.Bias()))
	return t.muxBits(zero, constant(f, f.Zero(false)), r)
}
