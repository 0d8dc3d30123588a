package drivers

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"
)

// constant reports whether nobody may assign to a variable, or to the items of one that is an
// array. Of pointers the source is asked: the parser takes the items of const char *names[] and
// char *const *p for constants, and those of int (*const f[])(int) for none.
func (a *analysis) constant(d *cc.Declarator) bool {
	t := d.Type()
	named := t.Typedef()
	for array, ok := t.(*cc.ArrayType); ok; array, ok = t.(*cc.ArrayType) {
		if t = array.Elem(); named == nil {
			named = t.Typedef()
		}
	}
	if _, isPointer := t.(*cc.PointerType); !isPointer {
		return d.IsConst() || isConst(d.Type())
	}
	before := beforeName(a.unit.Source(d), d.Name())
	switch i := strings.LastIndexByte(before, '*'); {
	case i >= 0:
		return constWord.MatchString(before[i:])
	case named == nil || named == d: // __typeof__
		return false
	case named.IsConst() || isConst(named.Type()): // rightly so, or taken for it
		return a.constant(named)
	}
	return d.IsConst()
}

// beforeName is what a declarator has before the name, where its pointers stand.
func beforeName(text, name string) string {
	if i := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`).FindStringIndex(text); i != nil {
		return text[:i[0]]
	}
	return ""
}
