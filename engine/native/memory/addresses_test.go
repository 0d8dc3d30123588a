package memory

import "testing"

// A part of an address is told from a number that looks like one, from what was written
// over it, and from all of it; copies know, too.
func TestPartOfAddress(t *testing.T) {
	const address = 1<<41 + 64
	is := func(v uint64) bool { return v == address }
	for _, size := range []uint64{40, 400} { // one page, and many
		o := newObject(&Info{Size: size, layout: Wide}, 1)
		copied := newObject(&Info{Size: size, layout: Wide}, 1)
		o.SetUint(8, 8, address)
		o.SetUint(16, 4, address&0xffffffff) // in two halves: a number
		o.SetUint(20, 4, address>>32)
		copied.Copy(11, o, 4, 12)
		for _, c := range []struct {
			what   string
			o      *Object
			off, n uint64
			want   bool
		}{
			{"a byte", o, 8, 1, true}, {"the last byte", o, 15, 1, true}, {"half", o, 12, 4, true},
			{"all", o, 8, 8, false}, {"all and more", o, 0, 32, false}, {"its end and more", o, 10, 16, true},
			{"before it", o, 0, 8, false}, {"a number", o, 16, 4, false},
			{"a byte of a copy", copied, 15, 1, true}, {"all of a copy", copied, 11, 12, false},
			{"behind a copy", copied, 23, 4, false},
		} {
			if got := c.o.PartOfAddress(c.off, c.n, is); got != c.want {
				t.Errorf("size %d, %s: %v, want %v", size, c.what, got, c.want)
			}
		}
		o.SetUint(15, 1, 0)
		if o.PartOfAddress(8, 1, is) {
			t.Errorf("size %d: an address that was overwritten counts", size)
		}
		cut := newObject(&Info{Size: size, layout: Wide}, 1)
		cut.Copy(0, copied, 15, 6)
		if cut.HoldsAddresses() {
			t.Errorf("size %d: a part was copied as an address", size)
		}
	}
}

// In 32 bits an address ends after 4 bytes: what is written behind it leaves it whole.
func TestPartOfNarrowAddress(t *testing.T) {
	const address = 0x4035_9410
	is := func(v uint64) bool { return v == address }
	o := newObject(&Info{Size: 24, layout: Narrow}, 1)
	o.SetUint(8, 4, address)
	o.SetUint(12, 4, 7)
	o.SetUint(4, 4, 7)
	if !o.PartOfAddress(9, 1, is) || !o.PartOfAddress(10, 4, is) || o.PartOfAddress(8, 4, is) ||
		o.PartOfAddress(12, 4, is) || o.PartOfAddress(4, 8, is) {
		t.Error("a part is not told from the whole and from what stands beside it")
	}
	o.SetUint(11, 1, 0)
	if o.PartOfAddress(9, 1, is) {
		t.Error("an address that was overwritten counts")
	}
}
