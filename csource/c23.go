package csource

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"klabel/toolchain"
)

// The parser reads C17. What C23 spells anew is respelt for it; what clang has
// checked already, as assertions, it need not read. Limits: enumerations with a type
// of their own (enum e : unsigned char), _BitInt of more than 128 bits and constexpr
// numbers as the lengths of arrays outside functions are not read.

// modern are flags that choose C23 or later.
var modern = regexp.MustCompile(`^--?std=(?:c|gnu)(?:2[xy]|23)$|^--?std=iso9899:2024$`)

// isModern reports whether flags choose C23 or later: the last -std counts.
func isModern(flags toolchain.Flags) bool {
	for _, f := range slices.Backward(flags) {
		if strings.HasPrefix(strings.TrimLeft(f, "-"), "std=") {
			return modern.MatchString(f)
		}
	}
	return false
}

// modernWords are C23's keywords, as C17 and GNU C have them.
var modernWords = map[string]string{
	"alignas":       "_Alignas",
	"alignof":       "_Alignof",
	"bool":          "_Bool",
	"constexpr":     "const",
	"false":         "((_Bool)0)",
	"nullptr":       "((void*)0)",
	"thread_local":  "_Thread_local",
	"true":          "((_Bool)1)",
	"typeof":        "__typeof__",
	"typeof_unqual": "__typeof__",
}

// asserted stands for a static assertion, whatever it asserts: C23 has them without
// a text, too.
const asserted = `_Static_assert(1,"")`

var inferred = regexp.MustCompile(`^\s*[A-Za-z_]\w*\s*=[^=]`)

// respellModern is respell for what is new in C23.
func (v *view) respellModern(name token) (end int) {
	id := string(v.src[name.start:name.end])
	switch id {
	case "static_assert", "_Static_assert":
		if end = skipBalanced(v.src, name.end); end < 0 {
			return 0
		}
		v.uses = append(v.uses, Span{name.start, end})
		v.put(asserted, name.start)
		return end
	case "auto":
		if !inferred.Match(v.src[name.end:]) {
			return 0
		}
		v.put("__auto_type", name.start)
		return name.end
	}
	s, ok := modernWords[id]
	if !ok {
		return 0
	}
	if s[0] == '(' {
		v.uses = append(v.uses, Span{name.start, name.end})
	}
	v.put(s, name.start)
	return name.end
}

// copyNumber writes a number without the separators of its digits, and without an end
// that the parser does not know.
func (v *view) copyNumber(from, to int) {
	if s := plainNumber(string(v.src[from:to])); len(s) < to-from {
		v.put(strings.ReplaceAll(s, "'", ""), from)
		v.at[len(v.at)-1] = int32(to - 1) // where it ends
		return
	}
	for from < to {
		n := bytes.IndexByte(v.src[from:to], '\'')
		if n < 0 {
			n = to - from
		}
		v.copy(from, from+n)
		from += n + 1
	}
}

var (
	// a label or a case, at whose end it stands
	labelled = regexp.MustCompile(`(?:[;{}:]\s*(?:[A-Za-z_]\w*|default)|[^\w]case\b[^;{}?]*)\s*$`)
	// what cannot follow one in C17: the end of a block, or a declaration
	unlabelled = regexp.MustCompile(`^\s*(?:\}|(?:const|volatile|static|auto|register|struct|union|enum|unsigned|signed|` +
		`int|char|short|long|float|double|bool|_Bool|constexpr|typeof)\b|([A-Za-z_]\w*)\s+[*\s]*[A-Za-z_]\w*\s*[=;,\[])`)
)

// statementWords begin statements, and no declarations.
var statementWords = []string{"return", "goto", "case", "else", "do", "sizeof"}

// needsStatement reports whether the colon before offset at ends a label behind which
// C17 wants a statement, and C23 none.
func (v *view) needsStatement(at int) bool {
	m := unlabelled.FindSubmatch(v.src[at:min(len(v.src), at+200)])
	if m == nil || slices.Contains(statementWords, string(m[1])) {
		return false
	}
	return labelled.Match(v.src[max(0, at-200) : at-1])
}

// declaringLabels puts declarations of labels before a text: where nothing declares
// them, C17 takes them for functions and C23 does not.
func declaringLabels(text []byte, names []string) []byte {
	var b bytes.Buffer
	for _, n := range names {
		fmt.Fprintf(&b, "void %s(...);", n)
	}
	if bytes.HasPrefix(text, []byte("#")) {
		b.WriteByte('\n')
	}
	b.Write(text)
	return b.Bytes()
}
