package ctests

import (
	"strings"
	"testing"

	"klabel/input"
)

// A maker that is given a text and a number may read as many bytes of it: none of them is left out of the test.
func TestWithRoom(t *testing.T) {
	char := &input.Type{Kind: input.Int, Decl: "char @", Size: 1, Char: true}
	of := func(text string) *input.Value {
		return &input.Value{Input: &input.Input{Type: &input.Type{Kind: input.Pointer, Decl: "const char *@", Size: 8}},
			To: &input.Value{Bytes: append([]byte(text), make([]byte, 9-len(text))...),
				Input: &input.Input{Text: true, Type: &input.Type{Kind: input.Array, Decl: "char @[9]", Size: 9, Len: 9,
					Elem: char}}}}
	}
	number := func(n byte) *input.Value {
		return &input.Value{Bytes: []byte{n, 0, 0, 0},
			Input: &input.Input{Type: &input.Type{Kind: input.Int, Decl: "unsigned @", Size: 4}}}
	}
	for _, c := range []struct {
		args  []*input.Value
		plain bool
	}{
		{[]*input.Value{of("ab")}, true},
		{[]*input.Value{of("ab"), number(2)}, true},
		{[]*input.Value{of("ab"), number(3)}, true}, // its end, too
		{[]*input.Value{of("ab"), number(4)}, false},
		{[]*input.Value{of("ab"), number(9)}, false},
		{[]*input.Value{of("ab"), number(10)}, true}, // more than there is: no number of its bytes
		{[]*input.Value{of("ab"), nil, number(5)}, false},
	} {
		got := withRoom(c.args[0], c.args)
		if got.To.Text != c.plain || !c.args[0].To.Text {
			t.Errorf("%d arguments: a plain text: %v, want %v", len(c.args), got.To.Text, c.plain)
		}
	}
}

// What an image calls the main function of a file is not what the tests call it.
func TestStepsCallMain(t *testing.T) {
	w := newBody()
	w.main = "klabel_main_65"
	steps := []input.Prepared{{Prepare: &input.Prepare{Function: "klabel_main_65"}},
		{Prepare: &input.Prepare{Function: "fill"}}}
	if err := w.steps(steps); err != nil {
		t.Fatal(err)
	}
	got := w.out.String()
	if !strings.Contains(got, "(void)"+programMain+"();") || !strings.Contains(got, "(void)fill();") {
		t.Error(got)
	}
}
