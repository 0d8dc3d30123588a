package solver

// lit is a literal: twice the variable, plus one when negated. Variable 0 is
// the constant true.
type lit int32

const (
	litTrue  lit = 0
	litFalse lit = 1
)

func (l lit) not() lit { return l ^ 1 }

// core is a SAT solver.
type core interface {
	reset()
	newVar() lit
	add(c ...lit)
	// solve decides the clauses under assumptions.
	solve(assumptions []lit, stop func() bool) Result
	value(l lit) bool // after Sat
	failed() []lit    // after Unsat: assumptions that cannot hold together
}

// gates builds logic as clauses, with constants folded and equal gates shared.
type gates struct {
	core  core
	own   *cdcl // core, when it is the own one: saves the interface
	buf   [4]lit
	table []gateSlot
	gen   uint32
	used  int
	n     int // clauses
}

type gateSlot struct {
	kind    uint8
	a, b, c lit
	out     lit
	gen     uint32
}

const (
	gateAnd = iota
	gateXor
	gateMux
	gateMaj
	gateXor3
)

func (g *gates) reset() {
	if g.table == nil {
		g.table = make([]gateSlot, 1024)
	}
	g.gen++
	g.used, g.n = 0, 0
	if g.gen == 0 {
		clear(g.table)
		g.gen = 1
	}
	g.core.reset()
	if t := g.core.newVar(); t != litTrue {
		panic("solver: the first variable is not the constant")
	}
	g.clause(litTrue)
}

// clause adds a clause of any literals.
func (g *gates) clause(c ...lit) {
	g.n++
	g.core.add(append([]lit(nil), c...)...)
}

// gate2, gate3 and gate4 add clauses of different variables, none constant.
func (g *gates) gate2(a, b lit) {
	g.n++
	if g.own != nil {
		g.own.addGate2(a, b)
		return
	}
	g.buf[0], g.buf[1] = a, b
	g.core.add(g.buf[:2]...)
}

func (g *gates) gate3(a, b, c lit) {
	g.n++
	g.buf[0], g.buf[1], g.buf[2] = a, b, c
	if g.own != nil {
		g.own.addGate(g.buf[:3])
		return
	}
	g.core.add(g.buf[:3]...)
}

func (g *gates) gate4(a, b, c, d lit) {
	g.n++
	g.buf[0], g.buf[1], g.buf[2], g.buf[3] = a, b, c, d
	if g.own != nil {
		g.own.addGate(g.buf[:4])
		return
	}
	g.core.add(g.buf[:4]...)
}

// find returns the slot of a gate; its out is valid when the second result is true.
func (g *gates) find(kind uint8, a, b, c lit) (*gateSlot, bool) {
	if g.used*2 > len(g.table) {
		old := g.table
		g.table = make([]gateSlot, len(old)*2)
		for _, s := range old {
			if s.gen == g.gen {
				t, _ := g.probe(s.kind, s.a, s.b, s.c)
				*t = s
			}
		}
	}
	s, ok := g.probe(kind, a, b, c)
	if !ok {
		g.used++
		*s = gateSlot{kind, a, b, c, g.core.newVar(), g.gen}
	}
	return s, ok
}

func (g *gates) probe(kind uint8, a, b, c lit) (*gateSlot, bool) {
	h := (uint64(a)<<3 | uint64(kind)) * 0x9e3779b97f4a7c15
	h = (h ^ h>>32 ^ uint64(b)) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>32 ^ uint64(c)) * 0x94d049bb133111eb
	m := uint64(len(g.table) - 1)
	for i := h >> 24 & m; ; i = (i + 1) & m {
		s := &g.table[i]
		if s.gen != g.gen {
			return s, false
		}
		if s.kind == kind && s.a == a && s.b == b && s.c == c {
			return s, true
		}
	}
}

func (g *gates) and(a, b lit) lit {
	switch {
	case a == litFalse || b == litFalse || a == b.not():
		return litFalse
	case a == litTrue || a == b:
		return b
	case b == litTrue:
		return a
	}
	if a > b {
		a, b = b, a
	}
	s, ok := g.find(gateAnd, a, b, 0)
	o := s.out
	if !ok {
		g.gate2(o.not(), a)
		g.gate2(o.not(), b)
		g.gate3(o, a.not(), b.not())
	}
	return o
}

