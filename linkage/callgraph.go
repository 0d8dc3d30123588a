package linkage

import (
	"runtime"
	"slices"
	"sort"
	"strings"

	"golang.org/x/sync/errgroup"
	"modernc.org/cc/v4"

	"klabel/csource"
)

// Calls says which functions a function names in its body, and so may call.
// Names in the initialisers of variables are followed too: tables of functions
// are reached through the variable.
type Calls struct {
	known  map[Place]int32
	places []Place
	next   [][]int32 // what each names, by its number
}

// Place is a function or a variable of a unit.
type Place struct {
	Unit int
	Name string
}

// CallsOf reads the bodies of units.
func CallsOf(units []*csource.Unit) *Calls {
	g := &Calls{known: map[Place]int32{}}
	homes := map[string][]int32{} // of names with external linkage
	type body struct {
		span csource.Span
		at   int32
	}
	local := make([]map[string]int32, len(units))
	bodies := make([][]body, len(units))
	for i, u := range units {
		local[i] = map[string]int32{}
		add := func(name string, static bool, span csource.Span) {
			at := g.number(Place{i, name})
			local[i][name] = at
			bodies[i] = append(bodies[i], body{span, at})
			if !static {
				homes[name] = append(homes[name], at)
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
	var wg errgroup.Group
	wg.SetLimit(runtime.NumCPU())
	for i, u := range units {
		wg.Go(func() error {
			u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
				x, ok := n.(*cc.PrimaryExpression)
				if !ok || x.Case != cc.PrimaryExpressionIdent {
					return true
				}
				name := x.Token.SrcStr()
				own, isOwn := local[i][name]
				if !isOwn && len(homes[name]) == 0 {
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
				from := bodies[i][k].at // of this unit, which nobody else writes to
				if isOwn {
					g.next[from] = append(g.next[from], own)
				} else {
					g.next[from] = append(g.next[from], homes[name]...)
				}
				return true
			})
			return nil
		})
	}
	_ = wg.Wait() // it does not fail
	for i, to := range g.next {
		slices.Sort(to)
		g.next[i] = slices.Compact(to)
	}
	return g
}

// number is that of a place, which may be a new one.
func (g *Calls) number(at Place) int32 {
	n, ok := g.known[at]
	if !ok {
		n = int32(len(g.places))
		g.known[at] = n
		g.places, g.next = append(g.places, at), append(g.next, nil)
	}
	return n
}

// Reached is a place that a function may reach, in so many calls.
type Reached struct {
	Place
	Calls int
}

// From returns what functions may reach, the closest first: themselves, in no call.
func (g *Calls) From(start ...Place) (out []Reached) {
	seen := make([]bool, len(g.places))
	var queue []int32
	for _, s := range start {
		if n, ok := g.known[s]; !ok {
			out = append(out, Reached{s, 0})
		} else if !seen[n] {
			seen[n] = true
			queue, out = append(queue, n), append(out, Reached{s, 0})
		}
	}
	at := len(out) - len(queue) // those that nobody knows reach nothing
	for i := 0; i < len(queue); i++ {
		for _, next := range g.next[queue[i]] {
			if !seen[next] {
				seen[next] = true
				queue, out = append(queue, next), append(out, Reached{g.places[next], out[at+i].Calls + 1})
			}
		}
	}
	return out
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
	for _, at := range g.From(start...) {
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
