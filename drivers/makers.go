package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// bounds are those of the variants whose entries call others: each function to
// call is a fork.
type bounds struct {
	makers     int // functions that make what a pointer leads to
	operations int // functions that change it, or the state
	steps      int // calls that change something
}

func (v Variant) bounds() bounds {
	switch {
	case v == Sequences:
		return bounds{8, 10, 4}
	case v.calls():
		return bounds{2, 4, 2}
	case v == Wider, v == Widest:
		return bounds{2, 2, 1}
	}
	return bounds{makers: 2}
}

// calls reports whether the entries of a variant call functions of the program's
// before the one under test.
func (v Variant) calls() bool { return v == Calls || v == Sequences || v == Failing }

// preparation is a function that may be called before the one under test.
type preparation struct {
	fn   *csource.Function
	self int  // the parameter that takes the object, -1 for none
	out  bool // that parameter takes the place of the object, to be made there
	hard int  // how hard the others are to give; numbers and strings are not
	raw  bool // one of them is a structure that no function has made
	// handle says that the object is no structure, but what has a name of its own, or a header.
	handle bool
	begins bool // it begins an object in memory of the caller's
	start  int  // the parameter that takes NULL in place of an object, to make the first one; -1 for none
	// with are the parameters that take what another parameter of the function under
	// test is made to be, or the object again, by place.
	with map[int]param
}

// object is a parameter that leads to what the program's own functions make and
// change: a structure, or what a type of its own names, such as a string whose
// length stands before its characters.
type object struct {
	param      param
	elem       cc.Type // the structure; nil for another type
	makers     []preparation
	operations []preparation
	inits      []preparation // that begin it in memory of the caller's
	setups     []preparation // that begin it with what another object is
	beside     bool          // no parameter: calls before the one under test are given it
	header     string        // that stands before it, where its type has no name; see headerAt
}

// interfaceOf finds what the program offers to make the objects that a function
// takes, and to change the state that it reads.
func (s *shared) interfaceOf(fn *csource.Function, params []param, v Variant) (objects []object, state []preparation) {
	limit := v.bounds()
	params = s.whatCallsMake(fn, params)
	objects = s.objectsOf(fn, params, nil, limit)
	further := append(s.sources(fn, params, limit), s.values(params, objects)...)
	if len(objects)+len(further) > 0 { // what takes one of them beside its own object is given that
		objects = s.objectsOf(fn, params, append(objects, further...), limit)
	}
	endless(objects)
	s.setups(objects)
	slices.SortStableFunc(objects, func(a, b object) int { return a.needs() - b.needs() })
	objects = append(s.needed(further, objects), objects...)
	objects = append(objects, s.views(fn, objects, limit)...)
	vars, hidden := s.state(s.an.reach(fn)), s.heard(s.an.reach(fn))
	var users []preparation // of what the variables lead to
	for _, f := range s.offered() {
		self := f.Name == fn.Name
		if len(vars)+len(hidden) == 0 && !self || !self && s.dealsWith(f, objects) {
			continue
		}
		c, ok := s.takes(f, nil)
		tells, how := s.tells(f, hidden), s.mayWrite(f, vars)
		creates := (how&writes != 0 || tells) && creating.MatchString(f.Name)
		if !ok || c.hard > 0 && !creates && !(tells && c.hard <= hardest) {
			continue
		}
		switch {
		// The function itself, too: what it leaves behind it finds in its next call.
		case how&writes != 0, self && s.an.hasStatics(f):
			state = append(state, c)
		case (how != 0 || tells) && !self:
			users = append(users, c)
		}
	}
	return objects, s.best(append(state, users...), fn, limit.operations)
}

// dealsWith reports whether a function makes one of the objects, or takes one: another one is no state of theirs.
func (s *shared) dealsWith(f *csource.Function, objects []object) bool {
	return slices.ContainsFunc(objects, func(o object) bool {
		return o.elem != nil && (s.returns(f, o) || slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool {
			return s.alike(p.Type(), o.param.typ)
		}))
	})
}

// whatCallsMake are the parameters that functions may make: pointers, and structures that functions return
// themselves.
func (s *shared) whatCallsMake(fn *csource.Function, params []param) (out []param) {
	for _, p := range params {
		switch {
		case s.heldMakers(p.typ):
			p.held, p.typ = true, p.typ.Pointer()
			out = append(out, p)
		case s.mayBeMade(p.typ) || s.headerOf(fn, p) != "":
			out = append(out, p)
		}
	}
	return out
}

