package drivers

import (
	"bytes"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// parts fills what lies inside a value and is not made of its raw bytes:
// pointers, and floating-point numbers where they are picked. whole is the
// input that the parts are listed with, path leads from it to t.
func (b *builder) parts(whole, in *input.Input, t cc.Type, path, lv string, off int64, depth int) error {
	if !b.hasParts(t) {
		return nil
	}
	if isPrivate(t) {
		return b.part(whole, t, path, lv, off, b.private)
	}
	switch x := t.(type) {
	case *cc.PointerType:
		if !b.unseen && !b.count() {
			b.cur.line("%s = 0;", lv)
			b.warn("%s: more than %d objects, the rest of the pointers are NULL", whole.Name, maxObjects)
			b.narrow("%d objects", maxObjects)
			return nil
		}
		p, err := b.pointer(child(whole.Name, path), x, lv, depth)
		if err != nil {
			return err
		}
		whole.Parts = append(whole.Parts, input.Part{Path: path, Offset: off, Input: p})
	case *cc.ArrayType:
		size := x.Elem().Size()
		_, pointers := x.Elem().(*cc.PointerType)
		for i := int64(0); i < x.Len(); i++ {
			if pointers && i == mostPointers && !b.unread {
				b.narrow("pointers in more than %d items of %s", mostPointers, child(whole.Name, path))
				b.without(x, lv, i, 0)
				break
			}
			if !pointers && i == mostItems {
				if !b.unread {
					b.narrow("what is not plain bytes in more than %d items of %s", mostItems, child(whole.Name, path))
				}
				b.without(x, lv, i, 0)
				break
			}
			item := fmt.Sprintf("[%d]", i)
			if err := b.parts(whole, in, x.Elem(), path+item, lv+item, off+i*size, depth); err != nil {
				return err
			}
		}
	case *cc.StructType:
		for _, f := range b.beginsFirst(x) {
			if f.IsBitfield() || f.IsFlexibleArrayMember() {
				continue
			}
			p := ""
			if f.Name() != "" {
				p = "." + f.Name()
			}
			at := lv + p
			above, inConst := b.unread, b.inConst
			at = b.writable(f, at)
			b.unread = above || !b.fieldMatters(f)
			before := len(whole.Parts)
			b.givesConst = returnsPointer(f.Type()) && b.saidConst(f)
			b.toConst = f.Type().Kind() == cc.Ptr && b.saidConst(f)
			err := b.parts(whole, in, f.Type(), path+p, at, off+f.Offset(), depth)
			b.unread, b.inConst, b.givesConst, b.toConst = above, inConst, false, false
			if err != nil {
				return err
			}
			if len(whole.Parts) > before && b.constWithin(f) {
				whole.Parts[before].Input.Type.Inner = true
			}
		}
	case *cc.UnionType:
		if b.unread {
			return nil // its bytes do
		}
		return b.unionParts(whole, x, path, lv, off, depth)
	default: // a floating-point number to pick
		if b.unread {
			return nil
		}
		return b.part(whole, t, path, lv, off, b.pick)
	}
	return nil
}

// part builds a value within a whole that has no parts itself.
func (b *builder) part(whole *input.Input, t cc.Type, path, lv string, off int64,
	build func(in *input.Input, lv string)) error {
	it, err := b.ts.of(t)
	if err != nil {
		return b.fail(child(whole.Name, path), err)
	}
	p := &input.Input{Name: child(whole.Name, path), Type: it}
	build(p, lv)
	whole.Parts = append(whole.Parts, input.Part{Path: path, Offset: off, Input: p})
	return nil
}

// mostPointers bounds the items of an array within a structure that are pointers
// and lead anywhere: each is a fork, and a stack of thirty-two of them is no more to
// be explored.
const mostPointers = 8

// mostItems is mostPointers of structures and of what else has parts: a virtual machine's stack
// of thousands of values, each with a driver of its own, is megabytes of text.
const mostItems = 32

var constPointer = regexp.MustCompile(`\*[^*]*\bconst\b`)

// constWithin reports whether a field leads to pointers to what is const, to which C has no conversion. The
// types of fields do not say it.
func (b *builder) constWithin(f *cc.Field) bool {
	p, ok := f.Type().(*cc.PointerType)
	return ok && p.Elem().Kind() == cc.Ptr && b.saidConst(f)
}

// returnsPointer reports whether a type is of pointers to functions that return pointers to what is none.
func returnsPointer(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return false
	}
	f, ok := p.Elem().(*cc.FunctionType)
	if !ok {
		return false
	}
	r, ok := f.Result().(*cc.PointerType)
	return ok && r.Elem().Kind() != cc.Ptr && r.Elem().Kind() != cc.Function
}

