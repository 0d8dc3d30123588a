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
}

// Object is one version of an object's content.
type Object struct {
	*Info
	owner uint64
	page          // the content of a small object
	pages []*page // of a large one
}

func newObject(info *Info, owner uint64) *Object {
	o := &Object{Info: info, owner: owner}
	if info.Size > PageSize {
		o.pages = make([]*page, (info.Size+PageSize-1)/PageSize)
	}
	return o
}

func (o *Object) clone(owner uint64) *Object {
	n := &Object{Info: o.Info, owner: owner}
	if o.pages != nil {
		n.pages = append([]*page(nil), o.pages...)
		return n
	}
	if o.data != nil {
		n.data = append([]byte(nil), o.data...)
	}
	if o.cells != nil {
		n.cells = append([]Cell(nil), o.cells...)
	}
	n.set, n.page.unset, n.full = append([]uint64(nil), o.set...), o.page.unset, o.full
	return n
}

func (o *Object) pageAt(off uint64) (*page, int) {
	if o.pages == nil {
		return &o.page, int(off)
	}
	p := o.pages[off/PageSize]
	if p == nil {
		p = zeroPage
	}
	return p, int(off % PageSize)
}

func (o *Object) writePage(off uint64) (*page, int, int) {
	if o.pages == nil {
		return &o.page, int(off), int(o.Size)
	}
	i := off / PageSize
	p := o.pages[i]
	switch {
	case p == nil:
		p = &page{owner: o.owner}
		o.pages[i] = p
	case p.owner != o.owner:
		p = p.clone(o.owner)
		o.pages[i] = p
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
	if o.Unset != nil && !p.has(i, 1) {
		return o.Unset(o.Info, off)
	}
	if p.cells != nil && p.cells[i].E != nil {
		return 0, p.cells[i]
	}
	if p.data == nil {
		return 0, Cell{}
	}
	return p.data[i], Cell{}
}

// Uint reads n (1 to 8) concrete bytes, lowest first. ok is false if one of
// them is symbolic.
func (o *Object) Uint(off uint64, n int) (v uint64, ok bool) {
	p, i := o.pageAt(off)
	if o.pages != nil && i+n > PageSize || o.Unset != nil && !p.has(i, n) {
		for k := n - 1; k >= 0; k-- {
			b, c := o.Byte(off + uint64(k))
			if c.E != nil {
				return 0, false
			}
			v = v<<8 | uint64(b)
		}
		return v, true
	}
	if p.cells != nil {
		for _, c := range p.cells[i : i+n] {
			if c.E != nil {
				return 0, false
			}
		}
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

// SetUint writes n concrete bytes, lowest first. The object must be owned: see
// Space.Writable.
func (o *Object) SetUint(off uint64, n int, v uint64) {
	for n > 0 {
		p, i, size := o.writePage(off)
		m := min(n, size-i)
		d := p.writable(size)[i : i+m]
		for k := range d {
			d[k] = byte(v)
			v >>= 8
		}
		if o.Unset != nil {
			p.written(i, m, size)
		}
		if p.cells != nil {
			clear(p.cells[i : i+m])
		}
		off, n = off+uint64(m), n-m
	}
}

// SetExpr writes an expression whose width is a multiple of 8.
func (o *Object) SetExpr(off uint64, e *expr.Expr) {
	if e.IsConst() {
		v, n := e.Value(), e.Width()/8
		o.SetUint(off, min(n, 8), v.Lo)
		if n > 8 {
			o.SetUint(off+8, n-8, v.Hi)
		}
		return
	}
	for k := 0; k < e.Width()/8; k++ {
		o.setCell(off+uint64(k), 0, Cell{e, uint8(k)})
	}
}

func (o *Object) setCell(off uint64, v byte, c Cell) {
	p, i, size := o.writePage(off)
	if o.Unset != nil {
		p.written(i, 1, size)
	}
	if c.E == nil {
		p.writable(size)[i] = v
		if p.cells != nil {
			p.cells[i] = Cell{}
		}
		return
	}
	if p.cells == nil {
		p.cells = make([]Cell, size)
	}
	p.cells[i] = c
}

// Copy copies n bytes from src; the ranges may overlap.
func (o *Object) Copy(off uint64, src *Object, from, n uint64) {
	if n == 0 {
		return
	}
	if o.pages == nil && src.pages == nil && src.cells == nil && o.cells == nil &&
		(src.Unset == nil || src.has(int(from), int(n))) {
		if o.Unset != nil {
			o.page.written(int(off), int(n), int(o.Size))
		}
		d := o.page.writable(int(o.Size))[off : off+n]
		if src.data == nil {
			clear(d)
		} else {
			copy(d, src.data[from:from+n])
		}
		return
	}
	type cellByte struct {
		v byte
		c Cell
	}
	buf := make([]cellByte, n)
	for k := range buf {
		buf[k].v, buf[k].c = src.Byte(from + uint64(k))
	}
	for k := range buf {
		o.setCell(off+uint64(k), buf[k].v, buf[k].c)
	}
}

// SetBytes writes concrete bytes.
func (o *Object) SetBytes(off uint64, b []byte) {
	for len(b) > 0 {
		p, i, size := o.writePage(off)
		m := min(len(b), size-i)
		if o.Unset != nil {
			p.written(i, m, size)
		}
		copy(p.writable(size)[i:], b[:m])
		if p.cells != nil {
			clear(p.cells[i : i+m])
		}
		off, b = off+uint64(m), b[m:]
	}
}

// Fill sets n bytes to one value; of a large zero object nothing is stored.
func (o *Object) Fill(off, n uint64, v byte, c Cell) {
	for n > 0 {
		if c.E != nil {
			o.setCell(off, v, c)
			off, n = off+1, n-1
			continue
		}
		m := n
		if o.pages != nil {
			i := off / PageSize
			m = min(n, PageSize-off%PageSize)
			if v == 0 && (o.pages[i] == nil && o.Unset == nil || m == PageSize) {
				o.pages[i] = nil
				if o.Unset != nil {
					o.pages[i] = &page{owner: o.owner, full: true}
				}
				off, n = off+m, n-m
				continue
			}
		}
		p, i, size := o.writePage(off)
		d := p.writable(size)[i : i+int(m)]
		for k := range d {
			d[k] = v
		}
		if o.Unset != nil {
			p.written(i, int(m), size)
		}
		if p.cells != nil {
			clear(p.cells[i : i+int(m)])
		}
		off, n = off+m, n-m
	}
}

// Bytes returns the concrete bytes of a range; ok is false if one is symbolic.
func (o *Object) Bytes(off, n uint64) (b []byte, ok bool) {
	b = make([]byte, n)
	for i := range b {
		v, c := o.Byte(off + uint64(i))
		if c.E != nil {
			return nil, false
		}
		b[i] = v
	}
	return b, true
}
