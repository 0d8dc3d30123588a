package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// apart reports whether what may be accessed out of bounds comes from malloc: beside what stands on the stack, or in
// statics, an access far beyond meets other variables, and nobody sees it. A program's own malloc is under test itself.
func (b *builder) apart() bool {
	return b.heap || !b.ownMalloc()
}

// ownMalloc reports whether malloc is the program's own.
func (b *builder) ownMalloc() bool {
	return b.unit.Function("malloc") != nil || b.common.Defined["malloc"]
}

// array builds several items behind a pointer.
func (b *builder) array(s *shape, name, lv string, depth int) (*input.Input, error) {
	suffix := "_items"
	if s.text {
		suffix = "_text"
	}
	v, err := b.cur.room(func(n string) (string, error) {
		return b.ts.declare(s.elem, fmt.Sprintf("%s[%d]", n, s.items+s.zeros), true)
	}, b.ident(name, suffix), b.apart(), s.zeros > 0)
	if err != nil {
		return nil, b.fail(name+"[]", err)
	}
	shown, err := b.ts.declare(s.elem, fmt.Sprintf("@[%d]", s.items), true)
	if err != nil {
		return nil, b.fail(name+"[]", err)
	}
	in := &input.Input{Name: name + "[]", Text: s.text, Zeros: s.zeros,
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
		b.symbolic(v, in.Name, in.Type, s.zeros == 0)
	}
	if s.text {
		b.cur.line("%s[%d] = 0;", v, s.told()-1)
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

// beyond are the values that an integer may have which is only guessed to tell a number of items.
func (b *builder) beyond(count string, guess bool) []int64 {
	if !guess || b.fn == nil || strings.ContainsAny(count, ".>[") {
		return nil
	}
	out := b.an.beyondOf(b.fn, count, 3)
	if t := b.intTypes[count]; t != nil && t.Signed {
		// Negative numbers are told from numbers of items without a word.
		out = slices.DeleteFunc(out, func(k int64) bool { return k < 0 })
	}
	return out
}

// limitCount keeps the number of items within what there is. Counts that are
// parameters are limited once all inputs exist.
func (b *builder) limitCount(name string, s *shape) {
	if s.count == "" {
		return
	}
	orElse := "" // values that are no number of items: any without items, and those that the code tells apart
	limit := func() {
		e, t := b.rel.expr(b, s.count)
		for _, k := range b.beyond(s.count, s.guess) {
			orElse += fmt.Sprintf(" | (%s == %s)", e, literal(k))
		}
		capacity := literal(s.told() - int64(boolean(s.text || s.upTo)))
		switch {
		case orElse != "" && s.guess:
			b.cur.line("klee_assume((%s <= %s)%s);", e, capacity, orElse)
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
		if u := b.uses[name]; u.nullTest && !s.never {
			orElse = fmt.Sprintf(" | (%s == 0)", b.exprs[name])
		}
		limit()
		if u, ok := b.uses[name]; ok && !u.nullTest && !s.never {
			e, _ := b.rel.expr(b, s.count)
			b.cur.line("klee_assume((%s != 0) | (%s == 0));", b.exprs[name], e)
		}
	})
}
