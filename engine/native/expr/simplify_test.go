package expr

import (
	"math/rand/v2"
	"testing"
)

// machine builds random expressions on a stack and, beside each, computes its
// value under several models with plain arithmetic: what the Builder makes of
// an operation must evaluate to what the operation means.
type machine struct {
	t      *testing.T
	b      *Builder
	in     []byte
	vars   []*Var
	models []*Model
	stack  []entry
}

type entry struct {
	e    *Expr
	vals []Value
}

func (m *machine) next() int {
	if len(m.in) == 0 {
		return 0
	}
	v := m.in[0]
	m.in = m.in[1:]
	return int(v)
}

func newMachine(t *testing.T, in []byte, seed uint64) *machine {
	m := &machine{t: t, b: NewBuilder(), in: in}
	r := rand.New(rand.NewPCG(seed, 7))
	m.vars = []*Var{m.b.Var("a", 4), m.b.Var("b", 16), m.b.Var("c", 1), m.b.Var("d", 9)}
	for i := 0; i < 10; i++ {
		mod := &Model{}
		for _, v := range m.vars {
			for j := 0; j < v.Size; j++ {
				c := byte(r.Uint32())
				switch i {
				case 0:
					c = 0
				case 1:
					c = 0xff
				case 2:
					c = byte(r.Uint32()) & 1
				case 3:
					c = 0x80 * (byte(r.Uint32()) & 1)
				}
				mod.Set(v, j, c)
			}
		}
		m.models = append(m.models, mod)
	}
	return m
}

func (m *machine) push(what string, e *Expr, f func(i int) Value) {
	x := entry{e: e}
	for i, mod := range m.models {
		want := f(i).Mask(e.Width())
		if got := m.b.Eval(e, mod); got != want {
			m.t.Fatalf("%s: %v evaluates to %x, want %x", what, e, got, want)
		}
		x.vals = append(x.vals, want)
		if lo, hi, ok := e.URange(); ok && (want.Lo < lo || want.Lo > hi) {
			m.t.Fatalf("%s: %v is %x, outside its range %x..%x", what, e, want.Lo, lo, hi)
		}
		if want.bitLen() > e.usedBits() {
			m.t.Fatalf("%s: %v uses more than %d bits", what, e, e.usedBits())
		}
	}
	if e.IsConst() && e.Value() != e.Value().Mask(e.Width()) {
		m.t.Fatalf("%s: constant %v has bits above its width", what, e)
	}
	m.stack = append(m.stack, x)
	if len(m.stack) > 24 {
		m.stack = m.stack[1:]
	}
}

// pick takes an entry from anywhere in the stack and leaves it there.
func (m *machine) pick() entry {
	if len(m.stack) == 0 {
		return m.leaf()
	}
	k := m.next() % len(m.stack)
	return m.stack[len(m.stack)-1-k]
}

func (m *machine) leaf() entry {
	v := m.vars[m.next()%len(m.vars)]
	i := m.next() % v.Size
	n := 1 + m.next()%min(v.Size-i, 16)
	e := m.b.Read(v, i, n)
	m.push("leaf", e, func(k int) Value {
		var out Value
		for j := n - 1; j >= 0; j-- {
			out = out.shl(8)
			out.Lo |= uint64(m.models[k].Byte(v, i+j))
		}
		return out
	})
	return m.stack[len(m.stack)-1]
}

func (m *machine) constant(w int) entry {
	var v Value
	switch m.next() % 8 {
	case 0:
	case 1:
		v = Value{Lo: 1}
	case 2:
		v = Ones(w)
	case 3:
		v = Value{Lo: 1}.shl(uint(w - 1))
	case 4:
		v = Value{Lo: 1}.shl(uint(m.next() % w))
	case 5:
		v = Ones(w).shr(1)
	case 6:
		v = Value{Lo: uint64(m.next())}
	default:
		for i := 0; i < 16; i++ {
			v = v.shl(8)
			v.Lo |= uint64(m.next())
		}
	}
	v = v.Mask(w)
	m.push("const", m.b.ConstValue(w, v), func(int) Value { return v })
	return m.stack[len(m.stack)-1]
}

