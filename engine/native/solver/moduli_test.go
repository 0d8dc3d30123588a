package solver

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"klabel/engine/native/expr"
)

// TestCommonModulusIsExact writes random constraints with remainders anew: they hold for the same numbers.
func TestCommonModulusIsExact(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	r := rand.New(rand.NewPCG(3, 4))
	g := &generator{b: b, r: r, v: b.Var("x", 2)}
	everything := g.everything()
	divisors := []uint64{2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 25, 60, 100, 128, 400, 1000, 1461, 30000}
	written := 0
	for range 2000 {
		w := 16 + 8*r.IntN(3)
		x := g.term(1, w)
		var cs []*expr.Expr
		for range 2 + r.IntN(3) {
			op := expr.OpURem
			if r.IntN(2) == 0 {
				op = expr.OpSRem
			}
			left := b.Binary(op, x, b.Const(w, divisors[r.IntN(len(divisors))]))
			if r.IntN(4) == 0 {
				left = b.ZExt(b.Extract(x, 0, 1+r.IntN(8)), w)
			}
			cs = append(cs, b.Binary(expr.OpEq+expr.Op(r.IntN(int(expr.OpSle-expr.OpEq)+1)), left,
				b.Const(w, uint64(r.IntN(30)))))
		}
		anew, from := s.byCommonModulus(cs)
		if from == nil {
			continue
		}
		written++
		for i, c := range cs {
			if from[anew[i]] == nil {
				t.Fatalf("nobody knows whose %v is", anew[i])
			}
			for k := 0; k < len(everything); k += 1 + r.IntN(97) {
				if m := everything[k]; s.ev.Holds(c, m) != s.ev.Holds(anew[i], m) {
					t.Fatalf("%v is written as %v: not so for %v", c, anew[i], s.ev.Eval(b.Read(g.v, 0, 2), m))
				}
			}
		}
	}
	if written < 200 {
		t.Errorf("only %d of 2000 were written anew", written)
	}
}

// TestLeapYears: what remainders of a word say of each other takes no time, and cores are of what was asked.
func TestLeapYears(t *testing.T) {
	for _, w := range []int{32, 64} {
		for _, op := range []expr.Op{expr.OpURem, expr.OpSRem} {
			b := expr.NewBuilder()
			s := New(b, Options{Timeout: 10 * time.Second})
			y := b.Read(b.Var("y", w/8), 0, w/8)
			divides := func(by uint64) *expr.Expr { return b.Eq(b.Binary(op, y, b.Const(w, by)), b.Const(w, 0)) }
			big := b.Ult(b.Const(w, 1<<20), y)
			for _, c := range []struct {
				cs   []*expr.Expr
				want Result
			}{
				{[]*expr.Expr{big, divides(4), b.Not(divides(100)), divides(400)}, Unsat},
				{[]*expr.Expr{big, b.Not(divides(4)), divides(100)}, Unsat},
				{[]*expr.Expr{big, divides(4), divides(100), b.Not(divides(400))}, Sat},
			} {
				r, m, core := s.search(context.Background(), c.cs)
				if r != c.want {
					t.Errorf("%v of %d bits: %v is %v, want %v", op, w, c.cs, r, c.want)
				}
				if r == Sat && !s.ev.All(c.cs, m) {
					t.Errorf("%v of %d bits: the model is none of %v", op, w, c.cs)
				}
				asked := map[*expr.Expr]bool{}
				for _, e := range c.cs {
					asked[e] = true
				}
				for _, e := range core {
					if !asked[e] {
						t.Errorf("%v of %d bits: the core has %v, which is none of %v", op, w, e, c.cs)
					}
				}
			}
		}
	}
}
