package solver

import (
	"context"
	"math/rand/v2"
	"os/exec"
	"testing"
	"time"

	"klabel/engine/native/expr"
)

func findZ3(t *testing.T) *Pipe {
	path, err := exec.LookPath("z3")
	if err != nil {
		t.Skip("SKIPPED: z3 is not installed, the answers are not compared with a second solver (apt-get install z3)")
	}
	p, err := NewPipe("z3", path)
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
		want, wm, err := p.Check(context.Background(), cs, 2*time.Second)
		if err != nil && err != errSlow {
			t.Fatal(err)
		}
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
		p, err := NewPipe("z3", path)
		if err != nil {
			t.Fatal(err)
		}
		r, _, err := p.Check(context.Background(), []*expr.Expr{b.Ult(x, b.Const(32, 9))}, time.Second)
		if r != Unknown || err == nil {
			t.Errorf("%s: %v, %v", path, r, err)
		}
		p.Close()
	}
	if _, err := NewPipe("minisat", "minisat"); err == nil {
		t.Error("an unknown solver was accepted")
	}
}

// TestFallback checks that a question which the own core does not answer in its
// share of the time goes to the other solver, and that its model is checked.
func TestFallback(t *testing.T) {
	b := expr.NewBuilder()
	x, y := b.Read(b.Var("x", 8), 0, 8), b.Read(b.Var("y", 8), 0, 8)
	q := b.And(b.Eq(b.Mul(b.ZExt(x, 128), b.ZExt(y, 128)), b.Const128(128, 0x66b4_bd80_1b5e_0cb1, 0x1_0000_0000)),
		b.And(b.Ugt(x, b.Const(64, 1)), b.Ugt(y, b.Const(64, 1))))
	for _, liar := range []Result{Sat, Unsat} {
		s := New(b, Options{Timeout: time.Second, After: 20 * time.Millisecond, Fallback: fixed(liar)})
		r, _ := s.Check(context.Background(), nil, q)
		want := Unsat
		if liar == Sat {
			want = Unknown // its model is wrong
		}
		if r != want || s.Stats.ByFallback != 1 {
			t.Errorf("%v from a fallback that says %v: %+v", r, liar, s.Stats)
		}
		if bad := s.Stats.BadModels; (bad == 1) != (liar == Sat) {
			t.Errorf("%d bad models", bad)
		}
	}
}

type fixed Result

func (f fixed) Check(context.Context, []*expr.Expr, time.Duration) (Result, *expr.Model, error) {
	return Result(f), &expr.Model{}, nil
}
