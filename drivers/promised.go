package drivers

import (
	"slices"

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
	if b.rel.nonNull(name) {
		return false
	}
	if b.promised[name] {
		b.narrow("NULL for %s, which an attribute forbids", name)
		return false
	}
	return true
}
