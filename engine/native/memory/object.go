package memory

import "klabel/engine/native/expr"

// Kind says where an object came from.
type Kind uint8

// The kinds of objects.
const (
	Global Kind = iota
	Stack
	Heap
	Code // the address of a function; never read or written
)

// Info is what never changes in an object.
type Info struct {
	Base     uint64
	Size     uint64
	Kind     Kind
	ReadOnly bool
	Name     string
	Serial   uint64 // order of allocation on its path
	// Unset, if not nil, gives the content of bytes that were never written. They
	// are zero otherwise.
	Unset func(info *Info, off uint64) (byte, Cell)
	Var   *expr.Var // for the use of Unset

	layout *Layout
}

// Object is one version of an object's content.
type Object struct {
	*Info
	owner uint64
	page           // the content of a small object
	parts []*pages // of a large one
	holds bool     // addresses were stored in it
}

// partSize is how many bytes a part of a large object holds.
const partSize = fan * PageSize

func newObject(info *Info, owner uint64) *Object {
	o := &Object{Info: info, owner: owner}
	if info.Size > PageSize {
		o.parts = make([]*pages, (info.Size+partSize-1)/partSize)
	}
	return o
}

func (o *Object) clone(owner uint64) *Object {
	n := new(Object)
	*n = *o
	n.owner = owner
	if o.parts != nil {
		n.parts = append(make([]*pages, 0, len(o.parts)), o.parts...)
	} else {
		n.page.unshare()
	}
	return n
}

var zeroPage = &page{}

// pageAt returns the page with the byte at off, to be read, and its place there.
func (o *Object) pageAt(off uint64) (*page, int) {
	if o.parts == nil {
		return &o.page, int(off)
	}
	if part := o.parts[off/partSize]; part != nil {
		if p := part.at[off/PageSize%fan]; p != nil {
			return p, int(off % PageSize)
		}
	}
	return zeroPage, int(off % PageSize)
}

// slot returns the place of a large object's page, which the object alone holds.
func (o *Object) slot(off uint64) **page {
	part := o.parts[off/partSize]
	switch {
	case part == nil:
		part = &pages{owner: o.owner}
		o.parts[off/partSize] = part
	case part.owner != o.owner:
		part = &pages{owner: o.owner, at: part.at}
		o.parts[off/partSize] = part
	}
	return &part.at[off/PageSize%fan]
}

// writePage returns the page with the byte at off, to be written, its place there
// and the page's size.
func (o *Object) writePage(off uint64) (p *page, i, size int) {
	if o.parts == nil {
		return &o.page, int(off), int(o.Size)
	}
	at := o.slot(off)
	switch p = *at; {
	case p == nil:
		p = &page{owner: o.owner}
		*at = p
	case p.owner != o.owner:
		p = p.clone(o.owner)
		*at = p
	}
	return p, int(off % PageSize), PageSize
}

// Unwritten counts the bytes of a range that were never written, where that
// matters.
func (o *Object) Unwritten(off, n uint64) (count uint64) {
	if o.Unset == nil {
		return 0
	}
	for ; n > 0; off, n = off+1, n-1 {
		if p, i := o.pageAt(off); !p.has(i, 1) {
			count++
		}
	}
	return count
}

// Settle makes the bytes of a range that were never written zero.
func (o *Object) Settle(off, n uint64) {
	for ; n > 0; off, n = off+1, n-1 {
		if p, i := o.pageAt(off); !p.has(i, 1) {
			o.setCell(off, 0, Cell{})
		}
	}
}

// Byte returns a byte: its value if the cell's E is nil.
func (o *Object) Byte(off uint64) (byte, Cell) {
	p, i := o.pageAt(off)
	switch {
	case o.Unset != nil && !p.has(i, 1):
		return o.Unset(o.Info, off)
	case p.symbolic(i, 1):
		return 0, p.cell(i)
	case p.data == nil:
		return 0, Cell{}
	}
	return p.data[i], Cell{}
}

// Uint reads n (1 to 8) concrete bytes, lowest first. ok is false if one of
// them is symbolic.
func (o *Object) Uint(off uint64, n int) (v uint64, ok bool) {
	p, i := o.pageAt(off)
	if o.parts != nil && i+n > PageSize || o.Unset != nil && !p.has(i, n) {
		for k := n - 1; k >= 0; k-- {
			b, c := o.Byte(off + uint64(k))
			if c.E != nil {
				return 0, false
			}
			v = v<<8 | uint64(b)
		}
		return v, true
	}
	if p.symbolic(i, n) {
		return 0, false
	}
	if p.data == nil {
		return 0, true
	}
	d := p.data[i : i+n]
	switch n {
	case 1:
		return uint64(d[0]), true
	case 4:
		return uint64(d[0]) | uint64(d[1])<<8 | uint64(d[2])<<16 | uint64(d[3])<<24, true
	case 8:
		return uint64(d[0]) | uint64(d[1])<<8 | uint64(d[2])<<16 | uint64(d[3])<<24 |
			uint64(d[4])<<32 | uint64(d[5])<<40 | uint64(d[6])<<48 | uint64(d[7])<<56, true
	}
	for k := n - 1; k >= 0; k-- {
		v = v<<8 | uint64(d[k])
	}
	return v, true
}

// Expr reads n (1 to 16) bytes as an expression of 8n bits.
func (o *Object) Expr(b *expr.Builder, off uint64, n int) *expr.Expr {
	if _, c := o.Byte(off); c.E != nil && c.K == 0 && c.E.Width() == 8*n {
		whole := true
		for k := 1; k < n && whole; k++ {
			_, d := o.Byte(off + uint64(k))
			whole = d.E == c.E && int(d.K) == k
		}
		if whole {
			return c.E
		}
	}
	var r *expr.Expr
	for k := 0; k < n; {
		e, m := o.run(b, off+uint64(k), n-k)
		if r == nil {
			r = e
		} else {
			r = b.Concat(e, r)
		}
		k += m
	}
	return r
}

// run reads as many bytes, at most max, as form one piece of one expression or
// of a constant.
func (o *Object) run(b *expr.Builder, off uint64, max int) (*expr.Expr, int) {
	v, c := o.Byte(off)
	m := 1
	if c.E == nil {
		val := uint64(v)
		for m < max && m < 8 {
			w, d := o.Byte(off + uint64(m))
			if d.E != nil {
				break
			}
			val |= uint64(w) << (8 * m)
			m++
		}
		return b.Const(8*m, val), m
	}
	for m < max {
		if _, d := o.Byte(off + uint64(m)); d.E != c.E || int(d.K) != int(c.K)+m {
			break
		}
		m++
	}
	if c.K == 0 && c.E.Width() == 8*m {
		return c.E, m
	}
	return b.Extract(c.E, 8*int(c.K), 8*m), m
}

// Bytes returns the concrete bytes of a range; ok is false if one is symbolic.
func (o *Object) Bytes(off, n uint64) (b []byte, ok bool) {
	b = make([]byte, n)
	for at := uint64(0); at < n; {
		p, i := o.pageAt(off + at)
		m := int(min(n-at, uint64(PageSize-i)))
		switch {
		case o.Unset != nil && !p.has(i, m):
			for k := range uint64(m) {
				v, c := o.Byte(off + at + k)
				if c.E != nil {
					return nil, false
				}
				b[at+k] = v
			}
		case p.symbolic(i, m):
			return nil, false
		case p.data != nil:
			copy(b[at:], p.data[i:i+m])
		}
		at += uint64(m)
	}
	return b, true
}
