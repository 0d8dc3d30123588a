package solver

import (
	"math/bits"

	"klabel/engine/native/expr"
)

// mostModulus bounds the common multiple of the divisors of one number.
const mostModulus = 1 << 20

// dividend is a number of which remainders are taken, of signed or of unsigned division.
type dividend struct {
	x      *expr.Expr
	signed bool
}

// moduli is what a conjunction says of remainders.
type moduli struct {
	b      *expr.Builder
	common map[dividend]uint64     // by number: the least common multiple of its divisors
	terms  map[dividend]int        // and how many of them there are
	seen   map[uint64]bool         // nodes, by ID
	made   map[uint64]*expr.Expr   // nodes as they are written anew, by ID
	low    map[uint64][]*expr.Expr // by ID of a number: what is taken of its lowest bits
}

// byCommonModulus writes constraints anew in which a number has remainders of several divisors: y % 4, y % 100 and
// y % 400 are those of y % 400, a number of ten bits, by 4, 100 and 400. What they say of each other is then no
// question about divisions of whole words, which SAT solvers do not answer. It is exact: with c a divisor of m, x
// % c is (x % m) % c, the sign of signed remainders being that of x; and the lowest k bits are those of x % m
// where 2^k divides m.
// The constraints come back as they are where there is nothing of the kind; from tells whose each is.
func (s *Solver) byCommonModulus(cs []*expr.Expr) (out []*expr.Expr, from map[*expr.Expr]*expr.Expr) {
	m := &moduli{b: s.b, common: map[dividend]uint64{}, terms: map[dividend]int{}, seen: map[uint64]bool{},
		made: map[uint64]*expr.Expr{}, low: map[uint64][]*expr.Expr{}}
	for _, c := range cs {
		m.find(c)
	}
	for d, common := range m.common {
		for _, e := range m.low[d.x.ID()] {
			if common&(1<<e.Width()-1) == 0 {
				m.terms[d]++
			}
		}
		if common == 0 || m.terms[d] < 2 {
			delete(m.common, d)
		}
	}
	if len(m.common) == 0 {
		return cs, nil
	}
	from = map[*expr.Expr]*expr.Expr{}
	for _, c := range cs {
		e := m.write(c)
		out, from[e] = append(out, e), c
	}
	return out, from
}

// remainder reports what a node is the remainder of, by a small constant.
func remainder(e *expr.Expr) (d dividend, by uint64, ok bool) {
	if e.Op() != expr.OpURem && e.Op() != expr.OpSRem {
		return d, 0, false
	}
	y := e.Kid(1)
	if y.Op() != expr.OpConst || e.Width() > 64 {
		return d, 0, false
	}
	v := y.Value()
	d = dividend{e.Kid(0), e.Op() == expr.OpSRem}
	return d, v.Lo, v.Hi == 0 && v.Lo > 1 && v.Lo < mostModulus && bits.Len64(v.Lo) < int(e.Width())-1
}

// find notes the remainders, and what is taken of lowest bits, below a node.
func (m *moduli) find(e *expr.Expr) {
	if m.seen[e.ID()] {
		return
	}
	m.seen[e.ID()] = true
	if d, by, ok := remainder(e); ok {
		common, known := m.common[d]
		if !known {
			common = 1
		}
		if common != 0 {
			common = common / gcd(common, by) * by
		}
		if common >= mostModulus || bits.Len64(common) >= int(e.Width())-1 {
			common = 0 // too much in common
		}
		m.common[d] = common
		m.terms[d]++
	}
	if e.Op() == expr.OpExtract && e.Low() == 0 && e.Width() < 20 {
		m.low[e.Kid(0).ID()] = append(m.low[e.Kid(0).ID()], e)
	}
	for i := range e.NumKids() {
		m.find(e.Kid(i))
	}
}

// write is a node with remainders written anew.
func (m *moduli) write(e *expr.Expr) *expr.Expr {
	if out := m.made[e.ID()]; out != nil {
		return out
	}
	var kids [3]*expr.Expr
	for i := range e.NumKids() {
		kids[i] = m.write(e.Kid(i))
	}
	out := e
	if e.NumKids() > 0 {
		out = m.b.Make(e, kids[0], kids[1], kids[2])
	}
	if d, by, ok := remainder(e); ok && m.common[d] != 0 && m.common[d] != by {
		out = m.within(d, m.common[d], kids[0], by)
	}
	if e.Op() == expr.OpExtract && e.Low() == 0 {
		for _, signed := range []bool{false, true} {
			if common := m.common[dividend{e.Kid(0), signed}]; common != 0 && e.Width() < 20 &&
				common&(1<<e.Width()-1) == 0 {
				out = m.b.Extract(m.whole(signed, common, kids[0]), 0, int(e.Width()))
				break
			}
		}
	}
	m.made[e.ID()] = out
	return out
}

// whole is the remainder of a number by the common multiple.
func (m *moduli) whole(signed bool, common uint64, x *expr.Expr) *expr.Expr {
	by := m.b.Const(int(x.Width()), common)
	if signed {
		return m.b.SRem(x, by)
	}
	return m.b.URem(x, by)
}

// within is the remainder of that by a divisor, in as many bits as it has.
func (m *moduli) within(d dividend, common uint64, x *expr.Expr, by uint64) *expr.Expr {
	w, n := int(x.Width()), bits.Len64(common)
	r := m.whole(d.signed, common, x)
	if !d.signed {
		return m.b.ZExt(m.b.URem(m.b.Extract(r, 0, n), m.b.Const(n, by)), w)
	}
	n++ // for the sign
	return m.b.SExt(m.b.SRem(m.b.Extract(r, 0, n), m.b.Const(n, by)), w)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
