package drivers

import (
	"fmt"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// madeItems are the pointers of an array that functions of the program make, one by
// one: each is a choice of makers, so there are few.
const madeItems = 2

// arraysOf are the items of parameters that lead to several pointers which only
// functions of the program make: handles, strings with a header before them. Nothing
// but their makers is called for these.
func (b *builder) arraysOf(params []param, asked func(p param, elem cc.Type) bool) (out []object) {
	b.arrays, b.items = map[string]int64{}, map[string]*object{}
	for _, p := range params {
		elem := b.listOfMade(b.fn, p)
		if elem == nil || !asked(p, elem) {
			continue
		}
		limit := b.variant.bounds()
		limit.operations = 0
		first := param{name: p.name + "[0]", typ: elem, header: b.headerOfItem(b.fn, p)}
		found := b.objectsOf(b.fn, []param{first}, nil, limit)
		if len(found) == 0 || len(found[0].makers) == 0 {
			continue
		}
		n := 1
		if b.an.isArray(b.fn, p.name, 3) {
			n = madeItems
		}
		b.arrays[p.name] = int64(n)
		for i := range n {
			o := found[0]
			o.param.name = fmt.Sprintf("%s[%d]", p.name, i)
			b.items[o.param.name] = nil
			out = append(out, o)
		}
	}
	return out
}

// listOfMade is what the items of a parameter are that leads to several handles, or to what has a header
// before it; nil for another parameter.
func (s *shared) listOfMade(fn *csource.Function, p param) cc.Type {
	pt, ok := p.typ.(*cc.PointerType)
	if !ok || s.listed(p.typ) {
		return nil
	}
	handles := isHandle(s.unit, pt.Elem()) && s.mayBeMade(pt.Elem()) && s.an.isArray(fn, p.name, 3)
	if !handles && s.headerOfItem(fn, p) == "" {
		return nil
	}
	return pt.Elem()
}
