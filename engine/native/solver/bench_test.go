package solver

import (
	"testing"

	"klabel/engine/native/expr"
)

func benchCore(b *testing.B, c core, cs []*expr.Expr, want Result) {
	t := newBlaster(c)
	for b.Loop() {
		if r, _, _ := t.check(cs, far()); r != want {
			b.Fatalf("%v, want %v", r, want)
		}
	}
}

func questions(b *expr.Builder) map[string][]*expr.Expr {
	x, y, z := b.Read(b.Var("x", 4), 0, 4), b.Read(b.Var("y", 4), 0, 4), b.Read(b.Var("z", 4), 0, 4)
	k := func(v uint64) *expr.Expr { return b.Const(32, v) }
	return map[string][]*expr.Expr{
		"small": {b.Sgt(x, k(1000)), b.Eq(y, x)},
		"tri": {b.Sgt(b.Add(x, y), z), b.Sgt(b.Add(x, z), y), b.Sgt(b.Add(y, z), x), b.Ne(x, y), b.Eq(y, z),
			b.Sgt(x, k(0)), b.Sgt(y, k(0)), b.Sgt(z, k(0))},
		"product": {b.Eq(b.Mul(x, y), k(123456789)), b.Ugt(x, k(1)), b.Ugt(y, k(1))},
		"prod64": {b.Eq(b.Mul(b.ZExt(x, 64), b.ZExt(y, 64)), b.Const(64, 10007*4001)), b.Ugt(x, k(1)),
			b.Ugt(y, k(1))},
		"rem":   {b.Eq(b.SRem(x, k(7)), k(3)), b.Eq(b.SRem(x, k(11)), k(5)), b.Sgt(x, k(100000))},
		"remxy": {b.Eq(b.SRem(x, y), k(3)), b.Eq(b.SDiv(x, y), k(77)), b.Sgt(x, k(100000)), b.Ne(y, k(0))},
		"pythagore": {b.Eq(b.Add(b.Mul(x, x), b.Mul(y, y)), b.Mul(z, z)), b.Ult(x, k(1000)), b.Ult(y, k(1000)),
			b.Ult(z, k(1000)), b.Ugt(x, k(20)), b.Ugt(y, x)},
	}
}

func BenchmarkCore(b *testing.B) {
	for _, name := range []string{"small", "tri", "product", "prod64", "rem", "remxy", "pythagore"} {
		cs := questions(expr.NewBuilder())[name]
		b.Run("cdcl/"+name, func(b *testing.B) { benchCore(b, newCDCL(), cs, Sat) })
		b.Run("gini/"+name, func(b *testing.B) { benchCore(b, newGiniCore(), cs, Sat) })
	}
}
