package exec

import (
	"klabel/engine/native/expr"
	"klabel/engine/native/memory"
)

// A part of an address is a number that nobody knows: natively an object may be
// anywhere. The engine has its own numbers there, so what a program makes of some
// bytes of an address, as in a hash of a structure that holds one, is no proof.

// piece is told of bytes, more or fewer than an address has, that the program reads.
func (ex *Engine) piece(st *State, o *memory.Object, off uint64, n int) {
	if !st.top.fn.Library && ex.mixes(st, o, off, n) {
		ex.lost(st, piecesUsed)
	}
}

// maybePieces is piece for a place that is not known: there is a part of an address
// where the condition holds.
func (ex *Engine) maybePieces(st *State, cond *expr.Expr) {
	if st.top.fn.Library || cond.IsFalse() {
		return
	}
	if may, known := ex.s.MayBeTrue(ex.ctx, st.cons, cond); may || !known {
		ex.lost(st, piecesUsed)
	}
}

const piecesUsed = "some bytes of an address are used as a number"

// mixes reports whether a number of n bytes has bytes of an address in it, and is none.
func (ex *Engine) mixes(st *State, o *memory.Object, off uint64, n int) bool {
	if n == ex.addressSize() || !o.HoldsAddresses() {
		return false
	}
	somewhere := func(v uint64) bool { return ex.leadsSomewhere(st, v) }
	return o.PartOfAddress(off, uint64(n), somewhere) ||
		n > ex.addressSize() && o.WholeAddress(off, uint64(n), somewhere)
}

// isPiece reports whether a range takes in some bytes of an address, but not all.
func (ex *Engine) isPiece(st *State, o *memory.Object, off, n uint64) bool {
	return o.HoldsAddresses() && o.PartOfAddress(off, n, func(v uint64) bool { return ex.leadsSomewhere(st, v) })
}

// leadsSomewhere reports whether a number is the address of a function, or of an object
// that is there or was.
func (ex *Engine) leadsSomewhere(st *State, v uint64) bool {
	if v < ex.space.Low {
		return v >= ex.space.CodeBase && ex.p.FuncAt(v) != nil
	}
	if o := ex.find(st, v); o != nil {
		return v-o.Base <= o.Size
	}
	return ex.gone(st, Value{C: v})
}

// pieceOf is piece for an expression, which may be cut out of an address.
func (ex *Engine) pieceOf(st *State, e *expr.Expr) {
	if st.top.fn.Library || e.Width() >= int(ex.ptr) {
		return
	}
	for e.Op() == expr.OpExtract {
		if e = e.Kid(0); e.Width() == int(ex.ptr) && ex.anchor(st, e) != nil {
			ex.lost(st, piecesUsed)
			return
		}
	}
}

// comparesPieces notes that a function of the library compares the bytes of addresses,
// which need not be the same ones: what comes of it, and at which byte, is not known.
func (ex *Engine) comparesPieces(st *State, x, y *bytesFrom, n uint64, ends bool) {
	if !x.o.HoldsAddresses() && !y.o.HoldsAddresses() {
		return
	}
	n = min(n, x.o.Size-x.off, y.o.Size-y.off)
	for i := range n {
		v, c := x.o.Byte(x.off + i)
		w, d := y.o.Byte(y.off + i)
		if !ends && v == w && c == d {
			continue
		}
		if ex.isPiece(st, x.o, x.off+i, 1) || ex.isPiece(st, y.o, y.off+i, 1) {
			ex.lost(st, "the bytes of addresses are compared")
			return
		}
		if c.E == nil && d.E == nil && v != w || ends && (c.E == nil && v == 0 || d.E == nil && w == 0) {
			return
		}
	}
}
