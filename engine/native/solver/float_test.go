package solver

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"klabel/engine/native/expr"
	"klabel/engine/native/ieee"
)

// operations lists every floating-point operation on formats f and g.
func operations(f, g ieee.Format) []operation {
	ops := []operation{
		{"add", 2, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FAdd(f, x[0], x[1]) }},
		{"sub", 2, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FSub(f, x[0], x[1]) }},
		{"mul", 2, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FMul(f, x[0], x[1]) }},
		{"div", 2, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FDiv(f, x[0], x[1]) }},
		{"rem", 2, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FRem(f, x[0], x[1]) }},
		{"fma", 3, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FMA(f, x[0], x[1], x[2]) }},
		{"sqrt", 1, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FSqrt(f, x[0]) }},
		{"convert", 1, func(b *expr.Builder, x []*expr.Expr) *expr.Expr { return b.FConvert(f, g, x[0]) }},
	}
	for m := ieee.NearestEven; m <= ieee.Down; m++ {
		ops = append(ops, operation{"rint", 1, func(b *expr.Builder,
			x []*expr.Expr) *expr.Expr {
			return b.FRint(f, m, x[0])
		}})
	}
	for _, w := range []int{3, 8, 16, 32, 64, 128} {
		for _, s := range []bool{false, true} {
			ops = append(ops, operation{"toint", 1, func(b *expr.Builder,
				x []*expr.Expr) *expr.Expr {
				return b.FToInt(f, x[0], w, s)
			}})
			if w <= f.Width() {
				ops = append(ops, operation{"fromint", 1, func(b *expr.Builder, x []*expr.Expr) *expr.Expr {
					return b.IntToF(f, b.Extract(x[0], 0, w), s)
				}})
			}
		}
	}
	return ops
}

type operation struct {
	name string
	args int
	make func(b *expr.Builder, x []*expr.Expr) *expr.Expr
}

// folder computes circuits of an expression on constant inputs: gates fold, so
// that no search is needed except where a circuit has variables of its own.
type folder struct {
	t *blaster
	b *expr.Builder
	x []*expr.Expr
}

func newFolder(f ieee.Format) *folder {
	w := &folder{t: newBlaster(newCDCL()), b: expr.NewBuilder()}
	for _, n := range []string{"x", "y", "z"} {
		v := w.b.Var(n, 16)
		w.x = append(w.x, w.b.Extract(w.b.Read(v, 0, (f.Width()+7)/8), 0, f.Width()))
	}
	return w
}

// value returns what the circuit of e gives for inputs.
func (w *folder) value(t *testing.T, e *expr.Expr, in []ieee.Bits) expr.Value {
	c := w.t
	c.g.reset()
	c.bits = c.bits[:0]
	clear(c.at)
	c.relaxed, c.late, c.until = false, false, time.Now().Add(time.Minute)
	for i, v := range in {
		for n := 1; n <= w.x[i].Width(); n++ { // leaves of parts as well
			c.at[w.b.Extract(w.x[i], 0, n).ID()] = int32(len(c.bits))
		}
		c.bits = append(c.bits, constBits(expr.Value(v), w.x[i].Width())...)
	}
	out := append([]lit(nil), c.blast(e)...)
	v, ok := allConst(out)
	if ok {
		return v
	}
	if r := c.g.core.solve(nil, func() bool { return false }); r != Sat {
		t.Fatalf("%v on %x: the circuit has no value", e, in)
	}
	for i, l := range out {
		out[i] = litFalse
		if c.g.core.value(l) {
			out[i] = litTrue
		}
	}
	v, _ = allConst(out)
	return v
}

func (w *folder) model(in []ieee.Bits, f ieee.Format) *expr.Model {
	m := &expr.Model{}
	for i, v := range in {
		for j := 0; j < (f.Width()+7)/8; j++ {
			word, at := v.Lo, j
			if j >= 8 {
				word, at = v.Hi, j-8
			}
			m.Set(w.b.Var([]string{"x", "y", "z"}[i], 16), j, byte(word>>(8*at)))
		}
	}
	return m
}

