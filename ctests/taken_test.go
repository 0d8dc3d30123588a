package ctests

import (
	"testing"

	"klabel/input"
)

// A variable that is called as its type would hide it from what is declared behind it;
// a tag is a name of another kind.
func TestNamesOfTypes(t *testing.T) {
	pointer := func(name, decl string) *input.Input {
		return &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer, Decl: decl}}
	}
	tree, list := pointer("tree", "const tree *@"), pointer("list", "struct list *@")
	tree.Targets = []input.Target{{Function: "compare"}}
	w := newBody()
	w.take(&input.Driver{Function: "find", Inputs: []*input.Input{tree, list},
		Steps: []input.Step{{Choices: []input.Prepare{{Function: "add", Args: []*input.Input{nil,
			pointer("item", "item_t **@")}}}}}})
	for name, want := range map[string]string{"tree": "tree_2", "list": "list", "compare": "compare_2", "add": "add_2",
		"find": "find_2", "item_t": "item_t_2", "item": "item"} {
		if got := w.ident(name); got != want {
			t.Errorf("a variable for %s is called %s, want %s", name, got, want)
		}
	}
}

// A name that was given thousands of times is found at once.
func TestManyOfOneName(t *testing.T) {
	w := newBody()
	for range 3000 {
		w.ident("b")
	}
	if n := testing.AllocsPerRun(1, func() { w.ident("b") }); n > 100 {
		t.Errorf("%v allocations for one more name", n)
	}
}
