package sample

import (
	"bytes"
	"strings"
)

// Parsers are passed by texts that have a structure: to draw characters one by one, from
// all that there are, finds no assignment, no bracket that is closed, no second line. So
// some texts are composed of what the program compares characters with, of few letters,
// so that names come twice, of digits, blanks and line ends. A text that was worth to be
// kept keeps its beginning and gets another end.

const composeLeast = 3 // bytes

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
	from := bytes.IndexByte(text, 0)
	if from < 0 {
		from = len(text)
	}
	from = s.rnd.IntN(from + 1)
	end := from + 1 + s.rnd.IntN(len(text)-min(from, len(text)-1))
	for i := from; i < len(text) && i < end; i++ {
		switch n := s.rnd.IntN(16); {
		case n < 7:
			text[i] = s.mark()
		case n < 11:
			text[i] = byte('a' + s.rnd.IntN(3))
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
	if end < len(text) {
		clear(text[end:])
	}
}