// objectsOf are the parameters that functions make or change; those may be given what
// is beside.
func (s *shared) objectsOf(fn *csource.Function, params []param, beside []object, limit bounds) (out []object) {
	for _, p := range params {
		o := object{param: p, header: s.headerOf(fn, p)}
		if elem := p.typ.(*cc.PointerType).Elem(); isRecord(elem) {
			o.elem = elem
		}
		var values []preparation
		functions := s.offered()
		if o.header == "" {
			functions = s.dealing(p.typ)
		}
		for _, f := range functions {
			c, ok := s.takesOne(f, o, s.others(p, beside)...)
			if !ok {
				continue
			}
			c.handle = o.elem == nil
			switch {
			case o.elem != nil && s.holds(f.Type.Result(), p.typ):
				if !s.assignable(f.Type.Result()) {
					continue
				}
				if c.self >= 0 {
					o.operations = append(o.operations, c)
				} else if f.Name != fn.Name {
					values = append(values, c)
				}
			case c.self >= 0 && isRecord(f.Params[c.self].Type()): // it changes a copy
			case p.held && (c.out || c.self < 0): // it makes another one
			case c.out, c.self < 0 && s.returns(f, o) && f.Name != fn.Name:
				o.makers = append(o.makers, c)
			case c.self >= 0 && o.elem == nil && s.returns(f, o) && s.begins(c):
				first := c
				first.self, first.start = -1, c.self
				o.makers, o.operations = append(o.makers, first), append(o.operations, c)
			case c.self >= 0 && !isConst(f.Params[c.self].Type().(*cc.PointerType).Elem()) && !s.ends(c):
				o.operations = append(o.operations, c)
			}
		}
		if o.elem == nil && len(o.makers) == 0 {
			continue
		}
		most := limit.makers
		if o.elem == nil {
			most++ // what is given content, and what is not
		}
		if o.elem != nil && len(o.makers) == 0 && limit.steps > 0 {
			s.begun(&o, values, fn, limit)
		} else {
			o.operations = s.best(o.operations, fn, len(o.operations))
			if len(o.makers) > 0 { // what begins an object does nothing more to one that is made
				var begin, others []preparation
				for _, p := range o.operations {
					if s.mannerOf(p.verb()).begins {
						begin = append(begin, p)
					} else {
						others = append(others, p)
					}
				}
				o.operations = append(others, begin...)
			}
			o.operations = o.operations[:min(len(o.operations), limit.operations)]
		}
		o.makers = s.bestMakers(o, o.makers, most)
		if p.held && len(o.inits)+len(o.setups) == 0 {
			continue
		}
		another := func(p preparation) bool { return p.fn.Name != fn.Name }
		if len(o.makers)+len(o.inits)+len(o.setups) == 0 && o.elem != nil && s.builds(o.elem) &&
			!slices.ContainsFunc(o.operations, another) {
			continue // nothing but the function under test changes it: what a driver builds is more
		}
		if len(o.makers) > 0 || len(o.inits)+len(o.setups)+len(o.operations) > 0 && !o.elem.IsIncomplete() {
			out = append(out, o)
		}
	}
	return out
}

// dealing are the functions that give an object of a type, take one, or take the place of one.
func (s *shared) dealing(t cc.Type) (out []*csource.Function) {
	key := s.typeKey(t)
	if known, ok := s.deals[key]; ok && key != "" {
		return known
	}
	for _, f := range s.offered() {
		if f.Type != nil && (s.gives(f, t) || s.holds(f.Type.Result(), t) ||
			slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool {
				pt, ok := p.Type().(*cc.PointerType)
				return ok && (s.alike(pt, t) || s.alike(pt.Elem(), t))
			})) {
			out = append(out, f)
		}
	}
	s.deals[key] = out
	return out
}

// mayBeMade reports whether functions make what a pointer of a type leads to: a
// structure, or what has a name of its own.
func (s *shared) mayBeMade(t cc.Type) bool {
	pt, ok := t.(*cc.PointerType)
	if !ok || isRecord(pt.Elem()) {
		return ok
	}
	d := t.Typedef()
	return s.ts.visible(d) && pt.Elem().Kind() != cc.Function && !variableArguments[d.Name()]
}

// others are what calls for an object may be given beside it: other parameters of the
// function under test and, where no driver can build another one, the object again.
func (s *shared) others(p param, objects []object) (out []param) {
	again := false
	for _, o := range objects {
		if o.param.name != p.name {
			out = append(out, o.param)
		} else {
			again = o.elem != nil && !s.builds(o.elem)
		}
	}
	if again {
		out = append(out, p)
	}
	return out
}

// needs says how late an object is made: after those that its makers take.
func (o object) needs() int {
	return boolean(len(o.makers) > 0 && !slices.ContainsFunc(o.makers, func(m preparation) bool {
		return len(m.with) == 0
	}))
}

