package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Some objects are filled, or set up, only through another one that is no parameter of
// the function under test: a value by the array that it holds, an iterator by the tree
// that it goes over. Entries of calls make these beside the parameters.

const (
	mostSources = 1 // each is a choice of makers
	mostViews   = 2 // each is one call
)

// sources are objects that functions which make or set up a parameter take beside
// it: the tree of an iterator. Only what is easily made is one.
func (s *shared) sources(fn *csource.Function, params []param, limit bounds) (out []object) {
	for _, p := range params {
		for _, t := range s.takenBeside(p.typ) {
			if len(out) == mostSources {
				return out
			}
			if s.known(t, params) || slices.ContainsFunc(out, func(o object) bool { return s.alike(o.param.typ, t) }) {
				continue
			}
			o, ok := s.objectBeside(fn, t, params, nil, limit)
			if ok && len(o.makers) > 0 && !o.makers[0].raw {
				o.operations = slices.DeleteFunc(o.operations, func(c preparation) bool { return c.raw })
				o.makers = s.leadingTo(o, p.typ)
				out = append(out, o)
			}
		}
	}
	return out
}

// values are structures that calls for one of their type are given themselves, made by what wants no other: the item
// of an array that is a value as well.
func (s *shared) values(params []param, objects []object) (out []object) {
	for _, o := range objects {
		if !o.param.held || !pointsAnywhere(o.elem) || slices.ContainsFunc(out, func(x object) bool {
			return s.alike(x.param.typ, o.param.typ)
		}) {
			continue
		}
		name := besideName(o.param.typ, params)
		v := object{param: param{name: name, local: "klabel_" + name, typ: o.param.typ, held: true}, elem: o.elem,
			beside: true}
		for _, p := range o.inits {
			if p.self < 0 && p.hard == 0 && len(p.with) == 0 {
				v.inits = append(v.inits, p)
			}
		}
		if len(v.inits) > 0 {
			out = append(out, v)
		}
	}
	return out
}

// takenBeside are the types of objects that functions take, and no other object, where
// they take or return one of a type.
func (s *shared) takenBeside(t cc.Type) (out []cc.Type) {
	key := s.typeKey(t)
	if known, ok := s.beside[key]; ok || key == "" {
		return known
	}
	for _, f := range s.offered() {
		if f.Type == nil || f.Origin.System {
			continue
		}
		var self *cc.Parameter
		var others []*cc.Parameter
		for _, p := range f.Params {
			switch pt, ok := p.Type().(*cc.PointerType); {
			case !ok || !isRecord(pt.Elem()) || isStream(pt.Elem()):
			case s.alike(p.Type(), t):
				self = p
			default:
				others = append(others, p)
			}
		}
		if len(others) != 1 || slices.ContainsFunc(out, func(x cc.Type) bool { return s.alike(x, others[0].Type()) }) {
			continue
		}
		if s.gives(f, t) || s.holds(f.Type.Result(), t) || self != nil && s.setsUp(f, self, others[0]) {
			out = append(out, others[0].Type())
		}
	}
	s.beside[key] = out
	return out
}

// setsUp reports whether a function writes into the one object and not the other: it starts an iterator
// over a tree, and puts no value into an array.
func (s *shared) setsUp(f *csource.Function, one, from *cc.Parameter) bool {
	if f.Def == nil {
		if isRecord(one.Type()) {
			return true // a copy, and it returns another
		}
		return isConst(from.Type().(*cc.PointerType).Elem()) && !isConst(one.Type().(*cc.PointerType).Elem())
	}
	written := map[string]bool{}
	s.unit.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
		if a, ok := n.(*cc.AssignmentExpression); ok && a.Case != cc.AssignmentExpressionCond {
			written[rootOf(a.UnaryExpression)] = true
		}
		return true
	})
	return written[one.Name()] && !written[from.Name()]
}

