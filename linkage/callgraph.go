package linkage

import (
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Calls says which functions a function names in its body, and so may call.
// Names in the initialisers of variables are followed too: tables of functions
// are reached through the variable.
type Calls struct {
	names map[Place][]Place
	homes map[string][]Place // of names with external linkage
}

// Place is a function or a variable of a unit.
type Place struct {
	Unit int
	Name string
}

// CallsOf reads the bodies of units.
func CallsOf(units []*csource.Unit) *Calls {
	g := &Calls{names: map[Place][]Place{}, homes: map[string][]Place{}}
	type body struct {
		span csource.Span
		at   Place
	}
	local := make([]map[string]bool, len(units))
	bodies := make([][]body, len(units))
	for i, u := range units {
		local[i] = map[string]bool{}
		add := func(name string, static bool, span csource.Span) {
			local[i][name] = true
			bodies[i] = append(bodies[i], body{span, Place{i, name}})
			if !static {
				g.homes[name] = append(g.homes[name], Place{i, name})
			}
		}
		for _, f := range u.Functions() {
			if !f.Origin.System {
				add(f.Name, f.Static, f.Body)
			}
		}
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			switch x := n.(type) {
			case *cc.FunctionDefinition:
				return false
			case *cc.InitDeclarator:
				if x.Initializer == nil {
					return false
				}
				if s, ok := u.Span(x.Initializer); ok {
					add(x.Declarator.Name(), x.Declarator.IsStatic(), s)
				}
				return false
			}
			return true
		})
		sort.Slice(bodies[i], func(a, b int) bool { return bodies[i][a].span.Start < bodies[i][b].span.Start })
	}
	for i, u := range units {
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			x, ok := n.(*cc.PrimaryExpression)
			if !ok || x.Case != cc.PrimaryExpressionIdent {
				return true
			}
			name := x.Token.SrcStr()
			if !local[i][name] && len(g.homes[name]) == 0 {
				return true
			}
			s, ok := u.Span(x)
			if !ok {
				return true
			}
			k := sort.Search(len(bodies[i]), func(k int) bool { return bodies[i][k].span.End > s.Start })
			if k == len(bodies[i]) || !bodies[i][k].span.Contains(s) {
				return true
			}
			from := bodies[i][k].at
			to := g.homes[name]
			if local[i][name] {
				to = []Place{{i, name}}
			}
			for _, t := range to {
				if !slices.Contains(g.names[from], t) {
					g.names[from] = append(g.names[from], t)
				}
			}
			return true
		})
	}
	return g
}

// From returns what a function may reach, with the number of steps to it, 0 for
// itself.
func (g *Calls) From(start ...Place) map[Place]int {
	dist := map[Place]int{}
	for _, s := range start {
		dist[s] = 0
	}
	for queue := start; len(queue) > 0; queue = queue[1:] {
		for _, next := range g.names[queue[0]] {
			if _, seen := dist[next]; !seen {
				dist[next] = dist[queue[0]] + 1
				queue = append(queue, next)
			}
		}
	}
	return dist
}

// Reachable returns the names of the functions that a call of root may reach, as
// far as the units define them.
func Reachable(units []*csource.Unit, root string) []string {
	if i := strings.LastIndexByte(root, ':'); i >= 0 {
		root = root[i+1:]
	}
	g := CallsOf(units)
	var start []Place
	for i, u := range units {
		if u.Function(root) != nil {
			start = append(start, Place{i, root})
		}
	}
	seen := map[string]bool{}
	for at := range g.From(start...) {
		if units[at.Unit].Function(at.Name) != nil {
			seen[at.Name] = true
		}
	}
	var out []string
	for n := range seen {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}
