package ir

import (
	"fmt"
	"maps"
	"slices"
)

// Program is a set of modules whose symbols are resolved against each other.
// Internal symbols stay apart because they are looked up by module.
type Program struct {
	Modules  []*Module
	Target   *Target
	external map[string]Symbol
	internal map[*Module]map[string]Symbol
}

// Symbol is a function or a global; both are nil for an unknown name.
type Symbol struct {
	Func   *Function
	Global *Global
}

// strength orders definitions: a strong one of the program wins over a weak
// one, which wins over one from a library, which wins over a declaration.
func strength(defined, weak, library bool) int {
	switch {
	case !defined:
		return 0
	case library && weak:
		return 1
	case library:
		return 2
	case weak:
		return 3
	}
	return 4
}

// Link resolves the modules' symbols. Definitions in libraries are used where
// the program has none.
func Link(program, libraries []*Module) (*Program, error) {
	l := &Program{external: map[string]Symbol{}, internal: map[*Module]map[string]Symbol{}}
	rank := map[string]int{}
	where := map[string]*Module{}
	add := func(m *Module, name string, s Symbol, r int) error {
		old, seen := rank[name]
		switch {
		case !seen || r > old:
		case r == 4 && old == 4:
			return fmt.Errorf("%s is defined in %s and in %s", name, where[name].Path, m.Path)
		case old == 3 && r == 3 && s.Global != nil && l.external[name].Global != nil &&
			s.Global.Type.Size() > l.external[name].Global.Type.Size():
			// common symbols: the largest one
		default:
			return nil
		}
		rank[name], where[name], l.external[name] = r, m, s
		return nil
	}
	load := func(m *Module, library bool) error {
		if l.Target == nil {
			l.Target = m.Target
		}
		if m.Target.PtrBits != l.Target.PtrBits { // LLVM's versions differ in i128 alone
			return fmt.Errorf("%s has addresses of %d bits, %s of %d", l.Modules[0].Path, l.Target.PtrBits, m.Path,
				m.Target.PtrBits)
		}
		l.Modules = append(l.Modules, m)
		local := map[string]Symbol{}
		l.internal[m] = local
		for _, f := range m.Funcs {
			if f.Internal {
				local[f.Name] = Symbol{Func: f}
			} else if err := add(m, f.Name, Symbol{Func: f}, strength(f.Defined, f.Weak, library)); err != nil {
				return err
			}
		}
		for _, g := range m.Globals {
			if g.Internal {
				local[g.Name] = Symbol{Global: g}
			} else if err := add(m, g.Name, Symbol{Global: g}, strength(g.Init != nil, g.Weak, library)); err != nil {
				return err
			}
		}
		return nil
	}
	for _, m := range program {
		if err := load(m, false); err != nil {
			return nil, err
		}
	}
	for _, m := range libraries {
		if err := load(m, true); err != nil {
			return nil, err
		}
	}
	// An alias is as good as a definition, in other modules too.
	for i, m := range l.Modules {
		for _, name := range slices.Sorted(maps.Keys(m.Aliases)) {
			a := m.Aliases[name]
			s := l.Lookup(m, name)
			if a.Internal || s == (Symbol{}) {
				continue
			}
			if err := add(m, name, s, strength(true, a.Weak, i >= len(program))); err != nil {
				return nil, err
			}
		}
	}
	return l, nil
}

// Lookup finds what a name means in a module, aliases followed.
func (l *Program) Lookup(m *Module, name string) Symbol {
	for i := 0; i < 16; i++ {
		if s, ok := l.internal[m][name]; ok {
			return s
		}
		a := m.Aliases[name]
		if a == nil || a.Weak && l.external[name] != (Symbol{}) {
			break
		}
		v := a.Aliasee
		for v.Kind == ExprConst && v.Op == BitCast {
			v = v.Elems[0]
		}
		if v.Kind != GlobalRef {
			break
		}
		name = v.Name
	}
	return l.external[name]
}

// Function finds a defined external function, nil if there is none.
func (l *Program) Function(name string) *Function {
	if len(l.Modules) == 0 {
		return nil
	}
	if s := l.Lookup(l.Modules[0], name); s.Func != nil && s.Func.Defined {
		return s.Func
	}
	return nil
}
