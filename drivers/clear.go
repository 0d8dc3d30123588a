package drivers

import (
	"fmt"

	"modernc.org/cc/v4"
)

// without sets the pointers in the items of an array to NULL, from one item on; other bytes stay as they are.
func (b *builder) without(array *cc.ArrayType, lv string, from int64, depth int) {
	if !pointersIn(array) {
		return
	}
	if _, ok := array.Elem().(*cc.PointerType); ok {
		b.cur.line("__builtin_memset((void *)&%s[%d], 0, %d);", lv, from, (array.Len()-from)*array.Elem().Size())
		return
	}
	i := fmt.Sprintf("klabel_item_%d", depth)
	b.cur.open("")
	b.cur.line("unsigned long %s;", i)
	b.cur.open("for (%s = %d; %s < %d; %s++)", i, from, i, array.Len(), i)
	b.clear(array.Elem(), lv+"["+i+"]", depth+1)
	b.cur.close("")
	b.cur.close("")
}

// clear is without of one value.
func (b *builder) clear(t cc.Type, lv string, depth int) {
	switch x := t.(type) {
	case *cc.PointerType:
		b.cur.line("__builtin_memset((void *)&%s, 0, sizeof %s);", lv, lv)
	case *cc.ArrayType:
		b.without(x, lv, 0, depth)
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			f := x.FieldByIndex(i)
			if f == nil || f.IsBitfield() || f.IsFlexibleArrayMember() {
				continue
			}
			at := lv
			if f.Name() != "" {
				at += "." + f.Name()
			}
			b.clear(f.Type(), at, depth)
		}
	}
}

// pointersIn reports whether a type is or has pointers, other than in unions.
func pointersIn(t cc.Type) bool {
	switch x := t.(type) {
	case *cc.PointerType:
		return true
	case *cc.ArrayType:
		return pointersIn(x.Elem())
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			f := x.FieldByIndex(i)
			if f != nil && !f.IsBitfield() && !f.IsFlexibleArrayMember() && pointersIn(f.Type()) {
				return true
			}
		}
	}
	return false
}