// offered are the functions of the unit, and those that it declares and other
// files of the program define.
func (s *shared) offered() []*csource.Function {
	if s.offers != nil {
		return s.offers
	}
	s.offers = slices.Clone(s.unit.Functions())
	var names []string
	for name := range s.common.Defined {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		if s.an.funcs[name] != nil {
			continue
		}
		for _, n := range s.unit.AST.Scope.Nodes[name] {
			d, ok := n.(*cc.Declarator)
			if !ok || d.IsTypename() || s.system(d) {
				continue
			}
			if t, ok := d.Type().(*cc.FunctionType); ok {
				s.offers = append(s.offers, &csource.Function{Name: name, Type: t, Params: t.Parameters()})
				break
			}
		}
	}
	return s.offers
}

// begins reports whether a call works on NULL as well as on an object.
func (s *shared) begins(c preparation) bool {
	if c.fn.Def == nil {
		return false
	}
	return s.asks(c.fn, c.fn.Params[c.self].Name(), askDepth)
}

// returns reports whether a function returns what an object may be.
func (s *shared) returns(f *csource.Function, o object) bool {
	if o.header != "" {
		return f.Def != nil && leadsToPlain(f.Type.Result()) && s.an.makes(f, beforeDepth) == o.header
	}
	return s.gives(f, o.param.typ)
}

// replaced reports whether what a call returns takes the place of the object that it is given.
func (s *shared) replaced(p preparation, o object) bool {
	if !s.returns(p.fn, o) {
		return false
	}
	return o.elem == nil || p.self < 0 || s.an.replaces(p.fn, p.fn.Params[p.self].Name(), replaceDepth)
}

// gives reports whether a function returns a value of a type.
func (s *shared) gives(f *csource.Function, t cc.Type) bool { return s.alike(f.Type.Result(), t) }

// alike compares types, and pointers by what they lead to.
func (s *shared) alike(a, b cc.Type) bool {
	pa, ok := a.(*cc.PointerType)
	pb, ok2 := b.(*cc.PointerType)
	if ok && ok2 && isRecord(pb.Elem()) {
		a, b = pa.Elem(), pb.Elem()
	}
	// A header says struct s *, and the file that defines it has a name of its own for it.
	if t := recordTag(a); t != "" && t == recordTag(b) {
		return true
	}
	x, y := s.typeKey(a), s.typeKey(b)
	return x != "" && x == y
}

// holds reports whether a type is the structure itself that a pointer to an object leads to.
func (s *shared) holds(t, object cc.Type) bool {
	pt, ok := object.(*cc.PointerType)
	return ok && isRecord(t) && isRecord(pt.Elem()) && s.alike(t, pt.Elem())
}

// heldMakers reports whether functions return a structure of a type itself.
func (s *shared) heldMakers(t cc.Type) bool {
	return isRecord(t) && slices.ContainsFunc(s.offered(), func(f *csource.Function) bool {
		return f.Type != nil && !f.Origin.System && isRecord(f.Type.Result()) && s.alike(f.Type.Result(), t)
	})
}

// typeKey is how a type is declared, by which types are told apart; "" for one that klabel
// has no words for. It is asked for all parameters of a unit by every entry.
func (s *shared) typeKey(t cc.Type) string {
	key, known := s.typeKeys[t]
	if !known {
		key, _ = s.ts.declare(t, "@", true)
		s.typeKeys[t] = key
	}
	return key
}

// prepares is what preparers is asked for.
type prepares struct {
	function string
	variant  Variant
}

// preparers are the functions that an entry of a variant may call before its own, and those that it may
// hand to it, as far as the unit defines them.
func (s *shared) preparers(fn *csource.Function, v Variant) (out []*csource.Function) {
	key := prepares{fn.Name, v}
	if known, ok := s.prepare[key]; ok {
		return known
	}
	defer func() { s.prepare[key] = out }()
	b := &builder{shared: s, fn: fn, variant: v, local: map[string]bool{}, flat: map[string]int64{}, o: s.common}
	objects, state := b.prepared(b.params())
	list := state
	for _, o := range objects {
		list = slices.Concat(list, o.makers, o.inits, o.setups, o.operations)
	}
	for _, p := range list {
		if p.fn.Def != nil {
			out = append(out, p.fn)
		}
	}
	for _, p := range fn.Params {
		if f := functionBehind(p.Type()); f != nil {
			for _, name := range b.ownFunctions(f) {
				if own := s.an.funcs[name]; own != nil {
					out = append(out, own)
				}
			}
		}
	}
	return out
}

// functionBehind is the function that a pointer of a type leads to, nil for another one.
func functionBehind(t cc.Type) *cc.FunctionType {
	pt, ok := t.(*cc.PointerType)
	if !ok {
		return nil
	}
	f, _ := pt.Elem().(*cc.FunctionType)
	return f
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}
