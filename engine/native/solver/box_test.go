package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// within reports whether a value is among those that a bound allows.
func (b bound) within(v expr.Value, w int) bool {
	if b.open {
		return true
	}
	if s := extendSign(v.Lo, w); v.Lo < b.u0 || v.Lo > b.u1 || s < b.s0 || s > b.s1 {
		return false
	}
	f, ok := ieee.OfWidth(w)
	if !b.float || !ok {
		return !b.float
	}
	if f.IsNaN(ieee.Bits(v)) {
		return b.nan
	}
	return b.has(rankOf(f, ieee.Bits(v)))
}

// mixed is a condition that holds integers too.
func (g *floatGenerator) mixed() *expr.Expr {
	b := g.b
	n := b.Read(b.Var("n", 4), 0, 4)
	switch g.r.IntN(7) {
	case 5:
		x := g.term(1)
		return b.FLess(g.f, b.FMul(g.f, x, x), g.term(1))
	case 0:
		return b.FLess(g.f, b.IntToF(g.f, n, g.r.IntN(2) == 0), g.term(1))
	case 1:
		return b.Slt(b.Mul(b.SExt(b.Extract(n, 0, 12), 32), b.Const(32, g.r.Uint64N(90))), b.Add(n, b.Const(32, 7)))
	case 2:
		return b.Ult(b.ZExt(b.Extract(n, 4, 9), 32), b.FToInt(g.f, g.term(1), 32, g.r.IntN(2) == 0))
	case 3:
		return b.Slt(b.Sub(n, b.Const(32, 3)), b.ConstSigned(32, int64(g.r.IntN(100)-50)))
	case 4:
		return b.FLess(g.f, b.Ite(g.condition(), g.term(1), b.FNeg(g.f, g.term(1))), b.FAbs(g.f, g.term(1)))
	}
	return g.condition()
}

// TestBounds holds the bounds of every node of random conditions against its
// values at random points of random boxes.
func TestBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	rounds := 400
	if testing.Short() {
		rounds = 100
	}
	checked, refuted := 0, 0
	for range rounds {
		f := []ieee.Format{ieee.Half, ieee.Single, ieee.Double}[r.IntN(3)]
		g := &floatGenerator{b: expr.NewBuilder(), r: r, f: f}
		s := New(g.b, Options{})
		var cs []*expr.Expr
		for range 1 + r.IntN(3) {
			cs = append(cs, g.mixed())
		}
		x := &boxes{k: s.newSeeker(cs, time.Now().Add(time.Minute)), used: make([]bool, len(cs))}
		all, ok := x.start()
		if !ok {
			continue
		}
		for range 20 {
			b := all.copy()
			for i := range x.k.units {
				lo, hi := x.anywhere(r, i, &all), x.anywhere(r, i, &all)
				if r.IntN(2) == 0 {
					hi = min(lo+int64(r.IntN(1<<r.IntN(14))), all.hi[i])
				}
				b.lo[i], b.hi[i] = min(lo, hi), max(lo, hi)
			}
			none := x.refuted(&b)
			if none {
				refuted++
			}
			for range 10 {
				m := &expr.Model{}
				for i := range x.k.units {
					u := &x.k.units[i]
					v := b.lo[i] + int64(r.Uint64N(uint64(b.hi[i]-b.lo[i])/2+1))*int64(1+r.IntN(2))
					e := u.unrank(expr.Value{Lo: uint64(v)}.Mask(u.width))
					if u.float && v == 0 && r.IntN(2) == 0 {
						e.Lo |= 1 << (u.width - 1)
					}
					m = u.with(m, e)
				}
				s.ev.Begin(m)
				for i, n := range x.nodes {
					if n.e == nil {
						continue
					}
					v := s.ev.Value(n.e)
					if checked++; !x.vals[i].within(v, n.e.Width()) {
						t.Fatalf("%v is %x, not within %+v, in %v to %v", n.e, v, x.vals[i], b.lo, b.hi)
					}
				}
				if none && s.ev.All(cs, m) {
					t.Fatalf("%v holds in a box that is refuted", cs)
				}
			}
		}
	}
	t.Logf("%d values, %d boxes refuted", checked, refuted)
	if refuted == 0 {
		t.Error("nothing was refuted")
	}
}

