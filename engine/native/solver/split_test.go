package solver

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// TestSplit: a limit on how fast a number changes, and a ramp towards it, both as the
// choices that merged branches are. How far the one is from the other is a matter of
// affine forms, of ties, and of taking the choices apart.
func TestSplit(t *testing.T) {
	b, f := expr.NewBuilder(), ieee.Single
	k := func(d float32) *expr.Expr { return b.Const(32, uint64(math.Float32bits(d))) }
	read := func(n string) *expr.Expr { return b.Read(b.Var(n, 4), 0, 4) }
	limit := func(last, wanted *expr.Expr) *expr.Expr {
		up, down := b.FAdd(f, last, k(2.5)), b.FSub(f, last, k(2.5))
		return b.Ite(b.FLess(f, up, wanted), up, b.Ite(b.FLess(f, wanted, down), down, wanted))
	}
	ramp := func(from, to, t *expr.Expr) *expr.Expr {
		return b.Ite(b.FLessEq(f, t, k(0)), from, b.Ite(b.FLessEq(f, k(1), t), to,
			b.FAdd(f, from, b.FMul(f, t, b.FSub(f, to, from)))))
	}
	start, first, second, part := read("start"), read("first"), read("second"), read("part")
	var cs []*expr.Expr
	for _, x := range []*expr.Expr{start, first, second} {
		cs = append(cs, b.FLessEq(f, k(5), x), b.FLessEq(f, x, k(30)))
	}
	cs = append(cs, b.FLess(f, k(0), part), b.FLessEq(f, part, k(2)))
	set := limit(start, first)
	room := ramp(start, set, part)
	set = limit(set, second)
	room = ramp(room, set, part)
	for _, q := range []struct {
		above float32
		want  Result
	}{{5.1, Unsat}, {5.001, Unsat}, {4, Sat}} {
		s := New(b, Options{})
		asked := append([]*expr.Expr{b.FLess(f, b.FAdd(f, set, k(q.above)), room)}, cs...)
		got, m := s.split(asked, time.Now().Add(time.Hour))
		if got != q.want && (got != Unknown || q.want != Sat) {
			t.Errorf("%v above: %v", q.above, got)
		}
		if got == Sat && !s.ev.All(asked, m) {
			t.Errorf("%v above: wrong model", q.above)
		}
	}
	if r, _ := New(b, Options{}).split(cs, time.Now().Add(time.Hour)); r != Unknown {
		t.Errorf("nothing to take apart: %v", r)
	}
}

// TestSplitKeepsModels: constraints with choices that a random model satisfies are
// never called contradictory.
func TestSplitKeepsModels(t *testing.T) {
	r := rand.New(rand.NewPCG(53, 54))
	rounds := 80
	if testing.Short() {
		rounds = 20
	}
	count := map[Result]int{}
	for range rounds {
		f := []ieee.Format{ieee.Half, ieee.Single, ieee.Double}[r.IntN(3)]
		g := &floatGenerator{b: expr.NewBuilder(), r: r, f: f}
		s := New(g.b, Options{})
		var cs []*expr.Expr
		for range 2 + r.IntN(3) {
			x := g.b.Ite(g.condition(), g.sums(2), g.sums(1))
			cs = append(cs, g.b.FLess(f, g.b.Ite(g.b.FLess(f, x, g.term(0)), x, g.sums(1)), g.sums(2)))
		}
		k := s.newSeeker(cs, time.Now().Add(time.Minute))
		m := &expr.Model{}
		for i := range k.units {
			v := ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(32*r.Float64() - 16)}, f)
			m = k.units[i].with(m, expr.Value(v).Mask(k.units[i].width))
		}
		s.ev.Begin(m)
		for i, c := range cs {
			if s.ev.Value(c).Lo == 0 {
				cs[i] = g.b.Not(c)
			}
		}
		got, model := s.split(cs, time.Now().Add(time.Minute))
		if got == Unsat || got == Sat && !s.ev.All(cs, model) {
			t.Fatalf("%v: %v", cs, got)
		}
		// With what the model does not satisfy, a contradiction is found.
		x, y := g.sums(1), g.sums(1)
		both := append(cs, g.b.FLess(f, x, y), g.b.FLess(f, y, x))
		if got, _ := s.split(both, time.Now().Add(time.Minute)); got != Unknown {
			count[got]++
		}
	}
	if t.Logf("%v", count); count[Sat] > 0 || count[Unsat] == 0 {
		t.Error("two opposite orders hold, or nothing was proved")
	}
}

// TestSplitInputs: a choice of inputs, before anything is computed of them, is taken apart where
// it is used as a number: a table of two columns, read where a number is cut to its ends, gives
// nothing beyond them.
func TestSplitInputs(t *testing.T) {
	b, f := expr.NewBuilder(), ieee.Double
	k := func(d float64) *expr.Expr { return b.Const(64, math.Float64bits(d)) }
	read := func(n string) *expr.Expr { return b.Read(b.Var(n, 8), 0, 8) }
	clamp := func(x *expr.Expr, lo, hi float64) *expr.Expr {
		x = b.Ite(b.FLess(f, x, k(lo)), k(lo), x)
		return b.Ite(b.FLess(f, k(hi), x), k(hi), x)
	}
	x, y := read("x"), read("y")
	low, high := clamp(x, 50, 100), clamp(y, 4000, 6000)
	part := b.FDiv(f, b.FSub(f, low, k(50)), k(50))
	first := b.FAdd(f, k(15), b.FMul(f, part, k(2)))
	second := b.FAdd(f, k(18), b.FMul(f, part, k(2)))
	z := b.FAdd(f, first, b.FMul(f, b.FDiv(f, b.FSub(f, high, k(4000)), k(2000)), b.FSub(f, second, first)))
	number := func(x *expr.Expr) *expr.Expr { return b.FLessEq(f, x, x) }
	for _, q := range []struct {
		c    *expr.Expr
		want Result
	}{{b.FLess(f, k(20), z), Unsat}, {b.FLess(f, z, k(15)), Unsat}, {b.FLess(f, k(19.5), z), Sat}} {
		asked := []*expr.Expr{q.c, number(x), number(y)}
		s := New(b, Options{})
		got, m := s.split(asked, time.Now().Add(time.Hour))
		if got != q.want || got == Sat && !s.ev.All(asked, m) {
			t.Errorf("%v: %v", q.c, got)
		}
	}
}
