package drivers

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// Some pointers have to be what an object holds that calls have made: the encoding of a parser, a node of a tree. What
// an entry builds beside such an object is none of its own, and the function ends in NULL, or in what it never was.

const (
	mostHeld  = 3 // places that one pointer may be taken from
	heldDepth = 2 // pointers followed to one
)

// heldPlace is a place within an object that calls make, "@" in its C being the pointer to that.
type heldPlace struct {
	of    string // the object's name
	expr  string // "@->encoding", "&@->pool"
	there string // what must hold for it: "@ && @->dtd"
}

// in is C for it where the pointer to the object is a variable, and NULL where there is no such place.
func (p heldPlace) in(pointer, null string) string {
	return strings.ReplaceAll(fmt.Sprintf("%s ? %s : %s", p.there, p.expr, null), "@", pointer)
}

// heldPlaces are the places for a pointer to a structure within the objects that calls make, those nearest to the
// object first.
func (b *builder) heldPlaces(elem cc.Type) (out []heldPlace) {
	if b.before || !isRecord(elem) || len(b.objectsMade) == 0 {
		return nil
	}
	key, err := b.targetType(elem)
	if err != nil {
		return nil
	}
	for depth := 1; depth <= heldDepth; depth++ {
		for _, o := range b.objectsMade {
			x, ok := o.elem.(*cc.StructType)
			if !ok || o.beside || o.param.held || x.IsIncomplete() {
				continue
			}
			if root, err := b.targetType(x); err != nil || root == key {
				continue // it shares that, or is another one
			}
			b.placesIn(x, heldPlace{of: o.param.name, expr: "@->", there: "@"}, depth, func(t cc.Type, p heldPlace) {
				if typ, err := b.targetType(t); err == nil && typ == key && len(out) < mostHeld {
					out = append(out, p)
				}
			})
		}
	}
	return out
}

// placesIn calls f with the structures that lie, or are led to, within one that a place ends before, so many pointers
// away.
func (b *builder) placesIn(x *cc.StructType, at heldPlace, depth int, f func(cc.Type, heldPlace)) {
	for i := range x.NumFields() {
		m := x.FieldByIndex(i)
		if m == nil || m.Name() == "" {
			continue
		}
		to := at
		to.expr += m.Name()
		switch t := m.Type().(type) {
		case *cc.StructType:
			if depth == 1 {
				f(t, heldPlace{to.of, "&" + to.expr, to.there})
			}
			to.expr += "."
			b.placesIn(t, to, depth, f)
		case *cc.PointerType:
			inner, ok := t.Elem().(*cc.StructType)
			if depth == 1 && isRecord(t.Elem()) {
				f(t.Elem(), to)
			}
			if depth > 1 && ok && !inner.IsIncomplete() {
				to.there += " && " + to.expr
				to.expr += "->"
				b.placesIn(inner, to, depth-1, f)
			}
		}
	}
}

// heldTargets are the ways in which a pointer is taken from places within objects, once calls have made these.
func (b *builder) heldTargets(in *input.Input, elem cc.Type, lv string) (out []func() error) {
	places := b.heldPlaces(elem)
	if len(places) == 0 {
		return nil
	}
	which := b.ident(in.Name, "_held")
	b.cur.declare("unsigned char " + which + " = 0")
	for i, p := range places {
		out = append(out, func() error {
			b.cur.line("%s = 0;", lv)
			b.cur.line("%s = %d;", which, i+1)
			in.Targets = append(in.Targets, input.Target{Object: "(" + p.in("@", "NULL") + ")", Of: p.of})
			return nil
		})
	}
	b.afterCalls = append(b.afterCalls, func() {
		for i, p := range places {
			b.cur.line("if (%s == %d)", which, i+1)
			b.cur.line("    %s = (void *)(%s);", lv, p.in(b.exprs[p.of], "0"))
		}
	})
	return out
}
