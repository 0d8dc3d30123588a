package sample

import (
	"bytes"
	"strings"
)

// Parsers are passed by texts that have a structure: to draw characters one by one, from
// all that there are, finds no assignment, no bracket that is closed, no second line. So
// some texts are composed of what the program compares characters with, of few letters,
// so that names come twice, of its own words, of digits, numbers that are too large or too
// small, blanks and line ends. A text that was worth to be
// kept keeps its beginning and gets another end. The first texts of an input are these numbers
// alone, one after the other: how many can be drawn depends on the machine.

const (
	composeLeast = 3  // bytes
	composeWord  = 12 // letters of a word, at most
	composeTurns = 3  // of the extreme numbers: what else is drawn, a NULL, say, may spoil a run
)

// extremes are numbers that do not fit what most programs put them into, or only just.
var extremes = []string{"1e999", "-1e999", "1e-999", "-1", "4294967296", "-9e18", "0x1f"}

// nameable are those of the program's words that are a name, or begin like one.
func nameable(words []string) (out []string) {
	for _, w := range words {
		if len(w) > 1 && len(w) <= composeWord && strings.IndexFunc(w, func(r rune) bool {
			return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
		}) < 0 {
			out = append(out, w)
		}
	}
	return out
}

// piece is a word of the program's or a number.
func (s *Sampler) piece() string {
	if len(s.names) == 0 || s.rnd.IntN(3) == 0 {
		return extremes[s.rnd.IntN(len(extremes))]
	}
	return s.names[s.rnd.IntN(len(s.names))]
}

// composed reports whether an input may be read as text: standard input, a file, an
// argument, and what a driver gives behind a pointer.
func composed(name string, size int) bool {
	return size >= composeLeast && (isText(name) || strings.HasSuffix(name, "[]") ||
		strings.HasSuffix(name, ":content") || strings.Contains(name, "():*"))
}

// compose writes a new end into a text. The last byte of a stream's is no character: it
// tells how many of the others there are.
func (s *Sampler) compose(name string, data []byte) {
	text := data
	if strings.HasSuffix(name, ":content") {
		text = data[:len(data)-1]
		defer func() { data[len(text)] = byte(min(len(text), 0xff)) }()
	}
	if n := s.wholes[name]; n < composeTurns*len(extremes) {
		if s.wholes == nil {
			s.wholes = map[string]int{}
		}
		s.wholes[name] = n + 1
		clear(text[copy(text, extremes[n%len(extremes)]):])
		return
	}
	from := bytes.IndexByte(text, 0)
	if from < 0 {
		from = len(text)
	}
	from = s.rnd.IntN(from + 1)
	end := from + 1 + s.rnd.IntN(len(text)-min(from, len(text)-1))
	i := from
	for ; i < len(text) && i < end; i++ {
		switch n := s.rnd.IntN(16); {
		case n < 7:
			text[i] = s.mark()
		case n < 10:
			text[i] = byte('a' + s.rnd.IntN(3))
		case n < 11: // it may be longer than what was to change
			i += copy(text[i:], s.piece()) - 1
		case n < 13:
			text[i] = byte('0' + s.rnd.IntN(10))
		case n < 14:
			text[i] = ' '
		case n < 15:
			text[i] = '\n'
		default:
			if i+1 < len(text) { // a line that goes on
				text[i], text[i+1] = '\n', ' '
				i++
			}
		}
	}
	if end = max(end, i); end < len(text) {
		clear(text[end:])
	}
}
