package csource

import (
	"bytes"
	"math/rand"
	"testing"
)

func TestEditsNest(t *testing.T) {
	text := []byte("a && b")
	e := NewEdits(text)
	e.Wrap(Span{0, 1}, "<", ">")
	e.Wrap(Span{0, 6}, "[", "]")
	e.Wrap(Span{5, 6}, "<", ">")
	e.Replace(Span{2, 4}, "&")
	e.Insert(0, "1")
	e.Insert(0, "2")
	e.Wrap(Span{0, 6}, "{", "}")
	if got := string(e.Apply()); got != "12{[<a> & <b>]}" {
		t.Errorf("got %s", got)
	}
}

func TestReplaceKeepsLines(t *testing.T) {
	e := NewEdits([]byte("f(\n# 7 \"x.h\"\n a,\n b); g"))
	e.Replace(Span{0, 21}, ";")
	if got := string(e.Apply()); got != ";\n# 7 \"x.h\"\n\n g" {
		t.Errorf("got %q", got)
	}
}

// Whatever is put in, taking it out again gives the input byte for byte.
func TestRemove(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range 2000 {
		text := make([]byte, r.Intn(40))
		for i := range text {
			text[i] = "ab\n#"[r.Intn(4)]
		}
		e := NewEdits(text)
		for range r.Intn(12) {
			s := Span{r.Intn(len(text) + 1), 0}
			s.End = s.Start + r.Intn(len(text)-s.Start+1)
			switch r.Intn(3) {
			case 0:
				e.Insert(s.Start, "I")
			case 1:
				e.Wrap(s, "(", ")")
			case 2:
				e.Replace(s, "R")
			}
		}
		out, pieces := e.ApplyPieces()
		if got := Remove(out, pieces); !bytes.Equal(got, text) {
			t.Fatalf("%q became %q, then %q", text, out, got)
		}
		if !bytes.Equal(out, e.Apply()) {
			t.Fatal("Apply and ApplyPieces differ")
		}
	}
}
