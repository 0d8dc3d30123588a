package drivers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// Embedding says that code takes the address of a structure for that of a larger one: its first
// member is the other one (a base and what derives from it), a member in its midst
// (the links of a list), or both begin with the same members. A structure that the unit only
// declares is whatever the unit takes it for: its members are nobody else's business.
type Embedding struct {
	Whole  string // the larger structure, as recordName calls it
	Path   string // C from it to the smaller one, ".base"; "" where both only begin alike, or that one is hidden
	Offset int64  // of the smaller one in it
}

// mostWholes bounds the structures that a pointer may lead into the midst of: each is a fork.
const mostWholes = 8

// Embeddings finds, by the name of the smaller structure, what the functions of the units take its
// address for. Casts from one structure to another tell, also those that go back by an offset, as container_of does.
func Embeddings(units []*csource.Unit) map[string][]Embedding {
	out := map[string][]Embedding{}
	for _, u := range units {
		for _, f := range u.Functions() {
			if f.Origin.System || f.Def == nil {
				continue
			}
			u.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
				x, ok := n.(*cc.CastExpression)
				if !ok || x.Case != cc.CastExpressionCast || x.CastExpression == nil {
					return true
				}
				if part, e, ok := embedding(x); ok && !slices.Contains(out[part], e) {
					out[part] = append(out[part], e)
				}
				return true
			})
		}
	}
	derive(out)
	return out
}

// derive adds what follows: a base's base is one, too.
func derive(of map[string][]Embedding) {
	for _, part := range slices.Sorted(maps.Keys(of)) {
		for i := 0; i < len(of[part]); i++ {
			e := of[part][i]
			for _, outer := range of[e.Whole] {
				all := Embedding{outer.Whole, outer.Path + e.Path, outer.Offset + e.Offset}
				if (outer.Path == "") != (e.Path == "") {
					all.Path = "" // only begins alike
				}
				known := slices.ContainsFunc(of[part], func(o Embedding) bool {
					return o.Whole == all.Whole && o.Offset == all.Offset
				})
				if !known && all.Whole != part && (all.Path != "" || all.Offset == 0) && len(of[part]) < mostWholes {
					of[part] = append(of[part], all)
				}
			}
		}
	}
}

// embedding is what a cast tells: the name of the smaller structure, and where it lies.
func embedding(x *cc.CastExpression) (part string, e Embedding, ok bool) {
	whole := pointedRecord(x.Type())
	if name := opaque(x.CastExpression.Type()); name != "" && whole != nil && recordName(whole) != "" {
		return name, Embedding{Whole: recordName(whole)}, true
	}
	from, back := origin(x.CastExpression)
	small := pointedRecord(from)
	if whole == nil || small == nil || back < 0 || whole.HasFlexibleArrayMember() || whole.Size() <= small.Size() {
		return "", e, false
	}
	part, e.Whole, e.Offset = recordName(small), recordName(whole), back
	if part == "" || e.Whole == "" || part == e.Whole {
		return "", e, false
	}
	if e.Path, ok = memberAt(whole, part, back); !ok {
		return part, e, back == 0 && beginsAlike(small, whole)
	}
	return part, e, true
}

// origin is the type of the pointer to a structure that an expression comes from, and how many
// bytes before it the expression lies; -1 where that cannot be told.
func origin(e cc.ExpressionNode) (t cc.Type, back int64) {
	for {
		e = csource.Unparen(e)
		if pointedRecord(e.Type()) != nil {
			return e.Type(), back
		}
		switch x := e.(type) {
		case *cc.CastExpression:
			if x.Case != cc.CastExpressionCast || x.CastExpression == nil {
				return nil, -1
			}
			e = x.CastExpression
		case *cc.AdditiveExpression:
			n, ok := integer(x.MultiplicativeExpression.Value())
			p, isPointer := x.AdditiveExpression.Type().(*cc.PointerType)
			bytes := isPointer && (p.Elem().Size() == 1 || p.Elem().Kind() == cc.Void)
			if x.Case != cc.AdditiveExpressionSub || !ok || !bytes {
				return nil, -1
			}
			back, e = back+n, x.AdditiveExpression
		default:
			return nil, -1
		}
	}
}

// pointedRecord is the complete structure that a pointer leads to, nil for another type.
func pointedRecord(t cc.Type) *cc.StructType {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return nil
	}
	s, ok := p.Elem().(*cc.StructType)
	if !ok || s.IsIncomplete() || s.Size() <= 0 {
		return nil
	}
	return s
}

// opaque is the name of the structure that a pointer leads to and that the unit only declares, "" for any other type.
func opaque(t cc.Type) string {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return ""
	}
	if s, ok := p.Elem().(*cc.StructType); ok && s.IsIncomplete() {
		return recordName(s)
	}
	return ""
}

