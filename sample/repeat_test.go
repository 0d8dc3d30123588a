package sample

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"klabel/ktest"
	"klabel/label"
	"klabel/replayer"
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
}

// TestLines holds what is written into a stream to what is looked for in a file: a name with a value
// behind it, below a title or not, behind lines that are there.
func TestLines(t *testing.T) {
	s := &Sampler{rnd: rand.New(rand.NewPCG(3, 4)), marks: []byte("[]= a")}
	others := []ktest.Object{{Name: "key[]", Data: []byte("k\x00\x00\x00")},
		{Name: "sec[]", Data: []byte("s\x00\x00\x00")}}
	value, titled, behind := false, false, false
	for range 4000 {
		data := append([]byte("x=1\n"), make([]byte, 12)...)
		data[15] = 4
		if !s.repeat("f:content", data, others) {
			t.Fatal("nothing is repeated")
		}
		text, rest := data[:data[15]], data[data[15]:15]
		if data[15] > 15 || bytes.IndexByte(text, 0) >= 0 || len(bytes.Trim(rest, "\x00")) > 0 {
			t.Fatalf("%q is said to have %d characters", data[:15], data[15])
		}
		value = value || bytes.HasPrefix(text, []byte("k=a"))
		titled = titled || bytes.HasPrefix(text, []byte("[s]\nk="))
		behind = behind || bytes.HasPrefix(text, []byte("x=1\nk="))
	}
	if !value || !titled || !behind {
		t.Errorf("a value %v, below a title %v, behind a line %v", value, titled, behind)
	}
}

// TestChoice holds what is drawn for a choice to the values that it has.
func TestChoice(t *testing.T) {
	s := New(1, 2, &Constants{}, nil)
	base, test := s.Draw()
	which := replayer.Asked{Name: "which", Data: []byte{0}, Ranged: true, High: 2}
	s.Learn(base, test, []replayer.Asked{which}, label.Verdict{}, true)
	drawn := map[byte]bool{}
	for range 200 {
		if _, x := s.Draw(); len(x.Objects) > 0 {
			drawn[x.Objects[0].Data[0]] = true
		}
	}
	if len(drawn) != 3 || !drawn[0] || !drawn[1] || !drawn[2] {
		t.Errorf("drawn are %v", drawn)
	}
}

// TestLearn holds the sampler to begin anew with a test that got further than those before: one that was asked
// for more, one that met another label, if it ended well.
func TestLearn(t *testing.T) {
	s := New(1, 2, &Constants{}, nil)
	base, test := s.Draw()
	asked := func(names ...string) (out []replayer.Asked) {
		for _, n := range names {
			out = append(out, replayer.Asked{Name: n, Data: []byte{0}})
		}
		return out
	}
	meets := func(id label.ID, as label.Outcome) label.Verdict {
		return label.Verdict{Outcome: as, Hits: []label.ID{id}}
	}
	for i, c := range []struct {
		made []replayer.Asked
		v    label.Verdict
		more int
	}{
		{asked("a", "b"), meets(1, label.Normal), 1}, {asked("a", "b"), meets(1, label.Normal), 0},
		{asked("a", "c"), meets(1, label.Normal), 1}, {asked("a", "b", "c"), meets(1, label.Normal), 1},
		{asked("a", "b", "c"), meets(1, label.Normal), 0}, {asked("a"), meets(2, label.Crashed), 0},
		{asked("a"), meets(2, label.Normal), 1},
	} {
		before := len(s.corpus)
		if s.Learn(base, test, c.made, c.v, false); len(s.corpus)-before != c.more {
			t.Errorf("%d: %d tests more, want %d", i, len(s.corpus)-before, c.more)
		}
	}
}
