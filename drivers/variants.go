package drivers

import (
	"modernc.org/cc/v4"

	"klabel/input"
)

// widen sets the bounds of a variant.
func (o *Options) widen(v Variant) {
	if v == Wider || v == Widest {
		o.loose = !o.AnyEnum
		o.AnyEnum = true
	}
	switch v {
	case Wider:
		o.MaxArray, o.MaxString, o.MaxDepth = 4*o.MaxArray, 3*o.MaxString, o.MaxDepth+1
	case Widest:
		o.MaxArray, o.MaxString, o.MaxDepth = 16*o.MaxArray, 12*o.MaxString, o.MaxDepth+2
	}
}

// adds is an error when an entry of a variant gives a function nothing that
// those of the variants before do not.
func (b *builder) adds(v Variant) error {
	switch {
	case v == Room && !b.roomy:
		return &nothingNew{"it has no pointer to memory that may be too small"}
	case v == Sharing && !b.shares:
		return &nothingNew{"it has no two pointers that may lead to the same"}
	case v == Wider && !b.bounded && !b.enums || v == Widest && !b.bounded:
		return &nothingNew{"its inputs have no bounds"}
	}
	return nil
}

// partner is a pointer, or what it leads to, that another may share.
type partner struct {
	name  string // of the pointer
	typ   string // of what it leads to
	expr  string // C of the pointer's value
	items int64  // that it leads to, 0 where that is not known

	record bool // it leads to a structure

	room  int64 // items that there are, told of or not
	whole bool  // what tells its end tells the end of all of them
}

// partners are what a pointer to items of a type may share in the variant
// Sharing: the objects above it, nearest and outermost, the pointer of the
// type that was built last, and pointers within what other parameters lead to, the first of them. In wider variants
// only texts share, as those do of which one pointer tells the end.
func (b *builder) partners(name string, elem cc.Type) []partner {
	if b.variant < Sharing || b.variant > Sharing && isRecord(elem) {
		return nil
	}
	typ, err := b.targetType(elem)
	if err != nil {
		return nil
	}
	var above, beside []partner
	for _, p := range b.above {
		if p.typ == typ {
			above = append(above, p)
		}
	}
	if len(above) > 2 {
		above = []partner{above[0], above[len(above)-1]}
	}
	for _, p := range b.beside {
		if p.typ == typ {
			beside = append(beside, p)
		}
	}
	if len(beside) > 1 {
		if isRecord(elem) {
			beside = beside[len(beside)-1:]
		} else {
			beside = beside[:1] // where a text begins
		}
	}
	out := append(above, beside...)
	if isRecord(elem) {
		out = append(out, b.innerPartners(name, typ)...)
	}
	b.shares = b.shares || len(out) > 0
	return out
}

// share writes the alternative of a pointer that shares another's target. Of
// arrays of plain values it may point to any item, and behind the last.
func (b *builder) share(in *input.Input, s *shape, lv string, p partner) {
	to := input.Target{Alias: p.name}
	items := s.items
	if p.items > 0 {
		items = p.items
	}
	if p.typ == "" || s.single || s.bytes || isRecord(s.elem) || pointsAnywhere(s.elem) {
		b.cur.line("%s = (void *)%s;", lv, p.expr)
	} else {
		to.At = in.Name + ":at"
		b.cur.line("%s = (void *)%s;", lv, p.expr)
		b.cur.open("if (%s != 0)", lv)
		if p.whole {
			to.At, to.Past = "", int(p.room)
			b.cur.line("%s += %d;", lv, p.room)
		} else if to.Stride = strideOf(items); to.Stride > 1 {
			b.cur.line("%s += %d * klabel_choose(%s, %d);", lv, to.Stride, quote(to.At), items/int64(to.Stride)+1)
		} else {
			b.cur.line("%s += klabel_choose(%s, %d);", lv, quote(to.At), items+1)
		}
		b.cur.close("")
	}
	in.Targets = append(in.Targets, to)
}

// strideOf is by how many items a pointer into many of them is moved, so that a byte can count the moves.
func strideOf(items int64) int {
	stride := 1
	for items/int64(stride) >= 255 {
		stride *= 2
	}
	return stride
}

// partnerOf describes a pointer that is built by now.
func (b *builder) partnerOf(name string, elem cc.Type, expr string) (partner, bool) {
	typ, err := b.targetType(elem)
	return partner{name: name, typ: typ, expr: expr, record: isRecord(elem)}, err == nil
}

// targetType names what a pointer leads to. A structure has one name, its tag,
// whatever name a declaration gives it: "node *next" and "struct node *next" may
// lead to the same.
func (b *builder) targetType(elem cc.Type) (string, error) {
	if t, ok := elem.(interface{ Tag() cc.Token }); ok && isRecord(elem) {
		if tag := t.Tag(); tag.SrcStr() != "" {
			return elem.Kind().String() + " " + tag.SrcStr(), nil
		}
	}
	return b.ts.declare(elem, "@", true)
}