// fit brings an entry to width w by an extension or a cut.
func (m *machine) fit(x entry, w int) entry {
	n := x.e.Width()
	switch {
	case n == w:
		return x
	case n > w:
		if low := m.next() % (n - w + 1); m.next()%2 == 0 {
			m.push("extract", m.b.Extract(x.e, low, w), func(i int) Value { return x.vals[i].shr(uint(low)) })
		} else {
			m.push("trunc", m.b.Trunc(x.e, w), func(i int) Value { return x.vals[i] })
		}
	case m.next()%2 == 0:
		m.push("zext", m.b.ZExt(x.e, w), func(i int) Value { return x.vals[i] })
	default:
		m.push("sext", m.b.SExt(x.e, w), func(i int) Value { return x.vals[i].signExtend(n, w) })
	}
	return m.stack[len(m.stack)-1]
}

func (m *machine) step() {
	b := m.b
	switch c := m.next() % 40; {
	case c < 2:
		m.leaf()
	case c < 5:
		m.constant(1 + m.next()%128)
	case c < 26: // a binary operation
		op := OpAdd + Op(m.next())%(OpSle-OpAdd+1)
		if op == OpNot {
			x := m.pick()
			m.push("not", b.Not(x.e), func(i int) Value { return x.vals[i].not() })
			return
		}
		x := m.pick()
		w := x.e.Width()
		var y entry
		if m.next()%3 == 0 {
			y = m.constant(w)
		} else {
			y = m.fit(m.pick(), w)
		}
		if m.next()%4 == 0 {
			x, y = y, x
		}
		m.push(op.String(), b.Binary(op, x.e, y.e), func(i int) Value { return Apply(op, w, x.vals[i], y.vals[i]) })
	case c < 29:
		x, y := m.pick(), m.pick()
		if x.e.Width()+y.e.Width() > 128 {
			return
		}
		n := uint(y.e.Width())
		m.push("concat", b.Concat(x.e, y.e), func(i int) Value {
			hi := x.vals[i].shl(n)
			return Value{hi.Lo | y.vals[i].Lo, hi.Hi | y.vals[i].Hi}
		})
	case c < 33:
		c, x := m.fit(m.pick(), 1), m.pick()
		var y entry
		if m.next()%3 == 0 {
			x = m.constant(x.e.Width())
		}
		if m.next()%3 == 0 {
			y = m.constant(x.e.Width())
		} else {
			y = m.fit(m.pick(), x.e.Width())
		}
		m.push("ite", b.Ite(c.e, x.e, y.e), func(i int) Value {
			if c.vals[i].Lo != 0 {
				return x.vals[i]
			}
			return y.vals[i]
		})
	case c < 36:
		m.fit(m.pick(), 1+m.next()%128)
	case c < 37: // a table
		idx := m.fit(m.pick(), 3)
		elems := make([]*Expr, 8)
		var vals [8]entry
		for i := range elems {
			if m.next()%2 == 0 {
				vals[i] = m.constant(8)
			} else {
				vals[i] = m.fit(m.pick(), 8)
			}
			elems[i] = vals[i].e
		}
		m.push("select", b.Select(elems, idx.e), func(i int) Value { return vals[idx.vals[i].Lo].vals[i] })
	case c < 38: // stored byte by byte and loaded again
		x := m.pick()
		if x.e.Width()%8 != 0 {
			return
		}
		var parts []*Expr
		for i := 0; i < x.e.Width(); i += 8 {
			parts = append(parts, b.Extract(x.e, i, 8))
		}
		m.push("reload", b.ConcatBytes(parts), func(i int) Value { return x.vals[i] })
	default: // some bytes become constants
		x := m.pick()
		k := m.next() % len(m.models)
		part := m.models[k].Restrict(m.b.Read(m.vars[m.next()%2], m.next()%4, 1).Vars())
		s := b.Substitute(x.e, part)
		if got := b.Eval(s, m.models[k]); got != x.vals[k] {
			m.t.Fatalf("substitute %v in %v gives %v: %x, want %x", part, x.e, s, got, x.vals[k])
		}
	}
}

func FuzzSimplify(f *testing.F) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := 0; i < 40; i++ {
		in := make([]byte, 300)
		for j := range in {
			in[j] = byte(r.Uint32())
		}
		f.Add(in)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		m := newMachine(t, in, uint64(len(in)))
		for len(m.in) > 0 {
			m.step()
		}
	})
}

// TestSimplifyRandom is the fuzz target's property on a fixed number of random
// programs.
func TestSimplifyRandom(t *testing.T) {
	n := 12000
	if testing.Short() {
		n = 1000
	}
	for seed := 0; seed < n; seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 3))
		in := make([]byte, 250)
		for j := range in {
			in[j] = byte(r.Uint32())
		}
		m := newMachine(t, in, uint64(seed))
		for len(m.in) > 0 {
			m.step()
		}
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}
