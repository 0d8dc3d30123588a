package csource

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
)

// view is what the parser reads in place of the unit's text. Directives are
// left out, identifiers and builtins that clang knows and the parser does not
// are respelt, and so is white space left out where no token needs it: to the
// parser each separator is a token, and each line a list.
type view struct {
	text []byte
	at   []int32         // by offset in text: where it came from
	uses []Span          // what is one use of a builtin or keyword and several tokens to the parser, in order
	mark map[string]bool // identifiers that begin with two underscores
	bits map[string]bool // stand-ins of _BitInt

	src    []byte
	modern bool // C23 or later
	line   int  // where the last line of text begins
	number bool // the last token is a number

	constants bool   // where C demands them, uses of compatible are (see demand)
	nested    []byte // brackets that are open
	ofCase    bool   // what follows is the value of one
}

// viewLine is the least length of a line of a view. The parser copies the
// tokens of one line several times, which is cheap while they stay in a cache.
const viewLine = 4 << 10

// respelt is how the parser is told of identifiers that it does not know.
var respelt = map[string]string{
	"__FUNCTION__":        "__func__",
	"__PRETTY_FUNCTION__": "__func__",
	"__extension__":       "",
	"__float128":          quad,
	"_Float32":            "_floaT32",
	"_Float64":            "_floaT64",
	"_Float32x":           "_floaT32x",
	"_Float64x":           "_floaT64x",
	"_Float128":           "_floaT128",
	"_Float16":            half,
	"__bf16":              brain,
	"_Nullable":           "",
	"_Null_unspecified":   "",
}

// builtinUses are builtins that take a type or are macros to the parser, and
// how they are respelt as an expression that it reads; %1 and %2 are the
// arguments.
var builtinUses = map[string]string{
	"__builtin_va_arg":             "(*(%2*)__kva(%1))",
	"__builtin_va_copy":            "((%1)=(%2))",
	"__builtin_offsetof":           "(__kz)&((%1*)0)->%2",
	"__builtin_types_compatible_p": "__ktc((%1){},(%2){})",
	"__builtin_convertvector":      "((%2)(%1))",
	"__builtin_huge_vall":          "__khuge(%1)",
}

// usesPrelude declares what builtinUses refer to.
const usesPrelude = "void *__kva(); typedef __SIZE_TYPE__ __kz; int __ktc(); long double __khuge();\n"

// parserView writes the parser's view of a text.
func parserView(text []byte, modern bool) *view {
	v := (&view{src: text, modern: modern}).again()
	v.write()
	return v
}

// again is a view of the same text with nothing written.
func (v *view) again() *view {
	return &view{src: v.src, modern: v.modern, text: make([]byte, 0, len(v.src)+1), at: make([]int32, 0, len(v.src)+1),
		mark: map[string]bool{}}
}

func (v *view) write() {
	v.tokens(0, len(v.src))
	v.unnameParameters()
}

