package csource

import "strings"

// sameLength gives the parser another spelling for identifiers that clang
// knows and it does not. Spellings are blank-padded to the same length, so
// that offsets stay those of the text.
var sameLength = map[string]string{
	"__FUNCTION__":        "__func__",
	"__PRETTY_FUNCTION__": "__func__",
	"__extension__":       "",
	"__float128":          "_floaT128",
	"_Float32":            "_floaT32",
	"_Float64":            "_floaT64",
	"_Float32x":           "_floaT32x",
	"_Float64x":           "_floaT64x",
	"_Float128":           "_floaT128",
	"_Nullable":           "",
	"_Null_unspecified":   "",
}

// builtinUses are builtins that take a type or are macros to the parser, and
// how they are respelt as an expression that it reads in place. Each stands
// within the length of the original; %1 and %2 are the arguments.
var builtinUses = map[string]string{
	"__builtin_va_arg":             "*(%2*)__kva(%1)",
	"__builtin_va_copy":            "((%1)=(%2))",
	"__builtin_offsetof":           "(__kz)&((%1*)0)->%2",
	"__builtin_types_compatible_p": "__ktc((%1){},(%2){})",
	"__builtin_convertvector":      "((%2)(%1))",
	"__builtin_huge_vall":          "__khuge(%1)",
}

// usesPrelude declares what builtinUses refer to.
const usesPrelude = "void *__kva(); typedef __SIZE_TYPE__ __kz; int __ktc(); long double __khuge();\n"

// respell writes the parser's spelling of a builtin's use over view[s.Start:s.End].
func respell(view []byte, s Span, name, form string) bool {
	c, ok := scanCall(view, token{tokIdent, s.Start, s.Start + len(name)})
	if !ok || len(c.Args) > 2 || len(c.Args) < strings.Count(form, "%") {
		return false
	}
	var args [2]string
	for i, a := range c.Args {
		args[i] = string(view[a.Start:a.End])
	}
	text := strings.NewReplacer("%1", args[0], "%2", args[1]).Replace(form)
	if len(text) > s.Len() {
		return false
	}
	blank(view[s.Start:s.End])
	copy(view[s.Start:], text)
	return true
}

// parserView copies text with directives blanked and identifiers respelt, byte
// for byte in place, and lists the uses of builtin macros.
func parserView(text []byte) (view []byte, uses []Span) {
	view = make([]byte, len(text), len(text)+1)
	copy(view, text)
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			break
		}
		switch t.kind {
		case tokDirective:
			blank(view[t.start:t.end])
			continue
		case tokIdent:
			if c := text[t.start]; c != '_' {
				break
			}
			name := text[t.start:t.end]
			if s, ok := sameLength[string(name)]; ok {
				blank(view[t.start:t.end])
				copy(view[t.start:], s)
			} else if _, ok := builtinUses[string(name)]; ok {
				if end := skipBalanced(text, t.end); end > 0 && (len(uses) == 0 || t.start >= uses[len(uses)-1].End) {
					uses = append(uses, Span{t.start, end})
				}
			}
		}
	}
	// Only now, because what stands in the arguments had to be respelt first.
	for _, s := range uses {
		name := string(text[s.Start : s.Start+identLen(text[s.Start:])])
		respell(view, s, name, builtinUses[name])
	}
	return view, uses
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