// saidConst reports whether the specifiers of a field's declaration say const.
func (b *builder) saidConst(f *cc.Field) bool {
	at, ok := b.unit.Span(f.Declarator())
	if !ok {
		return false
	}
	before := b.unit.Text[:at.Start]
	return constWord.Match(before[bytes.LastIndexAny(before, ";{")+1:])
}

var constWord = regexp.MustCompile(`\bconst\b`)

// constField reports whether a field that is built apart must not be assigned
// to as it is.
func (b *builder) constField(f *cc.Field) bool {
	return b.constant(f, innermost(f.Type()))
}

// constant reports whether a field is constant whose type, or that of its items, is the given one.
func (s *shared) constant(f *cc.Field, item cc.Type) bool {
	d := f.Declarator()
	if _, ok := item.(*cc.PointerType); ok { // not what it leads to
		return d != nil && d.Pointer != nil && constPointer.MatchString(s.unit.Source(d.Pointer))
	}
	return d != nil && d.IsConst()
}

// innermost is what the arrays of a type are of, or the type.
func innermost(t cc.Type) cc.Type {
	for a, ok := t.(*cc.ArrayType); ok; a, ok = t.(*cc.ArrayType) {
		t = a.Elem()
	}
	return t
}

// assignable reports whether no part of a structure or union is constant, so that one can be assigned to another.
func (s *shared) assignable(t cc.Type) bool {
	x, ok := t.(interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	})
	if !ok {
		return true
	}
	for i := range x.NumFields() {
		f := x.FieldByIndex(i)
		if f == nil {
			continue
		}
		item := innermost(f.Type())
		if s.constant(f, item) || !s.assignable(item) {
			return false
		}
	}
	return true
}

// hasParts reports whether a type holds anything that is built apart.
func (b *builder) hasParts(t cc.Type) bool {
	if isPrivate(t) {
		return true
	}
	switch x := t.(type) {
	case *cc.PointerType:
		return true
	case *cc.ArrayType:
		return b.hasParts(x.Elem())
	case *cc.StructType:
		for i := 0; i < x.NumFields(); i++ {
			if f := x.FieldByIndex(i); f != nil && !f.IsFlexibleArrayMember() && b.hasParts(f.Type()) {
				return true
			}
		}
	case *cc.UnionType:
		for i := 0; i < x.NumFields(); i++ {
			if f := x.FieldByIndex(i); f != nil && b.hasParts(f.Type()) {
				return true
			}
		}
	default:
		return b.o.Floats == PickFloats && cc.IsFloatingPointType(t)
	}
	return false
}

// writable is a field's place as C assigns to it. What has no name to cast to is written part by part.
func (b *builder) writable(f *cc.Field, at string) string {
	if !b.inConst && !b.constField(f) {
		return at
	}
	to := "*"
	if f.Type().Kind() == cc.Array {
		to = "(*)"
	}
	decl, err := b.ts.declare(f.Type(), to, true)
	b.inConst = err != nil || strings.Contains(decl, anonymous)
	if b.inConst {
		return at
	}
	return "(*(" + decl + ")&" + at + ")"
}

