package drivers

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// builder writes one entry, or the stubs that all of them share.
type builder struct {
	*shared
	fn       *csource.Function // nil for the shared part
	reach    reach
	number   int
	strict   bool // the user's options are meant for this function
	o        Options
	rel      *relations
	uses     map[string]use
	fields   map[string]bool // names of fields that are read; nil: any may be
	unread   bool            // what is being built lies in a field that nobody reads
	local    map[string]bool // identifiers that are taken in the entry
	cur      *block
	late     []func()               // what is written when all inputs exist
	exprs    map[string]string      // C expression of a value, by Name
	intTypes map[string]*input.Type // types of integer parameters
	objects  int

	top    strings.Builder // functions before the entry: stubs
	calls  []*input.Call
	consts []float64 // numbers that the function compares floats with
	floats int       // floating-point inputs picked so far

	heap     bool // what pointers lead to comes from malloc: it may be freed
	variant  Variant
	above    []partner // what is being built around
	beside   []partner // pointers that are built and certain to exist here
	shares   bool      // some pointer may share
	bounded  bool      // some input is larger with larger bounds
	pointers int       // pointers that may lead somewhere
	narrowed []string  // what the entry leaves out
	assumed  []string  // what the user says of it
}

// fail adds whose type it is to a type's error.
func (b *builder) fail(name string, err error) error {
	var te *typeError
	if errors.As(err, &te) {
		return &TypeError{b.owner(), name, te.typ, te.reason}
	}
	return err
}

// owner is the function that is spoken of in an error.
func (b *builder) owner() string {
	if b.fn == nil {
		return b.unit.Path
	}
	return b.fn.Name
}

// ident returns a C identifier for a variable of the entry, made from a value's
// name.
func (b *builder) ident(name, suffix string) string {
	n := free(name, suffix, func(n string) bool { return b.names[n] || b.local[n] })
	b.local[n] = true
	return n
}

// topIdent returns a C identifier for a function at file scope.
func (b *builder) topIdent(name, suffix string) string {
	n := free(name, suffix, func(n string) bool { return b.names[n] || b.local[n] })
	b.names[n] = true
	return n
}

// free makes an identifier that is not taken.
func free(name, suffix string, taken func(string) bool) string {
	var s strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && s.Len() > 0, r == '_':
			s.WriteRune(r)
		case s.Len() > 0 && !strings.HasSuffix(s.String(), "_"):
			s.WriteByte('_')
		}
	}
	base := strings.TrimRight(s.String(), "_") + suffix
	for i := 1; ; i++ {
		n := base
		if i > 1 {
			n += "_" + strconv.Itoa(i)
		}
		if !taken(n) {
			return n
		}
	}
}

// child is the name of a part: "*s" and ".next" make "s->next".
func child(name, path string) string {
	switch {
	case path == "":
		return name
	case strings.HasPrefix(name, "*") && path[0] == '.':
		return name[1:] + "->" + path[1:]
	case strings.HasSuffix(name, "[]") && path[0] == '[':
		return name[:len(name)-2] + path
	}
	return name + path
}

// count notes one more thing built; false when there are too many.
func (b *builder) count() bool {
	b.objects++
	return b.objects <= maxObjects
}

// fill writes the C that gives a value to lv, which is a whole variable when
// whole is true. depth counts the pointers followed so far.
func (b *builder) fill(name string, t cc.Type, lv string, depth int, whole bool) (*input.Input, error) {
	if p, ok := t.(*cc.PointerType); ok {
		return b.pointer(name, p, lv, depth)
	}
	it, err := b.ts.of(t)
	if err != nil {
		return nil, b.fail(name, err)
	}
	b.exprs[name] = lv
	in := &input.Input{Name: name, Type: it}
	b.count()
	switch {
	case it.Kind == input.Float && b.o.Floats == PickFloats:
		b.pick(in, lv)
		return in, nil
	case it.Kind == input.Bool:
		in.Object, in.Mask = name, true
		b.cur.line("%s = klabel_byte(%s) & 1;", lv, quote(name))
		return in, b.limit(in, lv)
	case b.piecewise(t):
		return in, b.pieces(in, t, lv, depth)
	}
	if !onlyPointers(t) {
		in.Object = name
		b.symbolic(lv, name, it, whole)
	} else {
		b.cur.line("__builtin_memset(&%s, 0, sizeof %s);", lv, lv)
	}
	if err := b.limit(in, lv); err != nil {
		return nil, err
	}
	return in, b.parts(in, in, t, "", lv, 0, depth)
}

// symbolic makes a value symbolic. A part of a variable goes through a copy,
// since engines want whole objects.
func (b *builder) symbolic(lv, name string, it *input.Type, whole bool) {
	at := "&" + lv
	if it.Kind == input.Array {
		at = lv
	}
	if whole {
		b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", at, lv, quote(name))
		return
	}
	b.cur.open("")
	if strings.Contains(it.Decl, anonymous) {
		b.cur.line("__typeof__(%s) klabel_value;", lv)
	} else {
		b.cur.line("%s;", it.Declare("klabel_value"))
	}
	b.cur.line("klee_make_symbolic((void *)&klabel_value, sizeof klabel_value, %s);", quote(name))
	b.cur.line("__builtin_memcpy((void *)%s, (const void *)&klabel_value, sizeof klabel_value);", at)
	b.cur.close("")
}

func quote(s string) string { return strconv.Quote(s) }

// limit writes what is assumed of a value's own bytes.
func (b *builder) limit(in *input.Input, lv string) error {
	conds, err := b.conditions(in.Name, lv, in.Type, 0)
	if err != nil {
		return err
	}
	b.cur.assume(conds)
	return nil
}

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
		if c := enumCondition(lv, t); c != "" && !b.o.AnyEnum && !b.rel.hasRange(name) {
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
	if !b.count() {
		return &TypeError{b.owner(), in.Name, in.Type.String(), fmt.Sprintf("which has more than %d parts", maxObjects)}
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
