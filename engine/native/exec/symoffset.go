package exec

import (
	"math/bits"

	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

// Accesses at symbolic offsets. A read becomes a decision diagram over the bits
// of the index, in which equal parts of the object are shared; a write becomes
// a conditional value in each place that it may hit. Both are exact. Where an
// object is so large that this does not pay, the range is narrowed by the
// solver, and in the last resort the path forks over the offset's values.

const (
	maxReadPlaces  = 1 << 14
	maxWritePlaces = 1 << 10
	maxUnset       = 256     // bytes without a value in a read
	maxUnsetCopied = 1 << 16 // in a copy
	maxSettled     = 1 << 24 // bytes of a copy that may become zeros for want of values
)

// window is the set of offsets low, low+stride, ... that an access may have.
type window struct {
	low, stride, count uint64
	index              *expr.Expr // (offset - low) / stride
}

// window computes where an n-byte access at off may go within the object.
func (ex *Engine) window(st *State, o *memory.Object, off *expr.Expr, n, limit int) (w window, ok bool) {
	lo, hi := uint64(0), o.Size-uint64(n)
	if l, h, known := off.URange(); known {
		lo, hi = max(lo, l), min(hi, h)
	}
	stride, rest := strideOf(off)
	first := rest % stride
	if stride == 1 {
		first = 0
	}
	place := func() {
		if lo > first {
			lo = first + (lo-first+stride-1)/stride*stride
		} else {
			lo = first
		}
		if hi < lo {
			hi = lo
		}
		w = window{low: lo, stride: stride, count: (hi-lo)/stride + 1}
	}
	place()
	if w.count > uint64(limit) && ex.spread(st, off, uint64(limit)*stride) {
		return w, false
	}
	if w.count > uint64(min(limit, 256)) {
		l, h, r := ex.s.Range(ex.ctx, st.cons, off)
		if r == solver.Sat && l.Hi == 0 && h.Hi == 0 {
			lo, hi = max(lo, l.Lo), min(hi, h.Lo)
			place()
		}
	}
	if w.count > uint64(limit) {
		return w, false
	}
	w.index = ex.b.Sub(off, ex.number(w.low))
	if stride > 1 {
		if bits.OnesCount64(stride) == 1 {
			w.index = ex.b.LShr(w.index, ex.number(uint64(bits.TrailingZeros64(stride))))
		} else if x := ex.quotient(w.index, stride); x != nil {
			w.index = x
		} else { // no cheap quotient: single steps
			w.stride, w.count = 1, (hi-lo)+1
			if w.count > uint64(limit) {
				return w, false
			}
		}
	}
	return w, true
}

// spread reports whether two values of an offset may be farther apart than a span: one question, where
// its exact range takes dozens.
func (ex *Engine) spread(st *State, off *expr.Expr, span uint64) bool {
	v, r := ex.s.Value(ex.ctx, st.cons, off)
	if r != solver.Sat {
		return false
	}
	low := v.Lo - min(v.Lo, span)
	near := ex.b.Ule(ex.b.Sub(off, ex.number(low)), ex.number(v.Lo-low+span))
	far, _ := ex.s.MayBeTrue(ex.ctx, st.cons, ex.b.Not(near))
	return far
}

// quotient divides i*c + d by stride where both are multiples of it. Offsets
// within an object are small, so nothing wraps around.
func (ex *Engine) quotient(e *expr.Expr, stride uint64) *expr.Expr {
	switch e.Op() {
	case expr.OpConst:
		if v := signed(e.Uint64(), ex.ptr); v%int64(stride) == 0 {
			return ex.b.ConstSigned(int(ex.ptr), v/int64(stride))
		}
	case expr.OpMul:
		for k := 0; k < 2; k++ {
			if c := e.Kid(k); c.IsConst() && c.Uint64()%stride == 0 {
				return ex.b.Mul(e.Kid(1-k), ex.number(c.Uint64()/stride))
			}
		}
	case expr.OpAdd:
		x, y := ex.quotient(e.Kid(0), stride), ex.quotient(e.Kid(1), stride)
		if x != nil && y != nil {
			return ex.b.Add(x, y)
		}
	}
	return nil
}

// strideOf finds s and r so that e is r modulo s, from the shape of e. It is
// exact for sums that do not wrap around, as offsets in bounds do not.
func strideOf(e *expr.Expr) (s, r uint64) {
	c := uint64(0)
	g := uint64(0)
	terms := 0
	var walk func(e *expr.Expr, depth int)
	walk = func(e *expr.Expr, depth int) {
		switch {
		case e.IsConst():
			c += e.Uint64()
		case e.Op() == expr.OpAdd && depth < 16:
			walk(e.Kid(0), depth+1)
			walk(e.Kid(1), depth+1)
		default:
			g = gcd(g, factor(e))
			terms++
		}
	}
	walk(e, 0)
	whole := ^uint64(0) >> (64 - e.Width())
	c &= whole
	if e.Width() < 64 && (terms > 16 || (c+1<<30)&whole > 1<<31) {
		g &= -g // the sum may wrap around: of its factors powers of 2 count
	}
	if g == 0 || g == 1 {
		return 1, 0
	}
	if bits.OnesCount64(g) == 1 {
		return g, c % g
	}
	// Base minus a constant: congruence by signed arithmetic.
	m := int64(g)
	return g, uint64((signed(c, uint8(e.Width()))%m + m) % m)
}

// factor finds a number that divides e.
func factor(e *expr.Expr) uint64 {
	switch e.Op() {
	case expr.OpMul:
		for k := 0; k < 2; k++ {
			c, other := e.Kid(k), e.Kid(1-k)
			if !c.IsConst() || c.Uint64() == 0 || c.Uint64() >= 1<<24 {
				continue
			}
			if small(other, c.Uint64()) {
				return c.Uint64()
			}
			return 1 << bits.TrailingZeros64(c.Uint64())
		}
	case expr.OpShl:
		if c := e.Kid(1); c.IsConst() && c.Uint64() < 32 {
			return 1 << c.Uint64()
		}
	case expr.OpConcat:
		low := e.Kid(1)
		if low.IsConst() && low.Width() < 32 {
			if low.Uint64() == 0 {
				return 1 << low.Width()
			}
			return 1 << bits.TrailingZeros64(low.Uint64())
		}
	case expr.OpZExt, expr.OpSExt:
		if f := factor(e.Kid(0)); bits.OnesCount64(f) == 1 {
			return f
		}
	}
	return 1
}

// small reports whether a product of e with c, below 1<<24, cannot wrap around, nor the
// sum of a few such.
func small(e *expr.Expr, c uint64) bool {
	if e.Width() < 64 {
		_, h, ok := e.URange()
		return ok && h < 1<<26/c
	}
	if e.Op() == expr.OpSExt && e.Kid(0).Width() <= 32 || e.Op() == expr.OpZExt && e.Kid(0).Width() <= 32 {
		return true
	}
	_, h, ok := e.URange()
	return ok && h < 1<<32
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// repeat makes the state execute the current instruction again, once for each
// value of the offset.
func (ex *Engine) repeat(st *State, off *expr.Expr) {
	at := st.top.pc - 1
	if _, ok := ex.enumerate(st, Value{E: off}, int(ex.ptr), at); ok {
		st.own().pc = at
	}
	panic(endPath{})
}

func (ex *Engine) readSymbolic(st *State, o *memory.Object, off *expr.Expr, w uint8, n int) Value {
	win, ok := ex.window(st, o, off, n, maxReadPlaces)
	if !ok {
		ex.repeat(st, off)
	}
	if last := win.low + (win.count-1)*win.stride + uint64(n); o.Unwritten(win.low, last-win.low) > maxUnset {
		ex.lost(st, "much memory that was never set is read at an unknown place")
		o = ex.writable(st, o)
		o.Settle(win.low, last-win.low)
	}
	pieces := ex.b.False()
	elems := make([]*expr.Expr, win.count)
	for i := range elems {
		elems[i] = o.Expr(ex.b, win.low+uint64(i)*win.stride, n)
		if at := win.low + uint64(i)*win.stride; !ex.copying && ex.mixes(st, o, at, n) {
			pieces = ex.b.Or(pieces, ex.b.Eq(off, ex.number(at)))
		}
	}
	ex.maybePieces(st, pieces)
	e := ex.b.Select(elems, win.index)
	if int(w) < e.Width() {
		e = ex.b.Extract(e, 0, int(w))
	}
	return fromExpr(e)
}

func (ex *Engine) writeSymbolic(st *State, o *memory.Object, off *expr.Expr, v Value, w uint8, n int) {
	win, ok := ex.window(st, o, off, n, maxWritePlaces)
	if !ok {
		ex.repeat(st, off)
	}
	e := ex.expr(v, int(w))
	if e.Width() < 8*n {
		e = ex.b.ZExt(e, 8*n)
	}
	o = ex.writable(st, o)
	if win.stride < uint64(n) && win.count > 1 { // places overlap: byte by byte
		for at := win.low; at < win.low+(win.count-1)*win.stride+uint64(n); at++ {
			b := o.Expr(ex.b, at, 1)
			for k := 0; k < n; k++ {
				if at < win.low+uint64(k) || (at-uint64(k)-win.low)%win.stride != 0 ||
					(at-uint64(k)-win.low)/win.stride >= win.count {
					continue
				}
				hit := ex.b.Eq(off, ex.number(at-uint64(k)))
				b = ex.b.Ite(hit, ex.b.Extract(e, 8*k, 8), b)
			}
			o.SetExpr(at, b)
		}
		return
	}
	for i := uint64(0); i < win.count; i++ {
		at := win.low + i*win.stride
		hit := ex.b.Eq(off, ex.number(at))
		o.SetExpr(at, ex.b.Ite(hit, e, o.Expr(ex.b, at, n)))
	}
}
