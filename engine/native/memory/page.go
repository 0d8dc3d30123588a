package memory

import (
	"math/bits"

	"klabel/engine/native/expr"
)

// PageSize is the unit of copying: what a state that writes one byte pays for, at
// most. It is the number of bits of a word, so that one tells of each byte of a page
// whether it is so.
const PageSize = 64

// Cell is a symbolic byte: byte K of expression E. A nil E means that the byte
// is concrete.
type Cell struct {
	E *expr.Expr
	K uint8
}

// page holds bytes; data is nil while all of them are zero. Cells are stored for the
// symbolic ones only, in their order. set is kept for objects with bytes that were
// never written.
type page struct {
	owner uint64
	data  []byte
	cells []Cell
	sym   uint64 // which bytes are symbolic
	set   uint64 // which bytes were written
	// starts are the bytes where a whole address begins.
	starts uint64
}

// pages is a part of the index of a large object.
type pages struct {
	owner uint64
	at    [fan]*page
}

// span is the bits of n bytes from i on.
func span(i, n int) uint64 {
	return ^uint64(0) >> (PageSize - n) << i
}

func (p *page) clone(owner uint64) *page {
	q := new(page)
	*q = *p
	q.owner = owner
	q.unshare()
	return q
}

// unshare gives a page what it had in common with the one that it is a copy of.
func (p *page) unshare() {
	if p.data != nil {
		p.data = append(make([]byte, 0, len(p.data)), p.data...)
	}
	if p.cells != nil {
		p.cells = append(make([]Cell, 0, len(p.cells)), p.cells...)
	}
}

// has reports whether n bytes from i on were written.
func (p *page) has(i, n int) bool { return ^p.set&span(i, n) == 0 }

// symbolic reports whether one of n bytes from i on is.
func (p *page) symbolic(i, n int) bool { return p.sym != 0 && p.sym&span(i, n) != 0 }

// cell is the cell of a byte that is symbolic.
func (p *page) cell(i int) Cell { return p.cells[p.before(i)] }

// before counts the symbolic bytes below i, which may be PageSize.
func (p *page) before(i int) int { return bits.OnesCount64(p.sym &^ (^uint64(0) << i)) }

// bytes returns n bytes from i on to be written, of size in all; they are concrete
// from now on.
func (p *page) bytes(l *Layout, i, n, size int) []byte {
	if p.data == nil {
		p.data = make([]byte, size)
	}
	p.concrete(l, i, n)
	return p.data[i : i+n]
}

// concrete forgets the cells of n bytes from i on, which are written.
func (p *page) concrete(l *Layout, i, n int) {
	where := span(i, n)
	p.set |= where
	p.starts &^= l.around(i, n)
	if p.sym&where == 0 {
		return
	}
	from, to := p.before(i), p.before(i+n)
	p.sym &^= where
	if p.sym == 0 {
		p.cells = nil
		return
	}
	rest := copy(p.cells[from:], p.cells[to:])
	clear(p.cells[from+rest:])
	p.cells = p.cells[:from+rest]
}

// setExpr makes n bytes from i on those of e from its byte k on.
func (p *page) setExpr(l *Layout, i, n int, e *expr.Expr, k int) {
	where := span(i, n)
	p.set |= where
	p.starts &^= l.around(i, n)
	from, to := p.before(i), p.before(i+n)
	if more := n - (to - from); more > 0 {
		old := p.cells
		if len(old)+more <= cap(old) {
			p.cells = old[:len(old)+more]
		} else {
			p.cells = make([]Cell, len(old)+more, min(PageSize, roomFor(len(old)+more, len(old))))
			copy(p.cells, old[:from])
		}
		copy(p.cells[from+n:], old[to:])
		p.sym |= where
	}
	for j := range n {
		p.cells[from+j] = Cell{e, uint8(k + j)}
	}
}

// roomFor is how many cells a page is given that needs n of them: it grows by
// doubling once it has been written to more than once.
func roomFor(n, had int) int {
	if had < 8 {
		return n
	}
	return 2 * n
}
