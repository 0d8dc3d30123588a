package drivers

import (
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
			for _, d := range known.names {
				if known.access[d.Name()]&reads != 0 && changesByItself(d.Type()) && !slices.Contains(out, d.Name()) {
					out = append(out, d.Name())
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// changesByItself reports whether values of a type are volatile, or parts of them.
func changesByItself(t cc.Type) bool {
	if isVolatile(t) {
		return true
	}
	switch x := t.(type) {
	case *cc.ArrayType:
		return changesByItself(x.Elem())
	case *cc.PointerType:
		return isVolatile(x.Elem()) // a register of a device
	case *cc.StructType:
		for i := range x.NumFields() {
			if f := x.FieldByIndex(i); f != nil && changesByItself(f.Type()) {
				return true
			}
		}
	case *cc.UnionType:
		for i := range x.NumFields() {
			if f := x.FieldByIndex(i); f != nil && changesByItself(f.Type()) {
				return true
			}
		}
	}
	return false
}
