package solver

import (
	"math"

	"klabel/engine/native/expr"
)

// Affine arithmetic (Comba and Stolfi, Affine arithmetic and its applications to
// computer graphics, 1993; de Figueiredo and Stolfi, 2004): a number is a middle and
// a sum of noises, each between -1 and 1, that it shares with other numbers. So
// a + t * (b - a) stays between a and b, which neither ranges of single operations
// nor sums with constant factors (linear.go) see. Rounding is a noise that nobody
// shares; all is computed in double, with more than the error of that.

// form says that a number is mid + Σ c ε(noise) ± err.
type form struct {
	mid, err float64
	parts    []noise // by node, rising
	ok       bool
}

// noise is a part of a form: what the node of this number adds at most.
type noise struct {
	node int32
	c    float64
}

const maxNoises = 32

// bent reports whether there is something that sums do not say: a product of numbers,
// or a choice between them.
func (x *boxes) bent() bool {
	for i := range x.nodes {
		n := &x.nodes[i]
		if n.kind != compute || !n.number {
			continue
		}
		switch n.e.Op() {
		case expr.OpIte:
			if n.e.HasFloat() {
				return true
			}
		case expr.OpFMul:
			if x.nodes[n.kids[0]].kind != fixed && x.nodes[n.kids[1]].kind != fixed {
				return true
			}
		}
	}
	return false
}

// affine narrows all numbers, and the order between two of them, by their forms. It
// reports false when there is no model.
func (x *boxes) affine(b *box) bool {
	x.work += 4 * len(x.nodes)
	if x.forms == nil {
		x.forms, x.tiedTo = make([]form, len(x.nodes)), map[int32]tied{}
	}
	if !x.tieAll(b) {
		return false
	}
	for i := range x.nodes {
		n := &x.nodes[i]
		switch {
		case n.number:
			if !x.setForm(int32(i)) {
				return false
			}
		case n.kind == compute && isOrder(n.e):
			if !x.compareForms(int32(i)) {
				return false
			}
		}
	}
	return true
}

// setForm makes the form of a node that is a number and narrows its range by it.
func (x *boxes) setForm(i int32) bool {
	f := &x.forms[i]
	f.ok = false
	lo, hi, ok := x.interval(i)
	if !ok {
		return true
	}
	f.ok = x.formOf(i, f)
	if f.ok && len(f.parts) <= maxNoises {
		r := f.radius()
		if !x.between(i, down(f.mid-r), up(f.mid+r)) {
			return false
		}
		if r <= hi-lo { // else the range says more
			return true
		}
	}
	f.ok, f.err = true, 0
	f.mid = lo/2 + hi/2
	f.parts = append(f.parts[:0], noise{i, up(max(hi-f.mid, f.mid-lo))})
	if lo == hi {
		f.mid, f.parts = lo, f.parts[:0]
	}
	return !math.IsInf(hi-lo, 0) || x.noForm(f)
}

func (x *boxes) noForm(f *form) bool {
	f.ok = false
	return true
}

func up(v float64) float64   { return v + math.Abs(v)*0x1p-50 + tiny }
func down(v float64) float64 { return v - math.Abs(v)*0x1p-50 - tiny }

func (f *form) radius() float64 {
	r := f.err
	for _, p := range f.parts {
		r += math.Abs(p.c)
	}
	return r * (1 + 0x1p-44)
}

