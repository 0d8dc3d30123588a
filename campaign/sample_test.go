package campaign

import (
	"bytes"
	"math/rand/v2"
	"testing"
	"time"
)

// TestSampleTimes holds the time for random inputs to a small part of the budget,
// however many entries there are.
func TestSampleTimes(t *testing.T) {
	for _, ways := range []int{2, 50, 600, 20000} {
		each, all := sampleTimes(time.Minute, 2, ways, ways)
		if each < sampleLeast || each > sampleTime {
			t.Errorf("%d entries: each gets %v", ways, each)
		}
		if all > time.Minute/5 {
			t.Errorf("%d entries: all get %v of a minute", ways, all)
		}
	}
	if _, all := sampleTimes(time.Hour, 2, 100, 400); all > time.Hour/20 {
		t.Errorf("a quarter of the entries gets %v of an hour", all)
	}
	if _, all := sampleTimes(time.Second, 2, 600, 600); all > sampleTime {
		t.Errorf("all get %v of a second", all)
	}
}

// TestLongTexts holds drawn texts to what passes limits: one character many times, up
// to the end, behind and before one that the program speaks of.
func TestLongTexts(t *testing.T) {
	s := &sampler{rnd: rand.New(rand.NewPCG(1, 2)), marks: []byte("\"]")}
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
