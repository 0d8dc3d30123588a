package drivers

import (
	"slices"
	"strings"

	"klabel/csource"
)

// promise notes that a function says of a parameter, by its attribute nonnull, that it
// is never NULL. A run that gives it NULL is undefined, and no replay that is checked
// ends normally.
func (b *builder) promise(fn *csource.Function, param int, name string) {
	if b.nonNull == nil {
		b.nonNull = b.unit.NonNull()
	}
	if numbers, ok := b.nonNull[fn.Name]; ok && (len(numbers) == 0 || slices.Contains(numbers, param+1)) {
		if b.promised == nil {
			b.promised = map[string]bool{}
		}
		b.promised[name] = true
	}
}

// mayBeNull reports whether nobody says of a pointer that it is not NULL.
func (b *builder) mayBeNull(name string) bool {
	if b.rel.nonNull(name) || b.followed[name] {
		return false
	}
	if b.promised[name] {
		b.narrow("NULL for %s, which an attribute forbids", name)
		return false
	}
	return true
}

// follow notes that a call before the one under test follows a pointer that it is given, and
// never asks whether it is NULL: with NULL the run would end there.
func (b *builder) follow(fn *csource.Function, param int, name string) {
	if fn.Def == nil || fn.Params[param].Name() == "" {
		return
	}
	if follows, asks := b.follows(fn, fn.Params[param].Name(), followDepth); follows && !asks {
		if b.followed == nil {
			b.followed = map[string]bool{}
		}
		b.followed[name] = true
	}
}

// followDepth bounds how many calls are followed to what follows a pointer.
const followDepth = 3

// follows reports whether a function, or what it hands a pointer on to, follows it, and whether
// it asks for NULL.
func (s *shared) follows(fn *csource.Function, name string, depth int) (follows, asks bool) {
	u := s.usesOf(fn)[name]
	follows, asks = u.followed || u.indexed, u.nullTest
	for _, to := range s.an.of(fn.Name).sizes.passed[name] {
		g := s.an.funcs[to.function]
		switch {
		case g == nil:
			_, block := blocks[to.function]
			follows = follows || block || strings.HasPrefix(to.function, "str")
		case depth > 0 && to.index < len(g.Params):
			f, a := s.follows(g, g.Params[to.index].Name(), depth-1)
			follows, asks = follows || f, asks || a
		}
	}
	return follows, asks
}
