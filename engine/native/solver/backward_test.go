package solver

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// sums is a sum of products with constants, or a clamped one, as filters and
// controllers have them.
func (g *floatGenerator) sums(depth int) *expr.Expr {
	b, f := g.b, g.f
	if depth == 0 || g.r.IntN(6) == 0 {
		return g.term(0)
	}
	x, y := g.sums(depth-1), g.sums(depth-1)
	k := b.ConstValue(f.Width(), expr.Value(floatCorner(g.r, f)))
	if g.r.IntN(3) > 0 {
		d := math.Float64bits([]float64{0.1, 2, -0.5, 1.5}[g.r.IntN(4)])
		k = b.ConstValue(f.Width(), expr.Value(ieee.Double.Convert(ieee.Bits{Lo: d}, f)))
	}
	switch g.r.IntN(12) {
	case 8:
		return b.FDiv(f, x, y)
	case 9: // between two numbers
		return b.FAdd(f, x, b.FMul(f, g.term(0), b.FSub(f, y, x)))
	case 10:
		return b.FMul(f, x, y)
	case 11:
		return b.Ite(b.FLess(f, g.term(0), k), x, b.FAdd(f, x, y))
	case 0, 1:
		return b.FAdd(f, x, b.FMul(f, y, k))
	case 2:
		return b.FSub(f, x, y)
	case 3:
		return b.FSub(f, x, b.FAdd(f, x, b.FMul(f, y, k)))
	case 4:
		return b.FAdd(f, b.FNeg(f, x), y)
	case 5:
		return b.Ite(b.FLess(f, x, k), x, k)
	case 6:
		return b.FMul(f, x, k)
	}
	return g.term(2)
}

// near draws a number close to another one, or any.
func near(r *rand.Rand, f ieee.Format, v ieee.Bits) ieee.Bits {
	if r.IntN(3) == 0 {
		return floatCorner(r, f)
	}
	n := rankOf(f, v) + r.Int64N(1<<r.IntN(20)) - r.Int64N(1<<r.IntN(20))
	inf := infinite(f)
	return ofRank(f, max(-inf, min(n, inf)))
}

// TestContract takes random constraints that a random model satisfies, puts it in a
// box, and sees that neither the box nor a node's bound loses it, whatever is
// concluded backwards, from sums and from orders.
func TestContract(t *testing.T) {
	r := rand.New(rand.NewPCG(47, 48))
	rounds := 3000
	if testing.Short() {
		rounds = 600
	}
	cut, checked, tied, met := 0, 0, 0, 0
	for range rounds {
		f := []ieee.Format{ieee.Half, ieee.Single, ieee.Double}[r.IntN(3)]
		g := &floatGenerator{b: expr.NewBuilder(), r: r, f: f}
		s := New(g.b, Options{})
		var cs, sums []*expr.Expr
		for range 1 + r.IntN(4) {
			c := g.mixed()
			if x, y := g.sums(3), g.sums(2); r.IntN(3) > 0 {
				c, sums = g.b.FLess(f, x, y), append(sums, x, y)
				switch z := g.sums(1); r.IntN(6) {
				case 0:
					c = g.b.FLess(f, g.b.FDiv(f, x, z), g.b.FDiv(f, y, z))
				case 1:
					c = g.b.FLessEq(f, g.b.FSub(f, z, g.b.FAdd(f, x, y)), g.b.FSub(f, z, x))
				case 2:
					c = g.b.FLess(f, g.b.FMul(f, x, z), g.b.FMul(f, y, z))
				case 3:
					c = g.b.And(g.b.FLessEq(f, x, y), g.b.FLess(f, y, g.sums(1)))
				case 4: // two inputs and a constant: a tie
					k := g.b.ConstValue(f.Width(), expr.Value(floatCorner(r, f)))
					c = g.b.FLess(f, g.b.FAdd(f, g.term(0), k), g.term(0))
				}
			}
			cs = append(cs, c)
		}
		k := s.newSeeker(cs, time.Now().Add(time.Minute))
		m := &expr.Model{}
		last, plain := f.One(), r.IntN(2) == 0 // numbers of everyday
		for i := range k.units {
			u := &k.units[i]
			v := expr.Value{Lo: r.Uint64() >> r.IntN(64)}.Mask(u.width)
			if u.float && u.format == f {
				last = near(r, f, last)
				if plain {
					last = ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(32*r.Float64() - 16)}, f)
				}
				v = expr.Value(last)
			}
			m = u.with(m, v)
		}
		s.ev.Begin(m)
		for i, c := range cs {
			if s.ev.Value(c).Lo == 0 {
				cs[i] = g.b.Not(c)
			}
		}
		for _, e := range sums { // what is near to their values
			if v := ieee.Bits(s.ev.Value(e)); !f.IsNaN(v) {
				above := ofRank(f, min(rankOf(f, v)+r.Int64N(1<<r.IntN(40)), infinite(f)))
				below := ofRank(f, max(rankOf(f, v)-r.Int64N(1<<r.IntN(40)), -infinite(f)))
				cs = append(cs, g.b.FLessEq(f, e, g.b.ConstValue(f.Width(), expr.Value(above))),
					g.b.FLessEq(f, g.b.ConstValue(f.Width(), expr.Value(below)), e))
			}
		}
		cs = slices.DeleteFunc(cs, func(e *expr.Expr) bool { return e.IsTrue() })
		k.cs = cs
		x := &boxes{k: k, used: make([]bool, len(cs))}
		b, ok := x.start()
		if !ok {
			continue
		}
		x.refuted(&b)
		x.linear()
		x.findTies()
		x.bends = true
		point := func(i int) int64 {
			u := &k.units[i]
			v := u.value(m)
			switch {
			case u.float:
				return rankOf(u.format, ieee.Bits(v))
			case x.unsigned[i]:
				return int64(v.Lo)
			}
			return extendSign(v.Lo, u.width)
		}
		for i := range k.units {
			p, u := point(i), &k.units[i]
			if plain && u.float {
				b.hi[i] = rankOf(u.format, ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(16)}, u.format))
				b.lo[i] = -b.hi[i]
			}
			if plain || r.IntN(4) == 0 {
				b.lo[i], b.hi[i] = min(b.lo[i], p), max(b.hi[i], p)
				continue
			}
			w := r.Int64N(1 << r.IntN(62))
			if p-b.lo[i] > w {
				b.lo[i] = p - r.Int64N(w+1)
			}
			if b.hi[i]-p > w {
				b.hi[i] = p + r.Int64N(w+1)
			}
		}
		was := b.copy()
		holds := x.contracted(&b, 1+r.IntN(4))
		if holds && r.IntN(2) == 0 {
			x.linear()
			m, some := x.straight(&b)
			if holds = some; m != nil {
				met++
			}
		}
		if holds && r.IntN(2) == 0 {
			x.cutNodes(&b)
			x.cutTies(&b)
			for i, p := range x.pairs { // one side of the difference of two inputs
				side := len(k.units) + len(x.extra) + i
				value := func(n int32) float64 {
					return asDouble(f, ieee.Bits(k.units[x.nodes[n].unit].value(m)))
				}
				d := doubleRank(value(p.b) - value(p.a))
				at := max(b.lo[side], min(b.hi[side]-1, d+r.Int64N(1<<r.IntN(50)+1)-r.Int64N(1<<r.IntN(50)+1)))
				if low, high := b.cut(side, at); d <= at {
					b = low
				} else {
					b = high
				}
				tied++
			}
			holds = x.contracted(&b, 2)
		}
		if !holds {
			t.Fatalf("%v: a box with a model is refuted", cs)
		}
		if n := len(k.units); !slices.Equal(b.lo[:n], was.lo) || !slices.Equal(b.hi[:n], was.hi) {
			cut++
		}
		for i := range k.units {
			if p := point(i); p < b.lo[i] || p > b.hi[i] {
				t.Fatalf("%v: unit %d: %d is cut from %d to %d", cs, i, p, b.lo[i], b.hi[i])
			}
		}
		s.ev.Begin(m)
		for i, n := range x.nodes {
			if n.e == nil {
				continue
			}
			v := s.ev.Value(n.e)
			if checked++; !x.vals[i].within(v, n.e.Width()) {
				t.Fatalf("%v: %v is %x, not within %+v", cs, n.e, v, x.vals[i])
			}
		}
	}
	t.Logf("%d values, %d boxes cut, %d differences, %d models met", checked, cut, tied, met)
	if cut < rounds/2 || tied == 0 || met == 0 {
		t.Error("few boxes were cut")
	}
}

