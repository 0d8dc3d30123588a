package annotate

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/label"
)

// Across is what a unit has to know of a global that other units speak of, too: what
// remembers its definitions is one variable of the program, and the definitions of
// the others may reach uses here.
type Across struct {
	here   bool // the variable that remembers stands in this unit
	base   int  // is added to the lines of this unit's definitions
	others []definition
}

// elsewhere is where a definition of another unit stands.
type elsewhere struct {
	function string
	at       label.Position
}

// Units are told apart in the number that a definition has.
const (
	unitStep = 10_000_000
	mostStep = 200
)

func (a *Across) mark(name string) string { return "klb_set_" + name + "_0" }

func (a *Across) declared() string {
	if a.here {
		return "int"
	}
	return "extern int"
}

// arrive adds the definitions of other units to those that a use may see which no
// definition of its function comes before.
func (v *variable) arrive(own []uint64) []uint64 {
	out := slices.Clone(own)
	for _, d := range v.across.others {
		n := len(v.defs)
		v.defs = append(v.defs, d)
		for len(out) <= n/64 {
			out = append(out, 0)
		}
		out[n/64] |= 1 << (n % 64)
	}
	return out
}

// numberAcross numbers the definitions of this unit.
func (v *variable) numberAcross(p *plan, base int) {
	foreign := slices.DeleteFunc(slices.Clone(v.defs), func(d definition) bool { return d.from == nil })
	own := &variable{defs: slices.DeleteFunc(slices.Clone(v.defs), func(d definition) bool { return d.from != nil })}
	own.numberValues(p)
	for i, d := range own.defs {
		if d.at >= 0 {
			own.defs[i].value += base
		}
	}
	v.defs = append(own.defs, foreign...) // as before: they came last
}

// place is the function and the position of a definition.
func (d definition) place(p *plan) (function string, at label.Position) {
	if d.from != nil {
		return d.from.function, d.from.at
	}
	return d.f.Name, p.unit.Origin(d.at).Position()
}

// SharedGlobals finds, of globals that several units of a whole program speak of, those
// of which all that defines them is known by name in each, and what each unit has to
// know of them. left are the others. Units that fixed names are not labelled.
func SharedGlobals(units []*csource.Unit, names []string, o Options, fixed func(unit int) bool) (
	of []map[string]*Across, left []string) {
	wanted := map[string]bool{}
	for _, n := range names {
		wanted[n] = true
	}
	type part struct {
		v       *variable
		arrives int // uses that definitions of other units may reach
		out     []definition
	}
	parts := make([]map[string]*part, len(units))
	lost := map[string]bool{}
	for i, u := range units {
		o.Globals, o.Shared = wanted, nil
		p := newPlan(u, &o)
		vars, escaped := p.flows()
		parts[i] = map[string]*part{}
		for _, name := range names {
			v := vars[cell{static: name}]
			switch {
			case v != nil && v.decl.Linkage() != cc.External: // a static that has the same name
			case v != nil && !v.lost && !fixed(i) && i < mostStep && p.here(v):
				v.numberAcross(p, i*unitStep)
				x := &part{v: v}
				for n, d := range v.defs {
					if n > 0 && has(escaped[v], n) {
						name, at := d.place(p)
						x.out = append(x.out, definition{at: -1, value: d.value, from: &elsewhere{name, at}})
					}
					lost[name] = lost[name] || d.value-i*unitStep >= unitStep
				}
				for _, use := range v.uses {
					if has(use.reach, 0) {
						x.arrives++
					}
				}
				parts[i][name] = x
			case usedBy(u, name):
				lost[name] = true
			}
		}
	}
	of = make([]map[string]*Across, len(units))
	for _, name := range names {
		uses, defs := 0, 0
		for _, p := range parts {
			if x := p[name]; x != nil {
				uses, defs = uses+x.arrives, defs+len(x.out)
			}
		}
		if lost[name] || uses*defs == 0 || uses*defs > maxSharedPairs {
			left = append(left, name)
			continue
		}
		here := true
		for i, p := range parts {
			if p[name] == nil {
				continue
			}
			a := &Across{here: here, base: i * unitStep}
			here = false
			for j, q := range parts {
				if x := q[name]; x != nil && j != i {
					a.others = append(a.others, x.out...)
				}
			}
			if of[i] == nil {
				of[i] = map[string]*Across{}
			}
			of[i][name] = a
		}
	}
	return of, left
}

// here reports whether a variable is defined and used in the unit's own file: code of
// headers is in several units.
func (p *plan) here(v *variable) bool {
	return !slices.ContainsFunc(v.functions(), func(f *function) bool {
		return p.unit.Origin(f.Span.Start).File != p.unit.Path
	})
}

// usedBy reports whether a unit has a name elsewhere than in declarations of the file.
func usedBy(u *csource.Unit, name string) bool {
	var declared []csource.Span
	for _, n := range u.AST.Scope.Nodes[name] {
		if d, ok := n.(*cc.Declarator); ok {
			if s, ok := u.Span(d.NameTok()); ok {
				declared = append(declared, s)
			}
		}
	}
	return slices.ContainsFunc(u.IdentifierSpans(name), func(s csource.Span) bool {
		return !slices.Contains(declared, s)
	})
}
