package solver

import (
	"math"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// TestLossy: a form that is never below 0, the power of a frequency, is where products lose
// their bits. The local search finds that within its first share.
func TestLossy(t *testing.T) {
	for _, f := range []ieee.Format{ieee.Single, ieee.Double} {
		b := expr.NewBuilder()
		k := func(d float64) *expr.Expr {
			return b.Const(f.Width(), ieee.Double.Convert(ieee.Bits{Lo: math.Float64bits(d)}, f).Lo)
		}
		var cs []*expr.Expr
		s1, s2 := k(0), k(0)
		for i := range 8 {
			x := b.Read(b.Var(string(rune('a'+i)), f.Width()/8), 0, f.Width()/8)
			cs = append(cs, b.FLessEq(f, k(-1), x), b.FLessEq(f, x, k(1)))
			s1, s2 = b.FSub(f, b.FAdd(f, x, b.FMul(f, k(1.41421356), s1)), s2), s1
		}
		power := b.FSub(f, b.FAdd(f, b.FMul(f, s1, s1), b.FMul(f, s2, s2)), b.FMul(f, b.FMul(f, k(1.41421356), s1), s2))
		s := New(b, Options{})
		cs = append(cs, b.FLess(f, power, k(0)))
		if m := s.seek(s.newSeeker(cs, time.Now().Add(time.Hour)), seekFirst); m == nil || !s.ev.All(cs, m) {
			t.Errorf("%d bits: nothing was found", f.Width())
		}
	}
}
