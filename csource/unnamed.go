package csource

import "regexp"

// The parser declares the parameters of a function that a pointer without a name leads to,
// `(int (*)(int n))p`, where the pointer's type stands: beside another n it refuses them, and
// further on n is another thing. Such names say nothing to a compiler; the parser is not shown them.

// unnamedFunction matches where the parameters of such a function begin.
var unnamedFunction = regexp.MustCompile(`\(\*+ *(?:const)? *\)\(`)

// unnameParameters writes white space over the names of such parameters.
func (v *view) unnameParameters() {
	for from := 0; ; {
		at := unnamedFunction.FindIndex(v.text[from:])
		if at == nil {
			return
		}
		from += at[1]
		for _, name := range v.unneeded(from) {
			for i := name.start; i < name.end; i++ {
				v.text[i] = ' '
			}
		}
	}
}

// unneeded are the names in the list of parameters that begins at an offset: none of them if one tells an
// array's size. Of `T const n` the name is kept, for n may be the type there.
func (v *view) unneeded(from int) (names []token) {
	l := newLexer(v.text, from)
	var last, before, third token
	for depth := 1; depth > 0; {
		t, ok := l.next()
		if !ok {
			return nil
		}
		switch v.text[t.start] {
		case '(':
			depth++
		case ')', ',', '[':
			function := depth == 2 && v.text[t.start] == ')' && v.is(before, '*') && v.is(third, '(')
			if v.isName(last) && (function || depth == 1 && v.endsType(before)) {
				names = append(names, last)
			}
			if v.text[t.start] == ')' {
				depth--
			}
		}
		if t.kind == tokIdent && v.is(last, '[') && v.isName(t) {
			return nil
		}
		third, before, last = before, last, t
	}
	return names
}

// is says whether a token is a character.
func (v *view) is(t token, c byte) bool { return t.end == t.start+1 && v.text[t.start] == c }

// isName says whether a token may be the name of a parameter, or of a type.
func (v *view) isName(t token) bool {
	word := string(v.text[t.start:t.end])
	return t.kind == tokIdent && word[0] != '_' && !basicTypes[word] && !qualifiers[word]
}

// endsType says whether what stands behind a token is no type: a type ends with the token.
func (v *view) endsType(t token) bool {
	return v.is(t, '*') || t.kind == tokIdent && !qualifiers[string(v.text[t.start:t.end])]
}

// basicTypes are words of which types are made that have no name.
var basicTypes = map[string]bool{
	"void": true, "char": true, "short": true, "int": true, "long": true, "float": true, "double": true,
	"signed": true, "unsigned": true,
}

// qualifiers are words behind which a type's name may stand.
var qualifiers = map[string]bool{
	"const": true, "volatile": true, "restrict": true, "__restrict": true, "__const": true, "__volatile__": true,
	"_Atomic": true, "register": true, "struct": true, "union": true, "enum": true,
}

// arrayWords are the words in the brackets of a parameter that is a pointer, `[static const 4]`. The parser does not
// know them where the parameter has no name, and they change no type that a label asks for.
var arrayWords = map[string]bool{
	"static": true, "const": true, "volatile": true, "restrict": true, "__restrict": true, "__restrict__": true,
}
