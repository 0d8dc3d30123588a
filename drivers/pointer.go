package drivers

import (
	"fmt"
	"strconv"

	"modernc.org/cc/v4"

	"klabel/input"
)

// voidBytes is the size of what an untyped pointer points to.
const voidBytes = 32

// shape says what a pointer points to.
type shape struct {
	elem   cc.Type
	items  int64  // capacity
	single bool   // one item, not an array
	text   bool   // a C string
	bytes  bool   // untyped memory
	count  string // Name of the integer that tells how many items there are
	guess  bool   // the count was guessed
	never  bool   // never NULL
	beyond bool   // deeper than pointers are followed: nothing is built
}

// pointer writes the C that gives a value to the pointer lv.
func (b *builder) pointer(name string, p *cc.PointerType, lv string, depth int) (*input.Input, error) {
	decl, err := b.ts.declare(p, "@", true)
	if err != nil {
		return nil, b.fail(name, err)
	}
	in := &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}}
	b.exprs[name] = lv
	if b.unread {
		b.cur.line("%s = 0;", lv)
		return in, nil
	}
	b.pointers++
	if f, ok := p.Elem().(*cc.FunctionType); ok {
		return in, b.functionPointer(in, f, lv)
	}
	s, err := b.shape(name, p, depth)
	if err != nil {
		te, ok := err.(*typeError)
		if !ok || depth == 0 {
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
	} else if depth == 0 || !s.single {
		b.narrowPointer(name, s)
	}
	in.Nullable = !s.never
	var partners []partner
	for _, a := range b.rel.aliasesOf(name) {
		partners = append(partners, partner{name: a, expr: b.exprs[a]})
	}
	partners = append(partners, b.partners(s.elem)...)
	within := len(b.beside)
	defer func() {
		b.beside = b.beside[:within]
		if self, ok := b.partnerOf(name, s.elem, lv); ok {
			b.beside = append(b.beside, self)
		}
	}()
	choices := len(partners)
	if in.Nullable {
		choices++
	}
	if !s.beyond {
		choices++
	}
	switch {
	case choices == 1 && s.beyond:
		b.cur.line("%s = 0;", lv)
		return in, nil
	case choices == 1:
		return in, b.target(in, s, name, lv, depth)
	case choices == 2 && len(partners) == 0:
		in.Object = name
		b.cur.line("%s = 0;", lv)
		b.cur.open("if (klabel_choose(%s, 2))", quote(name))
		if err := b.target(in, s, name, lv, depth); err != nil {
			return nil, err
		}
		b.cur.close("")
		return in, nil
	}
	in.Object = name
	b.cur.open("switch (klabel_choose(%s, %d))", quote(name), choices)
	n := 0
	if in.Nullable {
		b.cur.line("case 0:")
		b.cur.line("    %s = 0;", lv)
		b.cur.line("    break;")
		n = 1
	}
	if !s.beyond {
		b.cur.line("case %d:", n)
		b.cur.indent++
		if err := b.target(in, s, name, lv, depth); err != nil {
			return nil, err
		}
		b.cur.line("break;")
		b.cur.indent--
		n++
	}
	for i, p := range partners {
		if n+i == choices-1 {
			b.cur.line("default:")
		} else {
			b.cur.line("case %d:", n+i)
		}
		b.cur.indent++
		b.share(in, s, lv, p)
		b.cur.line("break;")
		b.cur.indent--
	}
	b.cur.close("")
	return in, nil
}

// narrowPointer notes what a pointer of a shape does not lead to.
func (b *builder) narrowPointer(name string, s *shape) {
	b.bounded = b.bounded || s.text || !s.single && !s.bytes && s.items > 1
	switch {
	case s.bytes:
		b.narrow("%d bytes behind %s", s.items, name)
	case s.text:
		b.narrow("%d characters of %s", s.items-1, name)
	case s.single:
		b.narrow("one item behind %s", name)
	default:
		b.narrow("%d items behind %s", s.items, name)
	}
	if s.guess {
		b.narrow("%s the number of items behind %s", s.count, name)
	}
}

var variableArguments = map[string]bool{"va_list": true, "__builtin_va_list": true, "__gnuc_va_list": true}

