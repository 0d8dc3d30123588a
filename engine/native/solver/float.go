package solver

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// Circuits of floating-point arithmetic. An operand is taken apart into sign,
// exponent and significand, special values are found beside the arithmetic and
// chosen at the end, and one rounding circuit serves all operations. Package
// ieee says what they compute.

// number is an operand taken apart: (-1)^neg * sig * 2^(exp-Precision+1).
type number struct {
	raw            []lit
	neg            lit
	nan, inf, zero lit
	refused        lit   // an encoding that the x87 does not take
	field          []lit // the exponent as it is encoded, 1 for denormals
	exp            []lit // two's complement, expBits wide
	sig            []lit // Precision bits, lowest first
}

// expBits is the width in which exponents of a format, and sums of them, fit.
func expBits(f ieee.Format) int { return max(f.Exp(), 7) + 4 }

func (t *blaster) any(x []lit) lit {
	r := litFalse
	for _, l := range x {
		r = t.g.or(r, l)
	}
	return r
}

func (t *blaster) all(x []lit) lit {
	r := litTrue
	for _, l := range x {
		r = t.g.and(r, l)
	}
	return r
}

// unpack takes x apart. With normalise the significand's top bit is set in all
// numbers but zero, where it is set as well so that nothing divides by zero.
func (t *blaster) unpack(f ieee.Format, x []lit, normalise bool) number {
	p, e := f.Precision(), f.Exp()
	n := number{raw: x, neg: x[len(x)-1], refused: litFalse}
	field := x[len(x)-1-e : len(x)-1]
	some, top := t.any(field), t.all(field)
	frac := t.any(x[:p-1])
	whole := some
	if f.Explicit() {
		whole = x[p-1]
		n.refused = t.g.and(some, whole.not())
	}
	n.nan = t.g.or(t.g.and(top, frac), n.refused)
	n.inf = t.g.and(t.g.and(top, frac.not()), n.refused.not())
	n.zero = t.g.and(t.g.or(some, whole), litTrue).not()
	n.zero = t.g.and(n.zero, frac.not())
	n.sig = append(append(make([]lit, 0, p), x[:p-1]...), whole)
	n.field = append([]lit(nil), field...)
	n.field[0] = t.g.or(field[0], some.not())
	k := expBits(f)
	n.exp = t.addConst(extend(n.field, k, litFalse), -f.Bias())
	if normalise {
		var by []lit
		n.sig, by = t.normalise(n.sig)
		n.exp = t.subtract(n.exp, extend(by, k, litFalse))
		n.sig[p-1] = litTrue
	}
	return n
}

// normalise shifts x left until its top bit is set; by is the distance.
func (t *blaster) normalise(x []lit) (out, by []lit) {
	out = append([]lit(nil), x...)
	stages := 0
	for 1<<stages < len(x) {
		stages++
	}
	by = make([]lit, stages)
	for s := stages - 1; s >= 0; s-- {
		d := 1 << s
		by[s] = t.any(out[len(out)-d:]).not()
		out = t.shiftLeftIf(by[s], out, d)
	}
	return out, by
}

// shiftLeftIf is c ? x << d : x.
func (t *blaster) shiftLeftIf(c lit, x []lit, d int) []lit {
	out := make([]lit, len(x))
	for i := range out {
		from := litFalse
		if i >= d {
			from = x[i-d]
		}
		out[i] = t.g.mux(c, from, x[i])
	}
	return out
}

// shiftSticky shifts x right by y; what is shifted out is joined in rest.
func (t *blaster) shiftSticky(x, y []lit, rest lit) ([]lit, lit) {
	out := x
	w := len(x)
	for k, c := range y {
		n := w
		if k < 30 && 1<<k < w {
			n = 1 << k
		}
		rest = t.g.or(rest, t.g.and(c, t.any(out[:n])))
		next := make([]lit, w)
		for i := range next {
			from := litFalse
			if i+n < w {
				from = out[i+n]
			}
			next[i] = t.g.mux(c, from, out[i])
		}
		out = next
	}
	return out, rest
}

func (t *blaster) addConst(x []lit, k int) []lit {
	out, _ := t.addBits(x, constInt(k, len(x)), litFalse)
	return out
}

func (t *blaster) subtract(x, y []lit) []lit {
	out, _ := t.addBits(x, notBits(y), litTrue)
	return out
}

// constInt is k in w bits of two's complement.
func constInt(k, w int) []lit {
	out := make([]lit, w)
	for i := range out {
		out[i] = litFalse
		if k>>min(i, 62)&1 != 0 {
			out[i] = litTrue
		}
	}
	return out
}

// increment adds one bit.
func (t *blaster) increment(x []lit, c lit) ([]lit, lit) {
	out := make([]lit, len(x))
	for i := range x {
		out[i], c = t.g.xor(x[i], c), t.g.and(x[i], c)
	}
	return out, c
}

// fields is a finite result or an infinity, without its sign.
type fields struct{ exp, frac []lit }

