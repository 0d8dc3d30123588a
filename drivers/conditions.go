package drivers

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// maxUnrolled bounds the items of an array that are limited one by one.
const maxUnrolled = 64

// conditions are what holds for each value of a type: enumerations within
// their items, _Bool 0 or 1, ranges that the user gave.
func (b *builder) conditions(name, lv string, t *input.Type, depth int) (conds []string, err error) {
	switch t.Kind {
	case input.Bool:
		if depth > 0 {
			conds = append(conds, fmt.Sprintf("(*(unsigned char *)&%s <= 1)", lv))
		}
	case input.Enum:
		c := enumCondition(lv, t)
		b.enums = b.enums || c != "" && b.o.loose
		if c != "" && !b.o.AnyEnum && !b.rel.hasRange(name) {
			conds = append(conds, c)
			b.narrow("items of %s", enumName(name, t))
		}
	case input.Struct:
		for _, f := range t.Fields {
			if f.Bits > 0 || f.Name == "" {
				continue
			}
			cs, err := b.conditions(child(name, "."+f.Name), lv+"."+f.Name, f.Type, depth+1)
			if err != nil {
				return nil, err
			}
			conds = append(conds, cs...)
		}
		return conds, nil
	case input.Array:
		for i := int64(0); i < min(t.Len, maxUnrolled); i++ {
			// Ranges name all items at once, "p[]", or the whole array.
			item := fmt.Sprintf("[%d]", i)
			n := name
			if !strings.HasSuffix(n, "[]") {
				n += "[]"
			}
			cs, err := b.conditions(n, lv+item, t.Elem, depth+1)
			if err != nil {
				return nil, err
			}
			conds = append(conds, cs...)
			if len(cs) == 0 {
				break
			}
		}
		if len(conds) > 0 && t.Len > maxUnrolled {
			b.warn("%s has %d items: the first %d are kept within their range", name, t.Len, maxUnrolled)
		}
		return conds, nil
	case input.Union, input.Pointer, input.Function, input.Void:
		return nil, nil
	}
	cs, err := b.rel.rangesOf(name, lv, t)
	return append(conds, cs...), err
}

// enumName is an enumeration for people.
func enumName(of string, t *input.Type) string {
	if t.Tag != "" {
		return t.Tag
	}
	return "the enumeration of " + of
}

// enumCondition says that a value is one of an enumeration's items.
func enumCondition(lv string, t *input.Type) string {
	if len(t.Enumerators) == 0 {
		return ""
	}
	values := map[int64]bool{}
	lo, hi := t.Enumerators[0].Value, t.Enumerators[0].Value
	for _, e := range t.Enumerators {
		values[e.Value] = true
		lo, hi = min(lo, e.Value), max(hi, e.Value)
	}
	if span := uint64(hi-lo) + 1; span == uint64(len(values)) {
		if lo == 0 && !t.Signed {
			return fmt.Sprintf("(%s <= %s)", lv, literal(hi))
		}
		return fmt.Sprintf("((%s >= %s) & (%s <= %s))", lv, literal(lo), lv, literal(hi))
	}
	var alts []string
	seen := map[int64]bool{}
	for _, e := range t.Enumerators {
		if !seen[e.Value] {
			seen[e.Value] = true
			alts = append(alts, fmt.Sprintf("(%s == %s)", lv, literal(e.Value)))
		}
	}
	return "(" + strings.Join(alts, " | ") + ")"
}

// onlyPointers reports whether all bytes of a type are built apart.
func onlyPointers(t cc.Type) bool {
	switch x := t.(type) {
	case *cc.PointerType:
		return true
	case *cc.ArrayType:
		return onlyPointers(x.Elem())
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			if f := x.FieldByIndex(i); f != nil && !onlyPointers(f.Type()) {
				return false
			}
		}
		return x.NumFields() > 0
	}
	return false
}
