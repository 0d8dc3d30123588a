package drivers

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// isPrivate reports whether a structure or union is the C library's own affair, a lock say: all its fields have names
// that a program may not use. It is begun by the library; zero bytes are what most begin with.
func isPrivate(t cc.Type) bool {
	x, ok := t.(interface {
		NumFields() int
		FieldByIndex(int) *cc.Field
	})
	if !ok || !isRecord(t) || x.NumFields() == 0 {
		return false
	}
	for i := range x.NumFields() {
		if f := x.FieldByIndex(i); f == nil || !strings.HasPrefix(f.Name(), "__") {
			return false
		}
	}
	return true
}

// private leaves such an object as it begins.
func (b *builder) private(in *input.Input, lv string) {
	b.narrow("%s as it begins", in.Name)
	b.cur.line("__builtin_memset(&%s, 0, sizeof %s);", lv, lv)
}
