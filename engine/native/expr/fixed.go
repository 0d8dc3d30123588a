package expr

import "math/bits"

// Fixed says which bits of variables have one value under some constraints. It
// is immutable.
type Fixed struct{ words []fixedWord }

// fixedWord holds 64 neighbouring bits of the bit space.
type fixedWord struct {
	at, val, mask uint64
}

// rewrites remembers what a Fixed made of expressions. Only the Builder holds
// some, for the sets used last: 50,000 states could not each have their own.
type rewrites struct {
	f    *Fixed
	memo map[*Expr]*Expr
}

const maxMemo = 1 << 15 // remembered expressions of one Fixed

// memoOf returns the memory of f's rewriting.
func (b *Builder) memoOf(f *Fixed) map[*Expr]*Expr {
	for i := range b.recent {
		if r := &b.recent[i]; r.f == f {
			if len(r.memo) > maxMemo {
				clear(r.memo)
			}
			return r.memo
		}
	}
	r := &b.recent[b.oldest]
	b.oldest = (b.oldest + 1) % len(b.recent)
	if len(r.memo) > 1024 || r.memo == nil {
		r.memo = make(map[*Expr]*Expr)
	} else {
		clear(r.memo)
	}
	r.f = f
	return r.memo
}

func (f *Fixed) find(at uint64) (int, bool) {
	if f == nil {
		return 0, false
	}
	lo, hi := 0, len(f.words)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); f.words[mid].at < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(f.words) && f.words[lo].at == at
}

// Bit returns the value of a bit, and whether it is fixed.
func (f *Fixed) Bit(pos uint64) (val, fixed bool) {
	i, ok := f.find(pos / 64)
	if !ok {
		return false, false
	}
	w := f.words[i]
	return w.val>>(pos%64)&1 != 0, w.mask>>(pos%64)&1 != 0
}

// with returns f with n more bits from pos upwards fixed to v.
func (f *Fixed) with(pos uint64, n int, v Value) *Fixed {
	out := &Fixed{}
	if f != nil {
		out.words = append(make([]fixedWord, 0, len(f.words)+2), f.words...)
	}
	for n > 0 {
		at, off := pos/64, pos%64
		k := min(n, int(64-off))
		i, ok := out.find(at)
		if !ok {
			out.words = append(out.words, fixedWord{})
			copy(out.words[i+1:], out.words[i:])
			out.words[i] = fixedWord{at: at}
		}
		m := mask64(k) << off
		w := &out.words[i]
		w.mask |= m
		w.val = w.val&^m | v.Lo<<off&m
		v, pos, n = v.shr(uint(k)), pos+uint64(k), n-k
	}
	return out
}

// touches reports whether a bit of the bytes in s is fixed.
func (f *Fixed) touches(s *VarSet) bool {
	if f == nil || s == nil {
		return false
	}
	for _, p := range s.spans {
		i, _ := f.find(p.from / 8)
		for ; i < len(f.words) && f.words[i].at*8 < p.to; i++ {
			w := f.words[i]
			m := w.mask
			if w.at*8 < p.from {
				m &= ^uint64(0) << ((p.from - w.at*8) * 8)
			}
			if p.to < w.at*8+8 {
				m &= ^uint64(0) >> ((w.at*8 + 8 - p.to) * 8)
			}
			if m != 0 {
				return true
			}
		}
	}
	return false
}

// apply returns m with the fixed bits as they must be. Bytes of which only some
// bits are fixed are left out where m does not decide them, unless all is set.
func (f *Fixed) apply(m *Model, all bool) *Model {
	if f == nil || len(f.words) == 0 {
		if m == nil {
			return &Model{}
		}
		return m
	}
	var a []word
	if m != nil {
		a = m.words
	}
	out := &Model{words: make([]word, 0, len(a)+len(f.words))}
	for _, w := range f.words {
		for len(a) > 0 && a[0].at < w.at {
			out.words = append(out.words, a[0])
			a = a[1:]
		}
		if len(a) == 0 || a[0].at > w.at {
			out.words = append(out.words, word{w.at, w.val & w.mask, w.decided(all, 0)})
			continue
		}
		set := w.decided(all, a[0].set)
		bits := w.mask & byteMask(set)
		out.words = append(out.words, word{w.at, a[0].val&^bits | w.val&bits, a[0].set | set})
		a = a[1:]
	}
	out.words = append(out.words, a...)
	return out
}