// shape decides what a pointer points to.
func (b *builder) shape(name string, p *cc.PointerType, depth int) (*shape, error) {
	for _, t := range []cc.Type{p, p.Undecay()} {
		if d := t.Typedef(); d != nil && variableArguments[d.Name()] {
			return nil, &typeError{d.Name(), "a list of variable arguments"}
		}
	}
	s := &shape{elem: p.Elem(), items: int64(b.o.MaxArray), never: b.rel.nonNull(name)}
	u, isParam := b.uses[name]
	isParam = isParam && depth == 0
	if a, ok := p.Undecay().(*cc.ArrayType); ok && depth == 0 {
		if a.Len() > 0 {
			s.items, s.never = a.Len(), true
			return s, b.buildable(s.elem)
		}
	}
	if a, ok := s.elem.(*cc.ArrayType); ok && (a.IsVLA() || a.Len() < 0) {
		return nil, &typeError{b.ts.name(p), "whose length varies"}
	}
	asked := b.asked(name, depth)
	if isRecord(s.elem) || pointsAnywhere(s.elem) {
		asked = min(asked, 4*s.items)
	}
	s.items = max(s.items, asked)
	if b.hasParts(s.elem) && b.variant > Sharing {
		s.items = min(s.items, 2*DefaultMaxArray) // each item is several forks
	}
	count, guess, err := b.rel.countOf(name)
	if err != nil {
		return nil, err
	}
	if s.elem.Kind() == cc.Void {
		// With a count, or where single bytes are looked at, it stays bytes.
		if t := b.view(name); t != nil && count == "" && b.buildable(t) == nil &&
			(t.Size() > 1 || t.Kind() == cc.Char) {
			s.elem = t
		}
	}
	if s.elem.Kind() == cc.Void {
		s.bytes = true
		s.items = max(voidBytes, asked)
		s.count, s.guess = count, guess
		return s, nil
	}
	if err := b.buildable(s.elem); err != nil {
		return nil, err
	}
	if depth > 0 && depth >= b.o.MaxDepth && b.pointsOn(s.elem) {
		s.beyond, s.never = true, false
		return s, nil
	}
	isText := s.elem.Kind() == cc.Char
	if b.rel.isString(name) {
		if !cc.IsIntegerType(s.elem) {
			return nil, &RelationError{Relation: "--string " + name, Reason: name + " is no pointer to characters"}
		}
		isText = true
	}
	switch {
	case count != "":
		if n, err := strconv.ParseInt(count, 0, 32); err == nil {
			if n <= 0 {
				return nil, &RelationError{Relation: "--array " + name + ":" + count,
					Reason: "an array needs at least one item"}
			}
			s.items, count = n, ""
		}
		s.count, s.guess = count, guess
	case isText:
		s.text = true
		s.items = int64(b.o.MaxString) + 1
	case isRecord(s.elem) && b.isArray(name):
	case isParam && !u.indexed && (!u.handed || isRecord(s.elem)), !isParam && isRecord(s.elem):
		s.single = true
		s.items = 1
	}
	return s, nil
}

func isRecord(t cc.Type) bool { return t.Kind() == cc.Struct || t.Kind() == cc.Union }

// buildable is the reason why no value of the type can be made, nil when one can.
func (b *builder) buildable(t cc.Type) error {
	if _, ok := t.(*cc.PointerType); ok {
		return nil
	}
	_, err := b.ts.of(t)
	return err
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
	to := input.Target{Count: s.count, Single: s.single, Heap: b.heap}
	var err error
	switch {
	case s.bytes:
		v := b.ident(name, "_bytes")
		it := &input.Type{Kind: input.Array, Decl: fmt.Sprintf("unsigned char @[%d]", s.items), Size: s.items,
			Len:  s.items,
			Elem: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1, Char: true}}
		if v, err = b.cur.room(func(n string) (string, error) {
			return b.aligned(n, s.items), nil
		}, v, b.heap); err != nil {
			return err
		}
		to.Value = &input.Input{Name: name + "[]", Type: it, Object: name + "[]"}
		b.exprs[name+"[]"] = v
		b.symbolic(v, name+"[]", it, true)
		b.cur.line("%s = %s;", lv, v)
	case s.single:
		if x, ok := s.elem.(*cc.StructType); ok && x.HasFlexibleArrayMember() {
			to.Value, err = b.flexible(x, name, lv, depth)
			break
		}
		v := b.ident(name, "_item")
		v, err := b.cur.room(func(n string) (string, error) { return b.ts.declare(s.elem, n, true) }, v, b.heap)
		if err != nil {
			return b.fail("*"+name, err)
		}
		if self, ok := b.partnerOf(name, s.elem, "&"+v); ok {
			b.above = append(b.above, self)
			defer func() { b.above = b.above[:len(b.above)-1] }()
		}
		if to.Value, err = b.fill("*"+name, s.elem, v, depth+1, true); err != nil {
			return err
		}
		if x, ok := s.elem.(*cc.StructType); ok {
			b.lengths(x, to.Value, v)
		}
		b.cur.line("%s = &%s;", lv, v)
	default:
		to.Value, err = b.array(s, name, lv, depth)
	}
	if err != nil {
		return err
	}
	// The first target: aliases follow.
	in.Targets = append([]input.Target{to}, in.Targets...)
	b.limitCount(name, s)
	return nil
}

// aligned declares bytes for anything; memory from malloc is aligned anyway.
func (b *builder) aligned(name string, size int64) string {
	text := fmt.Sprintf("unsigned char %s[%d]", name, size)
	if b.heap {
		return text
	}
	return "__attribute__((aligned(16))) " + text
}

