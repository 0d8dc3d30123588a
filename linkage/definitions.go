package linkage

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Definitions says what each unit defines with external linkage.
type Definitions struct {
	units []map[string]string // name -> place
	once  []map[string]bool   // those that no other unit may define, even at the same place
	alone []bool              // whether a program may use the unit though nobody mentions it
	named bool                // the assembler gives names: nobody knows who needs whom
}

// Defined reads what units define.
func Defined(units []*csource.Unit) Definitions {
	var g Definitions
	for i, u := range units {
		own, once, weak := map[string]string{}, map[string]bool{}, u.Weak()
		for _, f := range u.Functions() {
			switch {
			case f.Static || f.Origin.System || f.Inline:
			case f.Name == "main": // renamed, for each unit
				own[MainOf(i)] = ""
			default:
				own[f.Name] = f.Origin.Position().String()
				once[f.Name] = !weak[f.Name]
			}
		}
		for _, name := range u.Aliases() {
			own[name] = u.Path
		}
		for name, nodes := range u.AST.Scope.Nodes {
			for _, n := range nodes {
				d, ok := n.(*cc.Declarator)
				if !ok || d.IsTypename() || d.IsStatic() || d.Type().Kind() == cc.Function {
					continue
				}
				if s, ok := u.Span(d.NameTok()); ok && (!d.IsExtern() || d.HasInitializer()) && !u.IsSystem(s.Start) {
					own[name] = u.Origin(s.Start).Position().String()
					once[name] = once[name] || d.HasInitializer() && !weak[name]
				}
			}
		}
		g.units, g.once = append(g.units, own), append(g.once, once)
		g.alone, g.named = append(g.alone, u.ByItself()), g.named || u.OtherNames() != ""
	}
	return g
}

// Elsewhere are the names that other units than i define.
func (g Definitions) Elsewhere(i int) map[string]bool {
	out := map[string]bool{}
	for k, own := range g.units {
		if k == i {
			continue
		}
		for name := range own {
			out[name] = true
		}
	}
	return out
}

// Defines reports whether a unit defines a name.
func (g Definitions) Defines(name string) bool {
	return slices.ContainsFunc(g.units, func(own map[string]string) bool { _, ok := own[name]; return ok })
}

// Prefixes is, for each unit, C that gives its own names to what an earlier unit
// defines too, in another place: programs that share a compilation database are
// not linked together. What stands at the same place is the same thing, a variable without a
// first value in a header, say, unless it is a definition that each of them includes.
func (g Definitions) Prefixes() []string {
	first := map[string]int{}
	out := make([]string, len(g.units))
	for i, own := range g.units {
		var lines []string
		for name := range own {
			if k, ok := first[name]; !ok {
				first[name] = i
			} else if !g.same(name, i, k) {
				lines = append(lines, fmt.Sprintf("#define %s klabel_%d_%s\n", name, i+1, name))
			} else {
				lines = append(lines, fmt.Sprintf("#pragma weak %s\n", name))
			}
		}
		slices.Sort(lines)
		out[i] = strings.Join(lines, "")
	}
	return out
}

// MainOf is what the main of a unit is called where it is not the entry.
func MainOf(unit int) string { return fmt.Sprintf("klabel_main_%d", unit+1) }

// DefinesMain reports whether a unit defines main.
func DefinesMain(u *csource.Unit) bool {
	return slices.ContainsFunc(u.Functions(), func(f *csource.Function) bool { return f.Name == "main" })
}

// Header reports whether a unit is a header by itself: whoever wants it includes it,
// and nobody can link with it.
func Header(u *csource.Unit) bool { return filepath.Ext(u.Path) == ".h" }
