package expr

import (
	"math/rand/v2"
	"testing"
)

// What is fixed is as it must be, and a byte of which only a part is fixed is decided
// only where the model decides it, or all is asked for.
func TestApplyFixedBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	some := func() uint64 { // bytes that are whole, empty and neither
		whole, also, part := byteMask(uint8(r.Uint32())), byteMask(uint8(r.Uint32())), byteMask(uint8(r.Uint32()))
		return whole&also | part&r.Uint64()
	}
	for range 2000 {
		f, m := &Fixed{}, &Model{}
		for at := range uint64(6) {
			if r.IntN(3) > 0 {
				f.words = append(f.words, fixedWord{at, r.Uint64(), some()})
			}
			if r.IntN(3) > 0 {
				set := uint8(r.Uint32())
				m.words = append(m.words, word{at, r.Uint64() & byteMask(set), set})
			}
		}
		all := r.IntN(2) == 0
		got := f.apply(m, all)
		for pos := range uint64(6 * 8) {
			old, known := m.At(pos)
			want, decided := old, known
			mask, val := byte(0), byte(0)
			for bit := range uint64(8) {
				if v, fixed := f.Bit(pos*8 + bit); fixed {
					mask |= 1 << bit
					if v {
						val |= 1 << bit
					}
				}
			}
			if mask == 0xff || mask != 0 && (known || all) {
				want, decided = old&^mask|val&mask, true
			}
			v, ok := got.At(pos)
			if ok != decided || ok && v != want {
				t.Fatalf("byte %d, all %v: %#x %v, want %#x %v (was %#x %v, fixed %#x of %#x)", pos, all, v, ok, want,
					decided, old, known, val, mask)
			}
		}
		for i := 1; i < len(got.words); i++ {
			if got.words[i-1].at >= got.words[i].at {
				t.Fatalf("not in order: %+v", got.words)
			}
		}
	}
}
