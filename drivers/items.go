package drivers

import (
	"maps"
	"slices"

	"modernc.org/cc/v4"
)

// asItem names a structure that has no name but by the arrays of it that have one:
// typedef struct { int x, y; } corners[100]. It is "" for all others.
func (ts *types) asItem(t cc.Type) string {
	if ts.items == nil {
		ts.items = map[*cc.Field]string{}
		for _, name := range slices.Sorted(maps.Keys(ts.scope.Nodes)) {
			for _, n := range ts.scope.Nodes[name] {
				if d, ok := n.(*cc.Declarator); ok && d.IsTypename() {
					ts.noteItem(d)
				}
			}
		}
	}
	return ts.items[firstField(t)]
}

// noteItem notes what the items of a named array are called.
func (ts *types) noteItem(d *cc.Declarator) {
	t := d.Type()
	text := "(*(" + d.Name() + " *)0)"
	arrays := 0
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			break
		}
		t, text, arrays = a.Elem(), text+"[0]", arrays+1
	}
	f := firstField(t)
	if arrays == 0 || f == nil || recordTag(t) != "" || ts.visible(t.Typedef()) || ts.items[f] != "" {
		return
	}
	ts.items[f] = "__typeof__(" + text + ")"
}

// firstField tells a structure or union from others: copies of its type share it.
func firstField(t cc.Type) *cc.Field {
	switch x := t.(type) {
	case *cc.StructType:
		if x.NumFields() > 0 {
			return x.FieldByIndex(0)
		}
	case *cc.UnionType:
		if x.NumFields() > 0 {
			return x.FieldByIndex(0)
		}
	}
	return nil
}
