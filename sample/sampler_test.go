package sample

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestLongTexts holds drawn texts to what passes limits: one character many times, up
// to the end, behind and before one that the program speaks of.
func TestLongTexts(t *testing.T) {
	s := &Sampler{rnd: rand.New(rand.NewPCG(1, 2)), marks: []byte("\"]")}
	whole, opened, quoted, closed, short := false, false, false, false, false
	for range 400 {
		text := make([]byte, 257)
		s.long(text)
		end := bytes.IndexByte(append(text, 0), 0)
		run := bytes.Count(text[:end], text[end/2:end/2+1])
		if run < end-3 {
			t.Fatalf("%q holds %d times one character", text, run)
		}
		opened = opened || text[0] == ']' && text[len(text)-2] == ']'
		whole = whole || run == len(text)
		quoted = quoted || end == len(text) && text[0] == '"' && text[1] != '"'
		closed = closed || end == len(text) && text[end-2] == ']' && text[end/2] != ']'
		short = short || end < len(text)/2
	}
	if !whole || !opened || !quoted || !closed || !short {
		t.Errorf("filled %v, with one of the program's own %v, with something before %v, behind %v, shorter %v",
			whole, opened, quoted, closed, short)
	}
}
