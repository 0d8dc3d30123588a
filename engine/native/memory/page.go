package memory

import "klabel/engine/native/expr"

// PageSize is the unit of copying for objects larger than that.
const PageSize = 1024

// Cell is a symbolic byte: byte K of expression E. A nil E means that the byte
// is concrete.
type Cell struct {
	E *expr.Expr
	K uint8
}

// page holds bytes; data is nil while all of them are zero, cells is nil while
// all of them are concrete. Of an object with bytes that were never written, set
// has a bit for each one that was; once all are, it is nil again and full true.
type page struct {
	owner uint64
	data  []byte
	cells []Cell
	set   []uint64
	unset int // bits of set that are 0
	full  bool
}

func (p *page) clone(owner uint64) *page {
	q := &page{owner: owner}
	if p.data != nil {
		q.data = append([]byte(nil), p.data...)
	}
	if p.cells != nil {
		q.cells = append([]Cell(nil), p.cells...)
	}
	q.set, q.unset, q.full = append([]uint64(nil), p.set...), p.unset, p.full
	return q
}

// has reports whether n bytes from i on were written.
func (p *page) has(i, n int) bool {
	if p.full {
		return true
	}
	if p.set == nil {
		return false
	}
	for k := i; k < i+n; k++ {
		if p.set[k/64]>>(k%64)&1 == 0 {
			return false
		}
	}
	return true
}

// written notes that n bytes from i on are written, of size in all.
func (p *page) written(i, n, size int) {
	if p.full {
		return
	}
	if n == size {
		p.set, p.full = nil, true
		return
	}
	if p.set == nil {
		p.set, p.unset = make([]uint64, (size+63)/64), size
	}
	for k := i; k < i+n; k++ {
		if bit := uint64(1) << (k % 64); p.set[k/64]&bit == 0 {
			p.set[k/64] |= bit
			p.unset--
		}
	}
	if p.unset == 0 {
		p.set, p.full = nil, true
	}
}

func (p *page) writable(n int) []byte {
	if p.data == nil {
		p.data = make([]byte, n)
	}
	return p.data
}

var zeroPage = &page{}
