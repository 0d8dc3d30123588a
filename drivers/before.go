package drivers

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Some pointers lead behind a header: a string whose length and flags stand before its
// characters. What a function finds there a driver cannot make up; the program's own
// functions make such values.

// beforeDepth bounds how many calls are followed to what looks before a pointer.
const beforeDepth = 4

// anyHeader is what stands before a pointer when nothing tells what it is.
const anyHeader = "?"

// back notes that a pointer is followed backwards: p[-1], p - 1, p - sizeof(struct header),
// p - size(p). sign is that of a constant that leads there. Casts of p tell of the same place.
func (s *sizes) back(p, by cc.ExpressionNode, sign int64) {
	name := nameOf(p)
	if name == "" {
		return
	}
	if h := headerAt(p, by, sign); h != "" && (s.before[name] == "" || s.before[name] == anyHeader) {
		s.before[name] = h
	}
}

// headerAt says what lies between a pointer and a place before it, or behind it: the name of a structure, a
// number of bytes; "" for what is no header.
func headerAt(p, by cc.ExpressionNode, sign int64) string {
	pt, ok := p.Type().(*cc.PointerType)
	if !ok {
		return ""
	}
	k, known := integer(by.Value())
	if n := measured(by); n != "" {
		return n
	}
	switch {
	case !known && sign > 0 && isCall(by):
		return anyHeader
	case !known || k*sign <= 0:
		return ""
	case isRecord(pt.Elem()) && k*sign == 1:
		return recordName(pt.Elem())
	case pt.Elem().Kind() == cc.Void:
		return fmt.Sprint(k * sign)
	}
	return fmt.Sprint(k * sign * pt.Elem().Size())
}

// measured is the structure whose size an expression is, or the place of its last array:
// offsetof(struct header, text).
func measured(e cc.ExpressionNode) string {
	x, ok := plainer(e).(*cc.UnaryExpression)
	if !ok {
		return ""
	}
	var t cc.Type
	switch x.Case {
	case cc.UnaryExpressionAddrof:
		p, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression)
		if !ok {
			return ""
		}
		if k, known := integer(plainer(p.PostfixExpression).Value()); known && k == 0 {
			return trailing(p)
		}
	case cc.UnaryExpressionSizeofExpr:
		t = x.UnaryExpression.Type()
	case cc.UnaryExpressionSizeofType:
		t = x.TypeName.Type()
	}
	if t == nil || !isRecord(t) {
		return ""
	}
	return recordName(t)
}

// recordName tells one structure from another.
func recordName(t cc.Type) string {
	if tag := recordTag(t); tag != "" {
		return tag
	}
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	return ""
}

// behind says which header a value stands behind: h + 1, (char *)h + sizeof *h, &h[1], h->data[]; ""
// for any other.
func behind(e cc.ExpressionNode) string {
	switch x := plainer(e).(type) {
	case *cc.AdditiveExpression:
		if x.Case == cc.AdditiveExpressionAdd {
			return headerAt(x.AdditiveExpression, x.MultiplicativeExpression, 1)
		}
	case *cc.UnaryExpression:
		y, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression)
		if ok && x.Case == cc.UnaryExpressionAddrof && y.Case == cc.PostfixExpressionIndex {
			return headerAt(y.PostfixExpression, y.ExpressionList, 1)
		}
	case *cc.PostfixExpression:
		return trailing(x)
	}
	return ""
}

// trailing is the structure whose last member, an array of a length that the program chooses, h->data is; "" for
// any other expression.
func trailing(x *cc.PostfixExpression) string {
	if x.Case != cc.PostfixExpressionPSelect {
		return ""
	}
	p, isPointer := x.PostfixExpression.Type().(*cc.PointerType)
	a, isArray := x.Type().Undecay().(*cc.ArrayType)
	if !isPointer || !isArray || a.Len() > 1 {
		return ""
	}
	s, ok := p.Elem().(*cc.StructType)
	if !ok || s.NumFields() < 2 || s.FieldByIndex(s.NumFields()-1).Name() != x.Token2.SrcStr() {
		return ""
	}
	return recordName(s)
}

// result notes what a function returns: what stands behind a header, a variable, what another function
// returns.
func (s *sizes) result(e cc.ExpressionNode) {
	if x, ok := plainer(e).(*cc.ConditionalExpression); ok && x.Case == cc.ConditionalExpressionCond {
		s.result(x.ExpressionList)
		s.result(x.ConditionalExpression)
		return
	}
	if h := behind(e); h != "" {
		s.results = append(s.results, result{header: h})
	} else if name := nameOf(e); name != "" {
		s.results = append(s.results, result{name: name})
	} else if x, ok := plainer(e).(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall {
		if f := csource.Callee(x); copying[f] && x.ArgumentExpressionList != nil {
			s.result(x.ArgumentExpressionList.AssignmentExpression)
		} else {
			s.results = append(s.results, result{call: f})
		}
	}
}

// copying are the functions of the C library that return where they were told to write.
var copying = set("memcpy memmove memset strcpy strncpy strcat strncat")

// result is what a function returns: one of these.
type result struct{ header, name, call string }

// makes says behind which header what a function returns stands, "" for none.
func (a *analysis) makes(f *csource.Function, depth int) string {
	facts := a.of(f.Name)
	if facts == nil {
		return ""
	}
	for _, r := range facts.sizes.results {
		g := a.funcs[r.call]
		switch {
		case r.header != "" && r.header != anyHeader:
			return r.header
		case r.name != "" && facts.sizes.behind[r.name] != "":
			return facts.sizes.behind[r.name]
		case g != nil && depth > 0:
			if h := a.makes(g, depth-1); h != "" {
				return h
			}
		}
	}
	return ""
}

func isCall(e cc.ExpressionNode) bool {
	x, ok := plainer(e).(*cc.PostfixExpression)
	return ok && x.Case == cc.PostfixExpressionCall
}

// step notes that a pointer goes from item to item: what stands before it then is another
// item.
func (s *sizes) step(e cc.ExpressionNode) {
	s.move(e)
	if name := nameOf(e); name != "" {
		s.steps[name] = true
	}
}

// looksBefore says what a function, or what it hands a pointer on to, takes to stand before the place that
// the pointer leads to; "" for nothing.
func (a *analysis) looksBefore(f *csource.Function, name string, depth int) string {
	s := a.of(f.Name).sizes
	out := ""
	if !s.steps[name] {
		out = s.before[name]
	}
	for _, to := range s.passed[name] {
		if out != "" && out != anyHeader {
			break
		}
		g := a.funcs[to.function]
		if depth > 0 && g != nil && to.plus == nil && to.offset == 0 && to.index < len(g.Params) {
			if h := a.looksBefore(g, g.Params[to.index].Name(), depth-1); h != "" {
				out = h
			}
		}
	}
	return out
}

// itemLooksBefore is looksBefore of the item that a pointer leads to.
func (a *analysis) itemLooksBefore(f *csource.Function, name string, depth int) string {
	if h := a.looksBefore(f, "*"+name, depth); h != "" || depth == 0 {
		return h
	}
	for _, to := range a.of(f.Name).sizes.passed[name] {
		g := a.funcs[to.function]
		if g == nil || to.plus != nil || to.offset != 0 || to.index >= len(g.Params) {
			continue
		}
		if h := a.itemLooksBefore(g, g.Params[to.index].Name(), depth-1); h != "" {
			return h
		}
	}
	return ""
}

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