// check compares the circuit with the evaluation.
func (w *folder) check(t *testing.T, name string, e *expr.Expr, f ieee.Format, in []ieee.Bits) {
	t.Helper()
	got, want := w.value(t, e, in), w.b.Eval(e, w.model(in, f))
	if got != want && !w.t.relaxed {
		t.Fatalf("%s of format %d on %x: the circuit gives %x, not %x", name, f, in, got, want)
	}
}

// TestFloatCircuitsTiny compares the circuits with package ieee on all values
// of the small formats.
func TestFloatCircuitsTiny(t *testing.T) {
	for _, f := range []ieee.Format{ieee.Tiny, ieee.TinyX} {
		w := newFolder(f)
		n := uint64(1) << f.Width()
		r := rand.New(rand.NewPCG(1, 2))
		for _, op := range operations(f, ieee.Half) {
			e := op.make(w.b, w.x)
			searches := op.name == "div" // its circuit has variables: fewer pairs
			for a := uint64(0); a < n; a++ {
				if op.args == 1 {
					w.check(t, op.name, e, f, []ieee.Bits{{Lo: a}})
					continue
				}
				for c := uint64(0); c < n; c++ {
					if searches && r.IntN(8) != 0 || f == ieee.TinyX && r.IntN(4) != 0 || op.name == "rem" &&
						r.IntN(4) != 0 {
						continue
					}
					in := []ieee.Bits{{Lo: a}, {Lo: c}, {Lo: r.Uint64N(n)}}
					w.check(t, op.name, e, f, in[:op.args])
				}
			}
		}
	}
}

// floatCorner returns a value of a format that is likely to be special.
func floatCorner(r *rand.Rand, f ieee.Format) ieee.Bits {
	p := f.Precision() - 1
	frac := r.Uint64()
	fracHi := r.Uint64()
	switch r.IntN(6) {
	case 0:
		frac, fracHi = 0, 0
	case 1:
		frac, fracHi = ^uint64(0), ^uint64(0)
	case 2:
		frac, fracHi = 1, 0
	case 3:
		frac, fracHi = frac<<(p/2), 0
	}
	exp := r.Uint64() & (1<<f.Exp() - 1)
	switch bias := uint64(f.Bias()); r.IntN(8) {
	case 0:
		exp = 0
	case 1:
		exp = 2*bias + 1
	case 2:
		exp = 1 + r.Uint64N(2)
	case 3, 4, 5:
		exp = bias - 4 + r.Uint64N(uint64(f.Precision())+8)
		exp = min(exp, 2*bias+1)
	case 6:
		exp = 2*bias - r.Uint64N(3)
	}
	v := new(bitString)
	v.add(frac, fracHi, p)
	if f.Explicit() {
		bit := uint64(1)
		if exp == 0 {
			bit = r.Uint64() & 1
		}
		if r.IntN(32) == 0 {
			bit ^= 1
		}
		v.add(bit, 0, 1)
	}
	v.add(exp|r.Uint64()<<f.Exp(), 0, f.Exp()+1)
	return v.Bits
}

// bitString joins fields, the lowest first.
type bitString struct {
	ieee.Bits
	n int
}

func (s *bitString) add(lo, hi uint64, width int) {
	v := expr.Value{Lo: lo, Hi: hi}.Mask(width)
	v = expr.Apply(expr.OpShl, 128, v, expr.Value{Lo: uint64(s.n)})
	s.Bits, s.n = ieee.Bits{Lo: s.Lo | v.Lo, Hi: s.Hi | v.Hi}, s.n+width
}

// TestFloatCircuits compares the circuits with package ieee on corners and
// random values of the real formats.
func TestFloatCircuits(t *testing.T) {
	next := map[ieee.Format]ieee.Format{ieee.Half: ieee.Single, ieee.Single: ieee.Double, ieee.Double: ieee.Single,
		ieee.X87: ieee.Double, ieee.Quad: ieee.X87}
	r := rand.New(rand.NewPCG(3, 4))
	for f := ieee.Half; f <= ieee.Quad; f++ {
		w := newFolder(f)
		for _, g := range []ieee.Format{next[f], ieee.X87, ieee.Half} {
			for _, op := range operations(f, g) {
				if g != next[f] && op.name != "convert" {
					continue
				}
				n := 200
				if op.name == "div" || op.name == "sqrt" || op.name == "rem" {
					n = 40
				}
				e := op.make(w.b, w.x)
				for range n {
					in := []ieee.Bits{floatCorner(r, f), floatCorner(r, f), floatCorner(r, f)}
					w.check(t, op.name, e, f, in[:op.args])
				}
			}
		}
	}
}

