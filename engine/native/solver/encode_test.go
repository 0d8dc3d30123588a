package solver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"klabel/engine/native/expr"
)

func corner(r *rand.Rand, w int) expr.Value {
	v := expr.Value{Lo: r.Uint64(), Hi: r.Uint64()}
	switch r.IntN(8) {
	case 0:
		v = expr.Value{}
	case 1:
		v = expr.Value{Lo: 1}
	case 2:
		v = expr.Ones(w)
	case 3:
		v = expr.Apply(expr.OpShl, w, expr.Value{Lo: 1}, expr.Value{Lo: uint64(w - 1)})
	case 4:
		v = expr.Value{Lo: r.Uint64N(200)}
	case 5:
		v = expr.Apply(expr.OpShl, w, expr.Value{Lo: 1}, expr.Value{Lo: uint64(r.IntN(w))})
	}
	return v.Mask(w)
}

func far() time.Time { return time.Now().Add(20 * time.Second) }

// TestEncoding pins both operands of every operation at every width to corner
// and random values, or has one of them a constant, and checks that the circuit
// gives the arithmetic result and no other.
func TestEncoding(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for w := 1; w <= 128; w++ {
		s := New(expr.NewBuilder(), Options{})
		b := s.b
		full := (w + 7) / 8
		x := b.Extract(b.Read(b.Var("x", 16), 0, full), 0, w)
		y := b.Extract(b.Read(b.Var("y", 16), 0, full), 0, w)
		for op := expr.OpAdd; op <= expr.OpSle; op++ {
			if op == expr.OpNot {
				continue
			}
			// Wide dividers are large; there each width takes one of the cases.
			first, last := 0, 2
			if w > 24 && w != 32 && op >= expr.OpMul && op <= expr.OpSRem {
				first = (w + int(op)) % 3
				if w > 64 && w%8 != 0 {
					first = 1
				}
				last = first
			}
			for i := first; i <= last; i++ {
				vx, vy := corner(r, w), corner(r, w)
				cx, cy := b.ConstValue(w, vx), b.ConstValue(w, vy)
				e := b.Binary(op, x, y)
				switch i {
				case 1:
					e = b.Binary(op, x, cy)
				case 2:
					e = b.Binary(op, cx, y)
				}
				want := b.ConstValue(e.Width(), expr.Apply(op, w, vx, vy))
				pin := []*expr.Expr{b.Eq(x, cx), b.Eq(y, cy)}
				if got, m, _ := s.bl.check(append([]*expr.Expr{b.Eq(e, want)}, pin...), far()); got != Sat ||
					!s.ev.All(pin, m) {
					t.Fatalf("%v width %d (case %d) of %x and %x: %x is %v", op, w, i, vx, vy, want.Value(), got)
				}
				if i != last || w > 64 && w%8 != 0 && first == last {
					continue // the same clauses but one: once is enough
				}
				if got, _, _ := s.bl.check(append([]*expr.Expr{b.Ne(e, want)}, pin...), far()); got != Unsat {
					t.Fatalf("%v width %d (case %d) of %x and %x: other than %x is %v", op, w, i, vx, vy, want.Value(),
						got)
				}
			}
		}
	}
}

// TestNonZeroDivisor checks that a constraint which spares the division's case
// for zero is part of the contradiction that follows from it.
func TestNonZeroDivisor(t *testing.T) {
	b := expr.NewBuilder()
	s := New(b, Options{})
	x, y := b.Read(b.Var("x", 4), 0, 4), b.Read(b.Var("y", 4), 0, 4)
	q := b.Eq(b.UDiv(x, y), b.ConstValue(32, expr.Ones(32)))
	small := b.Ult(x, b.Const(32, 6))
	for _, guard := range []*expr.Expr{b.Ne(y, b.Const(32, 0)), b.Ult(b.Const(32, 3), y), b.Slt(b.Const(32, 3), y),
		b.Ult(x, y)} {
		r, _, core := s.bl.check([]*expr.Expr{q, small, guard}, far())
		if r != Unsat || !slices.Contains(core, guard) {
			t.Errorf("with %v: %v, contradiction %v", guard, r, core)
		}
	}
	r, m, _ := s.bl.check([]*expr.Expr{q, small}, far())
	if r != Sat || !s.ev.All([]*expr.Expr{q, small}, m) {
		t.Errorf("division by zero: %v", r)
	}
}