// decided are the bytes of which all bits are fixed, and with all, or where the rest
// is known, those of which some are.
func (w *fixedWord) decided(all bool, known uint8) (set uint8) {
	if w.mask == ^uint64(0) {
		return 0xff
	}
	for i := range 8 {
		if part := uint8(w.mask >> (8 * i)); part == 0xff || part != 0 && (all || known>>i&1 != 0) {
			set |= 1 << i
		}
	}
	return set
}

// simplify replaces fixed bits in e by their values.
func (f *Fixed) simplify(b *Builder, e *Expr) *Expr {
	if !f.touches(e.vars) {
		return e
	}
	if e.op == OpLeaf {
		return b.fixLeaf(e, f)
	}
	return b.rebuild(e, f, b.memoOf(f))
}

func (b *Builder) rebuild(e *Expr, f *Fixed, memo map[*Expr]*Expr) *Expr {
	if !f.touches(e.vars) {
		return e
	}
	if e.op == OpLeaf {
		return b.fixLeaf(e, f)
	}
	if r := memo[e]; r != nil {
		return r
	}
	x := b.rebuild(e.x, f, memo)
	y, z := e.y, e.z
	if y != nil {
		y = b.rebuild(y, f, memo)
		if z != nil {
			z = b.rebuild(z, f, memo)
		}
	}
	r := b.Make(e, x, y, z)
	memo[e] = r
	return r
}

// fixLeaf splits a leaf into runs of fixed and of open bits.
func (b *Builder) fixLeaf(e *Expr, f *Fixed) *Expr {
	var out *Expr
	end := e.lo + uint64(e.width)
	for pos := e.lo; pos < end; {
		_, fixed := f.Bit(pos)
		var v Value
		to := pos
		for to < end {
			val, is := f.Bit(to)
			if is != fixed {
				break
			}
			if val {
				one := Value{Lo: 1}.shl(uint(to - pos))
				v = Value{v.Lo | one.Lo, v.Hi | one.Hi}
			}
			to++
		}
		n := int(to - pos)
		part := b.leaf(pos, n)
		if fixed {
			part = b.ConstValue(n, v)
		}
		if out == nil {
			out = part
		} else {
			out = b.Concat(part, out)
		}
		pos = to
	}
	return out
}

// Substitute replaces the bytes that m sets by their values in e.
func (b *Builder) Substitute(e *Expr, m *Model) *Expr {
	var f *Fixed
	for _, w := range m.words {
		for i := uint64(0); i < 8; i++ {
			if w.set>>i&1 != 0 {
				f = f.with(w.at*64+i*8, 8, Value{Lo: w.val >> (8 * i)})
			}
		}
	}
	return f.simplify(b, e)
}

// bounds narrows the unsigned range of a term by predicates with constants.
type bounds struct {
	w        int
	ulo, uhi uint64
	slo, shi int64
}

func newBounds(w int) bounds {
	half := int64(1)<<(w-1) - 1
	return bounds{w: w, uhi: mask64(w), slo: -half - 1, shi: half}
}

// meet takes a predicate on the term into account.
func (r *bounds) meet(e *Expr) {
	k, c := e.y, false
	if k.op != OpConst {
		k, c = e.x, true // constant first: a lower bound
	}
	v, s := k.lo, k.Int64()
	switch {
	case e.op == OpUlt && c && v < mask64(r.w):
		r.ulo = max(r.ulo, v+1)
	case e.op == OpUlt && !c && v > 0:
		r.uhi = min(r.uhi, v-1)
	case e.op == OpSlt && c && s < r.shi:
		r.slo = max(r.slo, s+1)
	case e.op == OpSlt && !c && s > r.slo:
		r.shi = min(r.shi, s-1)
	}
}

// prefix returns the number of low bits that remain open, and the value above.
func (r *bounds) prefix() (open int, v uint64) {
	top := mask64(r.w)
	if r.slo >= 0 || r.shi < 0 { // one sign: the signed order is the unsigned one
		r.ulo = max(r.ulo, uint64(r.slo)&top)
		r.uhi = min(r.uhi, uint64(r.shi)&top)
	}
	if r.ulo > r.uhi {
		return r.w, 0
	}
	return bits.Len64(r.ulo ^ r.uhi), r.ulo
}