// tokens writes the tokens of src[from:to].
func (v *view) tokens(from, to int) {
	l := newLexer(v.src[:to], from)
	copied := from // what stands before this was written as it is; -1: it was not
	before, bare := byte(0), 0
	operands := 0   // where those of an asm statement end
	var hidden Span // the labels of an asm goto
	for {
		t, ok := l.next()
		if !ok {
			return
		}
		switch word := t.kind == tokIdent; {
		case word && asmWords[string(v.src[t.start:t.end])]:
			operands = v.operandsEnd(t.end, to)
		case word && string(v.src[t.start:t.end]) == "goto":
			hidden = v.targets(t.end, to)
		case v.src[t.start] == '[' && t.start < operands && (before == ':' || before == ','):
			// An operand's name is no expression.
			l.off, copied = max(t.end, skipBalanced(v.src[:to], t.start)), -1
			continue
		}
		if t.kind == tokDirective || before == '[' && arrayWords[string(v.src[t.start:t.end])] ||
			hidden.Start <= t.start && t.end <= hidden.End {
			copied = -1
			continue
		}
		switch {
		case copied < 0 || copied < t.start && bytes.IndexByte(v.src[copied:t.start], '\\') < 0:
			v.separate(v.src[t.start])
		case copied < t.start:
			v.copy(copied, t.start) // a token may be cut in two
		}
		end := 0
		if t.kind == tokIdent && typeofWords[string(v.src[t.start:t.end])] {
			end = v.respellTypeof(t)
		}
		if end == 0 && v.modern && t.kind == tokIdent {
			end = v.respellModern(t)
		}
		if end == 0 && v.src[t.start] == '_' && t.kind == tokIdent {
			end = v.respell(t)
		}
		switch {
		case end > 0:
			before, l.off, copied = 0, end, -1
			continue
		case t.kind == tokNumber:
			v.copyNumber(t.start, t.end)
		default:
			v.copy(t.start, t.end)
			v.nest(t, before)
		}
		if v.modern && v.src[t.end-1] == ':' && v.needsStatement(t.end) {
			v.put(";", t.end-1)
		}
		if v.src[t.start] == '[' && noItems.Match(v.src[t.end:min(t.end+maxNoItems, to)]) {
			v.put("0", t.end-1)
		}
		if v.src[t.start] == '[' && (before == '{' || before == ',') {
			bare = v.bareDesignator(t.start, to)
		}
		if t.end == bare {
			v.put("=", t.end-1)
		}
		before, v.number, copied = v.src[t.start], t.kind == tokNumber, t.end
	}
}

// noItems is what follows the bracket of an array whose initialiser says that it has none:
// to the parser its size would not be known.
var noItems = regexp.MustCompile(`^\s*\]\s*=\s*\{\s*\}`)

const maxNoItems = 64 // characters

// copy writes src[from:to] as it is.
func (v *view) copy(from, to int) {
	v.text = append(v.text, v.src[from:to]...)
	for i := from; i < to; i++ {
		v.at = append(v.at, int32(i))
	}
}

// put writes text that stands for what is at an offset.
func (v *view) put(text string, off int) {
	v.text = append(v.text, text...)
	for range len(text) {
		v.at = append(v.at, int32(off))
	}
	v.number = false
}

// separate writes a space before a token that begins with next, if the last
// token could be taken for a part of it otherwise.
func (v *view) separate(next byte) {
	if len(v.text) == 0 {
		return
	}
	last := v.text[len(v.text)-1]
	sep := " "
	switch {
	case len(v.text)-v.line > viewLine && isIdentStart(next):
		sep, v.line = "\n", len(v.text)+1
	case alone[last] || alone[next]:
		return
	case wordly(last) != wordly(next) && !(v.number && (next == '+' || next == '-')):
		return
	}
	v.put(sep, int(v.at[len(v.at)-1]))
}

// alone are the characters that are a token whatever stands beside them.
var alone = [256]bool{'(': true, ')': true, '[': true, ']': true, '{': true, '}': true, ';': true, ',': true, '?': true,
	':': true, '~': true}

// wordly are the characters of identifiers, numbers, strings and characters.
func wordly(c byte) bool { return isIdentPart(c) || c == '.' || c == '"' || c == '\'' }

