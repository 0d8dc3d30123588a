package drivers

import (
	"regexp"

	"modernc.org/cc/v4"
)

var identifier = regexp.MustCompile(`[A-Za-z_]\w*`)

// fieldMatters reports whether the driver has to build a field apart: the code
// under test, or a relation of the user's, mentions its name.
func (b *builder) fieldMatters(f *cc.Field) bool {
	return b.fields == nil || f.Name() == "" || b.fields[f.Name()] || b.rel.mentions(f.Name())
}