// memberAt is the path to the member of a structure that is the one of this name and lies at the offset.
func memberAt(x *cc.StructType, name string, offset int64) (string, bool) {
	for i := 0; i < x.NumFields(); i++ {
		f := x.FieldByIndex(i)
		if f == nil || f.IsBitfield() || f.IsFlexibleArrayMember() {
			continue
		}
		s, ok := f.Type().(*cc.StructType)
		if !ok || offset < f.Offset() || offset >= f.Offset()+s.Size() {
			continue
		}
		path := ""
		if f.Name() != "" {
			path = "." + f.Name()
		}
		if path != "" && offset == f.Offset() && recordName(s) == name {
			return path, true
		}
		if rest, ok := memberAt(s, name, offset-f.Offset()); ok {
			return path + rest, true
		}
	}
	return "", false
}

// beginsAlike reports whether a structure begins with members of the same kinds and places as a
// smaller one has.
func beginsAlike(small, large *cc.StructType) bool {
	n := small.NumFields()
	for i := 0; i < n; i++ {
		a, b := small.FieldByIndex(i), large.FieldByIndex(i)
		if a == nil || b == nil || a.Offset() != b.Offset() || a.IsBitfield() != b.IsBitfield() ||
			a.Type().Kind() != b.Type().Kind() || a.Type().Size() != b.Type().Size() {
			return false
		}
	}
	return n > 0
}

// surrounding is a structure of this unit that a pointer may lead into.
type surrounding struct {
	Embedding
	typ *cc.StructType
}

// wholes are the structures that a pointer to this type may lead into, as far as the unit declares them.
func (b *builder) wholes(elem cc.Type) (out []surrounding) {
	if !isRecord(elem) {
		return nil
	}
	for _, e := range b.o.Embeddings[recordName(elem)] {
		t := b.record(e.Whole)
		if t == nil || t.HasFlexibleArrayMember() || b.buildable(t) != nil || len(out) == mostWholes {
			continue
		}
		small, ok := elem.(*cc.StructType)
		if e.Path == "" && (!ok || !small.IsIncomplete() && !beginsAlike(small, t)) {
			continue
		}
		if at, ok := memberAt(t, recordName(elem), e.Offset); e.Path != "" && (!ok || at != e.Path) {
			continue // another structure of that name
		}
		out = append(out, surrounding{e, t})
	}
	return out
}

// record is the structure that a name, as recordName gives it, stands for at the end of the unit.
func (s *shared) record(name string) *cc.StructType {
	tag, isTag := strings.CutPrefix(name, "struct ")
	for _, n := range s.unit.AST.Scope.Nodes[tag] {
		var t cc.Type
		switch x := n.(type) {
		case *cc.StructOrUnionSpecifier:
			t = x.Type()
		case *cc.Declarator:
			if x.IsTypename() && !isTag {
				t = x.Type()
			}
		}
		if r, ok := t.(*cc.StructType); ok && !r.IsIncomplete() && recordName(r) == name {
			return r
		}
	}
	return nil
}

// into builds a structure and lets lv point into it.
func (b *builder) into(in *input.Input, s *shape, w surrounding, name, lv string, depth int) error {
	decl, err := b.ts.declare(w.typ, "*", true)
	if err != nil {
		return b.fail("*"+name, err)
	}
	from := name
	if w.Offset > 0 {
		from = fmt.Sprintf("((char *)%s - %d)", name, w.Offset)
	}
	to := input.Target{Single: true, Heap: b.heap, Path: w.Path, Cast: w.Path == ""}
	at := w.Path
	if to.Value, err = b.item(fmt.Sprintf("*((%s)%s)", decl, from), name, w.typ, s.elem, at, lv, depth); err != nil {
		return err
	}
	in.Targets = append(in.Targets, to)
	return nil
}

// item builds one item called value, a structure or whatever else, and lets lv, called name, point to
// what the path leads to in it, which is of type elem.
func (b *builder) item(value, name string, t, elem cc.Type, path, lv string, depth int) (*input.Input, error) {
	v := b.ident(name, "_item")
	v, err := b.cur.room(func(n string) (string, error) { return b.ts.declare(t, n, true) }, v,
		b.heap || (arrayWithin(t) || b.strays(name)) && b.apart(), false)
	if err != nil {
		return nil, b.fail("*"+name, err)
	}
	place := "&" + v + path
	if t != elem && path == "" {
		place = "(void *)" + place
	}
	if self, ok := b.partnerOf(name, elem, place); ok {
		b.above = append(b.above, self)
		defer func() { b.above = b.above[:len(b.above)-1] }()
	}
	out, err := b.fill(value, t, v, depth+1, true)
	if err != nil {
		return nil, err
	}
	if x, ok := t.(*cc.StructType); ok {
		b.lengths(x, out, v)
	}
	b.cur.line("%s = %s;", lv, place)
	return out, nil
}
