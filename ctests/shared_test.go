package ctests

import (
	"strings"
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

// A text that another pointer leads into further than it is written has room for that.
func TestSharedBehindText(t *testing.T) {
	char := &input.Type{Kind: input.Int, Decl: "char @", Size: 1, Signed: true, Char: true}
	array := &input.Type{Kind: input.Array, Decl: "char @[9]", Elem: char, Len: 9, Size: 9}
	begin := &input.Value{Input: &input.Input{Name: "s", Type: &input.Type{Kind: input.Pointer, Decl: "const char *@"}},
		Target: &input.Target{Value: &input.Input{Name: "s[]", Type: array, Text: true}}, Count: -1}
	begin.To = &input.Value{Input: begin.Target.Value, Bytes: []byte("ab\x00\x00\x00\x00\x00\x00\x00")}
	pointer := func(name, to string, at int) *input.Value {
		return &input.Value{Input: &input.Input{Name: name, Type: begin.Type}, Target: &input.Target{Alias: to}, At: at}
	}
	for _, c := range []struct {
		middle, end int
		want        string
	}{
		{0, 1, `"ab"`},
		{1, 2, `"ab"`},
		{2, 3, `"ab\000\000"`},
		{0, 9, `"ab\000\000\000\000\000\000"`},
	} {
		w := newBody()
		w.lead(begin, pointer("m", "s", c.middle), pointer("e", "m", c.end))
		if _, err := w.pointer(begin); err != nil {
			t.Fatal(err)
		}
		if got := w.out.String(); !strings.Contains(got, "= "+c.want+";") {
			t.Errorf("%d + %d: %s, want %s", c.middle, c.end, got, c.want)
		}
	}
}

// A member that is smaller than its union is assigned: its initialiser would not say what the other bytes are.
func TestSmallMemberOfUnion(t *testing.T) {
	pointer := &input.Type{Kind: input.Pointer, Decl: "int *@", Size: 8}
	for _, c := range []struct {
		size       int64
		initialise bool
	}{{8, true}, {16, false}} {
		union := &input.Type{Kind: input.Union, Decl: "union u @", Size: c.size,
			Fields: []input.Field{{Name: "p", Type: pointer}}}
		whole := &input.Type{Kind: input.Struct, Decl: "struct s @", Size: 8 + c.size,
			Fields: []input.Field{{Name: "u", Offset: 8, Type: union}}}
		member := &input.Input{Name: "s->u.p", Type: pointer}
		u := &input.Input{Name: "s->u", Type: union, Parts: []input.Part{{Path: ".p", Input: member}}}
		s := &input.Input{Name: "s", Type: whole, Parts: []input.Part{{Path: ".u", Input: u}}}
		to := &input.Value{Input: member, Target: &input.Target{Single: true, Value: &input.Input{Name: "*s->u.p",
			Type: &input.Type{Kind: input.Int, Decl: "int @", Size: 4}}}}
		to.To = &input.Value{Input: to.Target.Value, Bytes: []byte{3, 0, 0, 0}}
		v := &input.Value{Input: s, Parts: []*input.Value{{Input: u, Parts: []*input.Value{to}}}}
		w := newBody()
		if err := w.declare("s", whole, v, nil); err != nil {
			t.Fatal(err)
		}
		got := w.out.String()
		if strings.Contains(got, "{.u = {.p = ") != c.initialise || strings.Contains(got, "s.u.p = ") == c.initialise {
			t.Errorf("%d bytes: %s", c.size, got)
		}
	}
}
