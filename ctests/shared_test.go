package ctests

import (
	"testing"

	"klabel/input"
)

// A pointer may share the target of one that shares another's: what it leads to is
// written, before and after that target exists.
func TestSharedTwice(t *testing.T) {
	at := func(name, shares string, n int) *input.Value {
		return &input.Value{Input: &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer}},
			Target: &input.Target{Alias: shares}, At: n}
	}
	w := newBody()
	w.places["list"] = "&list"
	w.places["text"] = "text"
	for _, c := range []struct {
		v    *input.Value
		want string
	}{
		{at("list->prev", "list", 0), "&list"},
		{at("list->child", "list->prev", 0), "&list"},
		{at("from", "text", 2), "text + 2"},
		{at("to", "from", 3), "text + 5"},
		{at("end", "to", 0), "text + 5"},
		{at("nothing", "null", 0), "NULL"},
	} {
		if got, err := w.pointer(c.v); err != nil || got != c.want {
			t.Errorf("%s: %s, %v, want %s", c.v.Name, got, err, c.want)
		}
	}
	w = newBody()
	w.within["list"] = true
	for _, v := range []*input.Value{at("list->prev", "list", 0), at("list->child", "list->prev", 0)} {
		if got, err := w.pointer(v); err != nil || got != "NULL" {
			t.Errorf("%s: %s, %v, want to be assigned later", v.Name, got, err)
		}
	}
	if len(w.back) != 2 || w.back[1].to != "list" {
		t.Errorf("%+v", w.back)
	}
}
