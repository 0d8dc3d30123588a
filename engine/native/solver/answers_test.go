package solver

import (
	"context"
	"math/rand/v2"
	"testing"
	"time"

	"klabel/engine/native/expr"
)

// generator makes random booleans over the two bytes of a variable, so that all
// 65,536 models can be tried.
type generator struct {
	b *expr.Builder
	r *rand.Rand
	v *expr.Var
}

func (g *generator) term(depth, w int) *expr.Expr {
	b, r := g.b, g.r
	if depth == 0 || r.IntN(6) == 0 {
		if r.IntN(3) == 0 {
			return b.ConstValue(w, corner(r, w))
		}
		e := b.Byte(g.v, r.IntN(2))
		if r.IntN(4) == 0 {
			e = b.Read(g.v, 0, 2)
		}
		return g.resize(e, w)
	}
	switch r.IntN(8) {
	case 0:
		return b.Ite(g.cond(depth-1), g.term(depth-1, w), g.term(depth-1, w))
	case 1:
		return g.resize(g.term(depth-1, 1+r.IntN(20)), w)
	case 2:
		return b.Not(g.term(depth-1, w))
	}
	op := expr.OpAdd + expr.Op(r.IntN(int(expr.OpAShr-expr.OpAdd)+1))
	if op == expr.OpNot {
		op = expr.OpMul
	}
	return b.Binary(op, g.term(depth-1, w), g.term(depth-1, w))
}

func (g *generator) resize(e *expr.Expr, w int) *expr.Expr {
	switch n := e.Width(); {
	case n > w:
		return g.b.Extract(e, g.r.IntN(n-w+1), w)
	case g.r.IntN(2) == 0:
		return g.b.ZExt(e, w)
	}
	return g.b.SExt(e, w)
}

func (g *generator) cond(depth int) *expr.Expr {
	w := 1 + g.r.IntN(17)
	op := expr.OpEq + expr.Op(g.r.IntN(int(expr.OpSle-expr.OpEq)+1))
	c := g.b.Binary(op, g.term(depth, w), g.term(depth, w))
	if g.r.IntN(3) == 0 {
		c = g.b.Not(c)
	}
	return c
}

// everything lists all models of the variable.
func (g *generator) everything() []*expr.Model {
	all := make([]*expr.Model, 1<<16)
	for i := range all {
		all[i] = &expr.Model{}
		all[i].Set(g.v, 0, byte(i))
		all[i].Set(g.v, 1, byte(i>>8))
	}
	return all
}

// split divides models by a condition.
func split(ev *expr.Evaluator, models []*expr.Model, cond *expr.Expr) (yes, no []*expr.Model) {
	for _, m := range models {
		if ev.Holds(cond, m) {
			yes = append(yes, m)
		} else {
			no = append(no, m)
		}
	}
	return yes, no
}

// TestAnswersAgainstEnumeration walks random paths: at each step a condition is
// forked on, both answers are compared with enumeration, and one side is taken.
func TestAnswersAgainstEnumeration(t *testing.T) {
	paths := 40
	if testing.Short() {
		paths = 10
	}
	ctx := context.Background()
	b := expr.NewBuilder()
	s := New(b, Options{})
	g := &generator{b: b, r: rand.New(rand.NewPCG(11, 12)), v: b.Var("x", 2)}
	everything := g.everything()
	for p := 0; p < paths; p++ {
		var c *expr.Constraints
		left := everything
		var all []*expr.Expr
		for step := 0; step < 6; step++ {
			cond := g.cond(2)
			f := s.Fork(ctx, c, cond)
			yes, no := split(&s.ev, left, cond)
			for side, r := range map[bool]Result{true: f.True, false: f.False} {
				e, m, n := cond, f.WhenTrue, len(yes)
				if !side {
					e, m, n = b.Not(cond), f.WhenFalse, len(no)
				}
				cs := append([]*expr.Expr{e}, all...)
				if (n > 0) != (r == Sat) || r == Unknown {
					t.Fatalf("path %d step %d: %v is %v, enumeration finds %d models\nunder %v", p, step, e, r, n, all)
				}
				if base, _ := c.Model(); r == Sat && !s.ev.All(cs, base.Overlay(m)) {
					t.Fatalf("path %d step %d: the model does not satisfy %v under %v", p, step, e, all)
				}
			}
			side := f.True == Sat
			if side && f.False == Sat {
				side = g.r.IntN(2) == 0
			}
			if side {
				all, left = append(all, cond), yes
				c = c.Add(b, cond, f.WhenTrue)
			} else {
				all, left = append(all, b.Not(cond)), no
				c = c.Add(b, b.Not(cond), f.WhenFalse)
			}
			if c.Failed() {
				t.Fatalf("path %d: the constraints %v failed", p, all)
			}
			if r, m := s.Model(ctx, c); r != Sat || !s.ev.All(all, m) {
				t.Fatalf("path %d: model of %v: %v", p, all, r)
			}
			if step == 3 {
				checkRange(t, s, g, c, all, left)
			}
		}
	}
	if s.Stats.BadModels > 0 || s.Stats.Timeouts > 0 {
		t.Fatalf("stats: %+v", s.Stats)
	}
	t.Logf("%+v", s.Stats)
}

