package solver

import (
	"slices"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// What holds of all sums, products, quotients and roots, without their circuits:
// signs, bounds, NaNs, and that rounding keeps the order. Many contradictions
// need no more (out < -100 and out >= 0, (-b-d)/2a > (-b+d)/2a), and no SAT core
// finds them in the multiplications. So a question is asked first with results
// that are only bounded by these facts, then with sums exact, and at last with
// everything exact, where the facts still lead the search.

// depth says which operations have their circuits.
type depth uint8

const (
	bounded   depth = iota // none of them
	sumsExact              // additions and subtractions
	exact                  // all
)

// fact is an operation that lemmas are about.
type fact struct {
	op      expr.Op // OpFAdd, OpFMul, OpFDiv or OpFSqrt
	f       ieee.Format
	x, y, r []lit
}

// hasLemmas reports whether operations like e are bounded by lemmas.
func hasLemmas(e *expr.Expr) bool {
	switch e.Op() {
	case expr.OpFAdd, expr.OpFSub, expr.OpFMul, expr.OpFDiv, expr.OpFSqrt:
		return !e.Format().Explicit()
	}
	return false
}

// circuit reports whether e gets its circuit in this round.
func (t *blaster) circuit(e *expr.Expr) bool {
	switch e.Op() {
	case expr.OpFAdd, expr.OpFSub:
		return t.depth >= sumsExact
	case expr.OpFMul, expr.OpFDiv, expr.OpFSqrt, expr.OpFMA, expr.OpFRem:
		return t.depth >= exact
	}
	return true
}

// learn adds the lemmas of an operation, and of it with the earlier ones.
func (t *blaster) learn(e *expr.Expr, x, y, r []lit) {
	if len(t.facts) > maxFacts {
		return
	}
	n := fact{op: e.Op(), f: e.Format(), x: x, y: y, r: r}
	if n.op == expr.OpFSub { // x - y is x + (-y), but for the sign of a NaN
		n.op = expr.OpFAdd
		n.y = signed(y, y[len(y)-1].not())
	}
	switch n.op {
	case expr.OpFAdd:
		t.sumFacts(n)
	case expr.OpFMul:
		t.productFacts(n)
	case expr.OpFDiv:
		t.quotientFacts(n)
	default:
		t.rootFacts(n)
	}
	for _, o := range t.facts {
		if o.op == n.op && o.f == n.f {
			t.together(o, n)
		}
	}
	t.facts = append(t.facts, n)
}

// maxFacts bounds the operations that lemmas are made for: pairs are many.
const maxFacts = 60

func (t *blaster) isNaN(f ieee.Format, x []lit) lit {
	top := x[len(x)-1-f.Exp() : len(x)-1]
	return t.g.and(t.all(top), t.any(x[:f.Precision()-1]))
}

func (t *blaster) isInf(f ieee.Format, x []lit) lit {
	top := x[len(x)-1-f.Exp() : len(x)-1]
	return t.g.and(t.all(top), t.any(x[:f.Precision()-1]).not())
}

func (t *blaster) isZero(x []lit) lit { return t.any(x[:len(x)-1]).not() }

func neg(x []lit) lit { return x[len(x)-1] }

func mag(x []lit) []lit { return x[:len(x)-1] }

// atMost is x <= y for what are no NaNs.
func (t *blaster) atMost(x, y []lit) lit {
	nx, ny := neg(x), neg(y)
	same := t.g.mux(nx, t.less(mag(x), mag(y)).not(), t.less(mag(y), mag(x)).not())
	zeros := t.g.and(t.isZero(x), t.isZero(y))
	return t.g.or(zeros, t.g.mux(t.g.xor(nx, ny), nx, same))
}

// when adds a clause: if all conditions hold, so does then.
func (t *blaster) when(then lit, conditions ...lit) {
	c := []lit{then}
	for _, l := range conditions {
		c = append(c, l.not())
	}
	t.g.clause(c...)
}

// nanIf says exactly when an operation's result is a NaN.
func (t *blaster) nanIf(n fact, invalid lit) (number lit) {
	nan := t.g.or(t.isNaN(n.f, n.x), invalid)
	if n.y != nil {
		nan = t.g.or(nan, t.isNaN(n.f, n.y))
	}
	t.g.clause(t.g.xor(t.isNaN(n.f, n.r), nan).not())
	return nan.not()
}

func (t *blaster) sumFacts(n fact) {
	bad := t.g.and(t.g.and(t.isInf(n.f, n.x), t.isInf(n.f, n.y)), t.g.xor(neg(n.x), neg(n.y)))
	ok := t.nanIf(n, bad)
	for _, p := range [][2][]lit{{n.x, n.y}, {n.y, n.x}} {
		t.when(t.atMost(p[0], n.r), ok, neg(p[1]).not())
		t.when(t.atMost(n.r, p[0]), ok, neg(p[1]))
	}
	// At most the double of the greater one.
	e := n.f.Exp()
	field := func(x []lit) []lit { return extend(x[len(x)-1-e:len(x)-1], e+1, litFalse) }
	fx, fy := field(n.x), field(n.y)
	most, _ := t.increment(t.muxBits(t.less(fx, fy), fy, fx), litTrue)
	t.when(t.less(most, field(n.r)).not(), ok)
}

func (t *blaster) productFacts(n fact) {
	bad := t.g.or(t.g.and(t.isInf(n.f, n.x), t.isZero(n.y)), t.g.and(t.isZero(n.x), t.isInf(n.f, n.y)))
	ok := t.nanIf(n, bad)
	t.when(t.g.xor(neg(n.r), t.g.xor(neg(n.x), neg(n.y))).not(), ok)
	one := mag(constant(n.f, n.f.One()))
	for _, p := range [][2][]lit{{n.x, n.y}, {n.y, n.x}} {
		large, small := t.less(mag(p[1]), one).not(), t.less(one, mag(p[1])).not()
		t.when(t.less(mag(n.r), mag(p[0])).not(), ok, large)
		t.when(t.less(mag(p[0]), mag(n.r)).not(), ok, small)
	}
	t.exponent(n, ok, -n.f.Bias())
}

// exponent bounds the exponent of a product (quotient) of normal numbers by the
// sum (difference) of the operands', plus k, and at most 2 more.
func (t *blaster) exponent(n fact, ok lit, k int) {
	e := n.f.Exp()
	w := e + 3
	field := func(x []lit) []lit { return extend(x[len(x)-1-e:len(x)-1], w, litFalse) }
	fx, fy := field(n.x), field(n.y)
	normal := t.g.and(t.any(fx), t.any(fy))
	finite := t.g.or(t.all(fx[:e]), t.all(fy[:e])).not()
	sum, _ := t.addBits(fx, fy, litFalse)
	if n.op == expr.OpFDiv {
		sum = t.subtract(fx, fy)
	}
	low := t.addConst(sum, k)
	high := t.addConst(low, 2)
	got := field(n.r)
	below := t.less(flipTop(got), flipTop(low)) // signed: low may be negative
	above := t.less(flipTop(high), flipTop(got))
	full := t.all(got[:e])
	t.when(t.g.or(below.not(), full), ok, normal, finite)
	t.when(t.g.or(above.not(), t.any(got).not()), ok, normal, finite)
}

func (t *blaster) quotientFacts(n fact) {
	bad := t.g.or(t.g.and(t.isInf(n.f, n.x), t.isInf(n.f, n.y)), t.g.and(t.isZero(n.x), t.isZero(n.y)))
	ok := t.nanIf(n, bad)
	t.when(t.g.xor(neg(n.r), t.g.xor(neg(n.x), neg(n.y))).not(), ok)
	one := mag(constant(n.f, n.f.One()))
	large, small := t.less(mag(n.y), one).not(), t.less(one, mag(n.y)).not()
	t.when(t.less(mag(n.x), mag(n.r)).not(), ok, large)
	t.when(t.less(mag(n.r), mag(n.x)).not(), ok, small)
	t.when(t.less(mag(n.r), one).not(), ok, t.less(mag(n.x), mag(n.y)).not())
	t.when(t.less(one, mag(n.r)).not(), ok, t.less(mag(n.y), mag(n.x)).not())
	t.exponent(n, ok, n.f.Bias()-1)
}

func (t *blaster) rootFacts(n fact) {
	ok := t.nanIf(n, t.g.and(neg(n.x), t.isZero(n.x).not()))
	one := mag(constant(n.f, n.f.One()))
	large, small := t.less(mag(n.x), one).not(), t.less(one, mag(n.x)).not()
	t.when(t.g.xor(neg(n.r), neg(n.x)).not(), ok)
	t.when(t.less(mag(n.x), mag(n.r)).not(), ok, large)
	t.when(t.less(mag(n.r), one).not(), ok, large)
	t.when(t.less(mag(n.r), mag(n.x)).not(), ok, small)
	t.when(t.less(one, mag(n.r)).not(), ok, small)
}

// together adds that rounding keeps the order of results that share an operand.
func (t *blaster) together(o, n fact) {
	ok := t.g.and(t.isNaN(o.f, o.r).not(), t.isNaN(n.f, n.r).not())
	ordered := func(a, b, r, s []lit, up, down lit) { // up: a <= b gives r <= s; down: s <= r
		below, above := t.atMost(a, b), t.atMost(b, a)
		t.when(t.atMost(r, s), ok, below, up)
		t.when(t.atMost(s, r), ok, above, up)
		t.when(t.atMost(s, r), ok, below, down)
		t.when(t.atMost(r, s), ok, above, down)
	}
	switch n.op {
	case expr.OpFSqrt:
		ordered(o.x, n.x, o.r, n.r, litTrue, litFalse)
	case expr.OpFDiv:
		if slices.Equal(o.y, n.y) {
			ordered(o.x, n.x, o.r, n.r, neg(n.y).not(), neg(n.y))
		}
		if slices.Equal(o.x, n.x) { // for divisors of one sign
			same := t.g.xor(neg(o.y), neg(n.y)).not()
			ordered(o.y, n.y, o.r, n.r, t.g.and(same, neg(n.x)), t.g.and(same, neg(n.x).not()))
		}
	default:
		for _, p := range [][4][]lit{{o.x, o.y, n.x, n.y}, {o.x, o.y, n.y, n.x}, {o.y, o.x, n.x, n.y},
			{o.y, o.x, n.y, n.x}} {
			if !slices.Equal(p[0], p[2]) {
				continue
			}
			if n.op == expr.OpFAdd {
				ordered(p[1], p[3], o.r, n.r, litTrue, litFalse)
			} else {
				ordered(p[1], p[3], o.r, n.r, neg(p[0]).not(), neg(p[0]))
			}
		}
	}
}
