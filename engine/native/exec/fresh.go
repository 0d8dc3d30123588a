package exec

// Allocations succeed here, up to maxAlloc. A run in which one fails goes as this one
// until its result matters: it ends where the program first reads or writes the block,
// and may go another way where the pointer is compared before that. What such a run
// does is followed for what it disproves, where that is wanted (refused.go); else what
// it leads to is missed.

// freshBlock is a block of the heap that nothing was read from or written to. The
// list is shared.
type freshBlock struct {
	prev    *freshBlock
	base    uint64
	refused *refusal // nil: what happens without the block is not known
	n       int      // so many are in the list
}

const (
	maxFresh = 32 // blocks
	oneFails = "an allocation that fails was not tried"
)

// allocated notes a new block of the program's. Drivers say themselves that their
// allocations never fail, where nobody asks for proofs.
func (ex *Engine) allocated(st *State, base uint64, r *refusal) {
	if !ex.minds(st) {
		return
	}
	n := 1
	if st.fresh != nil {
		n += st.fresh.n
	}
	if n > maxFresh {
		for b := st.fresh; b != nil; b = b.prev {
			ex.matters(st, b)
		}
		st.fresh, n = nil, 1
	}
	st.fresh = &freshBlock{st.fresh, base, r, n}
}

// minds reports whether it matters for what the run is to prove that an allocation of
// this state's could fail.
func (ex *Engine) minds(st *State) bool {
	e := ex.o.Entry
	return (e == "" || e == "main" || e == posixMain || ex.o.Proofs) && st.within()
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
	return &freshBlock{rest, b.base, b.refused, n}
}

// compared is told of what a comparison compares: a pointer to a fresh block may be
// NULL there. The library may make something else of that, as an error's number.
func (ex *Engine) compared(st *State, v Value) {
	o := ex.objectOf(st, v)
	if o == nil {
		return
	}
	if b := st.freshAt(o.Base); b != nil {
		ex.matters(st, b)
		st.fresh = st.fresh.without(o.Base)
	}
}