// rootOf is the name at the beginning of p->x[i].y, "" if there is none.
func rootOf(e cc.ExpressionNode) string {
	for {
		switch x := csource.Unparen(e).(type) {
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionCall {
				return ""
			}
			e = x.PostfixExpression
		case *cc.PrimaryExpression:
			if x.Case == cc.PrimaryExpressionIdent {
				return x.Token.SrcStr()
			}
			return ""
		default:
			return ""
		}
	}
}

// leadingTo are the makers of an object, and one more where another makes what leads to an
// object of a type, too: of all that make a value the one that makes an array.
func (s *shared) leadingTo(o object, t cc.Type) []preparation {
	key := s.typeKey(o.param.typ) + " to " + s.typeKey(t)
	best, known := s.leads[key]
	if !known {
		least := 0
		for _, f := range s.offered() {
			if f.Def == nil || !s.gives(f, o.param.typ) {
				continue
			}
			c, ok := s.takes(f, o.param.typ)
			if !ok || c.self >= 0 || c.hard > 0 {
				continue
			}
			reach := s.an.reach(f).funcs
			makes := func(g *csource.Function) bool { return g.Type != nil && s.gives(g, t) }
			if (best.fn == nil || len(reach) < least) && slices.ContainsFunc(reach, makes) {
				best, least = c, len(reach)
			}
		}
		s.leads[key] = best
	}
	if best.fn == nil || slices.ContainsFunc(o.makers, func(m preparation) bool { return m.fn.Name == best.fn.Name }) {
		return o.makers
	}
	return append(slices.Clone(o.makers), best)
}

// gotten reports whether an object is what functions find in another one, and allocate nothing: the node of a tree.
// That is after the other one has been filled.
func (s *shared) gotten(o object) bool {
	return len(o.makers) > 0 && !slices.ContainsFunc(o.makers, func(m preparation) bool {
		return len(m.with) == 0 || s.givesMemory(m.fn)
	})
}

// givesMemory reports whether a function allocates, or one that it calls, as far as the program tells.
func (s *shared) givesMemory(fn *csource.Function) bool {
	if fn.Def == nil {
		return s.common.Across.Allocating[fn.Name]
	}
	r := s.an.reach(fn)
	return r.calls(isAllocator) || r.calls(s.common.Across.Allocating)
}

// views are objects that a function gets out of one of these, and that functions
// fill: the array that a value holds. What makes the one may make the other.
func (s *shared) views(fn *csource.Function, objects []object, limit bounds) (out []object) {
	for i := range objects {
		o := &objects[i]
		if o.beside || o.elem == nil {
			continue
		}
		for _, t := range s.shown(o.param.typ) {
			if len(out) == mostViews {
				return out
			}
			if has := func(x object) bool { return s.alike(x.param.typ, t) }; slices.ContainsFunc(objects, has) ||
				slices.ContainsFunc(out, has) {
				continue
			}
			var taken []param
			for _, x := range slices.Concat(objects, out) {
				taken = append(taken, x.param)
			}
			v, ok := s.objectBeside(fn, t, taken, []object{*o}, limit)
			v.makers = slices.DeleteFunc(v.makers, func(m preparation) bool { return m.hard > 0 || len(m.with) == 0 })
			v.makers = v.makers[:min(len(v.makers), 1)]
			v.operations = slices.DeleteFunc(v.operations, func(p preparation) bool {
				return len(p.with) > 0 || p.raw || !s.mannerOf(p.verb()).fills
			})
			if ok && len(v.makers) > 0 && len(v.operations) > 0 {
				o.makers = s.leadingTo(*o, t)
				out = append(out, v)
			}
		}
	}
	return out
}

// shown are the types of objects that functions get out of one of a type, and need nothing else for it.
func (s *shared) shown(t cc.Type) (out []cc.Type) {
	key := s.typeKey(t)
	if known, ok := s.shows[key]; ok || key == "" {
		return known
	}
	for _, f := range s.offered() {
		if f.Type == nil || f.Origin.System || len(f.Params) != 1 || s.mannerOf(f.Name).ends {
			continue
		}
		r := f.Type.Result()
		if pt, ok := r.(*cc.PointerType); ok && isRecord(pt.Elem()) && !isStream(pt.Elem()) &&
			s.alike(f.Params[0].Type(), t) && !slices.ContainsFunc(out, func(x cc.Type) bool { return s.alike(x, r) }) {
			out = append(out, r)
		}
	}
	s.shows[key] = out
	return out
}