// respell writes what the parser is to read in place of an identifier or of a
// use of a builtin, and returns the offset behind it, 0 for others.
func (v *view) respell(name token) (end int) {
	id := v.src[name.start:name.end]
	if s, ok := respelt[string(id)]; ok {
		if s == half && bytes.HasPrefix(bytes.TrimLeft(v.src[name.end:], " \t\n"), []byte("_Complex")) {
			s = "float" // in compilers' headers alone
		}
		if s == quad && (bytes.HasPrefix(bytes.TrimLeft(v.src[name.end:], " \t\n"), []byte("_Complex")) ||
			bytes.HasSuffix(bytes.TrimRight(v.text, " \n"), []byte("_Complex"))) {
			s = "long double"
		}
		v.put(s, name.start)
		return name.end
	}
	if string(id) == "_BitInt" || string(id) == "_ExtInt" {
		return v.respellBits(name)
	}
	if bytes.HasPrefix(id, []byte("__attribute")) {
		if end := v.respellAttribute(name); end > 0 {
			return end
		}
	}
	if len(id) > 1 && id[1] == '_' && !v.mark[string(id)] {
		v.mark[string(id)] = true
	}
	form, ok := builtinUses[string(id)]
	if !ok {
		return 0
	}
	if end = skipBalanced(v.src, name.end); end < 0 {
		return 0
	}
	if len(v.uses) == 0 || name.start >= v.uses[len(v.uses)-1].End {
		v.uses = append(v.uses, Span{name.start, end})
	}
	c, ok := scanCall(v.src, name)
	if !ok || len(c.Args) > 2 || len(c.Args) < strings.Count(form, "%") {
		return 0
	}
	if v.constants && string(id) == compatible && v.demanded() {
		form = itsOwn
	}
	v.separate(form[0])
	for {
		text, rest, more := strings.Cut(form, "%")
		v.put(text, name.start)
		if !more {
			return end
		}
		n, _ := strconv.Atoi(rest[:1])
		v.tokens(c.Args[n-1].Start, c.Args[n-1].End)
		form = rest[1:]
	}
}

var (
	typeofWords = map[string]bool{"typeof": true, "__typeof__": true, "__typeof": true, "typeof_unqual": true}
	// what begins with a keyword of types is one; of those, the ones that a * can stand behind
	plainType = regexp.MustCompile(`^(?:const|volatile|signed|unsigned|int|char|short|long|float|double|_Bool|bool|` +
		`struct|union|enum|void\s*\*)(?:[^\w(\[{][^(\[{]*)?$`)
	// (*) stands in no expression
	functionPointer = regexp.MustCompile(`^[^()\[\]{}]*\(\s*\*\s*(?:const\s*)?\)\s*\(`)
)

// respellTypeof writes typeof(T), which the parser reads of expressions alone, as the
// type of one.
func (v *view) respellTypeof(name token) (end int) {
	c, ok := scanCall(v.src, name)
	if !ok || len(c.Args) == 0 {
		return 0
	}
	// A comma is one of parameters.
	from, to := c.Args[0].Start, c.Args[len(c.Args)-1].End
	star := to // where that of the pointer to it stands
	if declarator := functionPointer.Find(v.src[from:to]); declarator != nil {
		star = from + bytes.IndexByte(declarator, '(') + 1
	} else if len(c.Args) != 1 || !plainType.Match(bytes.TrimSpace(v.src[from:to])) {
		return 0
	}
	v.uses = append(v.uses, Span{name.start, c.Call.End})
	v.put("__typeof__(*(", name.start)
	v.tokens(from, star)
	v.put("*", name.start)
	v.tokens(star, to)
	v.put(")0)", name.start)
	return c.Call.End
}

// lastWord is the identifier or number that text ends with.
func lastWord(text []byte) string {
	text = bytes.TrimRight(text, " \n")
	i := len(text)
	for i > 0 && isIdentPart(text[i-1]) {
		i--
	}
	return string(text[i:])
}

// place is where the parser's position is in the view.
func (v *view) place(line, col int) int {
	off := 0
	for ; line > 1 && off < len(v.text); line-- {
		off += 1 + max(0, bytes.IndexByte(v.text[off:], '\n'))
	}
	return off + col - 1
}

// offset is where the parser's position came from.
func (v *view) offset(line, col int) int {
	if off := v.place(line, col); off < len(v.at) {
		return int(v.at[off])
	}
	return len(v.src)
}

func identLen(b []byte) int {
	n := 0
	for n < len(b) && isIdentPart(b[n]) {
		n++
	}
	return n
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}