// TestCoreOfCuts: the core of a proof names the constraints that cut the box, too.
func TestCoreOfCuts(t *testing.T) {
	b, f := expr.NewBuilder(), ieee.Double
	s := New(b, Options{})
	v := b.Var("x", 8)
	x := b.Read(v, 0, 8)
	k := func(d float64) *expr.Expr { return b.Const(64, math.Float64bits(d)) }
	for bound := 2.0; bound < 40; bound += 3 {
		cs := []*expr.Expr{b.FLessEq(f, k(1), x), b.FLess(f, k(3*bound), b.FMul(f, x, x)),
			b.FLessEq(f, b.FAdd(f, x, x), k(bound))}
		until := time.Now().Add(time.Minute)
		r, _, core := s.prove(s.newSeeker(cs, until), 1_000_000, until)
		if want := bound*bound/4 < 3*bound; (r == Unsat) != want {
			t.Errorf("%v for %g", r, bound)
		}
		m := &expr.Model{}
		for _, d := range []float64{1, -1, 2, 5, 100, -100, 1e6} {
			for i := range 8 {
				m.Set(v, i, byte(math.Float64bits(d)>>(8*i)))
			}
			if r == Unsat && s.ev.All(core, m) {
				t.Errorf("%g satisfies the core %v", d, core)
			}
		}
	}
}

// TestSeenTogether: what single ranges do not see is proved in few steps: sums that
// share atoms, the order that rounding keeps, the last bits of a difference.
func TestSeenTogether(t *testing.T) {
	b, f := expr.NewBuilder(), ieee.Double
	read := func(n string) *expr.Expr { return b.Read(b.Var(n, 8), 0, 8) }
	k := func(d float64) *expr.Expr { return b.Const(64, math.Float64bits(d)) }
	between := func(x *expr.Expr, lo, hi float64) *expr.Expr {
		return b.And(b.FLessEq(f, k(lo), x), b.FLessEq(f, x, k(hi)))
	}
	set, at, u := read("set"), read("at"), read("u")
	first := b.FSub(f, set, at)
	second := b.FSub(f, set, b.FAdd(f, at, b.FMul(f, u, k(0.01))))
	change := b.FSub(f, second, first)
	for i, c := range []*expr.Expr{b.FLess(f, change, k(0)), b.FLess(f, k(1.001), change),
		between(first, 1e-200, 1e-20)} {
		for _, low := range []float64{-100, 50} {
			cs := []*expr.Expr{c, between(set, low, 100), between(at, low, 100), between(u, -100, 0)}
			until := time.Now().Add(time.Hour)
			s := New(b, Options{})
			r, _, _ := s.prove(s.newSeeker(cs, until), 20_000, until)
			if want := i != 2 || low > 0; (r == Unsat) != want {
				t.Errorf("question %d from %g: %v", i, low, r)
			}
		}
	}
}
