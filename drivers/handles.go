package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// TakesHandle reports whether a function takes what a driver cannot build, or should
// not, or several of these: a pointer to a type that the unit declares and does not define, or a pointer
// with a name of its own that functions return. Only what functions make tells
// something of it.
func TakesHandle(u *csource.Unit, fn *csource.Function) bool {
	for _, p := range fn.Params {
		if isHandle(u, p.Type()) {
			return true
		}
		if pt, ok := p.Type().(*cc.PointerType); ok && isHandle(u, pt.Elem()) {
			return true
		}
	}
	return false
}

// isHandle reports whether a value of a type is what only functions make.
func isHandle(u *csource.Unit, t cc.Type) bool {
	pt, ok := t.(*cc.PointerType)
	if !ok {
		return isRecord(t) && t.Typedef() != nil && anywhere(t, leadsToOpaque) && returned(u, t.Typedef().Name())
	}
	if isRecord(pt.Elem()) && !isStream(pt.Elem()) && pt.Elem().(interface{ IsIncomplete() bool }).IsIncomplete() {
		return true
	}
	d := t.Typedef()
	return d != nil && pt.Elem().Kind() != cc.Function && returned(u, d.Name())
}

// returned reports whether a function of the user's that is defined or declared in a
// unit returns a type of this name.
func returned(u *csource.Unit, name string) bool {
	for _, nodes := range u.AST.Scope.Nodes {
		for _, n := range nodes {
			d, ok := n.(*cc.Declarator)
			if !ok || d.IsTypename() {
				continue
			}
			t, ok := d.Type().(*cc.FunctionType)
			if !ok {
				continue
			}
			if r := t.Result().Typedef(); r != nil && r.Name() == name {
				return true
			}
		}
	}
	return false
}

// TakesBegun reports whether a function that others may call takes a structure that one of the unit begins in memory
// of the caller's: zeros, or whatever else a driver makes up, tell little of it. What creates one often wants settings,
// and an entry that gives them is too large to come first.
func TakesBegun(u *csource.Unit, fn *csource.Function) bool {
	if fn.Static {
		return false
	}
	for _, p := range fn.Params {
		pt, ok := p.Type().(*cc.PointerType)
		if !ok || !isRecord(pt.Elem()) || recordName(pt.Elem()) == "" {
			continue
		}
		for _, f := range u.Functions() {
			if f.Static || f.Name == fn.Name || f.Origin.System || !plainBeginning.MatchString(f.Name) ||
				undoing.MatchString(f.Name) {
				continue
			}
			if slices.ContainsFunc(f.Params, func(q *cc.Parameter) bool {
				qt, ok := q.Type().(*cc.PointerType)
				return ok && isRecord(qt.Elem()) && recordName(qt.Elem()) == recordName(pt.Elem())
			}) {
				return true
			}
		}
	}
	return false
}
