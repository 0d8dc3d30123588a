package drivers

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// headed reports whether a type is that of pointers with a name of their own which functions
// make, and of which some function looks at what stands before.
func (s *shared) headed(t cc.Type) bool {
	d := t.Typedef()
	pt, ok := t.(*cc.PointerType)
	if !ok || d == nil || isRecord(pt.Elem()) {
		return false
	}
	known, ok := s.headers[d.Name()]
	if ok {
		return known
	}
	if isHandle(s.unit, t) && s.mayBeMade(t) {
		known = s.looked(d.Name())
	}
	s.headers[d.Name()] = known
	return known
}

// looked reports whether some function looks before a parameter of a type with a name.
func (s *shared) looked(name string) bool {
	for _, f := range s.unit.Functions() {
		for _, p := range f.Params {
			d := p.Type().Typedef()
			if d != nil && d.Name() == name && s.an.looksBefore(f, p.Name(), beforeDepth) != "" {
				return true
			}
		}
	}
	return false
}

// objectsBefore are the parameters, and the items of parameters, that lead behind a header: in
// entries of every variant functions make them.
func (b *builder) objectsBefore(params []param) []object {
	var headed []param
	for _, p := range params {
		if b.headed(p.typ) && b.an.looksBefore(b.fn, p.name, beforeDepth) != "" || b.headerOf(b.fn, p) != "" {
			headed = append(headed, p)
		}
	}
	items := b.arraysOf(params, func(p param, elem cc.Type) bool {
		// Such a parameter is never NULL. Who asks for that has another entry in which functions make it.
		return b.headed(elem) || b.headerOfItem(b.fn, p) != "" && !b.asks(b.fn, p.name, askDepth)
	})
	return append(b.objectsOf(b.fn, headed, nil, b.variant.bounds()), items...)
}

// madeResult is C for what a stub returns that leads behind a header: a call of what makes it of a text,
// or of numbers; "" where nothing does.
func (b *builder) madeResult(shown string, t cc.Type) string {
	if !b.headed(t) {
		return ""
	}
	fn := b.fn
	if fn == nil { // a stub for all
		fn = &csource.Function{}
	}
	for _, o := range b.objectsOf(fn, []param{{name: shown, typ: t}}, nil, bounds{makers: 4}) {
		for _, m := range o.makers {
			if args, ok := m.plainArguments(); ok {
				b.narrow("%s made by %s", shown, m.fn.Name)
				return m.fn.Name + "(" + args + ")"
			}
		}
	}
	return ""
}

// plainArguments are C for what a function may be given that takes texts and numbers alone.
func (c preparation) plainArguments() (string, bool) {
	var args []string
	for _, p := range c.fn.Params {
		pt, isPtr := p.Type().(*cc.PointerType)
		switch {
		case p.Type().Kind() == cc.Void:
		case isPtr && pt.Elem().Kind() == cc.Char && isConst(pt.Elem()):
			args = append(args, `"text"`)
		case cc.IsIntegerType(p.Type()):
			args = append(args, "4")
		default:
			return "", false
		}
	}
	return strings.Join(args, ", "), c.self < 0 && c.start < 0 && len(c.with) == 0
}

// headerOf is the header that a function takes to stand before what a parameter leads to that has no type
// of its own, "" for none.
func (s *shared) headerOf(f *csource.Function, p param) string {
	if p.header != "" || f.Def == nil || !leadsToPlain(p.typ) || s.headed(p.typ) {
		return p.header
	}
	if h := s.an.looksBefore(f, p.name, beforeDepth); h != anyHeader {
		return h
	}
	return ""
}

// headerOfItem is the same of what the item is that a parameter leads to: char **s.
func (s *shared) headerOfItem(f *csource.Function, p param) string {
	pt, ok := p.typ.(*cc.PointerType)
	if !ok || f.Def == nil || !leadsToPlain(pt.Elem()) || s.headed(pt.Elem()) {
		return ""
	}
	if h := s.an.itemLooksBefore(f, p.name, beforeDepth); h != anyHeader {
		return h
	}
	return ""
}

// hasContent reports whether what a function makes of a handle that is no structure holds what it is
// given: characters, or untyped memory.
func (c preparation) hasContent() bool {
	for i, p := range c.fn.Params {
		if pt, ok := p.Type().(*cc.PointerType); ok && i != c.self && c.with[i].name == "" &&
			(pt.Elem().Kind() == cc.Char || pt.Elem().Kind() == cc.Void) {
			return true
		}
	}
	return false
}

// setsNumbers reports whether a function takes an object and numbers alone, and does not return one: what
// is told a length that is none leaves nothing that others could work on.
func (c preparation) setsNumbers() bool {
	_, returns := c.fn.Type.Result().(*cc.PointerType)
	for i, p := range c.fn.Params {
		if i != c.self && !cc.IsArithmeticType(p.Type()) {
			return false
		}
	}
	return !returns && len(c.fn.Params) > 1
}
