package expr

// Model gives values to bytes of variables; a byte without one is 0. A model is
// immutable once it was given away: the setters are for its maker.
type Model struct{ words []word }

// word holds eight neighbouring bytes of the byte space.
type word struct {
	at  uint64 // position / 8
	val uint64
	set uint8 // which bytes have a value
}

// find returns the index of the word at a position, or where it belongs.
func (m *Model) find(at uint64) (int, bool) {
	if m == nil {
		return 0, false
	}
	w := m.words
	lo, hi := 0, len(w)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		if w[mid].at < at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return lo, lo < len(w) && w[lo].at == at
}

func (m *Model) word(at uint64) uint64 {
	if i, ok := m.find(at); ok {
		return m.words[i].val
	}
	return 0
}

// SetAt gives the byte at a position of the byte space a value.
func (m *Model) SetAt(pos uint64, v byte) {
	i, ok := m.find(pos / 8)
	if !ok {
		m.words = append(m.words, word{})
		copy(m.words[i+1:], m.words[i:])
		m.words[i] = word{at: pos / 8}
	}
	shift := pos % 8 * 8
	w := &m.words[i]
	w.val = w.val&^(0xff<<shift) | uint64(v)<<shift
	w.set |= 1 << (pos % 8)
}

// At returns the byte at a position of the byte space, and whether it is set.
func (m *Model) At(pos uint64) (byte, bool) {
	i, ok := m.find(pos / 8)
	if !ok {
		return 0, false
	}
	w := m.words[i]
	return byte(w.val >> (pos % 8 * 8)), w.set>>(pos%8)&1 != 0
}

// Set gives byte i of a variable a value.
func (m *Model) Set(v *Var, i int, val byte) { m.SetAt(v.base+uint64(i), val) }

// Byte returns byte i of a variable.
func (m *Model) Byte(v *Var, i int) byte {
	b, _ := m.At(v.base + uint64(i))
	return b
}

// Bytes returns the value of a whole variable.
func (m *Model) Bytes(v *Var) []byte {
	out := make([]byte, v.Size)
	if m == nil {
		return out
	}
	i, _ := m.find(v.base / 8)
	for ; i < len(m.words) && m.words[i].at*8 < v.base+uint64(v.Size); i++ {
		w := m.words[i]
		for j := 0; j < 8; j++ {
			if k := int(w.at*8-v.base) + j; k < v.Size {
				out[k] = byte(w.val >> (8 * j))
			}
		}
	}
	return out
}

// bits returns up to 128 bits from a bit position upwards.
func (m *Model) bits(pos uint64, width int) Value {
	at, off := pos/64, uint(pos%64)
	v := Value{Lo: m.word(at)}
	if int(off)+width > 64 {
		v.Hi = m.word(at + 1)
	}
	v = v.shr(off)
	if int(off)+width > 128 {
		top := Value{Lo: m.word(at + 2)}.shl(128 - off)
		v = Value{v.Lo | top.Lo, v.Hi | top.Hi}
	}
	return v.Mask(width)
}

// Len returns the number of 8-byte words that have values.
func (m *Model) Len() int {
	if m == nil {
		return 0
	}
	return len(m.words)
}

// byteMask widens a set of bytes to their bits.
func byteMask(set uint8) uint64 {
	m := (uint64(set) * 0x0101010101010101) & 0x8040201008040201
	m = (m + 0x7f7f7f7f7f7f7f7f) >> 7 & 0x0101010101010101
	return m * 0xff
}

// Overlay returns m with over's values on top. Either may be nil.
func (m *Model) Overlay(over *Model) *Model {
	switch {
	case m == nil || len(m.words) == 0:
		return over
	case over == nil || len(over.words) == 0:
		return m
	}
	out := &Model{words: make([]word, 0, len(m.words)+len(over.words))}
	a, c := m.words, over.words
	for len(a) > 0 || len(c) > 0 {
		switch {
		case len(c) == 0 || len(a) > 0 && a[0].at < c[0].at:
			out.words = append(out.words, a[0])
			a = a[1:]
		case len(a) == 0 || c[0].at < a[0].at:
			out.words = append(out.words, c[0])
			c = c[1:]
		default:
			top := byteMask(c[0].set)
			out.words = append(out.words, word{a[0].at, a[0].val&^top | c[0].val&top, a[0].set | c[0].set})
			a, c = a[1:], c[1:]
		}
	}
	return out
}

// Restrict returns the part of m that gives values to bytes in s; bytes of s
// that m leaves open are set to 0, so that the result decides all of s.
func (m *Model) Restrict(s *VarSet) *Model {
	out := &Model{}
	s.Each(func(from, to uint64) {
		for at := from / 8; at*8 < to; at++ {
			set := uint8(0xff)
			if at*8 < from {
				set &= 0xff << (from - at*8)
			}
			if to < at*8+8 {
				set &= 0xff >> (at*8 + 8 - to)
			}
			w := word{at, m.word(at) & byteMask(set), set}
			if n := len(out.words); n > 0 && out.words[n-1].at == at {
				out.words[n-1].val |= w.val
				out.words[n-1].set |= set
			} else {
				out.words = append(out.words, w)
			}
		}
	})
	return out
}
