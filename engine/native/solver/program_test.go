package solver

import (
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// TestContradictory: inequalities that a point satisfies are never called contradictory,
// whatever the weights; what simplex finds of some that exclude each other is.
func TestContradictory(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	refuted, points := 0, 0
	for round := range 2000 {
		n, m := 1+r.IntN(6), 2+r.IntN(9)
		p := &program{}
		inside := make([]float64, n)
		for k := range n {
			lo := (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(6)))
			hi := lo + r.Float64()*math.Pow(10, float64(r.IntN(4)-2))
			p.atoms, p.lo, p.hi = append(p.atoms, int32(k)), append(p.lo, lo), append(p.hi, hi)
			inside[k] = min(lo+r.Float64()*(hi-lo), hi)
		}
		for range m {
			row := inequality{}
			for k := range n {
				c := (r.Float64() - 0.5) * math.Pow(10, float64(r.IntN(8)-3))
				row.terms = append(row.terms, term{atom: int32(k), c: c})
				row.most += c * inside[k]
			}
			row.most += math.Abs(row.most) * 0x1p-40
			p.rows = append(p.rows, row)
		}
		point, weights, _ := p.simplex()
		if p.contradictory(weights) {
			t.Fatalf("round %d: %v satisfies %v", round, inside, p)
		}
		holds := true
		for _, row := range p.rows {
			sum, size := 0.0, math.Abs(row.most)
			for _, t := range row.terms {
				sum += t.c * point[t.atom]
				size += math.Abs(t.c * point[t.atom])
			}
			holds = holds && sum <= row.most+size*1e-6
		}
		if holds {
			points++
		}
		for i := range weights {
			weights[i] = r.Float64() * math.Pow(10, float64(r.IntN(6)))
		}
		if p.contradictory(weights) {
			t.Fatalf("round %d: %v satisfies %v", round, inside, p)
		}
		// Twice the opposite of one row, a little beyond it.
		opposite := inequality{}
		for _, x := range p.rows[0].terms {
			opposite.terms = append(opposite.terms, term{atom: x.atom, c: -2 * x.c})
			opposite.most -= math.Abs(x.c) * (p.hi[x.atom] - p.lo[x.atom]) / 50
		}
		opposite.most -= 2 * p.rows[0].most
		p.rows = append(p.rows, opposite)
		if _, weights, _ = p.simplex(); p.contradictory(weights) {
			refuted++
		}
	}
	t.Logf("%d refuted, %d points that satisfy all", refuted, points)
	if refuted < 1900 || points < 1900 {
		t.Errorf("%d refuted, %d points that satisfy all, of 2000", refuted, points)
	}
}

// TestStraight: what a filter over six inputs gives at three places, and what cannot be of
// that together; each two of the conditions can.
func TestStraight(t *testing.T) {
	for _, f := range []ieee.Format{ieee.Single, ieee.Double} {
		b := expr.NewBuilder()
		k := func(d float64) *expr.Expr {
			return b.Const(f.Width(), ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, f).Lo)
		}
		var cs, outs []*expr.Expr
		y := k(0)
		for i := range 6 {
			x := b.Read(b.Var(string(rune('a'+i)), f.Width()/8), 0, f.Width()/8)
			cs = append(cs, b.FLessEq(f, k(-1), x), b.FLessEq(f, x, k(1)))
			y = b.FAdd(f, b.FMul(f, y, k(0.7)), b.FMul(f, x, k(0.3)))
			outs = append(outs, y)
		}
		less := func(x, y *expr.Expr) *expr.Expr { return b.FLess(f, x, y) }
		// The fourth is near the mean of its neighbours, which are far from it.
		both := b.FAdd(f, outs[2], outs[4])
		far := []*expr.Expr{less(k(0.2), b.FSub(f, both, b.FMul(f, outs[3], k(2)))), less(k(0.55), outs[3]),
			less(outs[4], k(0.6))}
		for n, want := range map[int]Result{1: Sat, 2: Sat, 3: Unsat} {
			s := New(b, Options{})
			asked := append(far[:n:n], cs...)
			until := time.Now().Add(time.Hour)
			seek := s.newSeeker(asked, until)
			got, m, _ := s.prove(seek, 20_000, until)
			if got != want || got == Sat && !s.ev.All(asked, m) {
				t.Errorf("%d bits, %d conditions: %v, %v", f.Width(), n, got, m)
			}
		}
	}
}

// TestSquares: a sum of squares is small only where each of the numbers is.
func TestSquares(t *testing.T) {
	b, f := expr.NewBuilder(), ieee.Double
	k := func(d float64) *expr.Expr { return b.Const(64, math.Float64bits(d)) }
	x, y := b.Read(b.Var("x", 8), 0, 8), b.Read(b.Var("y", 8), 0, 8)
	sum := b.FAdd(f, b.FMul(f, x, x), b.FMul(f, y, y))
	for _, q := range []struct {
		cs   []*expr.Expr
		want Result
	}{
		{[]*expr.Expr{b.FLess(f, sum, k(0))}, Unsat},
		{[]*expr.Expr{b.FLess(f, sum, k(0.01)), b.FLess(f, k(0.11), y)}, Unsat},
		{[]*expr.Expr{b.FLess(f, sum, k(0.01)), b.FLess(f, k(0.09), y)}, Sat},
		{[]*expr.Expr{b.FLess(f, k(4), b.FMul(f, x, x)), b.FLess(f, x, k(1.9)), b.FLess(f, k(-1.9), x)}, Unsat},
	} {
		s := New(b, Options{})
		until := time.Now().Add(time.Hour)
		got, m, _ := s.prove(s.newSeeker(q.cs, until), 20_000, until)
		if got != q.want || got == Sat && !s.ev.All(q.cs, m) {
			t.Errorf("%v: %v", q.cs, got)
		}
	}
}
