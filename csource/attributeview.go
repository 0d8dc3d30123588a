package csource

import (
	"bytes"
	"regexp"
	"slices"
)

// respellAttribute is the end of an attribute that the parser does not read where it stands, or does not know and
// should; 0 for others.
func (v *view) respellAttribute(name token) (end int) {
	switch {
	case lastWord(v.text) == "enum": // the parser has none between enum and its name
		return max(0, skipBalanced(v.src, name.end))
	case bytes.HasSuffix(bytes.TrimRight(v.text, " \n"), []byte(")")):
		end = v.beforeBody(name.start)
	default:
		end = v.respellMode(name)
	}
	if end == 0 {
		end = v.respellFormat(name)
	}
	if end == 0 && callCondition.Match(v.src[name.end:]) {
		end = max(0, skipBalanced(v.src, name.end))
	}
	return end
}

// callCondition begins clang's attributes of what a call is checked for. They speak of parameters, which the parser
// does not know outside of the declarator.
var callCondition = regexp.MustCompile(`^\s*\(\s*\(\s*(?:__)?(?:diagnose_if|enable_if)\b`)

// beforeBody is the end of attributes between a function's declarator and its body, where the parser has none;
// 0 where others begin.
func (v *view) beforeBody(from int) int {
	for l := newLexer(v.src, from); ; {
		t, ok := l.next()
		switch {
		case ok && t.kind == tokIdent && bytes.HasPrefix(v.src[t.start:t.end], []byte("__attribute")):
			if l.off = skipBalanced(v.src, t.end); l.off < 0 {
				return 0
			}
		case ok && v.src[t.start] == '{':
			return t.start
		default:
			return 0
		}
	}
}

// modes are the integer types that GNU's modes stand for, of machines with bytes of 8 bits.
var modes = map[string]string{"QI": "char", "byte": "char", "HI": "short", "SI": "int", "DI": "long long",
	"TI": "__int128", "word": "long", "unwind_word": "long", "pointer": "long"}

var (
	modeAttribute = regexp.MustCompile(`^\s*\(\s*\(\s*(?:__)?mode(?:__)?\s*\(\s*(?:__)?(\w+?)(?:__)?\s*\)\s*\)\s*\)`)
	integerWords  = regexp.MustCompile(`\b(?:int|long|short|char)\b`)
	signedness    = regexp.MustCompile(`\b(?:un)?signed\b`)
	plainWords    = regexp.MustCompile(`^[\w\s]*$`)
)

// respellMode gives a declaration with __attribute__((mode(TI))), which the parser does not know, the type that
// it means: the type stands before what is declared, so it changes what was written. A declaration of more than one
// name, of a parameter, a pointer or an array is left as it is: there the type is not that of one name alone.
func (v *view) respellMode(name token) (end int) {
	m := modeAttribute.FindSubmatchIndex(v.src[name.end:])
	if m == nil {
		return 0
	}
	t, known := modes[string(v.src[name.end+m[2]:name.end+m[3]])]
	from := bytes.LastIndexAny(v.text, ";{}") + 1
	words := integerWords.FindAllIndex(v.text[from:], -1)
	if sign := signedness.FindIndex(v.text[from:]); len(words) == 0 && sign != nil {
		words, t = [][]int{{sign[1], sign[1]}}, " "+t
	}
	if !known || len(words) == 0 || !plainWords.Match(v.text[from:]) {
		return 0
	}
	for _, w := range words {
		copy(v.text[from+w[0]:from+w[1]], bytes.Repeat([]byte(" "), w[1]-w[0]))
	}
	first := from + words[0][0]
	v.at = slices.Insert(v.at, first, slices.Repeat(v.at[first:first+1], len(t))...)
	v.text = slices.Insert(v.text, first, []byte(t)...)
	return name.end + m[1]
}

var formatAttribute = regexp.MustCompile(`\b(?:__)?format(?:__)?\s*\(\s*([a-z]\w*)`)

// respellFormat writes __printf__ for the printf of __attribute__((format(printf, 1, 2))), which is no function: to
// the parser it would be one, that returns int, and what declares printf later would contradict that.
func (v *view) respellFormat(name token) (end int) {
	if end = skipBalanced(v.src, name.end); end < 0 {
		return 0
	}
	m := formatAttribute.FindSubmatchIndex(v.src[name.end:end])
	if m == nil {
		return 0
	}
	from, to := name.end+m[2], name.end+m[3]
	v.copy(name.start, name.end)
	v.tokens(name.end, from)
	v.put("__"+string(v.src[from:to])+"__", from)
	return to
}
