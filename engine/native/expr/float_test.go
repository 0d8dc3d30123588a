package expr

import (
	"math/rand/v2"
	"testing"

	"klabel/engine/native/ieee"
)

// floatCase is an operation on a number and a constant: what the Builder makes of it,
// and what package ieee, the machine's arithmetic, says that it is.
type floatCase struct {
	name string
	make func(b *Builder, f ieee.Format, x, k *Expr) *Expr
	want func(f ieee.Format, x, k ieee.Bits) ieee.Bits
}

func truthBits(c bool) ieee.Bits {
	if c {
		return ieee.Bits{Lo: 1}
	}
	return ieee.Bits{}
}

func floatCases() []floatCase {
	var out []floatCase
	binary := func(name string, mk func(b *Builder, f ieee.Format, x, y *Expr) *Expr,
		want func(f ieee.Format, x, y ieee.Bits) ieee.Bits) {
		out = append(out, floatCase{"x " + name + " k", mk, want}, floatCase{"k " + name + " x",
			func(b *Builder, f ieee.Format, x, k *Expr) *Expr { return mk(b, f, k, x) },
			func(f ieee.Format, x, k ieee.Bits) ieee.Bits { return want(f, k, x) }})
	}
	binary("+", (*Builder).FAdd, ieee.Format.Add)
	binary("-", (*Builder).FSub, ieee.Format.Sub)
	binary("*", (*Builder).FMul, ieee.Format.Mul)
	binary("/", (*Builder).FDiv, ieee.Format.Div)
	binary("rem", (*Builder).FRem, ieee.Format.Rem)
	order := func(ok func(o int) bool) func(f ieee.Format, x, y ieee.Bits) ieee.Bits {
		return func(f ieee.Format, x, y ieee.Bits) ieee.Bits { return truthBits(ok(f.Order(x, y))) }
	}
	binary("<", (*Builder).FLess, order(func(o int) bool { return o == -1 }))
	binary("<=", (*Builder).FLessEq, order(func(o int) bool { return o == -1 || o == 0 }))
	binary("==", (*Builder).FEqual, order(func(o int) bool { return o == 0 }))
	// A product in a wider format, and back: what C makes of float * double.
	wide := map[ieee.Format]ieee.Format{ieee.Tiny: ieee.Half, ieee.Half: ieee.Single, ieee.Single: ieee.Double,
		ieee.Double: ieee.X87, ieee.X87: ieee.Quad}
	binary("*wide", func(b *Builder, f ieee.Format, x, y *Expr) *Expr {
		g := wide[f]
		return b.FConvert(g, f, b.FMul(g, b.FConvert(f, g, x), b.FConvert(f, g, y)))
	}, func(f ieee.Format, x, y ieee.Bits) ieee.Bits {
		g := wide[f]
		return g.Convert(g.Mul(f.Convert(x, g), f.Convert(y, g)), f)
	})
	binary("<wide", func(b *Builder, f ieee.Format, x, y *Expr) *Expr {
		g := wide[f]
		return b.FLess(g, b.FConvert(f, g, x), b.FConvert(f, g, y))
	}, func(f ieee.Format, x, y ieee.Bits) ieee.Bits {
		g := wide[f]
		return truthBits(g.Order(f.Convert(x, g), f.Convert(y, g)) == -1)
	})
	return append(out,
		floatCase{"narrow and back", func(b *Builder, f ieee.Format, x, _ *Expr) *Expr {
			g := wide[f]
			return b.FConvert(g, f, b.FConvert(f, g, x))
		}, func(f ieee.Format, x, _ ieee.Bits) ieee.Bits { return wide[f].Convert(f.Convert(x, wide[f]), f) }},
		floatCase{"x / k / k", func(b *Builder, f ieee.Format, x, k *Expr) *Expr {
			return b.FDiv(f, b.FDiv(f, x, k), k)
		}, func(f ieee.Format, x, k ieee.Bits) ieee.Bits { return f.Div(f.Div(x, k), k) }})
}

