package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// voidBytes is the size of what an untyped pointer points to.
const voidBytes = 32

// pointer writes the C that gives a value to the pointer lv.
func (b *builder) pointer(name string, p *cc.PointerType, lv string, depth int) (*input.Input, error) {
	decl, err := b.ts.declare(p, "@", true)
	if err != nil {
		return nil, b.fail(name, err)
	}
	in := &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}}
	b.exprs[name] = lv
	if depth > 0 && isList(p) { // an array, on most machines; what is none of a call's leads nowhere
		b.narrow("no variable arguments in %s", name)
		b.cur.line("__builtin_memset(&%s, 0, sizeof %s);", lv, lv)
		return in, nil
	}
	if b.unread {
		b.cur.line("%s = 0;", lv)
		return in, nil
	}
	if b.unseen {
		b.narrow("NULL only for %s", name)
		b.bounded = true
		b.cur.line("%s = 0;", lv)
		return in, nil
	}
	b.pointers++
	if o, ok := b.items[name]; ok {
		o.param.local = lv
		b.cur.line("%s = 0;", lv)
		in.Made = true
		return in, nil
	}
	if f, ok := p.Elem().(*cc.FunctionType); ok {
		return in, b.functionPointer(in, f, lv)
	}
	if isStream(p.Elem()) || p.Elem().Kind() == cc.Void && b.isStream(name) {
		return b.stream(in, lv, depth)
	}
	s, err := b.shape(name, p, depth)
	if err != nil {
		te, ok := err.(*typeError)
		if !ok || depth == 0 && !within(lv) {
			return nil, b.fail(name, err)
		}
		b.warn("%s is always NULL: %s, %s", name, te.typ, te.reason)
		b.narrow("NULL only for %s", name)
		b.cur.line("%s = 0;", lv)
		return in, nil
	}
	if s.beyond {
		b.narrow("pointers %d deep", b.o.MaxDepth)
		b.bounded = true
	} else if (depth == 0 || !s.single) && !(s.single && b.readsItems(b.fn)) {
		b.narrowPointer(name, s)
	}
	in.Nullable, in.Flat = !s.never, depth == 0 && b.flat[name] > 0
	var partners []partner
	for _, a := range b.rel.aliasesOf(name) {
		partners = append(partners, partner{name: a, expr: b.exprs[a]})
	}
	if s.as == nil { // C converts no other pointer to a handle
		partners = append(partners, b.partners(name, s.elem)...)
	}
	within := len(b.beside)
	null := s.beyond && len(partners) == 0 // nothing else: none shares that
	defer func() {
		self, ok := b.partnerOf(name, s.elem, lv)
		b.inner = append(b.inner, b.guarded(self, b.beside[within:])...)
		b.beside = b.beside[:within]
		if null || s.as != nil {
			return
		}
		if ok {
			self.items, self.room = s.told(), s.items
			if b.variant == Room && !s.text {
				self.items = s.items // all of it may be what an end tells of
			}
			b.beside = append(b.beside, self)
			if param := strings.TrimPrefix(name, "*"); depth == 1 && b.exprs[param] != "" && param != name {
				self.expr = fmt.Sprintf("(%s != 0 ? *%s : 0)", b.exprs[param], b.exprs[param])
				b.moving = append(b.moving, self)
			}
		}
	}()
	made := b.targets(in, s, name, lv, depth)
	if p.Elem().Kind() == cc.Void && isRecord(s.elem) && !s.beyond {
		for i, t := range b.views(name) {
			if other := *s; i > 0 && b.buildable(t) == nil {
				other.elem = t
				as := name + ":" + strings.ReplaceAll(b.ts.name(t), " ", "_")
				made = append(made, func() error { return b.target(in, &other, as, lv, depth) })
			}
		}
	}
	if begin, ok := b.beginOf(name, s); ok {
		b.narrow("%s within what %s leads to", name, begin.name)
		b.spanned[begin.name], b.spanned[name] = true, true // neither is copied apart from the other
		begin.whole = (b.variant == Room || b.variant >= Wider) && b.handsOut(begin.name)
		partners, made = []partner{begin}, nil
		in.Nullable = in.Nullable && b.isAsked(name) // else it is, where what it ends is
	}
	if owner, ok := b.ownerOf(name, s.elem); ok {
		b.narrow("%s leading to %s", name, owner.name)
		partners, made = []partner{owner}, nil
	}
	if s.text && b.namesFile(name) {
		made = append(made, func() error { b.file(in, lv); return nil })
	}
	if !in.Nullable && len(made)+len(partners) == 1 {
		if len(made) == 0 {
			b.share(in, s, lv, partners[0])
			return in, nil
		}
		return in, made[0]()
	}
	if in.Nullable && len(partners) == 0 && len(made) < 2 {
		b.cur.line("%s = 0;", lv)
		if len(made) == 0 {
			return in, nil
		}
		in.Object = name
		b.cur.open("if (klabel_choose(%s, 2))", quote(name))
		if err := made[0](); err != nil {
			return nil, err
		}
		b.cur.close("")
		return in, nil
	}
	for _, p := range partners {
		made = append(made, func() error { b.share(in, s, lv, p); return nil })
	}
	if in.Nullable {
		made = slices.Insert(made, 0, func() error { b.cur.line("%s = 0;", lv); return nil })
	}
	in.Object = name
	b.cur.open("switch (klabel_choose(%s, %d))", quote(name), len(made))
	for i, write := range made {
		if i > 0 && i == len(made)-1 {
			b.cur.line("default:")
		} else {
			b.cur.line("case %d:", i)
		}
		b.cur.indent++
		if err := write(); err != nil {
			return nil, err
		}
		b.cur.line("break;")
		b.cur.indent--
	}
	b.cur.close("")
	return in, nil
}

