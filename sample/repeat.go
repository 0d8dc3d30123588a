package sample

import (
	"bytes"
	"slices"
	"strings"

	"klabel/ktest"
)

// What is put into a table is asked for under the same name, a text begins with another one,
// or holds it behind a sign: "key" and "section:key". Texts that are drawn one by one are
// alike when they are empty. So a text may repeat another one of the test.

const repeatEvery = 6 // texts

// repeat writes another text of the test into one: as it is, with a sign and a letter behind
// or before it, or what stands before or behind a sign in it. It returns false where there
// is none.
func (s *Sampler) repeat(name string, data []byte, others []ktest.Object) bool {
	var from [][]byte
	text := func(name string, size int) bool { // of which no byte tells how many the others are
		return composed(name, size) && !strings.HasSuffix(name, ":content")
	}
	if !text(name, len(data)) {
		return false
	}
	for _, o := range others {
		if o.Name == name || !text(o.Name, len(o.Data)) {
			continue
		}
		whole, _, _ := bytes.Cut(o.Data, []byte{0})
		if len(whole) > 0 {
			from = append(from, whole)
		}
	}
	if len(from) == 0 {
		return false
	}
	other := slices.Clone(from[s.rnd.IntN(len(from))])
	sign, letter := s.mark(), byte('a'+s.rnd.IntN(3))
	before, behind, cut := bytes.Cut(other, []byte{sign})
	switch n := s.rnd.IntN(8); {
	case n < 4:
	case n < 6 && cut && len(before) > 0:
		other = before
	case n < 6 && cut:
		other = behind
	case n < 7:
		other = append(other, sign, letter)
	default:
		other = append([]byte{letter, sign}, other...)
	}
	n := copy(data[:len(data)-1], other)
	clear(data[n:])
	return true
}
