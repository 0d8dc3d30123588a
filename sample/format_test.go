package sample

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestFormat holds texts before further arguments to formats that make little, much, and more than is counted.
func TestFormat(t *testing.T) {
	s := &Sampler{rnd: rand.New(rand.NewPCG(3, 4)), marks: []byte("a"), asked: map[string]bool{}}
	if s.formats("fmt[]", 9) {
		t.Error("a format without arguments")
	}
	s.asked[furtherArgument] = true
	if !s.formats("fmt[]", 9) || s.formats("argument 2[]", 9) || s.formats("n", 4) {
		t.Error("not the text before the arguments alone")
	}
	short, wide, huge := false, false, false
	for range 2000 {
		text := make([]byte, 16)
		s.format(text)
		f := strings.TrimRight(string(text), "\x00")
		if !strings.Contains(f, "%") || text[15] != 0 || strings.ContainsAny(f, "n*") {
			t.Fatalf("%q", f)
		}
		short, wide = short || f == "%s", wide || strings.Contains(f, "%5000d")
		huge = huge || strings.Contains(f, "%9999999999")
	}
	if !short || !wide || !huge {
		t.Errorf("plain %v, wide %v, more than an int %v", short, wide, huge)
	}
	s.format(make([]byte, 3))
}
