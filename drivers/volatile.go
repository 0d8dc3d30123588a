package drivers

import (
	"regexp"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Volatile are the variables that functions of the units read and that something
// outside the program may change meanwhile: a device, a handler, a debugger. In a
// run each keeps what the program has written, so that no run and no exploration
// shows all that there is. Automatic ones are the program's own.
func Volatile(units []*csource.Unit) (out []string) {
	for _, u := range units {
		an := newAnalysis(u)
		for _, f := range u.Functions() {
			if f.Origin.System || f.Def == nil {
				continue
			}
			known := an.of(f.Name)
			if known.restless {
				out = append(out, throughPointers(f.Name))
			}
			out = append(out, known.moving...)
			for _, d := range known.names {
				if known.access[d.Name()]&reads != 0 && !slices.Contains(out, d.Name()) &&
					(d.IsAtomic() || changesByItself(u, d.Type()) || volatilePointer(u, d)) {
					out = append(out, d.Name())
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// throughPointers names what has no name of its own.
func throughPointers(function string) string { return "what " + function + " reaches through pointers" }

// changesByItself reports whether values of a type are volatile or atomic, or parts of them.
func changesByItself(u *csource.Unit, t cc.Type) bool {
	if u.Restless(t) {
		return true
	}
	switch x := t.(type) {
	case *cc.ArrayType:
		return changesByItself(u, x.Elem())
	case *cc.PointerType:
		return u.Restless(x.Elem()) // a register of a device
	case *cc.StructType:
		for i := range x.NumFields() {
			if restlessField(u, x.FieldByIndex(i)) {
				return true
			}
		}
	case *cc.UnionType:
		for i := range x.NumFields() {
			if restlessField(u, x.FieldByIndex(i)) {
				return true
			}
		}
	}
	return false
}

// volatilePointer reports whether the declarator of a variable says that it is volatile, which the
// parser loses where it stands in brackets: int (*volatile hooks[2])(int).
func volatilePointer(u *csource.Unit, d *cc.Declarator) bool {
	return volatileWord.MatchString(beforeName(u.Source(d), d.Name()))
}

var volatileWord = regexp.MustCompile(`\b(__)?volatile(__)?\b`)

func restlessField(u *csource.Unit, f *cc.Field) bool {
	return f != nil && (f.Declarator() != nil && f.Declarator().IsAtomic() || changesByItself(u, f.Type()))
}
