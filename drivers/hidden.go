package drivers

import (
	"fmt"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A file keeps state to itself, in static variables or in others that no header declares, and others reach it through
// functions alone: the stack of files that a lexer reads, a table of symbols, the task that runs. Who tests what asks
// for it calls those that change it first.

// hardest is how hard to give an argument of a function may be that changes such state: a structure of the driver's.
const hardest = 3

// hide notes which variables of a file a function reads, and which it changes: sets, or what they lead to. Static ones
// are told apart by the file's number.
func (a *Across) hide(file int, an *analysis, f *csource.Function) {
	r, how := an.reach(f), an.touches(f)
	stores := slices.ContainsFunc(r.funcs, func(g *csource.Function) bool {
		facts := an.of(g.Name)
		return facts.stores || facts.indirect || facts.assembly
	}) || slices.ContainsFunc(r.outside, isFunction)
	for _, d := range r.outside {
		if isFunction(d) || !an.changes(d) {
			continue
		}
		name := d.Name()
		if d.Linkage() == cc.Internal {
			name = fmt.Sprintf("%d:%s", file, name)
		}
		if how[d.Name()]&reads != 0 {
			note(a.Asks, name, f.Name)
		}
		if d.Type().Kind() == cc.Ptr && stores || how[d.Name()]&writes != 0 {
			note(a.Changes, name, f.Name)
		}
	}
}

func isFunction(d *cc.Declarator) bool {
	_, ok := d.Type().(*cc.FunctionType)
	return ok
}

// heard are the variables of other files that functions of theirs read for what is reached.
func (s *shared) heard(r reach) (out []string) {
	for name, functions := range s.common.Across.Asks {
		if len(s.unit.AST.Scope.Nodes[name]) > 0 {
			continue // a driver can set it
		}
		if slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool { return functions[d.Name()] }) {
			out = append(out, name)
		}
	}
	return out
}

// tells reports whether a call of a function may change some of them.
func (s *shared) tells(f *csource.Function, some []string) bool {
	return slices.ContainsFunc(some, func(name string) bool {
		functions := s.common.Across.Changes[name]
		return functions[f.Name] || f.Def != nil && slices.ContainsFunc(s.an.reach(f).outside,
			func(d *cc.Declarator) bool { return functions[d.Name()] })
	})
}
