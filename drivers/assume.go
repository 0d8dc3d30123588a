package drivers

import (
	"regexp"
	"strings"
)

// assumptions writes the user's own conditions.
func (b *builder) assumptions() error {
	for _, a := range b.o.Assumes {
		text := constant(a)
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, ";{}#\n") {
			return &RelationError{Relation: "--assume " + a, Reason: "want a C expression"}
		}
		b.cur.body.WriteString("# 1 " + quote("--assume "+a) + "\n")
		if parts, ok := conjunction(text); ok {
			b.cur.line("klee_assume(%s);", strings.Join(parts, " & "))
		} else {
			b.cur.line("klabel_require(!!(%s));", text)
		}
		b.cur.body.WriteString("# 1 " + quote(placeOf(b.number, b.fn.Name)) + "\n")
	}
	return nil
}

// conjunction splits a && b into conditions to be joined by &, where no part
// needs the protection of the one before: none follows a pointer, indexes,
// divides or calls.
func conjunction(expr string) ([]string, bool) {
	if strings.Contains(expr, "->") || strings.ContainsAny(expr, "[*/%?=") && hasUnsafe(expr) ||
		strings.Contains(expr, "||") || calls.MatchString(expr) {
		return nil, false
	}
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '&':
			if depth == 0 && i+1 < len(expr) && expr[i+1] == '&' {
				parts = append(parts, "!!("+strings.TrimSpace(expr[start:i])+")")
				i++
				start = i + 1
			}
		}
	}
	parts = append(parts, "!!("+strings.TrimSpace(expr[start:])+")")
	for _, p := range parts {
		if strings.Contains(p, "&&") {
			return nil, false
		}
	}
	return parts, true
}

var calls = regexp.MustCompile(`[A-Za-z_0-9]\s*\(`)

// hasUnsafe reports operators that can fail, or assign.
func hasUnsafe(expr string) bool {
	plain := strings.NewReplacer("==", "  ", "<=", "  ", ">=", "  ", "!=", "  ").Replace(expr)
	return strings.ContainsAny(plain, "[*/%?=")
}
