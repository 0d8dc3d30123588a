package solver

import (
	"testing"
	"time"

	"klabel/engine/native/expr"
)

// TestChecksums: sums of hundreds of bytes that no other constraint reads, held against numbers that are written
// beside them in octal digits, as archives do; and against what no sum comes to.
func TestChecksums(t *testing.T) {
	b := expr.NewBuilder()
	header, digits := b.Var("header", 500), b.Var("digits", 4)
	sum := b.Const(32, 256)
	mix := b.Const(32, 1)
	for i := range 500 {
		sum = b.Add(sum, b.ZExt(b.Byte(header, i), 32))
		mix = b.Xor(b.Add(mix, mix), b.ZExt(b.Byte(header, i), 32))
	}
	digit := func(i int) *expr.Expr { return b.Sub(b.SExt(b.Byte(digits, i), 32), b.Const(32, '0')) }
	octal := func(n int) (*expr.Expr, []*expr.Expr) {
		value, cs := b.Const(32, 0), []*expr.Expr{}
		for i := range n {
			cs = append(cs, b.Ult(digit(i), b.Const(32, 8)))
			value = b.Add(b.Mul(value, b.Const(32, 8)), digit(i))
		}
		return value, cs
	}
	one, oneDigit := octal(1)
	three, threeDigits := octal(3)
	for _, c := range []struct {
		name string
		cs   []*expr.Expr
		want Result
	}{
		{"the least", []*expr.Expr{b.Eq(sum, b.Const(32, 256))}, Sat},
		{"less than that", []*expr.Expr{b.Eq(sum, b.Const(32, 255))}, Unsat},
		{"more than there is", []*expr.Expr{b.Eq(sum, b.Const(32, 256+500*255+1))}, Unsat},
		{"one digit", append(oneDigit, b.Eq(sum, one)), Unsat},
		{"one digit, told by signs", []*expr.Expr{b.Slt(digit(0), b.Const(32, 8)),
			b.Ult(b.Sub(b.ZExt(b.Byte(digits, 0), 32), b.Const(32, '0')), b.Const(32, 10)), b.Eq(sum, one)}, Unsat},
		{"three digits", append(threeDigits, b.Eq(sum, three)), Sat},
		{"three digits, in one constraint", []*expr.Expr{b.And(b.And(threeDigits[0], b.Eq(sum, three)),
			b.And(threeDigits[1], threeDigits[2]))}, Sat},
		{"a sum that is moved", append(threeDigits, b.Eq(mix, three)), Sat},
		{"a large sum", []*expr.Expr{b.Ult(b.Const(32, 100_000), sum)}, Sat},
	} {
		s := New(b, Options{Timeout: time.Minute}) // a busy machine is no reason to fail
		begin := time.Now()
		r, m := s.Decide(t.Context(), c.cs)
		if r != c.want || r == Sat && !s.ev.All(c.cs, m) {
			t.Errorf("%s: %v after %v, want %v", c.name, r, time.Since(begin), c.want)
		}
		t.Logf("%s: %v", c.name, time.Since(begin))
	}
}
