package csource

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

// builtinUses are cc's function-like builtin macros. They expand before
// parsing, so a node within a use is given the whole use as its text.
var builtinUses = map[string]bool{
	"__builtin_va_arg":             true,
	"__builtin_va_copy":            true,
	"__builtin_offsetof":           true,
	"__builtin_types_compatible_p": true,
	"__builtin_bit_cast":           true,
	"__builtin_convertvector":      true,
	"__builtin_huge_vall":          true,
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
			} else if builtinUses[string(name)] {
				if end := skipBalanced(text, t.end); end > 0 && (len(uses) == 0 || t.start >= uses[len(uses)-1].End) {
					uses = append(uses, Span{t.start, end})
				}
			}
		}
	}
	return view, uses
}

func blank(b []byte) {
	for i, c := range b {
		if c != '\n' {
			b[i] = ' '
		}
	}
}
