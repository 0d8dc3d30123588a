package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
	"klabel/engine/native/solver"
)

func malloc(ex *Engine, st *State, c *callContext) { ex.allocate(st, c, c.arg(0), c.width(0)) }

func alignedAlloc(ex *Engine, st *State, c *callContext) { ex.allocate(st, c, c.arg(1), c.width(1)) }

// maxAlloc is the largest block that malloc gives.
const maxAlloc = 1 << 31

func (ex *Engine) allocate(st *State, c *callContext, size Value, w int) {
	n, ok := ex.blockSize(st, size, w)
	if ok {
		c.set(ex, ex.newBlock(st, c, n))
	}
}

// Sizes of a block that are tried where too many are possible for all of them:
// at least one that has room for much, and those that small inputs come to.
var (
	wholeSizes = []uint64{64, 256}
	smallSizes = []uint64{1, 4, 0, 2, 3, 5, 8, 16, 6, 7, 12, 1024} // beyond what it is for inputs of 0
)

// maxSizes is how far the sizes of a block may lie apart for all of them to be tried.
const maxSizes = 128

// wide reports whether sizes are known to lie further apart: one question in place of
// those that the least and the greatest take.
func (ex *Engine) wide(st *State, e *expr.Expr) bool {
	if e.IsConst() {
		return false
	}
	v, r := ex.valueOf(st, e)
	if r != solver.Sat {
		return false
	}
	b, w := ex.b, e.Width()
	far := b.False()
	if most := ^uint64(0) >> (64 - w); v.Lo < most-maxSizes {
		far = b.Ult(b.Const(w, v.Lo+maxSizes), e)
	}
	if v.Lo > maxSizes {
		far = b.Or(far, b.Ult(e, b.Const(w, v.Lo-maxSizes)))
	}
	yes, known := ex.s.MayBeTrue(ex.ctx, st.cons, far)
	return yes && known
}

// blockSize makes a symbolic size concrete: by forking over all values where few
// are possible, else over some; of the others one is chosen.
func (ex *Engine) blockSize(st *State, size Value, w int) (uint64, bool) {
	if size.E == nil {
		return size.C, true
	}
	e := st.cons.Simplify(ex.b, size.E)
	if !ex.wide(st, e) {
		lo, hi, r := ex.s.Range(ex.ctx, st.cons, e)
		if r == solver.Sat && hi.Lo-lo.Lo <= maxSizes {
			return ex.length(st, size, w)
		}
	}
	tries := wholeSizes
	least := ex.b.Eval(e, nil).Lo
	for _, n := range smallSizes {
		tries = append(tries[:len(tries):len(tries)], least+n)
	}
	for _, n := range tries {
		eq := ex.b.Eq(e, ex.b.Const(w, n))
		if yes, known := ex.s.MayBeTrue(ex.ctx, st.cons, eq); !yes || !known {
			continue
		}
		pc := st.own().pc
		st.top.pc = pc - 1 // the others execute the call again
		yes, _ := ex.fork(st, eq)
		if yes == nil {
			return 0, false
		}
		yes.own().pc = pc
		return n, true
	}
	ex.stats.Concretised++
	ex.lost(st, "the size of an allocation was made concrete")
	v, ok := ex.concretise(st, size, w, "the size of an allocation")
	return v.Lo, ok
}

func (ex *Engine) newBlock(st *State, c *callContext, n uint64) Value {
	if n > maxAlloc {
		return ex.tooLarge(st)
	}
	r := ex.refuse(c)
	o := ex.object(st, n, memory.Heap, "malloc")
	if o == nil {
		return ex.tooLarge(st)
	}
	ex.unset(st, o)
	ex.allocated(st, o.Base, r)
	return Value{C: o.Base}
}

// tooLarge is what an allocation returns that there is no room for here.
func (ex *Engine) tooLarge(st *State) Value {
	ex.lost(st, "an allocation of more than 2 GiB returned NULL")
	if ex.ptr < 64 {
		ex.lost(st, "an allocation that addresses of 32 bits have little room for returned NULL")
	}
	touchesErrno(st)
	return Value{}
}

func calloc(ex *Engine, st *State, c *callContext) {
	a, ok := ex.blockSize(st, c.arg(0), c.width(0))
	if !ok {
		return
	}
	b, ok := ex.blockSize(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	if a != 0 && b > maxAlloc/a {
		c.set(ex, ex.tooLarge(st))
		return
	}
	p := ex.newBlock(st, c, a*b)
	if o := st.mem.Find(p.C); o != nil {
		o.Unset = nil
	}
	c.set(ex, p)
}

// block finds the heap block that begins at p. ok is false if the state was
// dealt with.
func (ex *Engine) block(st *State, p Value) (o *memory.Object, ok bool) {
	v, ok := ex.length(st, p, int(ex.ptr))
	if !ok {
		return nil, false
	}
	if v == 0 {
		return nil, true
	}
	o = ex.find(st, v)
	p = Value{C: v}
	switch {
	case o == nil || o.Base != v:
		ex.errorAt(st, "memory error: invalid pointer: free", "ptr.err", ex.addressInfo(st, p, o))
	case o.Kind == memory.Stack:
		ex.errorAt(st, "free of alloca", "free.err", ex.addressInfo(st, p, o))
	case o.Kind == memory.Global:
		ex.errorAt(st, "free of global", "free.err", ex.addressInfo(st, p, o))
	default:
		return o, true
	}
	return nil, false
}

func free(ex *Engine, st *State, c *callContext) {
	if o, ok := ex.block(st, c.arg(0)); ok && o != nil {
		st.mem.Free(o)
		ex.forget(o)
	}
}

func realloc(ex *Engine, st *State, c *callContext) {
	n, ok := ex.blockSize(st, c.arg(1), c.width(1))
	if !ok {
		return
	}
	o, ok := ex.block(st, c.arg(0))
	switch {
	case !ok:
	case o == nil:
		c.set(ex, ex.newBlock(st, c, n))
	case n == 0:
		st.mem.Free(o)
		ex.forget(o)
		ex.lost(st, "realloc to no bytes may return a block")
		c.set(ex, Value{})
	default:
		p := ex.newBlock(st, c, n)
		if p.C != 0 {
			st.mem.Find(p.C).Copy(0, o, 0, min(n, o.Size))
			st.mem.Free(o)
			ex.forget(o)
		}
		c.set(ex, p)
	}
}
