package sample

import (
	"slices"
	"strings"
	"testing"

	"klabel/ktest"
)

// TestEndings holds what is tried to leave a menu: every answer for the first test, few
// for others, each in its turn, those that have ended a run before all others.
func TestEndings(t *testing.T) {
	e := &Endings{texts: strings.Fields("a b c d e f g h i j k l m n o"), most: 1}
	first, second := e.Try(), e.Try()
	third := e.Try()
	if len(first) != 15 || first[0] != "a" || len(second) != someEndings || second[0] != "a" || third[0] != "m" {
		t.Errorf("tried %v, %v, %v", first, second, third)
	}
	e.Worked("d")
	e.Worked("k")
	e.Worked("d")
	if got := e.Try(); len(got) != 2+fewEndings || got[0] != "d" || got[1] != "k" {
		t.Errorf("%v where d, k and d again have ended runs", got)
	}
	none := &Endings{texts: []string{"a"}, most: 1, spent: 1}
	if got := none.Try(); got != nil {
		t.Errorf("%v is tried when nothing has ended a run for long", got)
	}
}

// TestEnding puts an answer behind what was read of an input, and makes room for it.
func TestEnding(t *testing.T) {
	given := &ktest.Test{Args: []string{"p", "--sym-stdin-upto", "8"}, Objects: []ktest.Object{
		{Name: "stdin_size", Data: []byte{5, 0, 0, 0}}, {Name: "stdin", Data: []byte("1 x 2\x00\x00\x00")}}}
	for _, c := range []struct {
		read int
		want string
	}{{2, "1 "}, {5, "1 x 2"}, {7, "1 x 2"}, {0, ""}} {
		got := Ending(given, c.read, "9")
		c.want += "\n" + strings.Repeat("9\n", endingTimes)
		if string(got.Objects[1].Data) != c.want || int(got.Objects[0].Data[0]) != len(c.want) ||
			!slices.Equal(got.Args[:2], given.Args[:2]) || got.Args[2] < "1" {
			t.Errorf("read up to %d: %q, %v", c.read, got.Objects, got.Args)
		}
	}
	if given.Args[2] != "8" || string(given.Objects[1].Data[:5]) != "1 x 2" {
		t.Error("the test itself was changed")
	}
	if got := Ending(&ktest.Test{Args: []string{"p"}}, 0, "9"); got != nil {
		t.Errorf("%v of a program that is given no input", got)
	}
}