// unionParts lets a choice decide which member of a union is built apart. The
// first alternative leaves the raw bytes, if there is a member made of those.
func (b *builder) unionParts(whole *input.Input, x *cc.UnionType, path, lv string, off int64, depth int) error {
	name := child(whole.Name, path)
	it, err := b.ts.of(x)
	if err != nil {
		return b.fail(name, err)
	}
	in := whole
	if path != "" || whole.Type != nil && whole.Type.Kind != input.Union { // one without a name is a part, too
		in = &input.Input{Name: name, Type: it}
		whole.Parts = append(whole.Parts, input.Part{Path: path, Offset: off, Input: in})
	}
	var fields []*cc.Field
	for i := 0; i < x.NumFields(); i++ {
		if f := x.FieldByIndex(i); f != nil && f.Name() != "" && b.hasParts(f.Type()) {
			fields = append(fields, f)
		}
	}
	in.Select = name + ":member"
	for n := 2; slices.ContainsFunc(whole.Parts, func(p input.Part) bool {
		return p.Input != in && p.Input.Select == in.Select
	}); n++ {
		in.Select = fmt.Sprintf("%s:member%d", name, n)
	}
	b.cur.open("switch (klabel_choose(%s, %d))", quote(in.Select), len(fields)+1)
	for i, f := range fields {
		b.cur.line("case %d:", i+1)
		b.cur.indent++
		member, inConst := &input.Input{}, b.inConst
		at := b.writable(f, lv+"."+f.Name())
		if p, ok := f.Type().(*cc.PointerType); ok {
			member, err = b.pointer(name+"."+f.Name(), p, at, depth)
		} else {
			member, err = b.fill(name+"."+f.Name(), f.Type(), at, depth, false)
		}
		b.inConst = inConst
		if err != nil {
			return err
		}
		in.Members = append(in.Members, input.Part{Path: "." + f.Name(), Input: member})
		b.cur.line("break;")
		b.cur.indent--
	}
	b.cur.close("")
	return nil
}

// pick lets the driver choose one of a set of numbers, by a fork for each.
func (b *builder) pick(in *input.Input, lv string) {
	in.Object = in.Name
	b.exprs[in.Name] = lv
	in.Picks = b.interesting(in)
	b.floats++
	b.narrow("%d values of %s", len(in.Picks), in.Name)
	b.cur.open("switch (klabel_choose(%s, %d))", quote(in.Name), len(in.Picks))
	for i, p := range in.Picks {
		label := fmt.Sprintf("case %d:", i)
		if i == len(in.Picks)-1 {
			label = "default:"
		}
		b.cur.line("%s %s = %s; break;", label, lv, p.Text)
	}
	b.cur.close("")
}

// interesting are the numbers to try: fewer as there are more to choose, since
// each is a fork; those that the function itself speaks of come first, with
// their neighbours.
func (b *builder) interesting(in *input.Input) []input.Pick {
	limit := []int{14, 8, 5, 3}[min(b.floats, 3)]
	var out []input.Pick
	seen := map[string]bool{}
	lo, hi := math.Inf(-1), math.Inf(1)
	r := b.rel.numericRange(in.Name)
	if r != nil {
		lo, hi = r[0], r[1]
	}
	add := func(v float64) {
		if in.Type.Size == 4 {
			v = float64(float32(v))
		}
		text := floatText(v)
		if len(out) < limit && !seen[text] && !math.IsInf(v, 0) && v >= lo && v <= hi {
			seen[text] = true
			out = append(out, input.Pick{Text: text, Value: v})
		}
	}
	add(0)
	for _, c := range b.consts {
		add(c)
	}
	for _, c := range b.consts {
		step := math.Max(math.Abs(c), 1) / 1024
		add(c + step)
		add(c - step)
	}
	for _, v := range []float64{lo, hi, 1, -1, 0.5, 1000, -1000} {
		add(v)
	}
	if r == nil && b.floats == 0 {
		out = append(out,
			input.Pick{Text: "__builtin_inf()", Value: math.Inf(1)},
			input.Pick{Text: "-__builtin_inf()", Value: math.Inf(-1)},
			input.Pick{Text: `__builtin_nan("")`, Value: math.NaN()})
	}
	if len(out) == 0 { // a range without any of these: its middle
		out = append(out, input.Pick{Text: floatText(lo + (hi-lo)/2), Value: lo + (hi-lo)/2})
	}
	return out
}

func floatText(v float64) string {
	s := strconv.FormatFloat(v, 'g', -1, 64)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}