// objectBeside is an object of a type that is no parameter, with a name that is not taken.
func (s *shared) objectBeside(fn *csource.Function, t cc.Type, taken []param, with []object,
	limit bounds) (object, bool) {
	name := besideName(t, taken)
	list := s.objectsOf(fn, []param{{name: name, local: "klabel_" + name, typ: t}}, with, limit)
	if len(list) == 0 {
		return object{}, false
	}
	list[0].beside = true
	return list[0], true
}

// besideName makes a variable's name, which none of the others has, of a type's: "array" of "JSON_Array *".
func besideName(t cc.Type, taken []param) string {
	name := typeName(t)
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		name = name[i+1:]
	}
	name = "a_" + strings.ToLower(name)
	for slices.ContainsFunc(taken, func(p param) bool { return p.name == name }) {
		name += "_beside"
	}
	return name
}

// typeName is what a pointer leads to, or a structure, without what names of types often end in.
func typeName(t cc.Type) string {
	elem := t
	if p, ok := t.(*cc.PointerType); ok {
		elem = p.Elem()
	}
	if p, ok := elem.(*cc.PointerType); ok {
		elem = p.Elem()
	}
	_, name, _ := strings.Cut(recordTag(elem), " ")
	if d := elem.Typedef(); d != nil {
		name = d.Name()
	}
	return strings.TrimSuffix(strings.TrimSuffix(name, "_t"), "_s")
}

// known reports whether a parameter is of a type.
func (s *shared) known(t cc.Type, params []param) bool {
	return slices.ContainsFunc(params, func(p param) bool { return s.alike(p.typ, t) })
}

// setups takes what sets up an object from another one out of its operations: where no function makes
// it this comes between the calls that fill the one and those that use the other.
func (s *shared) setups(objects []object) {
	for i := range objects {
		o := &objects[i]
		if len(o.makers) > 0 {
			continue
		}
		o.operations = slices.DeleteFunc(slices.Clone(o.operations), func(p preparation) bool {
			for k := range p.with {
				if s.setsUp(p.fn, p.fn.Params[p.self], p.fn.Params[k]) {
					o.setups = append(o.setups, p)
					return true
				}
			}
			return false
		})
	}
}

// endless drops calls that put an object into what was made of it: it would have no end.
func endless(objects []object) {
	for i := range objects {
		o := &objects[i]
		from := map[string]bool{}
		for _, m := range o.makers {
			for _, w := range m.with {
				from[w.name] = true
			}
		}
		o.operations = slices.DeleteFunc(slices.Clone(o.operations), func(p preparation) bool {
			for _, w := range p.with {
				if from[w.name] {
					return true
				}
			}
			return false
		})
	}
}

// needed are those of some objects that calls for others take.
func (s *shared) needed(beside, objects []object) []object {
	return slices.DeleteFunc(beside, func(b object) bool {
		takes := func(p preparation) bool {
			for _, w := range p.with {
				if w.name == b.param.name {
					return true
				}
			}
			return false
		}
		return !slices.ContainsFunc(objects, func(o object) bool {
			return slices.ContainsFunc(slices.Concat(o.makers, o.setups, o.operations), takes)
		})
	})
}

// besides declares the objects beside the parameters.
func (b *builder) besides(objects []object, add func(object) error) error {
	for _, o := range objects {
		if !o.beside {
			continue
		}
		decl, err := b.declareMade(o.param.typ, o.param.local)
		if o.param.held {
			decl, err = b.ts.declare(o.elem, o.param.local, true)
		}
		if err != nil {
			return b.fail(o.param.name, fmt.Errorf("beside the parameters: %w", err))
		}
		b.cur.declare(decl)
		if err := add(o); err != nil {
			return err
		}
	}
	return nil
}