// round packs sig * 2^(exp-len(sig)+1), sig with its top bit set and followed by
// rest. under and over say whether the exponent may be too small or too great.
func (t *blaster) round(f ieee.Format, exp, sig []lit, rest lit, under, over bool) fields {
	p := f.Precision()
	for len(sig) < p+1 {
		sig = append([]lit{litFalse}, sig...)
	}
	cut := len(sig) - p - 1
	rest = t.g.or(rest, t.any(sig[:cut]))
	sig = sig[cut:]
	above := t.addConst(exp, f.Bias()-1) // exp - lowest exponent
	if under {
		low := above[len(above)-1] // the sign
		by := t.subtract(constInt(0, len(above)), above)
		for i := range by {
			by[i] = t.g.and(by[i], low)
		}
		sig, rest = t.shiftSticky(sig, by, rest)
		for i := range above {
			above[i] = t.g.and(above[i], low.not())
		}
	}
	return t.roundTail(f, above, sig, rest, over)
}

// roundTail rounds a significand of Precision+1 bits. field is the exponent's
// field for a significand without its top bit, which counts as one more.
func (t *blaster) roundTail(f ieee.Format, field, sig []lit, rest lit, over bool) fields {
	p, e := f.Precision(), f.Exp()
	up := t.g.and(sig[0], t.g.or(rest, sig[1]))
	frac, carry := t.increment(sig[1:p], up)
	// At most one of the top bit and the carry is missing: both add to the field.
	field, _ = t.addBits(field, constInt(0, len(field)), t.g.xor(sig[p], carry))
	field = t.addIf(field, t.g.and(sig[p], carry))
	for len(field) < e {
		field = append(field, litFalse)
	}
	if over {
		big := t.g.or(t.any(field[e:]), t.all(field[:e]))
		for i := range frac {
			frac[i] = t.g.and(frac[i], big.not())
		}
		field = append([]lit(nil), field[:e]...)
		for i := range field {
			field[i] = t.g.or(field[i], big)
		}
	}
	return fields{exp: field[:e], frac: frac}
}

// addIf is c ? x + 2 : x.
func (t *blaster) addIf(x []lit, c lit) []lit {
	high, _ := t.increment(x[1:], c)
	return append([]lit{x[0]}, high...)
}

// pack joins the parts of an encoding.
func (t *blaster) pack(f ieee.Format, neg lit, r fields) []lit {
	out := append(make([]lit, 0, f.Width()), r.frac...)
	if f.Explicit() {
		out = append(out, t.any(r.exp))
	}
	return append(append(out, r.exp...), neg)
}

// constant is an encoding.
func constant(f ieee.Format, v ieee.Bits) []lit { return constBits(expr.Value(v), f.Width()) }

// signed is an encoding with another sign.
func signed(x []lit, neg lit) []lit {
	return append(append([]lit(nil), x[:len(x)-1]...), neg)
}

// orNaN returns r unless an operand is a NaN, which is then passed on, or the
// operation is invalid.
func (t *blaster) orNaN(f ieee.Format, r []lit, invalid lit, ops ...number) []lit {
	r = t.muxBits(invalid, constant(f, f.NaN()), r)
	for i := len(ops) - 1; i >= 0; i-- {
		x := ops[i]
		quiet := append([]lit(nil), x.raw...)
		quiet[f.Precision()-2] = litTrue
		quiet = t.muxBits(x.refused, constant(f, f.NaN()), quiet)
		r = t.muxBits(x.nan, quiet, r)
	}
	return r
}

// float is the circuit of a floating-point operation.
func (t *blaster) float(e *expr.Expr) []lit {
	if t.outOfTime() {
		return t.fresh(e.Width())
	}
	x := t.blast(e.Kid(0))
	var y, z []lit
	if e.NumKids() > 1 {
		y = t.blast(e.Kid(1))
	}
	if e.NumKids() > 2 {
		z = t.blast(e.Kid(2))
	}
	if !t.circuit(e) {
		t.relaxed = true
		r := t.fresh(e.Width())
		if hasLemmas(e) {
			t.learn(e, x, y, r)
		}
		return r
	}
	r := t.floatCircuit(e, x, y, z)
	if t.lemmas && hasLemmas(e) {
		t.learn(e, x, y, r)
	}
	return r
}

func (t *blaster) floatCircuit(e *expr.Expr, x, y, z []lit) []lit {
	f := e.Format()
	switch e.Op() {
	case expr.OpFAdd:
		return t.fadd(f, x, y, litFalse)
	case expr.OpFSub:
		return t.fadd(f, x, y, litTrue)
	case expr.OpFMul:
		return t.fmul(f, x, y)
	case expr.OpFDiv:
		return t.fdiv(f, x, y)
	case expr.OpFRem:
		return t.frem(f, x, y)
	case expr.OpFMA:
		return t.fma(f, x, y, z)
	case expr.OpFSqrt:
		return t.fsqrt(f, x)
	case expr.OpFRint:
		return t.frint(f, e.Mode(), x)
	case expr.OpFConvert:
		return t.fconvert(f, e.To(), x)
	case expr.OpFToInt:
		return t.ftoint(f, x, e.Width(), e.Signed())
	}
	return t.inttof(f, x, e.Signed())
}
