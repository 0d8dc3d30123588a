package drivers

import (
	"strings"

	"modernc.org/cc/v4"
)

// owner notes fields that are held against another pointer to a structure, as code does which makes sure that an
// object is the one of its owner: state->strm != strm.
func (s *sizes) owner(l, r cc.ExpressionNode) {
	for _, e := range []cc.ExpressionNode{l, r} {
		if p, ok := e.Type().(*cc.PointerType); !ok || !isRecord(p.Elem()) {
			return
		}
	}
	for _, e := range []cc.ExpressionNode{l, r} {
		if name := nameOf(e); strings.HasPrefix(name, ".") {
			s.owners[name] = true
		}
	}
}

// ownerOf is the object that a field may lead back to, whatever the variant: one that holds the structure of the field,
// where code asks whether it is, or where it is what leads to that structure itself, as s->strm->state is s. A field
// that leads to a structure of its own kind is the link of a list, which need not come round. Beside the owner there is
// NULL, which is none either; other objects come with the variant Sharing.
func (b *builder) ownerOf(name string, elem cc.Type) (owner partner, ok bool) {
	i := strings.LastIndexAny(name, ".>")
	if b.variant == Sharing || i < 0 || !isRecord(elem) || len(b.above) == 0 {
		return owner, false
	}
	typ, err := b.targetType(elem)
	if err != nil || b.above[len(b.above)-1].typ == typ {
		return owner, false
	}
	asked := len(b.above) > 1 && b.above[len(b.above)-2].typ == typ
	for _, f := range b.reach.funcs {
		asked = asked || b.an.of(f.Name).sizes.owners["."+name[i+1:]]
	}
	for j := len(b.above) - 1; asked && j >= 0; j-- {
		if b.above[j].typ == typ {
			return b.above[j], true
		}
	}
	return owner, false
}
