package sample

import (
	"bytes"
	"slices"
	"strings"

	"klabel/ktest"
)

// What is put into a table is asked for under the same name, a text begins with another one,
// or holds it behind a sign: "key" and "section:key". A file holds it at the beginning of a line,
// a sign and a value behind it: "key=value". Texts that are drawn one by one are alike when they are
// empty. So a text may repeat another one of the test; it does so when the others are drawn.

const (
	repeatEvery  = 6 // texts
	holdEvery    = 2 // streams and files: a name there needs a sign behind it, too
	longestValue = 4 // characters of a value
)

// repeating draws whether an input is to repeat others.
func (s *Sampler) repeating(name string, size int) bool {
	if !composed(name, size) {
		return false
	}
	if strings.HasSuffix(name, ":content") {
		return s.rnd.IntN(holdEvery) == 0
	}
	return s.rnd.IntN(repeatEvery) == 0
}

// repeat writes another text of the test into one: as it is, with a sign and a letter behind
// or before it, or what stands before or behind a sign in it. It returns false where there
// is none.
func (s *Sampler) repeat(name string, data []byte, others []ktest.Object) bool {
	var from [][]byte
	for _, o := range others {
		// Of a stream a byte tells how many the others are.
		if o.Name == name || !composed(o.Name, len(o.Data)) || strings.HasSuffix(o.Name, ":content") {
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
	if strings.HasSuffix(name, ":content") && s.rnd.IntN(4) > 0 {
		s.lines(data, from)
		return true
	}
	other := slices.Clone(from[s.rnd.IntN(len(from))])
	sign, letter := s.sign(), byte('a'+s.rnd.IntN(3))
	before, behind, cut := bytes.Cut(other, []byte{sign})
	n := s.rnd.IntN(8)
	switch {
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
	if strings.HasSuffix(name, ":content") {
		s.addLines(data, other)
		return true
	}
	n = copy(data[:len(data)-1], other)
	clear(data[n:])
	return true
}

// lines writes lines with words into a stream, behind some of the lines that are there: a title between two signs,
// or none, and a name with a sign and a value behind it.
func (s *Sampler) lines(data []byte, words [][]byte) {
	word := words[s.rnd.IntN(len(words))]
	var b []byte
	if s.rnd.IntN(3) == 0 {
		b = append(append(append(b, s.sign()), words[s.rnd.IntN(len(words))]...), s.sign(), '\n')
	}
	b = append(append(b, word...), s.sign())
	for range s.rnd.IntN(longestValue) {
		b = append(b, s.letter())
	}
	s.addLines(data, b)
}

// addLines puts text behind some of the lines of a stream. The last byte tells how many of the others there are.
func (s *Sampler) addLines(data, b []byte) {
	text := data[:len(data)-1]
	used := bytes.IndexByte(text, 0)
	if used < 0 {
		used = len(text)
	}
	starts := []int{0}
	for i, c := range text[:used] {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	at := starts[s.rnd.IntN(len(starts))]
	n := at + copy(text[at:], b)
	clear(text[n:])
	data[len(text)] = byte(min(n, 0xff))
}

// sign draws one of the characters that the program speaks of and that stand between words.
func (s *Sampler) sign() byte {
	for range 8 {
		switch c := s.mark(); {
		case c <= ' ', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9':
		default:
			return c
		}
	}
	return s.mark()
}

// letter draws a character of a word.
func (s *Sampler) letter() byte {
	switch s.rnd.IntN(4) {
	case 0:
		return byte('a' + s.rnd.IntN(3))
	case 1:
		return byte('0' + s.rnd.IntN(10))
	}
	return s.mark()
}
