package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// maxFlat bounds the items of an array whose lengths are parameters.
const maxFlat = 256

// dimension notes what the lengths of an array are made of that vary.
func (s *sizes) dimension(u *csource.Unit, t cc.Type) {
	for {
		a, ok := t.(*cc.ArrayType)
		if !ok {
			return
		}
		if a.IsVLA() && a.SizeExpression() != nil {
			for _, n := range namesIn(u, a.SizeExpression()) {
				s.dims[n] = true
			}
		}
		t = a.Elem()
	}
}

// isDimension reports whether a function, or what it hands a number on to, takes
// it for the length of an array.
func (a *analysis) isDimension(f *csource.Function, name string, depth int) bool {
	return a.once(question{"dimension", f.Name, name, depth}, func() bool { return a.measures(f, name, depth) })
}

// measures is isDimension, asked once.
func (a *analysis) measures(f *csource.Function, name string, depth int) bool {
	s := a.of(f.Name).sizes
	if s.dims[name] {
		return true
	}
	for _, p := range f.Params {
		of := newSizes()
		of.dimension(a.unit, p.Type().Undecay())
		if pt, ok := p.Type().(*cc.PointerType); ok {
			of.dimension(a.unit, pt.Elem())
		}
		if of.dims[name] {
			return true
		}
	}
	for _, to := range s.passed[name] {
		if g := a.funcs[to.function]; depth > 0 && g != nil && to.index < len(g.Params) &&
			a.isDimension(g, g.Params[to.index].Name(), depth-1) {
			return true
		}
	}
	return false
}

// flatten is the pointer to the items of an array of arrays whose lengths vary, and
// how many items there may be; nil for another type.
func (b *builder) flatten(t cc.Type) (cc.Type, int64) {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return nil, 0
	}
	items, varies := int64(b.o.MaxArray), false
	elem := p.Elem()
	for {
		a, ok := elem.(*cc.ArrayType)
		if !ok {
			break
		}
		if a.IsVLA() {
			items, varies = items*int64(b.o.MaxArray), true
		} else if a.Len() > 0 {
			items *= a.Len()
		}
		elem = a.Elem()
	}
	if !varies || b.hasParts(elem) {
		return nil, 0
	}
	return elem.Pointer(), min(items, maxFlat)
}

// limitDimensions keeps the numbers that are lengths of arrays small: another value
// than a small one ends the program, or its stack.
func (b *builder) limitDimensions(params []param) {
	for _, p := range params {
		if !plainInteger(p.typ) || b.rel.mentions(p.name) || !b.an.isDimension(b.fn, p.name, 3) {
			continue
		}
		b.late = append(b.late, func() { b.smallLength(b.exprs[p.name], p.name) })
	}
}

func (b *builder) smallLength(lv, name string) {
	b.bounded = true
	b.cur.line("klee_assume((%s >= 1) & (%s <= %d));", lv, lv, b.o.MaxArray)
	b.narrow("%s from 1 to %d, as the length of an array", name, b.o.MaxArray)
}
