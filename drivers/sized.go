package drivers

import (
	"fmt"
	"slices"
	"strings"

	"klabel/csource"
)

// Sized are the functions that give memory of a size, as a program that KLEE runs calls them:
// runtime_c/klee/lacking.c has them.
var Sized = []string{"klabel_sized_malloc", "klabel_sized_calloc", "klabel_sized_realloc"}

// SizedPrefix is C that stands before a unit for KLEE: calls of the functions that give memory are
// calls of Sized. It is "" where the unit calls none, and leaves alone what it declares in words of
// its own.
func SizedPrefix(u *csource.Unit) string {
	var s strings.Builder
	for _, r := range replaced {
		symbol := "klabel_sized_" + r.name
		if slices.Contains(Sized, symbol) && u.Identifiers(r.name)[r.name] && !ownTerms(u, r.name) {
			fmt.Fprintf(&s, "%s%s(%s) __asm__(%q);\n", r.result, r.name, r.params, symbol)
		}
	}
	return s.String()
}