// TestFloatLemmas checks that the lemmas hold of what operations compute, alone
// and for operations that share operands.
func TestFloatLemmas(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, f := range []ieee.Format{ieee.Tiny, ieee.Half, ieee.Single, ieee.Double} {
		w := newFolder(f)
		w.t.lemmas = true
		b, x, y, z := w.b, w.x[0], w.x[1], w.x[2]
		sets := [][]*expr.Expr{
			{b.FAdd(f, x, y), b.FAdd(f, x, z), b.FSub(f, x, z), b.FSub(f, z, x), b.FAdd(f, y, x)},
			{b.FMul(f, x, y), b.FMul(f, z, x), b.FMul(f, y, z)},
			{b.FDiv(f, x, y), b.FDiv(f, x, z), b.FDiv(f, z, y)},
			{b.FSqrt(f, x), b.FSqrt(f, y)},
		}
		n := 200
		if f == ieee.Tiny {
			n = 5000
		}
		for _, set := range sets {
			all := b.Const(1, 0)
			for _, e := range set {
				all = b.Xor(all, b.Extract(e, 0, 1))
			}
			for range n {
				in := []ieee.Bits{floatCorner(r, f), floatCorner(r, f), floatCorner(r, f)}
				if r.IntN(3) == 0 {
					in[1] = f.Neg(in[2])
				}
				w.t.facts = nil
				w.value(t, all, in)
				if got := w.t.g.core.solve(nil, func() bool { return false }); got != Sat {
					t.Fatalf("format %d, %v: lemmas do not hold on %x", f, set[0].Op(), in)
				}
			}
		}
	}
}

// TestFloatSeek decides what needs the search: equations of products, and
// contradictions that lemmas find.
func TestFloatSeek(t *testing.T) {
	b := expr.NewBuilder()
	f := ieee.Double
	num := func(d float64) *expr.Expr { return b.Const(64, math.Float64bits(d)) }
	x, y, z := b.Read(b.Var("x", 8), 0, 8), b.Read(b.Var("y", 8), 0, 8), b.Read(b.Var("z", 8), 0, 8)
	disc := b.FSub(f, b.FMul(f, y, y), b.FMul(f, num(4), b.FMul(f, x, z)))
	root := b.FSqrt(f, disc)
	ny := b.FNeg(f, y)
	first, second := b.FDiv(f, b.FSub(f, ny, root), b.FMul(f, num(2), x)),
		b.FDiv(f, b.FAdd(f, ny, root), b.FMul(f, num(2), x))
	for _, c := range []struct {
		name string
		cs   []*expr.Expr
		want Result
	}{
		{"narrow", []*expr.Expr{b.FLess(f, num(1234.5), disc), b.FLess(f, disc, num(1234.50001)), b.FLess(f, num(1), x)}, Sat},
		{"negative square", []*expr.Expr{b.FLess(f, b.FMul(f, x, x), num(0))}, Unsat},
		{"order of roots", []*expr.Expr{b.FLess(f, num(0), x), b.FLess(f, second, first)}, Unsat},
		{"two bounds", []*expr.Expr{b.FLess(f, disc, num(-100)), b.Not(b.FLess(f, disc, num(0)))}, Unsat},
		{"NaN", []*expr.Expr{b.FIsNaN(f, b.FDiv(f, x, y)), b.FLess(f, x, num(5)), b.FLess(f, y, z)}, Sat},
	} {
		s := New(b, Options{Timeout: time.Minute})
		got, m := s.Decide(context.Background(), c.cs)
		if got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		for _, e := range c.cs {
			if got == Sat && !b.Holds(e, m) {
				t.Errorf("%s: the model does not satisfy %v", c.name, e)
			}
		}
	}
}