func checkRange(t *testing.T, s *Solver, g *generator, c *expr.Constraints, all []*expr.Expr, left []*expr.Model) {
	e := g.term(2, 1+g.r.IntN(17))
	min, max, r := s.Range(context.Background(), c, e)
	if r != Sat {
		t.Fatalf("range of %v under %v: %v", e, all, r)
	}
	lo, hi := expr.Ones(128), expr.Value{}
	for _, m := range left {
		v := s.ev.Eval(e, m)
		if v.Cmp(lo) < 0 {
			lo = v
		}
		if v.Cmp(hi) > 0 {
			hi = v
		}
	}
	if lo != min || hi != max {
		t.Fatalf("range of %v under %v: %x..%x, want %x..%x", e, all, min, max, lo, hi)
	}
	if v, ok := s.Unique(context.Background(), c, e); ok != (lo == hi) || ok && v != lo {
		t.Fatalf("unique value of %v: %x %v, want range %x..%x", e, v, ok, lo, hi)
	}
}

// TestGroups checks that variables which share no constraint do not meet.
func TestGroups(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	ctx := context.Background()
	v := b.Var("s", 100)
	var c *expr.Constraints
	for i := 0; i < 100; i++ {
		e := b.Ult(b.Byte(v, i), b.Const(8, 200))
		r, m := s.Check(ctx, c, e)
		if r != Sat {
			t.Fatal(r)
		}
		c = c.Add(b, e, m)
	}
	if n := len(c.Groups()); n != 100 {
		t.Fatalf("%d groups, want 100", n)
	}
	c = c.Add(b, b.Ult(b.Byte(v, 3), b.Byte(v, 70)), nil)
	if n := len(c.Groups()); n != 99 {
		t.Fatalf("%d groups after a link, want 99", n)
	}
	c = c.Add(b, b.Eq(b.Byte(v, 3), b.Const(8, 7)), nil)
	c = c.Add(b, b.Eq(b.Byte(v, 70), b.Const(8, 9)), nil)
	if n := len(c.Groups()); n != 98 || c.Failed() {
		t.Fatalf("%d groups after both ends are fixed, want 98", n)
	}
	if got := c.Simplify(b, b.Add(b.Byte(v, 3), b.Byte(v, 70))); !got.IsConst() || got.Uint64() != 16 {
		t.Fatalf("sum of fixed bytes is %v", got)
	}
	if r, m := s.Model(ctx, c); r != Sat || m.Byte(v, 3) != 7 || m.Byte(v, 70) != 9 {
		t.Fatalf("model %v", r)
	}
	if c = c.Add(b, b.Eq(b.Byte(v, 3), b.Const(8, 8)), nil); !c.Failed() {
		t.Fatal("7 == 8 was accepted")
	}
}

// TestTimeout checks that a hard question ends in time and as unknown.
func TestTimeout(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{Timeout: 200 * time.Millisecond})
	x, y := b.Read(b.Var("x", 8), 0, 8), b.Read(b.Var("y", 8), 0, 8)
	p := b.Mul(b.ZExt(x, 128), b.ZExt(y, 128))
	c := (*expr.Constraints)(nil).Add(b, b.Ugt(x, b.Const(64, 1)), nil).Add(b, b.Ugt(y, b.Const(64, 1)), nil)
	q := b.Eq(p, b.Const128(128, 0x66b4_bd80_1b5e_0cb1, 0x1_0000_0000)) // no small factors
	begin := time.Now()
	r, _ := s.Check(context.Background(), c, q)
	if took := time.Since(begin); took > time.Minute {
		t.Fatalf("took %v", took)
	}
	if r != Unknown || s.Stats.Timeouts != 1 {
		t.Fatalf("%v, %+v", r, s.Stats)
	}
}

// TestContradictionCache checks that a recorded contradiction answers for a
// larger set of constraints without the SAT core.
func TestContradictionCache(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	ctx := context.Background()
	x, y, z := b.Read(b.Var("x", 4), 0, 4), b.Read(b.Var("y", 4), 0, 4), b.Read(b.Var("z", 4), 0, 4)
	c := (*expr.Constraints)(nil).Add(b, b.Ult(x, y), nil).Add(b, b.Ult(y, z), nil)
	if r, _ := s.Check(ctx, c, b.Ult(z, x)); r != Unsat {
		t.Fatalf("a cycle is %v", r)
	}
	more := c.Add(b, b.Ne(b.Xor(x, z), y), nil)
	before := s.Stats
	if r, _ := s.Check(ctx, more, b.Ult(z, x)); r != Unsat {
		t.Fatalf("a cycle is %v", r)
	}
	if s.Stats.BySAT != before.BySAT || s.Stats.ByCache != before.ByCache+1 {
		t.Fatalf("not answered by the cache: %+v", s.Stats)
	}
	if r, _ := s.Check(ctx, more, b.Ult(x, z)); r != Sat {
		t.Fatalf("the order is %v", r)
	}
}
