package sample

import (
	"strconv"
	"strings"
)

// A function that takes more arguments than it names takes a format before them, most often, and
// what it does depends on how much that makes: nothing, a little, more than a buffer holds, more
// than an int counts.

// furtherArgument is how drivers call the first argument that a function does not name. It is a text where
// another one may be a format.
const (
	furtherArgument = "argument 1[]"
	furtherArgs     = "argument "
)

// formats reports whether a text may be a format.
func (s *Sampler) formats(name string, size int) bool {
	return s.asked[furtherArgument] && composed(name, size) && !strings.HasPrefix(name, furtherArgs)
}

// widths of what a conversion makes: those of buffers, and one that no int counts.
var widths = []int{1, 9, 70, 300, 1100, 5000, 9_999_999_999}

// format writes a conversion into a text, behind some of what is there. A number that is read of a pointer is
// one; nothing reads what is no argument, or writes where one leads.
func (s *Sampler) format(text []byte) {
	at := s.rnd.IntN(3)
	for i := range min(at, len(text)) {
		if text[i] == 0 {
			text[i] = byte('a' + s.rnd.IntN(3))
		}
	}
	b := []byte{'%'}
	if s.rnd.IntN(3) > 0 {
		b = strconv.AppendInt(b, int64(widths[s.rnd.IntN(len(widths))]), 10)
	}
	b = append(b, "sdxcu%i"[s.rnd.IntN(7)])
	if len(b) >= len(text) { // the last byte ends it
		b = append(b[:1], 's')
	}
	at = min(at, len(text)-1-len(b))
	if at < 0 {
		return
	}
	n := at + copy(text[at:], b)
	if n < len(text)-1 && s.rnd.IntN(2) == 0 {
		text[n] = byte('a' + s.rnd.IntN(3))
		n++
	}
	clear(text[n:])
}
