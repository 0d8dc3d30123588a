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

// What the member of a union leads back to is assigned later, by the whole way to the member.
func TestSharedInUnion(t *testing.T) {
	pointer := &input.Type{Kind: input.Pointer}
	union := &input.Type{Kind: input.Union}
	whole := &input.Type{Kind: input.Struct}
	member := &input.Input{Name: "list->u.back", Type: pointer}
	u := &input.Input{Name: "list->u", Type: union, Parts: []input.Part{{Path: ".back", Input: member}}}
	list := &input.Input{Name: "list", Type: whole, Parts: []input.Part{{Path: ".u", Input: u}}}
	back := &input.Value{Input: member, Target: &input.Target{Alias: "list"}}
	v := &input.Value{Input: list, Parts: []*input.Value{{Input: u, Parts: []*input.Value{back}}}}
	w := newBody()
	w.within["list"] = true
	if _, err := w.parts(v); err != nil {
		t.Fatal(err)
	}
	if len(w.back) != 1 || w.back[0].path != ".u.back" || w.back[0].to != "list" {
		t.Errorf("%+v", w.back)
	}
}
