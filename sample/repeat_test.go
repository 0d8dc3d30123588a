package sample

import (
	"math/rand/v2"
	"strings"
	"testing"

	"klabel/ktest"
)

// TestRepeat holds texts that repeat others to what tables and parsers ask for: the same key, a key
// within a section and the section of a key.
func TestRepeat(t *testing.T) {
	s := &Sampler{rnd: rand.New(rand.NewPCG(3, 4)), marks: []byte(":")}
	others := []ktest.Object{{Name: "key[]", Data: []byte("ab\x00\x00\x00\x00")},
		{Name: "entry[]", Data: []byte("sec:k\x00")}, {Name: "n", Data: []byte{7}},
		{Name: "f:content", Data: []byte("x\x01")}}
	got := map[string]bool{}
	for range 400 {
		text := []byte("old old")
		if !s.repeat("other[]", text, others) {
			t.Fatal("nothing is repeated")
		}
		got[strings.TrimRight(string(text), "\x00")] = true
	}
	for _, want := range []string{"ab", "ab:a", "b:ab", "sec:k", "sec"} {
		if !got[want] {
			t.Errorf("never %q", want)
		}
	}
	if s.repeat("key[]", []byte("old old"), others[:1]) {
		t.Error("a text repeats itself")
	}
	if s.repeat("f:content", make([]byte, 9), others) {
		t.Error("a stream's length is overwritten")
	}
}
