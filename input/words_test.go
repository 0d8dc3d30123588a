package input_test

import (
	"maps"
	"slices"
	"testing"

	"klabel/input"
)

// Words are found wherever they stand, also behind types that lead to themselves.
func TestWords(t *testing.T) {
	node := &input.Type{Kind: input.Struct, Decl: "struct node @"}
	node.Fields = []input.Field{{Name: "next", Type: &input.Type{Kind: input.Pointer, Elem: node}}}
	d := &input.Driver{
		Inputs: []*input.Input{{Name: "n", Type: node,
			Targets: []input.Target{{Function: "twice"}, {Object: "&tab[2]"}}}},
		Steps: []input.Step{{Choices: []input.Prepare{{Texts: map[int]string{1: "(int)limit"}}}}},
		Const: map[string]bool{"s": true},
	}
	want := []string{"int", "limit", "n", "next", "node", "s", "struct", "tab", "twice"}
	if got := slices.Sorted(maps.Keys(d.Words())); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
