package drivers

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A file keeps state to itself, in static variables, and others reach it through functions alone: the stack of files
// that a lexer reads, a table of symbols. Who tests what asks for it calls those that change it first.

// hardest is how hard to give an argument of a function may be that changes such state: a structure of the driver's.
const hardest = 3

// Hidden are static variables of a program's files, by file and name.
type Hidden map[string]bool

// hide notes which static variables of a file a function reads, and which it changes: sets, or what they lead to.
func (a *Across) hide(file int, an *analysis, f *csource.Function) {
	r, how := an.reach(f), an.touches(f)
	stores := slices.ContainsFunc(r.funcs, func(g *csource.Function) bool {
		facts := an.of(g.Name)
		return facts.stores || facts.indirect || facts.assembly
	}) || slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool {
		_, isFunc := d.Type().(*cc.FunctionType)
		return isFunc
	})
	for _, d := range r.outside {
		if _, isFunc := d.Type().(*cc.FunctionType); isFunc || d.Linkage() != cc.Internal || !an.changes(d) {
			continue
		}
		name := fmt.Sprintf("%d:%s", file, d.Name())
		if how[d.Name()]&reads != 0 {
			add(a.Asks, f.Name, name)
		}
		if d.Type().Kind() == cc.Ptr && stores || how[d.Name()]&writes != 0 {
			add(a.Changes, f.Name, name)
		}
	}
}

func add(to map[string]Hidden, f, name string) {
	if to[f] == nil {
		to[f] = Hidden{}
	}
	to[f][name] = true
}

// pass gives callers what is said of those that they call.
func pass(of map[string]Hidden, callers map[string][]string) {
	todo := make([]string, 0, len(of))
	for f := range maps.Keys(of) {
		todo = append(todo, f)
	}
	for len(todo) > 0 {
		f := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, c := range callers[f] {
			n := len(of[c])
			for name := range of[f] {
				add(of, c, name)
			}
			if len(of[c]) > n {
				todo = append(todo, c)
			}
		}
	}
}

// heard are the variables of other files that functions of theirs read for what is reached.
func (s *shared) heard(r reach) Hidden {
	out := Hidden{}
	for _, d := range r.outside {
		if _, isFunc := d.Type().(*cc.FunctionType); isFunc {
			maps.Copy(out, s.common.Across.Asks[d.Name()])
		}
	}
	return out
}

// tells reports whether a call of a function may change some of them.
func (s *shared) tells(f *csource.Function, some Hidden) bool {
	if len(some) == 0 {
		return false
	}
	if f.Def == nil {
		return meet(some, s.common.Across.Changes[f.Name])
	}
	return slices.ContainsFunc(s.an.reach(f).outside, func(d *cc.Declarator) bool {
		return meet(some, s.common.Across.Changes[d.Name()])
	})
}
