package memory

import "math/bits"

// Pages know where an address was stored as a whole: a number or a text that looks
// like one is not taken for one. A narrower write over it ends that.

// around is the places of a page where an address that overlaps n bytes from i on begins.
func (l *Layout) around(i, n int) uint64 {
	from := max(0, i-int(l.AddressSize)+1)
	return span(from, i+n-from)
}

// stored notes that bytes at off, just written, may be an address.
func (o *Object) stored(off, v uint64) {
	if v >= o.layout.CodeBase && v < o.layout.Limit {
		o.begins(off)
	}
}

func (o *Object) begins(off uint64) {
	p, i, _ := o.writePage(off)
	p.starts |= 1 << i
	o.holds = true
}

// HoldsAddresses reports whether what may be an address was ever stored as one.
func (o *Object) HoldsAddresses() bool { return o.holds }

// addresses are the places in a range where a whole address begins.
func (o *Object) addresses(off, n uint64) (out []uint64) {
	if !o.holds {
		return nil
	}
	for at := off; at < off+n; {
		p, i := o.pageAt(at)
		for rest := p.starts >> i; rest != 0; rest &= rest - 1 {
			if a := at + uint64(bits.TrailingZeros64(rest)); a+o.layout.AddressSize <= off+n {
				out = append(out, a)
			}
		}
		at += uint64(PageSize - i)
	}
	return out
}

// WholeAddress reports whether an address, of which is knows, stands in n bytes at off.
func (o *Object) WholeAddress(off, n uint64, is func(uint64) bool) bool {
	for _, at := range o.addresses(off, n) {
		if v, ok := o.Uint(at, int(o.layout.AddressSize)); ok && is(v) {
			return true
		}
	}
	return false
}

// PartOfAddress reports whether n bytes at off take in some, but not all, bytes of an
// address, of which is knows.
func (o *Object) PartOfAddress(off, n uint64, is func(uint64) bool) bool {
	if !o.holds {
		return false
	}
	size := o.layout.AddressSize
	for at := off - min(off, size-1); at < off+n; at++ {
		if at >= off && at+size <= off+n {
			at = off + n - size // all places up to here are within
			continue
		}
		if p, i := o.pageAt(at); p.starts>>i&1 == 0 {
			continue
		}
		if v, ok := o.Uint(at, int(size)); ok && is(v) {
			return true
		}
	}
	return false
}
