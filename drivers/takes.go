package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// What a call before the one under test is given beside its object, and how hard that is to have.

// takes reports whether all parameters of a function can be given: one pointer
// to the object, or to where it is to be put, or where there is none the object itself,
// others that are made, and what drivers build.
func (s *shared) takes(f *csource.Function, object cc.Type, others ...param) (c preparation, ok bool) {
	pointer := func(p *cc.Parameter) bool { return object != nil && s.alike(p.Type(), object) }
	return s.takesThat(f, object, func(p *cc.Parameter) bool {
		return pointer(p) || s.holds(p.Type(), object) && !slices.ContainsFunc(f.Params, pointer)
	}, others...)
}

// takesOne is the same of an object, which may have no type of its own.
func (s *shared) takesOne(f *csource.Function, o object, others ...param) (preparation, bool) {
	if o.header == "" {
		return s.takes(f, o.param.typ, others...)
	}
	return s.takesThat(f, nil, func(p *cc.Parameter) bool {
		return s.headerOf(f, param{name: p.Name(), typ: p.Type()}) == o.header
	}, others...)
}

// takesThat is the same where is tells which parameters are the object.
func (s *shared) takesThat(f *csource.Function, object cc.Type, is func(*cc.Parameter) bool, others ...param) (
	c preparation, ok bool) {
	c = preparation{fn: f, self: -1, start: -1}
	made := func(i int, t cc.Type) bool {
		at := slices.IndexFunc(others, func(o param) bool { return s.alike(t, o.typ) || o.held && s.holds(t, o.typ) })
		if at < 0 {
			return false
		}
		if c.with == nil {
			c.with = map[int]param{}
		}
		c.with[i] = others[at]
		return true
	}
	if f.Origin.System || f.Type == nil || f.Type.IsVariadic() || f.Name == "main" || s.renames[f.Name] != "" {
		return c, false
	}
	for i, p := range f.Params {
		t := p.Type()
		pt, isPtr := t.(*cc.PointerType)
		switch {
		case t.Kind() == cc.Void:
		case (isPtr || isRecord(t)) && c.self < 0 && is(p):
			c.self = i
		case (isPtr || isRecord(t) && pointsAnywhere(t)) && object != nil && made(i, t):
		case isPtr && c.self >= 0 && !isRecord(pt.Elem()) && is(p):
			return c, false // another object, which only a maker could give
		case isPtr && object != nil && c.self < 0 && s.alike(pt.Elem(), object) && f.Def != nil &&
			(isArrayType(t) || s.an.isArray(f, p.Name(), 3)):
			return c, false // several objects that are there already
		case isPtr && object != nil && c.self < 0 && s.alike(pt.Elem(), object):
			c.self, c.out = i, true
		case isPtr && pt.Elem().Kind() == cc.Char && !s.listed(t), cc.IsArithmeticType(t) && !cc.IsComplexType(t):
		case isPtr && s.listed(t):
			return c, false
		case isPtr && (pt.Elem().Kind() == cc.Void || cc.IsArithmeticType(pt.Elem())):
			c.hard++
		case isPtr && pt.Elem().Kind() == cc.Function:
			c.hard += 2
		case isPtr && isRecord(pt.Elem()) && s.builds(pt.Elem()), isRecord(t) && s.builds(t):
			c.hard += 3
			c.raw = !isPtr || !isConst(pt.Elem()) // who only looks at it takes settings
		case isPtr && leadsToRecord(pt.Elem()) && s.builds(pt.Elem().(*cc.PointerType).Elem()):
			c.hard += 4
			c.raw = true
		case takesPlace(t):
			c.hard += 2
		default:
			return c, false
		}
	}
	return c, true
}

// isArrayType reports whether a parameter is written as an array.
func isArrayType(t cc.Type) bool {
	_, ok := t.Undecay().(*cc.ArrayType)
	return ok
}

// leadsToPlain reports whether a type is a pointer to numbers, characters or untyped memory.
func leadsToPlain(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && (p.Elem().Kind() == cc.Void || cc.IsArithmeticType(p.Elem()))
}

func leadsToRecord(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && isRecord(p.Elem())
}

// takesPlace reports whether a type is a pointer to a pointer that most often something is put into: the old value, the
// end, what was made.
func takesPlace(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && (leadsToPlain(p.Elem()) || leadsToOpaque(p.Elem()))
}

// leadsToOpaque reports whether a type is a pointer to a structure that the unit knows by name alone.
func leadsToOpaque(t cc.Type) bool {
	return leadsToRecord(t) && t.(*cc.PointerType).Elem().IsIncomplete()
}

// listed reports whether a type is a list of variable arguments, or a pointer to one.
func (s *shared) listed(t cc.Type) bool { return isList(t) || leadsToList(t) }

func leadsToList(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	return ok && !isList(t) && isList(p.Elem())
}

func isList(t cc.Type) bool {
	for _, t := range []cc.Type{t, t.Undecay()} {
		if d := t.Typedef(); d != nil && variableArguments[d.Name()] {
			return true
		}
	}
	return false
}

func (s *shared) builds(t cc.Type) bool {
	_, err := s.ts.of(t)
	return err == nil
}