// array builds several items behind a pointer.
func (b *builder) array(s *shape, name, lv string, depth int) (*input.Input, error) {
	suffix := "_items"
	if s.text {
		suffix = "_text"
	}
	v := b.ident(name, suffix)
	v, err := b.cur.room(func(n string) (string, error) {
		return b.ts.declare(s.elem, fmt.Sprintf("%s[%d]", n, s.items), true)
	}, v, b.heap)
	if err != nil {
		return nil, b.fail(name+"[]", err)
	}
	shown, err := b.ts.declare(s.elem, fmt.Sprintf("@[%d]", s.items), true)
	if err != nil {
		return nil, b.fail(name+"[]", err)
	}
	in := &input.Input{Name: name + "[]", Text: s.text,
		Type: &input.Type{Kind: input.Array, Decl: shown, Size: s.items * s.elem.Size(), Len: s.items}}
	b.exprs[in.Name] = v
	if p, ok := s.elem.(*cc.PointerType); ok {
		decl, err := b.ts.declare(p, "@", true)
		if err != nil {
			return nil, b.fail(in.Name, err)
		}
		in.Type.Elem = &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}
	} else if in.Type.Elem, err = b.ts.of(s.elem); err != nil {
		return nil, b.fail(in.Name, err)
	}
	b.count()
	switch {
	case b.piecewise(s.elem):
		b.cur.line("__builtin_memset(%s, 0, sizeof %s);", v, v)
		for i := int64(0); i < s.items; i++ {
			if err := b.piece(in, fmt.Sprintf("[%d]", i), -1, 0, s.elem, v, depth+1); err != nil {
				return nil, err
			}
		}
	case onlyPointers(s.elem), s.elem.Kind() != cc.Struct && s.elem.Kind() != cc.Union && b.hasParts(s.elem):
	default:
		in.Object = in.Name
		b.symbolic(v, in.Name, in.Type, true)
	}
	if s.text {
		b.cur.line("%s[%d] = 0;", v, s.items-1)
	}
	if err := b.limit(in, v); err != nil {
		return nil, err
	}
	if !b.piecewise(s.elem) {
		for i := int64(0); i < s.items; i++ {
			item := fmt.Sprintf("[%d]", i)
			if err := b.parts(in, in, s.elem, item, v+item, i*s.elem.Size(), depth+1); err != nil {
				return nil, err
			}
		}
	}
	b.cur.line("%s = %s;", lv, v)
	return in, nil
}

// flexible builds a structure that ends in an array without a length.
func (b *builder) flexible(x *cc.StructType, name, lv string, depth int) (*input.Input, error) {
	it, err := b.ts.of(x)
	if err != nil {
		return nil, b.fail("*"+name, err)
	}
	tail := x.FlexibleArrayMember()
	elem, ok := tail.Type().(*cc.ArrayType)
	if !ok || b.hasParts(elem.Elem()) || b.piecewise(x) {
		return nil, &TypeError{b.owner(), name, it.String(),
			"whose array without a length holds what klabel does not build there"}
	}
	tailType, err := b.ts.of(elem.Elem())
	if err != nil {
		return nil, b.fail("*"+name, err)
	}
	n := int64(b.o.MaxArray)
	v := b.ident(name, "_item")
	mem := b.ident(name, "_memory")
	size := max(it.Size, tail.Offset()+n*tailType.Size)
	if mem, err = b.cur.room(func(n string) (string, error) {
		return b.aligned(n, size), nil
	}, mem, b.heap); err != nil {
		return nil, err
	}
	b.cur.declare((&input.Type{Decl: it.Decl}).Declare("*" + v))
	whole := "(*" + v + ")"
	b.cur.line("%s = (void *)%s;", v, mem)
	in := &input.Input{Name: "*" + name, Type: it, Object: "*" + name, Tail: n, TailElem: tailType}
	b.exprs[in.Name] = whole
	b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", mem, mem, quote(in.Name))
	b.count()
	if err := b.limit(in, whole); err != nil {
		return nil, err
	}
	if err := b.parts(in, in, x, "", whole, 0, depth+1); err != nil {
		return nil, err
	}
	tailName := child(in.Name, "."+tail.Name())
	in.TailName = tail.Name()
	in.TailOffset = tail.Offset()
	if count, _, err := b.rel.countOf(tailName); err != nil {
		return nil, err
	} else if count != "" {
		b.limitCount(tailName, &shape{items: n, count: count})
	}
	b.cur.line("%s = %s;", lv, v)
	return in, nil
}

// limitCount keeps the number of items within what there is. Counts that are
// parameters are limited once all inputs exist.
func (b *builder) limitCount(name string, s *shape) {
	if s.count == "" {
		return
	}
	limit := func() {
		e, t := b.rel.expr(b, s.count)
		capacity := literal(s.items)
		switch {
		case t != nil && !t.Signed:
			b.cur.line("klee_assume(%s <= %s);", e, capacity)
		case s.guess:
			b.cur.line("klee_assume(%s <= %s);", e, capacity)
		default:
			b.cur.line("klee_assume((%s >= 0) & (%s <= %s));", e, e, capacity)
		}
	}
	if b.rel.isLocal(b, s.count) {
		limit()
		return
	}
	b.late = append(b.late, func() {
		limit()
		if u, ok := b.uses[name]; ok && !u.nullTest && !s.never {
			e, _ := b.rel.expr(b, s.count)
			b.cur.line("klee_assume((%s != 0) | (%s == 0));", b.exprs[name], e)
		}
	})
}
