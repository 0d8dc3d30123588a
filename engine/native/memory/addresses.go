package memory

import "math/bits"

// Pages know where an address was stored as a whole: a number or a text that looks
// like one is not taken for one. A narrower write over it ends that.

const addressSize = 8

// codeBase is below all addresses, also those of functions.
const codeBase = 1 << 39

// around is the places of a page where something that overlaps n bytes from i on begins.
func around(i, n int) uint64 {
	from := max(0, i-addressSize+1)
	return span(from, i+n-from)
}

// stored notes that 8 bytes at off, just written, may be an address.
func (o *Object) stored(off, v uint64) {
	if v >= codeBase && v < limit {
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
			if a := at + uint64(bits.TrailingZeros64(rest)); a+addressSize <= off+n {
				out = append(out, a)
			}
		}
		at += uint64(PageSize - i)
	}
	return out
}

// PartOfAddress reports whether n bytes at off take in some, but not all, bytes of an
// address, of which is knows.
func (o *Object) PartOfAddress(off, n uint64, is func(uint64) bool) bool {
	if !o.holds {
		return false
	}
	for at := off - min(off, addressSize-1); at < off+n; at++ {
		if at >= off && at+addressSize <= off+n {
			at = off + n - addressSize // all places up to here are within
			continue
		}
		if p, i := o.pageAt(at); p.starts>>i&1 == 0 {
			continue
		}
		if v, ok := o.Uint(at, addressSize); ok && is(v) {
			return true
		}
	}
	return false
}
