package exec

// Allocations always succeed here, up to maxAlloc. A run in which one fails goes as
// this one until its result matters: it ends where the block is first read or
// written, and goes another way, which is not explored, only where the pointer is
// compared before that.

// freshBlock is a block of the heap that nothing was read from or written to. The
// list is shared.
type freshBlock struct {
	prev    *freshBlock
	base    uint64
	library bool // of the C library's own doing, as strdup's
	n       int  // so many are in the list
}

const (
	maxFresh = 32 // blocks
	oneFails = "an allocation that fails was not tried"
)

// allocated notes a new block of the program's. Drivers say themselves that their
// allocations never fail.
func (ex *Engine) allocated(st *State, base uint64) {
	if e := ex.o.Entry; e != "" && e != "main" && e != posixMain || !st.within() {
		return
	}
	n := 1
	if st.fresh != nil {
		n += st.fresh.n
	}
	if n > maxFresh {
		ex.lost(st, oneFails)
		st.fresh, n = nil, 1
	}
	st.fresh = &freshBlock{st.fresh, base, st.top.fn.Library, n}
}

// within reports whether code of the program runs, or what it has called.
func (st *State) within() bool {
	for f := st.top; f != nil; f = f.parent {
		if !f.fn.Library {
			return true
		}
	}
	return false
}

// reached notes that the program reads or writes a block: a run without it ends
// here. The library may look first, and what it calls of the system returns an error.
func (st *State) reached(base uint64) {
	if !st.top.fn.Library && st.freshAt(base) != nil {
		st.fresh = st.fresh.without(base)
	}
}

func (st *State) freshAt(base uint64) *freshBlock {
	for b := st.fresh; b != nil; b = b.prev {
		if b.base == base {
			return b
		}
	}
	return nil
}

func (b *freshBlock) without(base uint64) *freshBlock {
	switch {
	case b == nil:
		return nil
	case b.base == base:
		return b.prev
	}
	rest := b.prev.without(base)
	n := 1
	if rest != nil {
		n += rest.n
	}
	return &freshBlock{rest, b.base, b.library, n}
}

// compared is told of what a comparison compares: a pointer to a fresh block may be
// NULL there.
func (ex *Engine) compared(st *State, v Value) {
	o := ex.objectOf(st, v)
	if o == nil {
		return
	}
	if b := st.freshAt(o.Base); b != nil && (!b.library || !st.top.fn.Library) {
		ex.lost(st, oneFails)
		st.fresh = st.fresh.without(o.Base)
	}
}
