package ctests

import (
	"maps"
	"regexp"
	"slices"
)

var (
	defined = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*define[ \t]+(\w+)`)
	member  = regexp.MustCompile(`(?:\.|->)(\w+)`)
	set     = regexp.MustCompile(`(\w+)(?:\[[^\]]*\])*\s*=[^=]`)
)

// shadowed are macros of the source by whose names tests call members and variables: a parser
// that says state for tok->stack[tok->depth].state, say. The source is done with them.
func (o Options) shadowed(tests []*written) []string {
	macros := map[string]bool{}
	for _, m := range defined.FindAllStringSubmatch(o.text, -1) {
		macros[m[1]] = true
	}
	found := map[string]bool{}
	look := func(text string) {
		for _, names := range []*regexp.Regexp{member, set} {
			for _, m := range names.FindAllStringSubmatch(text, -1) {
				if macros[m[1]] {
					found[m[1]] = true
				}
			}
		}
	}
	for _, t := range tests {
		if len(macros) == 0 {
			break
		}
		look(t.before)
		look(t.call)
		for _, c := range t.checks {
			look(c.expr)
		}
	}
	return slices.Sorted(maps.Keys(found))
}
