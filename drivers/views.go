package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// maxOthers bounds what else is known of an untyped pointer.
const maxOthers = 3

// view notes that an untyped pointer is taken to lead to something.
func (s *sizes) view(from cc.ExpressionNode, to cc.Type) {
	p, ok := from.Type().(*cc.PointerType)
	q, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || q.Elem().Kind() == cc.Void || q.Elem().Kind() == cc.Function ||
		p.Elem().Kind() != cc.Void && !(hides(p.Elem()) && isRecord(q.Elem())) {
		return
	}
	name, t := nameOf(from), q.Elem()
	switch first := s.views[name]; {
	case name == "":
	case first == nil:
		s.views[name] = t
	case isRecord(first) && isRecord(t) && len(s.others[name]) < maxOthers && !slices.ContainsFunc(s.others[name],
		func(o cc.Type) bool { return o.String() == t.String() }) && first.String() != t.String():
		s.others[name] = append(s.others[name], t)
	}
}

// same notes that an untyped pointer is compared with one to a structure.
func (s *sizes) same(untyped, with cc.ExpressionNode) {
	if p, ok := with.Type().(*cc.PointerType); ok && isRecord(p.Elem()) {
		s.view(untyped, p)
	}
}

// viewOf is what a function, or what it hands a parameter on to, takes an
// untyped pointer to lead to; nil when nothing tells.
func (a *analysis) viewOf(f *csource.Function, name string, depth int) cc.Type {
	s := a.of(f.Name).sizes
	if t := s.views[name]; t != nil || depth == 0 {
		return t
	}
	for _, to := range s.passed[name] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) {
			if t := a.viewOf(g, g.Params[to.index].Name(), depth-1); t != nil {
				return t
			}
		} else if g == nil {
			if t := a.handedTo(to); t != nil {
				return t
			}
		}
	}
	return nil
}

// view is what the code takes an untyped pointer to lead to, nil when nothing
// tells.
func (b *builder) view(name string) cc.Type {
	if all := b.views(name); len(all) > 0 {
		return all[0]
	}
	return nil
}

// views are all types that the code takes one to lead to: what the functions reached do, or those that they hand it on
// to, and else other files.
func (b *builder) views(name string) (out []cc.Type) {
	b.inFunctions(name, func(f *csource.Function, name string) bool {
		if t := b.an.viewOf(f, name, 3); t != nil {
			out = append([]cc.Type{t}, b.an.of(f.Name).sizes.others[name]...)
		}
		return len(out) > 0
	})
	if len(out) == 0 && b.fn != nil {
		if t := b.viewOfCallback(name); t != nil {
			out = []cc.Type{t}
		}
	}
	if len(out) == 0 {
		out = b.viewsElsewhere(name)
	}
	return out
}

// viewOfCallback is what the program's own functions take a parameter to lead to that the function under test
// hands on through a parameter which points to such a function.
func (b *builder) viewOfCallback(name string) cc.Type {
	for _, to := range b.an.of(b.fn.Name).sizes.through[name] {
		i := slices.IndexFunc(b.fn.Params, func(p *cc.Parameter) bool { return p.Name() == to.function })
		if i < 0 || functionBehind(b.fn.Params[i].Type()) == nil {
			continue
		}
		for _, own := range b.ownFunctions(functionBehind(b.fn.Params[i].Type())) {
			g := b.an.funcs[own]
			if g == nil || !b.an.isTaken(own) || to.index >= len(g.Params) {
				continue
			}
			if t := b.an.viewOf(g, g.Params[to.index].Name(), 3); t != nil {
				return t
			}
		}
	}
	return nil
}
