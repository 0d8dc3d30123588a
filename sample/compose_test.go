package sample

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// TestCompose holds composed texts to structure: what is drawn over again finds an
// assignment and a second line that is indented, a bracket that is closed; a text keeps
// its beginning; a stream says how long it is. The program's words and extreme numbers are in some.
func TestCompose(t *testing.T) {
	s := &Sampler{rnd: rand.New(rand.NewPCG(3, 4)), marks: []byte("#;=[]")}
	goes := regexp.MustCompile(`^[a-c0-9]+=[a-c0-9]*\n [a-c0-9]`)
	closed := regexp.MustCompile(`\[[a-c0-9]+\]`)
	called := regexp.MustCompile(`(pow|atan2)\[`)
	pairs, lists := 0, 0
	for n := range composeTurns * len(extremes) {
		want := extremes[n%len(extremes)]
		whole := []byte("was here before")
		if s.compose("s[]", whole); strings.TrimRight(string(whole), "\x00") != want {
			t.Errorf("%q, want %s alone", whole, want)
		}
	}
	text := []byte("a=\x00\x00\x00\x00\x00\x00\x00")
	for range 4000 {
		next := append([]byte{}, text...)
		s.compose("s[]", next)
		if strings.HasPrefix(string(next), "a=") && goes.Match(next) {
			pairs++
		}
		if closed.Match(next) {
			lists++
		}
	}
	if pairs < 10 || lists < 10 {
		t.Errorf("%d assignments go on in a second line, %d brackets are closed", pairs, lists)
	}
	s.names = nameable([]string{"pow", "p%s", "atan2", "a b", "x", "abcdefghijklm"})
	if got := strings.Join(s.names, " "); got != "pow atan2" {
		t.Errorf("words that may be names: %s", got)
	}
	named, whole := 0, 0
	for range 4000 {
		next := make([]byte, 9)
		s.compose("s[]", next)
		if called.Match(next) {
			named++
		}
		if strings.Contains(string(next), "1e-999") {
			whole++
		}
	}
	if named < 10 || whole < 10 {
		t.Errorf("%d texts have a name and a bracket behind it, %d a number that is too small", named, whole)
	}
	for range 100 {
		stream := make([]byte, 9)
		s.compose("f:content", stream)
		if stream[8] != 8 {
			t.Fatalf("%q: a stream of 8 bytes", stream)
		}
	}
	if composed("n", 4) || composed("s[]", 2) || !composed("rd():*buf", 8) || !composed("stdin", 16) {
		t.Error("what is text, and what is a number, is not told apart")
	}
}
