package drivers

import (
	"fmt"

	"modernc.org/cc/v4"

	"klabel/input"
)

// piecewise reports whether a structure is built field by field: where the
// places of fields cannot be told from their types alone.
func (b *builder) piecewise(t cc.Type) bool {
	x, ok := t.(*cc.StructType)
	if !ok {
		if a, isArray := t.(*cc.ArrayType); isArray {
			return b.piecewise(a.Elem())
		}
		return false
	}
	if b.ts.packed {
		return true
	}
	if a := x.Attributes(); a != nil && (a.IsAttrSet("packed") || a.Aligned() > 0) {
		return true
	}
	for i := 0; i < x.NumFields(); i++ {
		f := x.FieldByIndex(i)
		if f == nil {
			continue
		}
		if f.IsBitfield() || b.piecewise(f.Type()) {
			return true
		}
		if a := f.Type().Attributes(); a != nil && (a.IsAttrSet("packed") || a.Aligned() > 0) {
			return true
		}
	}
	return false
}

// pieces fills a structure (or an array of them) field by field.
func (b *builder) pieces(in *input.Input, t cc.Type, lv string, depth int) error {
	b.cur.line("__builtin_memset(&%s, 0, sizeof %s);", lv, lv)
	b.narrow("padding of %s that is 0", in.Name) // a copy's bytes may be looked at
	switch x := t.(type) {
	case *cc.ArrayType:
		for i := int64(0); i < x.Len(); i++ {
			if err := b.piece(in, fmt.Sprintf("[%d]", i), -1, 0, x.Elem(), lv, depth); err != nil {
				return err
			}
		}
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			f := x.FieldByIndex(i)
			if f == nil || f.Name() == "" && f.IsBitfield() || f.IsFlexibleArrayMember() {
				continue
			}
			if f.Name() == "" {
				// The fields of an anonymous structure are reached as the whole's.
				if inner, ok := f.Type().(*cc.StructType); ok {
					for j := 0; j < inner.NumFields(); j++ {
						if g := inner.FieldByIndex(j); g != nil && g.Name() != "" {
							if err := b.piece(in, "."+g.Name(), -1, bits(g), g.Type(), lv, depth); err != nil {
								return err
							}
						}
					}
					continue
				}
				if inner, ok := f.Type().(*cc.UnionType); ok && inner.NumFields() > 0 {
					b.narrow("the first member of a union in %s", in.Name)
					if g := inner.FieldByIndex(0); g.Name() != "" {
						if err := b.piece(in, "."+g.Name(), -1, bits(g), g.Type(), lv, depth); err != nil {
							return err
						}
					}
				}
				continue
			}
			if err := b.piece(in, "."+f.Name(), -1, bits(f), f.Type(), lv, depth); err != nil {
				return err
			}
		}
	}
	return nil
}

func bits(f *cc.Field) int {
	if f.IsBitfield() {
		return int(f.ValueBits())
	}
	return 0
}

func (b *builder) piece(in *input.Input, path string, off int64, width int, t cc.Type, lv string, depth int) error {
	if !b.count() { // it is 0 already
		b.warn("%s: more than %d objects, the rest of it is 0", in.Name, maxObjects)
		b.narrow("%d objects", maxObjects)
		return nil
	}
	name := child(in.Name, path)
	if width > 0 {
		it, err := b.ts.of(t)
		if err != nil {
			return b.fail(name, err)
		}
		p := &input.Input{Name: name, Type: it, Object: name, Bits: width}
		b.cur.open("")
		b.cur.line("%s;", it.Declare("klabel_value"))
		b.cur.line("klee_make_symbolic(&klabel_value, sizeof klabel_value, %s);", quote(name))
		b.cur.line("%s%s = klabel_value;", lv, path)
		b.cur.close("")
		b.exprs[name] = lv + path
		if err := b.limit(p, lv+path); err != nil {
			return err
		}
		in.Parts = append(in.Parts, input.Part{Path: path, Offset: -1, Input: p})
		return nil
	}
	p, err := b.fill(name, t, lv+path, depth, false)
	if err != nil {
		return err
	}
	in.Parts = append(in.Parts, input.Part{Path: path, Offset: off, Input: p})
	return nil
}
