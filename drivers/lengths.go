package drivers

import (
	"math"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// lengths keeps the integers of a structure that the code uses as indexes of,
// or compares with indexes of, what its pointers lead to within what there is.
// A name alone tells only where the code does not.
func (b *builder) lengths(x *cc.StructType, in *input.Input, place string) {
	if b.fn == nil || b.o.NoGuess {
		return
	}
	for i := 0; i < x.NumFields(); i++ {
		f := x.FieldByIndex(i)
		if f == nil || f.Name() == "" || f.IsBitfield() || !cc.IsIntegerType(f.Type()) || f.Type().Kind() == cc.Enum ||
			f.Type().Kind() == cc.Bool {
			continue
		}
		name := child(in.Name, "."+f.Name())
		if b.rel.mentions(f.Name()) {
			continue // the user says
		}
		if b.inFunctions(name, func(g *csource.Function, n string) bool { return b.an.isDimension(g, n, 3) }) {
			b.smallLength(place+"."+f.Name(), name)
			continue
		}
		capacity, of, null := int64(-1), "", ""
		for _, p := range in.Parts {
			n := itemsOf(p.Input)
			field := strings.TrimPrefix(p.Path, ".")
			if !b.nameMatters(field) {
				continue // there is nothing behind it because nobody looks
			}
			if n < 0 && p.Type.Kind == input.Pointer && len(p.Targets) == 0 && b.an.tied(f.Name(), field) {
				n = 0 // too deep: there is nothing
			}
			if b.variant == Room && n >= roomBytes/8 {
				n /= roomShare
			}
			if n < 0 || strings.ContainsAny(field, ".[") || !b.counts(f.Name(), field) {
				continue
			}
			if b.isGridField(p.Name) {
				n = int64(math.Sqrt(float64(n)))
			}
			if b.an.appended(field, f.Name()) {
				n = (n + roomBehind - 1) / roomBehind
			}
			if capacity < 0 || n < capacity {
				capacity, of = n, p.Name
			}
			if p.Nullable && b.an.tied(f.Name(), field) {
				null += " & (" + place + p.Path + " != 0)"
			}
		}
		if capacity < 0 {
			continue
		}
		// A function that asks whether a length is negative has an answer for that.
		if cc.IsSignedInteger(f.Type()) && !b.an.of(b.fn.Name).sizes.signs["."+f.Name()] {
			b.cur.line("klee_assume((%s.%s >= 0) & (%s.%s <= %s));", place, f.Name(), place, f.Name(),
				literal(capacity))
		} else {
			b.cur.line("klee_assume(%s.%s <= %s);", place, f.Name(), literal(capacity))
		}
		if null != "" { // where there is nothing there are no items
			b.cur.line("klee_assume((%s.%s == 0) | %s);", place, f.Name(), strings.TrimPrefix(null, " & "))
		}
		b.narrow("%s within the items behind %s", name, of)
	}
}

// counts reports whether an integer field tells of the items behind a pointer
// field: in what the function reaches, or anywhere in the unit, for who asks an accessor how many
// there are compares no field.
func (b *builder) counts(integer, pointer string) bool {
	if b.an.tied(integer, pointer) || b.an.drains(integer, pointer) {
		return true
	}
	used := false
	for _, f := range b.reach.funcs {
		used = used || len(b.an.of(f.Name).sizes.order["."+integer]) > 0
	}
	return used && countName.MatchString(integer)
}

// tied reports whether a function uses an integer field as an index of what a pointer field leads to, or compares
// it with one.
func (a *analysis) tied(integer, pointer string) (yes bool) {
	return a.anywhere("tied", integer, pointer, func(s *sizes) bool {
		return s.sums["."+pointer]["."+integer] || s.counted("."+pointer, "."+integer)
	})
}

// anywhere reports whether something is so of an integer field and a pointer field in any function of the unit. It is
// found out once.
func (a *analysis) anywhere(what, integer, pointer string, is func(*sizes) bool) (yes bool) {
	key := [3]string{what, integer, pointer}
	if yes, known := a.ties[key]; known {
		return yes
	}
	for name := range a.funcs {
		yes = yes || is(a.of(name).sizes)
	}
	if a.ties == nil {
		a.ties = map[[3]string]bool{}
	}
	a.ties[key] = yes
	return yes
}
