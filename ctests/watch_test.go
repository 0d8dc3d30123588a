package ctests

import (
	"testing"

	"klabel/input"
)

// TestWatchedPlaces: of a large object a part is watched, and of the next one all the same.
func TestWatchedPlaces(t *testing.T) {
	of := func(elem *input.Type, n int64) *input.Type {
		return &input.Type{Kind: input.Array, Len: n, Size: n * elem.Size, Elem: elem}
	}
	number := &input.Type{Kind: input.Float, Size: 8, Decl: "double @"}
	large := of(of(of(number, 10), 16), 16)
	fields := []input.Field{{Name: "x", Type: number}, {Name: "y", Type: number}}
	pair := &input.Type{Kind: input.Struct, Tag: "struct pair", Fields: fields}
	machine := &input.Type{Kind: input.Struct, Tag: "struct stat", Fields: fields}
	w := &body{}
	for i, c := range []struct {
		name string
		typ  *input.Type
		want int
	}{{"a", large, maxPlaces}, {"b", of(number, maxWatched), maxWatched}, {"c", of(number, maxWatched+1), 0},
		{"d", large, maxPlaces}, {"e", pair, 2}, {"f", machine, 0}} {
		before := len(w.checks)
		w.watch(c.name, c.typ, "")
		if got := len(w.checks) - before; got != c.want {
			t.Errorf("%d: %d places of %s, want %d", i, got, c.name, c.want)
		}
	}
	if first := w.checks[0].expr; first != "a[0][0][0]" {
		t.Errorf("the first one is %s", first)
	}
}