// TestFloatConstants holds operations with a constant against the machine's
// arithmetic, bit for bit: of the smallest format all constants and all numbers.
func TestFloatConstants(t *testing.T) {
	for _, c := range floatCases() {
		for k := range uint64(1) << ieee.Tiny.Width() {
			b, x, m := floatInput(ieee.Tiny)
			e := c.make(b, ieee.Tiny, x, b.Const(ieee.Tiny.Width(), k))
			for v := range uint64(1) << ieee.Tiny.Width() {
				checkFloat(t, c, ieee.Tiny, b, e, ieee.Bits{Lo: v}, ieee.Bits{Lo: k}, m(ieee.Bits{Lo: v}))
			}
		}
	}
	r := rand.New(rand.NewPCG(1, 9))
	for f := ieee.Half; f <= ieee.X87; f++ {
		for _, c := range floatCases() {
			for range 80 {
				k := someFloat(r, f)
				b, x, m := floatInput(f)
				e := c.make(b, f, x, b.ConstValue(f.Width(), Value(k)))
				for range 20 {
					v := someFloat(r, f)
					checkFloat(t, c, f, b, e, v, k, m(v))
				}
			}
		}
	}
}

// floatInput is a number of a format that is open, and what makes models of it.
func floatInput(f ieee.Format) (*Builder, *Expr, func(ieee.Bits) *Model) {
	b := NewBuilder()
	v := b.Var("x", 16)
	return b, b.Extract(b.Read(v, 0, (f.Width()+7)/8), 0, f.Width()), func(x ieee.Bits) *Model {
		m := &Model{}
		for i := range (f.Width() + 7) / 8 {
			m.Set(v, i, byte(Value(x).shr(uint(8*i)).Lo))
		}
		return m
	}
}

func checkFloat(t *testing.T, c floatCase, f ieee.Format, b *Builder, e *Expr, x, k ieee.Bits, m *Model) {
	t.Helper()
	if got, want := b.Eval(e, m), Value(c.want(f, x, k)); got != want {
		t.Fatalf("%s of format %d, x %x, k %x: %x, want %x: %v", c.name, f, x, k, got, want, e)
	}
}

// someFloat is a number of all exponents, of few or of all bits, or a small integer
// as programs write them.
func someFloat(r *rand.Rand, f ieee.Format) ieee.Bits {
	v := ieee.Bits{Lo: r.Uint64(), Hi: r.Uint64()}
	p := uint(f.Precision() - 1)
	switch r.IntN(6) {
	case 0:
		n := r.Int64N(2000) - 1000
		v = f.FromInt(ieee.Bits{Lo: uint64(n)}, 64, true)
		if r.IntN(2) == 0 {
			v = f.Div(v, f.FromInt(ieee.Bits{Lo: 10}, 64, true))
		}
		return v
	case 1: // a power of two, or a number next to one
		v = ieee.Bits(Value(v).shr(p).shl(p))
		v.Lo += r.Uint64N(3)
	case 2: // denormal
		v = ieee.Bits(Value(v).Mask(int(p)))
	case 3: // infinity, NaN
		v = ieee.Bits(Value(v).Mask(int(p)))
		if r.IntN(2) == 0 {
			v = ieee.Bits{}
		}
		inf := f.Inf(r.IntN(2) == 0)
		v.Lo, v.Hi = v.Lo|inf.Lo, v.Hi|inf.Hi
	}
	v = ieee.Bits(Value(v).Mask(f.Width()))
	if f.Explicit() { // the integer bit is set where it must be
		one := Value{Lo: 1}.shl(p)
		v.Lo &^= one.Lo
		if !(Value(v).shr(p + 1).Mask(f.Exp())).IsZero() {
			v.Lo |= one.Lo
		}
	}
	return v
}
