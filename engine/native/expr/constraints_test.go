package expr

import "testing"

// TestSubsumed checks that a loop's bound leaves one constraint and that what
// follows from it is answered without a solver.
func TestSubsumed(t *testing.T) {
	b := NewBuilder()
	n := b.Read(b.Var("n", 4), 0, 4)
	var c *Constraints
	c = c.Add(b, b.Slt(n, b.Const(32, 100000)), nil)
	for i := uint64(0); i < 1000; i++ {
		e := b.Slt(b.Const(32, i), n)
		if got := c.Simplify(b, e); got.IsConst() && i > 0 {
			t.Fatalf("%d < n is %v", i, got)
		}
		c = c.Add(b, e, nil)
	}
	if c.Len() != 2 {
		t.Fatalf("%d constraints, want 2", c.Len())
	}
	for q, want := range map[*Expr]bool{
		b.Slt(b.Const(32, 5), n):       true,
		b.Ult(n, b.Const(32, 1<<31)):   true,
		b.Slt(n, b.Const(32, 7)):       false,
		b.Eq(n, b.Const(32, 8)):        false,
		b.Ne(n, b.Const(32, 8)):        true,
		b.Slt(n, b.Const(32, 1000000)): true,
	} {
		if got := c.Simplify(b, q); got.IsConst() && got.IsTrue() != want || !got.IsConst() && q.op != OpUlt {
			t.Errorf("%v becomes %v, want %v", q, got, want)
		}
	}
}

// TestReload checks that a value stored byte by byte and loaded again is the
// same node, for the operations that programs store.
func TestReload(t *testing.T) {
	b := NewBuilder()
	x, y := b.Read(b.Var("x", 4), 0, 4), b.Read(b.Var("y", 4), 0, 4)
	c := b.Byte(b.Var("c", 1), 0)
	for _, e := range []*Expr{x, b.Add(x, y), b.Mul(x, y), b.Sub(x, b.Const(32, 3)), b.ZExt(c, 32), b.SExt(c, 32),
		b.Not(x), b.Not(b.Add(x, y)),
		b.And(x, y), b.Ite(b.Ult(x, y), x, y), b.ZExt(b.Ult(x, y), 32), b.Shl(x, b.Const(32, 5)),
		b.LShr(x, b.Const(32, 5)), b.AShr(x, b.Const(32, 13)),
		b.URem(x, b.Const(32, 10)), b.UDiv(x, b.Const(32, 1000)),
		b.Ite(b.Ult(x, y), b.Const(32, 7), b.Const(32, 70000)), b.Neg(b.SExt(c, 32)),
		b.Or(b.ZExt(c, 32), b.Const(32, 0x12340000)), b.SExt(b.Ult(x, y), 32), b.SDiv(x, y),
		b.Xor(x, b.Const(32, 0x55))} {
		var bytes []*Expr
		for i := 0; i < e.Width(); i += 8 {
			bytes = append(bytes, b.Extract(e, i, 8))
		}
		if got := b.ConcatBytes(bytes); got != e {
			t.Errorf("%v comes back as %v", e, got)
		}
	}
}

// TestTrim checks that the table forgets what is not used and stays correct.
func TestTrim(t *testing.T) {
	b := NewBuilder()
	b.SetLimit(1 << 12)
	x := b.Read(b.Var("x", 8), 0, 8)
	m := &Model{}
	for i := uint64(0); i < 200000; i++ {
		e := b.Add(b.Xor(x, b.Const(64, i*77)), b.Const(64, i))
		if got := b.Eval(e, m).Lo; got != i*77+i {
			t.Fatalf("%d: %d", i, got)
		}
	}
	if n := b.Nodes(); n > 1<<16 {
		t.Errorf("%d nodes in a table with a limit of %d", n, 1<<12)
	}
	if !b.True().IsTrue() || b.Bool(true) != b.Eq(x, x) || b.Const(1, 1) != b.True() {
		t.Error("the constants were forgotten")
	}
}