// formOf makes the form of an operation out of those of its operands.
func (x *boxes) formOf(i int32, f *form) bool {
	n := &x.nodes[i]
	if n.kind == input {
		return x.tieForm(i, f)
	}
	if n.kind == negated {
		return f.sum(&x.forms[n.kids[0]], -1, nil, 0)
	}
	if n.kind != compute {
		return false
	}
	p, q := &x.forms[n.kids[0]], &x.forms[n.kids[1]]
	ok := false
	switch n.e.Op() {
	case expr.OpIte:
		switch c := x.vals[n.kids[0]]; {
		case c.open:
		case c.u0 == 1:
			return f.sum(q, 1, nil, 0)
		case c.u1 == 0:
			return f.sum(&x.forms[n.kids[2]], 1, nil, 0)
		}
		return false
	case expr.OpFAdd:
		ok = f.sum(p, 1, q, 1)
	case expr.OpFSub:
		ok = f.sum(p, 1, q, -1)
	case expr.OpFMul:
		ok = f.product(i, p, q)
	case expr.OpFDiv:
		if q.ok && len(q.parts) == 0 && q.err == 0 && q.mid != 0 {
			if ok = f.sum(p, 1/q.mid, nil, 0); ok {
				f.err += (math.Abs(f.mid) + f.radius()) * 0x1p-50
			}
		}
	case expr.OpFConvert:
		ok = ranked(n.e.To()) && ranked(n.e.Format()) && f.sum(p, 1, nil, 0)
	}
	if !ok {
		return false
	}
	// Half a unit in the last place of the largest result, and what is below the
	// smallest normal number.
	most := math.Abs(f.mid) + f.radius()
	if lo, hi, ok := x.interval(i); ok {
		most = min(most, max(-lo, hi))
	}
	f.err = up(f.err + math.Ldexp(most, -n.f.Precision()) + valueOf(n.f, 1))
	return !math.IsNaN(f.mid) && !math.IsInf(f.mid, 0) && !math.IsNaN(f.err) && !math.IsInf(f.err, 0)
}

// sum makes f = k p + l q; q may be nil.
func (f *form) sum(p *form, k float64, q *form, l float64) bool {
	if !p.ok || q != nil && !q.ok {
		return false
	}
	none := form{ok: true}
	if q == nil {
		q = &none
	}
	f.mid = k*p.mid + l*q.mid
	f.err = math.Abs(k)*p.err + math.Abs(l)*q.err
	size := math.Abs(k*p.mid) + math.Abs(l*q.mid)
	f.parts = f.parts[:0]
	a, b := p.parts, q.parts
	for len(a) > 0 || len(b) > 0 {
		var n noise
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].node < b[0].node:
			n, a = noise{a[0].node, k * a[0].c}, a[1:]
		case len(a) == 0 || b[0].node < a[0].node:
			n, b = noise{b[0].node, l * b[0].c}, b[1:]
		default:
			n = noise{a[0].node, k*a[0].c + l*b[0].c}
			size += math.Abs(k * a[0].c)
			a, b = a[1:], b[1:]
		}
		size += math.Abs(n.c)
		if n.c != 0 {
			f.parts = append(f.parts, n)
		}
	}
	f.err = up(f.err + size*0x1p-50)
	return true
}

// product makes f = p q; what is not linear in the noises is a noise of node i.
func (f *form) product(i int32, p, q *form) bool {
	if !p.ok || !q.ok {
		return false
	}
	f.sum(p, q.mid, q, p.mid)
	f.mid = p.mid * q.mid
	rest := p.radius() * q.radius()
	a, b := p.parts, q.parts
	for len(a) > 0 && len(b) > 0 { // a shared noise is squared: from 0 to 1
		switch {
		case a[0].node < b[0].node:
			a = a[1:]
		case b[0].node < a[0].node:
			b = b[1:]
		default:
			c := a[0].c * b[0].c
			f.mid += c / 2
			rest -= math.Abs(c) / 2
			a, b = a[1:], b[1:]
		}
	}
	size := math.Abs(f.mid) + math.Abs(p.mid*q.mid) + p.radius()*q.radius()
	f.err = up(f.err + size*0x1p-46)
	f.parts = append(f.parts, noise{i, up(max(rest, 0))}) // i is above all of them
	return true
}

func isOrder(e *expr.Expr) bool { return e.Op() == expr.OpSlt || e.Op() == expr.OpSle }

// compareForms decides the order of the ranks of two numbers by their difference.
func (x *boxes) compareForms(i int32) bool {
	left, right, ok := x.compared(i)
	var d form
	if !ok || !d.sum(&x.forms[left], 1, &x.forms[right], -1) {
		return true
	}
	lo, hi := down(d.mid-d.radius()), up(d.mid+d.radius())
	strict := x.nodes[i].e.Op() == expr.OpSlt
	switch {
	case hi < 0 || !strict && hi <= 0:
		return x.narrow(i, isTrue)
	case lo > 0 || strict && lo >= 0:
		return x.narrow(i, isFalse)
	}
	return true
}
