package solver

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
	"klabel/engine/native/smt"
)

func findZ3(t *testing.T) *smt.Pipe {
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("SKIPPED: z3 is not installed, the answers are not compared with a second solver (apt-get install z3)")
	}
	p, err := smt.NewPipe("z3", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// TestAgainstZ3 compares the answers to random conjunctions over up to 64 bits.
func TestAgainstZ3(t *testing.T) {
	p := findZ3(t)
	b := expr.NewBuilder()
	s := New(b, Options{})
	r := rand.New(rand.NewPCG(21, 22))
	v := b.Var("x", 8)
	n, unsure, counts := 150, 0, map[Result]int{}
	if testing.Short() {
		n = 30
	}
	g := &wideGenerator{generator{b: b, r: r, v: v}}
	for i := 0; i < n; i++ {
		var cs []*expr.Expr
		for k := 0; k < 1+r.IntN(4); k++ {
			if c := g.condition(3); !c.IsConst() {
				cs = append(cs, c)
			}
		}
		if len(cs) == 0 {
			continue
		}
		got, m, _ := s.bl.check(cs, time.Now().Add(2*time.Second))
		z3, wm, err := p.Check(context.Background(), cs, 2*time.Second)
		if err != nil && err != smt.ErrSlow {
			t.Fatal(err)
		}
		want := Result(z3) // they are numbered alike
		if got == Sat && !s.ev.All(cs, m) {
			t.Fatalf("wrong model of %v", cs)
		}
		if want == Sat && !s.ev.All(cs, wm) {
			t.Fatalf("z3's model does not satisfy %v: evaluation or SMT-LIB text is wrong", cs)
		}
		if got == Unknown || want == Unknown {
			unsure++
			continue
		}
		counts[got]++
		if got != want {
			t.Fatalf("%v, z3 says %v, for %v", got, want, cs)
		}
	}
	t.Logf("%v, no answer in time to %d", counts, unsure)
	if unsure > n/5 {
		t.Errorf("no answer in time to %d of %d", unsure, n)
	}
}

// wideGenerator is a generator over all bytes of its variable, with wider terms.
type wideGenerator struct{ generator }

func (g *wideGenerator) condition(depth int) *expr.Expr {
	w := []int{8, 16, 32, 32, 33, 64}[g.r.IntN(6)]
	op := expr.OpEq + expr.Op(g.r.IntN(int(expr.OpSle-expr.OpEq)+1))
	c := g.b.Binary(op, g.wide(depth, w), g.wide(depth, w))
	if g.r.IntN(3) == 0 {
		c = g.b.Not(c)
	}
	return c
}

func (g *wideGenerator) wide(depth, w int) *expr.Expr {
	b, r := g.b, g.r
	if depth == 0 || r.IntN(5) == 0 {
		if r.IntN(3) == 0 {
			return b.ConstValue(w, corner(r, w))
		}
		n := 1 + r.IntN(4)
		return g.resize(b.Read(g.v, r.IntN(8-n), n), w)
	}
	if r.IntN(6) == 0 {
		return b.Ite(g.condition(depth-1), g.wide(depth-1, w), g.wide(depth-1, w))
	}
	ops := []expr.Op{expr.OpAdd, expr.OpSub, expr.OpAnd, expr.OpOr, expr.OpXor, expr.OpShl, expr.OpLShr, expr.OpAShr,
		expr.OpAdd, expr.OpSub, expr.OpMul, expr.OpUDiv, expr.OpSRem, expr.OpSDiv, expr.OpURem}
	op := ops[r.IntN(len(ops))]
	y := g.wide(depth-1, w)
	if op >= expr.OpMul && op <= expr.OpSRem { // keep both sides decidable in time
		y = b.ConstValue(w, corner(r, w))
	}
	return b.Binary(op, g.wide(depth-1, w), y)
}

// TestPipeDies checks that a solver which fails is an error, not a hang.
func TestPipeDies(t *testing.T) {
	b := expr.NewBuilder()
	x := b.Read(b.Var("x", 4), 0, 4)
	for _, path := range []string{"/bin/false", "/no/such/solver", "/bin/echo"} {
		p, err := smt.NewPipe("z3", path)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Check(context.Background(), []*expr.Expr{b.Ult(x, b.Const(32, 9))}, time.Second)
		if r != smt.Unknown || err == nil {
			t.Errorf("%s: %v, %v", path, r, err)
		}
		p.Close()
	}
	if _, err := smt.NewPipe("minisat", "minisat"); err == nil {
		t.Error("an unknown solver was accepted")
	}
}

// TestFloatAgainstZ3 compares the answers to random conjunctions of comparisons
// of floating-point terms.
func TestFloatAgainstZ3(t *testing.T) {
	p := findZ3(t)
	r := rand.New(rand.NewPCG(31, 32))
	n, counts := 60, map[Result]int{}
	if testing.Short() {
		n = 20
	}
	for range n {
		f := []ieee.Format{ieee.Tiny, ieee.Tiny, ieee.Tiny, ieee.Half}[r.IntN(4)]
		g := &floatGenerator{b: expr.NewBuilder(), r: r, f: f}
		s := New(g.b, Options{Timeout: time.Second})
		var cs []*expr.Expr
		for range 1 + r.IntN(4) {
			if c := g.condition(); !c.IsConst() {
				cs = append(cs, c)
			}
		}
		if len(cs) == 0 {
			continue
		}
		got, m := s.Decide(context.Background(), cs)
		z3, wm, err := p.Check(context.Background(), cs, time.Second)
		if err != nil && err != smt.ErrSlow {
			t.Fatal(err)
		}
		want := Result(z3) // they are numbered alike
		if s.Stats.BadModels > 0 || got == Sat && !s.ev.All(cs, m) {
			t.Fatalf("wrong model of %v", cs)
		}
		// z3's NaNs have no bits of their own: a model of its may not hold here.
		if got == Sat && want == Unsat || got == Unsat && want == Sat && s.ev.All(cs, wm) {
			t.Fatalf("%v, z3 says %v, for %v", got, want, cs)
		}
		if got == Unknown || want == Unknown {
			got = Unknown
		}
		counts[got]++
	}
	t.Logf("%v", counts)
	if counts[Sat]+counts[Unsat] == 0 {
		t.Error("nothing was compared")
	}
}

// floatGenerator makes random conditions on three numbers of one format.
type floatGenerator struct {
	b *expr.Builder
	r *rand.Rand
	f ieee.Format
}

func (g *floatGenerator) term(depth int) *expr.Expr {
	b, f, w := g.b, g.f, g.f.Width()
	if depth == 0 || g.r.IntN(6) == 0 {
		if g.r.IntN(3) == 0 {
			return b.ConstValue(w, expr.Value(floatCorner(g.r, f)))
		}
		return b.Read(b.Var([]string{"x", "y", "z"}[g.r.IntN(3)], w/8), 0, w/8)
	}
	x, y := g.term(depth-1), g.term(depth-1)
	switch g.r.IntN(12) {
	case 0, 1:
		return b.FAdd(f, x, y)
	case 2, 3:
		return b.FSub(f, x, y)
	case 4, 5:
		return b.FMul(f, x, y)
	case 6:
		return b.FDiv(f, x, y)
	case 7:
		return b.FSqrt(f, x)
	case 8:
		return b.FRint(f, ieee.Mode(g.r.IntN(5)), x)
	case 9:
		return b.FConvert(ieee.Double, f, b.FConvert(f, ieee.Double, x))
	case 10:
		return b.IntToF(f, b.FToInt(f, x, 8, true), g.r.IntN(2) == 0)
	}
	return b.FMA(f, x, y, g.term(depth-1))
}

func (g *floatGenerator) condition() *expr.Expr {
	b, x, y := g.b, g.term(2), g.term(2)
	var c *expr.Expr
	switch g.r.IntN(4) {
	case 0:
		c = b.FLess(g.f, x, y)
	case 1:
		c = b.FLessEq(g.f, x, y)
	case 2:
		c = b.FEqual(g.f, x, y)
	default:
		c = b.Not(b.FIsNaN(g.f, x))
	}
	if g.r.IntN(3) == 0 {
		c = b.Not(c)
	}
	return c
}
