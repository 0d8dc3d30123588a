package drivers

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// handedBytes is how much a stub hands out at a time.
const handedBytes = 32

// filledBytes is how much a stub writes into a buffer that it is given.
const filledBytes = 16

var sizeName = regexp.MustCompile(`(?i)size|len|cap|room|num|count|max|bytes|^n`)

// sourceName matches names of buffers that are read, whatever their type says.
var sourceName = regexp.MustCompile(`(?i)src|source|from`)

// roomOf is C for the size of the buffer that a function is given in a parameter,
// if it is given one to fill: characters to write to, or untyped memory, and its
// size after it (or a number of items and their size), or before it where the names
// say so. "" where it is none.
func roomOf(f *cc.FunctionType, i int) string {
	params := f.Parameters()
	p, ok := params[i].Type().(*cc.PointerType)
	if !ok {
		return ""
	}
	if a := p.Elem().Attributes(); a != nil && a.IsConst() {
		return ""
	}
	counts := func(t cc.Type) bool { return plainInteger(t) && t.Kind() != cc.Char }
	if i+1 >= len(params) || !counts(params[i+1].Type()) {
		if i == 0 || !counts(params[i-1].Type()) || !sizeName.MatchString(params[i-1].Name()) ||
			params[i].Name() == "" || sourceName.MatchString(params[i].Name()) {
			return ""
		}
		switch p.Elem().Kind() {
		case cc.Char, cc.UChar, cc.SChar, cc.Void:
			return "klabel_" + argument(params[i-1], i-1)
		}
		return ""
	}
	next := params[i+1]
	switch p.Elem().Kind() {
	case cc.Char:
	case cc.UChar, cc.SChar, cc.Void:
		// A number alone may say anything.
		if !sizeName.MatchString(next.Name()) && next.Type().Kind() != cc.ULong && next.Type().Kind() != cc.UInt {
			return ""
		}
	default:
		return ""
	}
	size := "klabel_" + argument(next, i+1)
	if i+2 < len(params) && next.Type().Kind() == cc.ULong && params[i+2].Type().Kind() == cc.ULong {
		size += " * klabel_" + argument(params[i+2], i+2) // fread
	}
	return size
}

// sameText reports whether a result is the pointer that a parameter is.
func sameText(result cc.Type, p *cc.PointerType) bool {
	r, ok := result.(*cc.PointerType)
	return ok && r.Elem().Kind() == p.Elem().Kind()
}

// filled is how many bytes a stub fills: as many as the largest block of a known size that what is called hands
// on, a header, say.
func (b *builder) filled() int64 {
	out := int64(filledBytes)
	for _, f := range b.reach.funcs {
		out = max(out, b.an.of(f.Name).sizes.block)
	}
	return out
}

// fills writes the C by which a stub fills a buffer with input, as far as there
// is room. Characters end with NUL.
func (b *builder) fills(call *input.Call, shown, arg string, p *cc.PointerType, size string) {
	text, room := p.Elem().Kind() == cc.Char, b.filled()
	elem := "unsigned char "
	if text {
		elem = "char "
	}
	it := &input.Type{Kind: input.Array, Decl: elem + "@[" + literal(room) + "]", Size: room,
		Len:  room,
		Elem: &input.Type{Kind: input.Int, Decl: elem + "@", Size: 1, Signed: text, Char: true}}
	out := &input.Input{Name: shown + ":*" + arg, Type: it, Object: shown + ":*" + arg, Text: text}
	size = strings.ReplaceAll(size, "klabel_", "(unsigned long)klabel_")
	b.cur.open("if (klabel_%s != 0 && (long)(%s) > 0)", arg, size)
	b.cur.line("%s;", it.Declare("klabel_value"))
	b.cur.line("unsigned long klabel_room = %s;", size)
	b.cur.line("if (klabel_room > sizeof klabel_value)")
	b.cur.line("    klabel_room = sizeof klabel_value;")
	b.cur.line("klee_make_symbolic(klabel_value, sizeof klabel_value, %s);", quote(out.Object))
	if text {
		b.cur.line("klabel_value[klabel_room - 1] = 0;")
	}
	b.cur.line("__builtin_memcpy((void *)klabel_%s, klabel_value, klabel_room);", arg)
	b.cur.close("")
	call.Text = call.Text || text
	call.Outputs = append(call.Outputs, out)
	call.Through = append(call.Through, "klabel_"+arg)
	call.Rooms = append(call.Rooms, size)
}

// handsOut reports whether a function that is called through a pointer lets another pointer lead to bytes, and returns
// how many there are: unsigned read(void *from, const unsigned char **bytes).
func handsOut(f *cc.FunctionType, i int) bool {
	p, ok := f.Parameters()[i].Type().(*cc.PointerType)
	if !ok || !plainInteger(f.Result()) || !writable(p) {
		return false
	}
	to, ok := p.Elem().(*cc.PointerType)
	if !ok {
		return false
	}
	switch to.Elem().Kind() {
	case cc.Char, cc.SChar, cc.UChar, cc.Void:
		return true
	}
	return false
}

// handOut writes the C by which a stub does so. Of bytes that it hands out it returns the number; what is less
// than 0 may mean an error.
func (b *builder) handOut(call *input.Call, shown, arg string, result cc.Type) {
	it := &input.Type{Kind: input.Array, Decl: "unsigned char @[" + literal(handedBytes) + "]", Size: handedBytes,
		Len: handedBytes, Elem: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1, Char: true}}
	out := &input.Input{Name: shown + ":**" + arg, Type: it, Object: shown + ":**" + arg}
	b.cur.open("if (klabel_%s != 0)", arg)
	b.cur.line("unsigned char *klabel_value = __builtin_malloc(%d);", handedBytes)
	b.cur.line("klee_make_symbolic(klabel_value, %d, %s);", handedBytes, quote(out.Object))
	b.cur.line("*klabel_%s = (void *)klabel_value;", arg)
	b.cur.close("")
	for len(call.Hands) < len(call.Outputs) {
		call.Hands = append(call.Hands, false)
	}
	call.Hands, call.Outputs = append(call.Hands, true), append(call.Outputs, out)
	call.Through, call.Rooms = append(call.Through, "klabel_"+arg), append(call.Rooms, "")
	if call.Result != nil {
		return
	}
	decl := "unsigned char "
	if cc.IsSignedInteger(result) {
		decl = "signed char "
	}
	call.Result = &input.Input{Name: shown, Object: shown,
		Type: &input.Type{Kind: input.Int, Decl: decl + "@", Size: 1, Signed: cc.IsSignedInteger(result)}}
	b.cur.declare(decl + "klabel_count")
}
