package drivers

import (
	"fmt"

	"modernc.org/cc/v4"

	"klabel/input"
)

// flexible builds a structure that ends in an array without a length: in memory
// with room for some items behind it.
func (b *builder) flexible(x *cc.StructType, name, lv string, depth int) (*input.Input, error) {
	it, err := b.ts.of(x)
	if err != nil {
		return nil, b.fail("*"+name, err)
	}
	tail := x.FlexibleArrayMember()
	array, ok := tail.Type().(*cc.ArrayType)
	if !ok {
		return nil, &TypeError{b.owner(), name, it.String(), "whose array without a length klabel does not build"}
	}
	elem := array.Elem()
	in := &input.Input{Name: "*" + name, Type: it, TailName: tail.Name(), TailOffset: tail.Offset()}
	if in.TailElem, err = b.ts.of(elem); err != nil {
		return nil, b.fail("*"+name, err)
	}
	tailName := child(in.Name, "."+tail.Name())
	in.Tail = max(int64(b.o.MaxArray), min(b.an.fieldBound(b.reach, tail.Name()), 4*int64(b.o.MaxArray)))
	if b.hasParts(elem) && b.variant > Sharing {
		in.Tail = min(in.Tail, 2*DefaultMaxArray) // each item is several forks
	}
	v, mem := b.ident(name, "_item"), b.ident(name, "_memory")
	// A packed structure is smaller than this, never larger.
	size := max(it.Size, tail.Offset()+in.Tail*in.TailElem.Size)
	if mem, err = b.cur.room(func(n string) (string, error) {
		return aligned(n, size), nil
	}, mem, b.apart(), false); err != nil {
		return nil, err
	}
	b.cur.declare((&input.Type{Decl: it.Decl}).Declare("*" + v))
	whole := "(*" + v + ")"
	b.cur.line("%s = (void *)%s;", v, mem)
	b.exprs[in.Name] = whole
	b.count()
	b.bounded = true
	b.narrow("%d items of %s", in.Tail, tailName)
	if b.piecewise(x) || b.piecewise(elem) {
		err = b.flexiblePieces(in, x, elem, whole, mem, depth+1)
	} else {
		in.Object = in.Name
		b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", mem, mem, quote(in.Name))
		if err = b.limit(in, whole); err == nil {
			err = b.parts(in, in, x, "", whole, 0, depth+1)
		}
		for i := int64(0); i < in.Tail && err == nil; i++ {
			path := fmt.Sprintf(".%s[%d]", tail.Name(), i)
			err = b.parts(in, in, elem, path, whole+path, tail.Offset()+i*in.TailElem.Size, depth+1)
		}
	}
	if err != nil {
		return nil, err
	}
	count, _, err := b.rel.countOf(tailName)
	if err != nil {
		return nil, err
	}
	if count != "" {
		b.limitCount(tailName, &shape{items: in.Tail, count: count})
	} else {
		b.tailLengths(x, in, whole)
	}
	b.cur.line("%s = %s;", lv, v)
	return in, nil
}

// flexiblePieces builds a structure whose fields have places that cannot be told
// from their types, and the items behind it.
func (b *builder) flexiblePieces(in *input.Input, x *cc.StructType, elem cc.Type, whole, mem string, depth int) error {
	b.cur.line("__builtin_memset(%s, 0, sizeof %s);", mem, mem)
	if err := b.pieces(in, x, whole, depth); err != nil {
		return err
	}
	for i := int64(0); i < in.Tail; i++ {
		if err := b.piece(in, fmt.Sprintf(".%s[%d]", in.TailName, i), -1, 0, elem, whole, depth); err != nil {
			return err
		}
	}
	return nil
}

// tailLengths keeps the integers of a structure that the code uses as indexes of
// the items behind it, or compares with such an index, within what there is.
func (b *builder) tailLengths(x *cc.StructType, in *input.Input, place string) {
	if b.fn == nil || b.o.NoGuess {
		return
	}
	for i := 0; i < x.NumFields(); i++ {
		f := x.FieldByIndex(i)
		if f == nil || f.Name() == "" || f.IsFlexibleArrayMember() || !plainInteger(f.Type()) ||
			b.rel.mentions(f.Name()) || !b.counts(f.Name(), in.TailName) {
			continue
		}
		lv := place + "." + f.Name()
		if cc.IsSignedInteger(f.Type()) {
			b.cur.line("klee_assume((%s >= 0) & (%s <= %s));", lv, lv, literal(in.Tail))
		} else {
			b.cur.line("klee_assume(%s <= %s);", lv, literal(in.Tail))
		}
		b.narrow("%s within the items of %s", child(in.Name, "."+f.Name()), child(in.Name, "."+in.TailName))
	}
}