// anywhere draws a value of a unit.
func (x *boxes) anywhere(r *rand.Rand, i int, all *box) int64 {
	u := &x.k.units[i]
	v := extendSign(r.Uint64()>>r.IntN(u.width)&onesOf(u.width), u.width)
	if u.float {
		v = rankOf(u.format, floatCorner(r, u.format))
	}
	return max(all.lo[i], min(all.hi[i], v))
}

// TestProve holds proofs against all values of one number.
func TestProve(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	rounds := 150
	if testing.Short() {
		rounds = 30
	}
	counts := map[Result]int{}
	for range rounds {
		g := &floatGenerator{b: expr.NewBuilder(), r: r, f: ieee.Half}
		s := New(g.b, Options{})
		v := g.b.Var("x", 2)
		var only []*expr.Expr
		for len(only) < 1+r.IntN(3) {
			if c := g.b.Substitute(g.condition(), zeros(g.b)); !c.IsConst() {
				only = append(only, c)
			}
		}
		got, m, core := s.prove(s.newSeeker(only, time.Now().Add(time.Minute)), 1_000_000, time.Now().Add(time.Minute))
		counts[got]++
		switch got {
		case Sat:
			if !s.ev.All(only, m) {
				t.Fatalf("wrong model of %v", only)
			}
		case Unsat:
			if slices.ContainsFunc(core, func(c *expr.Expr) bool { return !slices.Contains(only, c) }) {
				t.Fatalf("a core of something else: %v of %v", core, only)
			}
			for i := range 1 << 16 {
				m := &expr.Model{}
				m.Set(v, 0, byte(i))
				m.Set(v, 1, byte(i>>8))
				if s.ev.All(core, m) {
					t.Fatalf("%x satisfies %v", i, core)
				}
			}
		}
	}
	t.Logf("%v", counts)
	if counts[Sat] == 0 || counts[Unsat] == 0 {
		t.Error("nothing was compared")
	}
}

// zeros sets the second and third number of a floatGenerator.
func zeros(b *expr.Builder) *expr.Model {
	m := &expr.Model{}
	for _, n := range []string{"y", "z"} {
		v := b.Var(n, 2)
		m.Set(v, 0, 0)
		m.Set(v, 1, 0x42)
	}
	return m
}

// TestBitsOfNoUnit: leaves that overlap leave a bit that no range is of, so that a
// box of one point is not one assignment.
func TestBitsOfNoUnit(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	n := b.Read(b.Var("n", 4), 0, 4)
	cs := []*expr.Expr{b.Eq(b.Extract(n, 0, 12), b.Const(12, 5)), b.Eq(b.Extract(n, 4, 9), b.Const(9, 0x100))}
	until := time.Now().Add(time.Minute)
	if r, _, _ := s.prove(s.newSeeker(cs, until), 1_000_000, until); r == Unsat {
		t.Error("0x1005 satisfies both")
	}
}

// TestWideNodes: what has more than 64 bits has no bounds, and what is made of it
// may have.
func TestWideNodes(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	n := b.Read(b.Var("n", 8), 0, 8)
	f := b.FToInt(ieee.Double, b.FAdd(ieee.Double, n, n), 64, true)
	wide := b.Mul(b.ZExt(f, 128), b.SExt(n, 128))
	cs := []*expr.Expr{b.Ult(b.Concat(f, n), wide), b.Ult(b.Extract(wide, 64, 64), n)}
	s.prove(s.newSeeker(cs, time.Now().Add(time.Second)), 10_000, time.Now().Add(time.Second))
}