// targets are the ways of building what a pointer leads to: constant objects of the unit's and, but for beyond the
// depth, places within objects that calls make, one of each structure that the program takes such an address for, or
// what the type says.
func (b *builder) targets(in *input.Input, s *shape, name, lv string, depth int) (out []func() error) {
	if s.single && (isConst(s.elem) || b.toConst) {
		for _, object := range b.ownObjects(s.elem) {
			out = append(out, func() error { b.toOwn(in, lv, object); return nil })
		}
	}
	b.toConst = false
	if s.beyond {
		return out
	}
	if depth == 0 && s.as == nil {
		held := b.heldTargets(in, s.elem, lv)
		out = append(out, held...)
		if len(held) > 0 && b.variant.calls() && holdsFunctions(s.elem) {
			return out // stubs in place of the object's own operations are for other variants
		}
	}
	own := len(out)
	if s.single {
		for _, w := range b.wholes(s.elem) {
			out = append(out, func() error { return b.into(in, s, w, name, lv, depth) })
		}
	}
	if len(out) == own {
		out = append(out, func() error { return b.target(in, s, name, lv, depth) })
	}
	return out
}

// narrowPointer notes what a pointer of a shape does not lead to.
func (b *builder) narrowPointer(name string, s *shape) {
	b.bounded = b.bounded || s.text || !s.single && !s.bytes && s.items > 1
	switch {
	case s.zeros > 0:
		b.narrow("zeros behind the first %d items of %s", s.items, name)
	case s.bytes:
		b.narrow("%d bytes behind %s", s.items, name)
	case s.text:
		b.narrow("%d characters of %s", s.told()-1, name)
	case s.single:
		b.narrow("one item behind %s", name)
	default:
		b.narrow("%d items behind %s", s.items, name)
	}
	if s.guess {
		b.narrow("%s the number of items behind %s", s.count, name)
	}
}

// pointsOn reports whether a type holds pointers to follow.
func (b *builder) pointsOn(t cc.Type) bool {
	switch x := t.(type) {
	case *cc.PointerType:
		return x.Elem().Kind() != cc.Function
	case *cc.ArrayType:
		return b.pointsOn(x.Elem())
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			if f := x.FieldByIndex(i); f != nil && b.pointsOn(f.Type()) {
				return true
			}
		}
	case *cc.UnionType:
		for i := 0; i < x.NumFields(); i++ {
			if f := x.FieldByIndex(i); f != nil && b.pointsOn(f.Type()) {
				return true
			}
		}
	}
	return false
}

// target builds what a pointer points to and lets lv point there.
func (b *builder) target(in *input.Input, s *shape, name, lv string, depth int) error {
	to := input.Target{Single: s.single, Heap: b.heap}
	if typ, err := b.targetType(s.elem); err == nil && isRecord(s.elem) {
		if b.kinds == nil {
			b.kinds = map[string]bool{}
		}
		b.kinds[typ] = true
	}
	unseen := b.unseen
	defer func() { b.unseen = unseen }()
	b.unseen = unseen || s.leaf || b.o.needed && depth > 0 && !b.follows(name)
	var err error
	switch {
	case s.bytes:
		v := b.ident(name, "_bytes")
		it := &input.Type{Kind: input.Array, Decl: fmt.Sprintf("unsigned char @[%d]", s.items), Size: s.items,
			Len:  s.items,
			Elem: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1, Char: true}}
		if v, err = b.cur.room(func(n string) (string, error) {
			return aligned(n, s.items+s.zeros), nil
		}, v, b.apart(), s.zeros > 0); err != nil {
			return err
		}
		to.Value = &input.Input{Name: name + "[]", Type: it, Object: name + "[]", Zeros: s.zeros}
		b.exprs[name+"[]"] = v
		b.symbolic(v, name+"[]", it, s.zeros == 0)
		b.cur.line("%s = %s;", lv, v)
	case s.single:
		if x, ok := s.elem.(*cc.StructType); ok && x.HasFlexibleArrayMember() {
			to.Value, err = b.flexible(x, name, lv, depth)
			break
		}
		elem := s.elem
		if s.as != nil {
			elem, to.Cast = s.as, true
		}
		to.Value, err = b.item("*"+name, name, s.elem, elem, "", lv, depth)
	default:
		to.Value, err = b.array(s, name, lv, depth)
	}
	if err != nil {
		return err
	}
	in.Targets = append(in.Targets, to)
	b.limitCount(name, s)
	return nil
}

// aligned declares bytes for anything; memory from malloc is aligned anyway.
func aligned(name string, size int64) string {
	text := fmt.Sprintf("unsigned char %s[%d]", name, size)
	if strings.HasPrefix(name, "(*") {
		return text
	}
	return "__attribute__((aligned(16))) " + text
}

// within reports whether C names a part of a larger object.
func within(lv string) bool { return strings.ContainsAny(lv, ".>[") }
