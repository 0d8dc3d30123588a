package drivers

import (
	"regexp"

	"modernc.org/cc/v4"
)

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// fieldMatters reports whether the driver has to build a field apart: the code
// under test, or a relation of the user's, mentions its name.
func (b *builder) fieldMatters(f *cc.Field) bool { return f.Name() == "" || b.nameMatters(f.Name()) }

func (b *builder) nameMatters(field string) bool {
	return b.fields == nil || b.fields[field] || b.rel.mentions(field)
}
