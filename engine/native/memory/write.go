package memory

import "klabel/engine/native/expr"

// What writes to an object, which must be owned: see Space.Writable.

// SetUint writes n concrete bytes, lowest first.
func (o *Object) SetUint(off uint64, n int, v uint64) {
	at, left, rest := off, n, v
	for left > 0 {
		p, i, size := o.writePage(at)
		m := min(left, size-i)
		d := p.bytes(o.layout, i, m, size)
		for k := range d {
			d[k] = byte(rest)
			rest >>= 8
		}
		at, left = at+uint64(m), left-m
	}
	if uint64(n) == o.layout.AddressSize {
		o.stored(off, v)
	}
}

// SetExpr writes an expression whose width is a multiple of 8.
func (o *Object) SetExpr(off uint64, e *expr.Expr) {
	n := e.Width() / 8
	if e.IsConst() {
		v := e.Value()
		o.SetUint(off, min(n, 8), v.Lo)
		if n > 8 {
			o.SetUint(off+8, n-8, v.Hi)
		}
		return
	}
	for k := 0; k < n; {
		p, i, size := o.writePage(off + uint64(k))
		m := min(n-k, size-i)
		p.setExpr(o.layout, i, m, e, k)
		k += m
	}
}

func (o *Object) setCell(off uint64, v byte, c Cell) {
	p, i, size := o.writePage(off)
	if c.E == nil {
		p.bytes(o.layout, i, 1, size)[0] = v
		return
	}
	p.setExpr(o.layout, i, 1, c.E, int(c.K))
}

// Copy copies n bytes from src; the ranges may overlap.
func (o *Object) Copy(off uint64, src *Object, from, n uint64) {
	if n == 0 {
		return
	}
	whole := src.addresses(from, n) // they may be overwritten
	o.copyBytes(off, src, from, n)
	for _, at := range whole {
		o.begins(off + at - from)
	}
}

func (o *Object) copyBytes(off uint64, src *Object, from, n uint64) {
	if o.parts == nil && src.parts == nil && !src.symbolic(int(from), int(n)) &&
		(src.Unset == nil || src.has(int(from), int(n))) {
		d := o.page.bytes(o.layout, int(off), int(n), int(o.Size))
		if src.data == nil {
			clear(d)
		} else {
			copy(d, src.data[from:from+n])
		}
		return
	}
	if b, ok := src.Bytes(from, n); ok {
		o.SetBytes(off, b)
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
		copy(p.bytes(o.layout, i, m, size), b[:m])
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
		if o.parts != nil {
			m = min(n, PageSize-off%PageSize)
			if v == 0 && m == PageSize {
				o.clearPage(off)
				off, n = off+m, n-m
				continue
			}
			if p, _ := o.pageAt(off); v == 0 && p == zeroPage && o.Unset == nil {
				off, n = off+m, n-m
				continue
			}
		}
		p, i, size := o.writePage(off)
		d := p.bytes(o.layout, i, int(m), size)
		for k := range d {
			d[k] = v
		}
		off, n = off+m, n-m
	}
}

// clearPage makes a whole page of a large object zero.
func (o *Object) clearPage(off uint64) {
	if p, _ := o.pageAt(off); p == zeroPage && o.Unset == nil {
		return
	}
	at := o.slot(off)
	*at = nil
	if o.Unset != nil {
		*at = written
	}
}

// written is a page of zeros that were written; it belongs to nobody.
var written = &page{set: ^uint64(0)}
