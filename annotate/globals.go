package annotate

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// OwnGlobals finds, for each unit of a whole program, the variables with external
// linkage that it defines and that no other unit speaks of, beyond declaring them:
// nothing but the unit's own functions sets them, as if they were static. shared are
// those that several units speak of.
func OwnGlobals(units []*csource.Unit) (own []map[string]bool, shared []string) {
	for _, u := range units {
		names := map[string]bool{}
		for name, nodes := range u.AST.Scope.Nodes {
			if !definesVariable(u, nodes) {
				continue
			}
			if slices.ContainsFunc(units, func(o *csource.Unit) bool { return o != u && speaksOf(o, name) }) {
				shared = append(shared, name)
				continue
			}
			names[name] = true
		}
		own = append(own, names)
	}
	slices.Sort(shared)
	return own, slices.Compact(shared)
}

// definesVariable reports whether some of a name's declarations in a file define a
// variable with external linkage.
func definesVariable(u *csource.Unit, nodes []cc.Node) bool {
	return slices.ContainsFunc(nodes, func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		if !ok || d.IsTypename() || d.Linkage() != cc.External || d.Type() == nil ||
			d.Type().Kind() == cc.Function || d.IsExtern() && !d.HasInitializer() {
			return false
		}
		s, ok := u.Span(d.NameTok())
		return ok && !u.IsSystem(s.Start)
	})
}

// speaksOf reports whether a unit has a name elsewhere than in declarations with extern.
func speaksOf(u *csource.Unit, name string) bool {
	if !u.Identifiers(name)[name] {
		return false
	}
	var declared []csource.Span
	for _, n := range u.AST.Scope.Nodes[name] {
		if d, ok := n.(*cc.Declarator); ok && d.IsExtern() && !d.HasInitializer() {
			if s, ok := u.Span(d.NameTok()); ok {
				declared = append(declared, s)
			}
		}
	}
	return slices.ContainsFunc(u.IdentifierSpans(name), func(s csource.Span) bool {
		return !slices.Contains(declared, s)
	})
}