func (g *gates) or(a, b lit) lit { return g.and(a.not(), b.not()).not() }

func (g *gates) xor(a, b lit) lit {
	switch {
	case a <= litFalse:
		return b ^ a ^ 1
	case b <= litFalse:
		return a ^ b ^ 1
	case a == b:
		return litFalse
	case a == b.not():
		return litTrue
	}
	sign := (a ^ b) & 1
	a, b = a&^1, b&^1
	if a > b {
		a, b = b, a
	}
	s, ok := g.find(gateXor, a, b, 0)
	o := s.out
	if !ok {
		g.gate3(o.not(), a, b)
		g.gate3(o.not(), a.not(), b.not())
		g.gate3(o, a.not(), b)
		g.gate3(o, a, b.not())
	}
	return o ^ sign
}

// mux is c ? a : b.
func (g *gates) mux(c, a, b lit) lit {
	switch {
	case c == litTrue || a == b:
		return a
	case c == litFalse:
		return b
	case a == litTrue || a == c:
		return g.or(c, b)
	case a == litFalse || a == c.not():
		return g.and(c.not(), b)
	case b == litTrue || b == c.not():
		return g.or(c.not(), a)
	case b == litFalse || b == c:
		return g.and(c, a)
	case a == b.not():
		return g.xor(c, b)
	}
	if c&1 == 1 {
		c, a, b = c.not(), b, a
	}
	sign := a & 1
	a, b = a^sign, b^sign
	s, ok := g.find(gateMux, c, a, b)
	o := s.out
	if !ok {
		g.gate3(o.not(), c.not(), a)
		g.gate3(o.not(), c, b)
		g.gate3(o, c.not(), a.not())
		g.gate3(o, c, b.not())
		g.gate3(o.not(), a, b)
		g.gate3(o, a.not(), b.not())
	}
	return o ^ sign
}

func sort3(a, b, c lit) (lit, lit, lit) {
	if a > b {
		a, b = b, a
	}
	if b > c {
		b, c = c, b
	}
	if a > b {
		a, b = b, a
	}
	return a, b, c
}

// maj is true when at least two are: the carry of a full adder.
func (g *gates) maj(a, b, c lit) lit {
	a, b, c = sort3(a, b, c)
	switch { // constants come first
	case a == litTrue:
		return g.or(b, c)
	case a == litFalse:
		return g.and(b, c)
	case a == b:
		return a
	case b == c:
		return b
	case a == b.not():
		return c
	case b == c.not():
		return a
	}
	s, ok := g.find(gateMaj, a, b, c)
	o := s.out
	if !ok {
		g.gate3(o.not(), a, b)
		g.gate3(o.not(), a, c)
		g.gate3(o.not(), b, c)
		g.gate3(o, a.not(), b.not())
		g.gate3(o, a.not(), c.not())
		g.gate3(o, b.not(), c.not())
	}
	return o
}

// xor3 is the sum bit of a full adder.
func (g *gates) xor3(a, b, c lit) lit {
	sign := (a ^ b ^ c) & 1
	a, b, c = sort3(a&^1, b&^1, c&^1)
	switch {
	case a == litTrue:
		return g.xor(b, c) ^ sign ^ 1
	case a == b:
		return c ^ sign
	case b == c:
		return a ^ sign
	}
	s, ok := g.find(gateXor3, a, b, c)
	o := s.out
	if !ok {
		for m := lit(0); m < 8; m++ { // for each value of a, b, c the value of o
			p := m&1 ^ m>>1&1 ^ m>>2&1
			g.gate4(a^(m&1), b^(m>>1&1), c^(m>>2&1), o^p^1)
		}
	}
	return o ^ sign
}

// fullAdder adds three bits.
func (g *gates) fullAdder(a, b, c lit) (sum, carry lit) { return g.xor3(a, b, c), g.maj(a, b, c) }
