package campaign

import (
	"slices"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/label"
)

// callGraph says which functions a function names in its body, and so may call.
// Names in the initialisers of variables are followed too: tables of functions
// are reached through the variable.
type callGraph struct {
	names map[place][]place
	homes map[string][]place // of names with external linkage
}

// place is a function or a variable of a unit.
type place struct {
	unit int
	name string
}

func callsOf(units []*csource.Unit) *callGraph {
	g := &callGraph{names: map[place][]place{}, homes: map[string][]place{}}
	type body struct {
		span csource.Span
		at   place
	}
	local := make([]map[string]bool, len(units))
	bodies := make([][]body, len(units))
	for i, u := range units {
		local[i] = map[string]bool{}
		add := func(name string, static bool, span csource.Span) {
			local[i][name] = true
			bodies[i] = append(bodies[i], body{span, place{i, name}})
			if !static {
				g.homes[name] = append(g.homes[name], place{i, name})
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
				to = []place{{i, name}}
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

// from returns what a function may reach, with the number of steps to it, 0 for
// itself.
func (g *callGraph) from(start ...place) map[place]int {
	dist := map[place]int{}
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

// reachable returns the names of the functions that a call of root may reach, as
// far as the units define them.
func reachable(units []*csource.Unit, root string) []string {
	if i := strings.LastIndexByte(root, ':'); i >= 0 {
		root = root[i+1:]
	}
	g := callsOf(units)
	var start []place
	for i, u := range units {
		if u.Function(root) != nil {
			start = append(start, place{i, root})
		}
	}
	seen := map[string]bool{}
	for at := range g.from(start...) {
		if units[at.unit].Function(at.name) != nil {
			seen[at.name] = true
		}
	}
	var out []string
	for n := range seen {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// labelsByFunction sorts the labels of the program by the functions that hold
// them, in every unit that has them.
func (p *program) labelsByFunction() (map[place][]label.ID, error) {
	out := map[place][]label.ID{}
	for i, u := range p.units {
		calls, err := u.Labels()
		if err != nil {
			return nil, err
		}
		for _, c := range calls {
			at := place{i, c.Function}
			out[at] = append(out[at], c.ID)
		}
	}
	return out, nil
}

// ways are the entries in the words of the plan.
func (c *session) ways(im *image) []*way {
	groups := map[string]int{}
	for i, t := range c.prog.asked {
		groups[t.name] = i
	}
	var out []*way
	for _, e := range im.entries {
		w := &way{entry: e, group: groups[e.target], rank: e.rank, settled: c.rests(e.name)}
		if r, ok := c.memory.knows(e.name); ok && w.settled {
			w.complete = r.Complete
		}
		start := []place{{e.unit, e.function}}
		if e.inputs != nil && e.inputs.Oracle != "" && c.job.Driver.Checked { // which the driver calls
			start = append(start, place{e.unit, c.job.Driver.Oracle})
		}
		w.near = c.prog.near(start...)
		if e.ownMain() { // whatever a program can do, it does from here
			for _, l := range c.prog.labels {
				w.near[l.ID] = 0
			}
		}
		w.least = least(w.near)
		out = append(out, w)
	}
	return out
}

// near are the labels that functions may reach, and in how many calls.
func (p *program) near(start ...place) map[label.ID]int {
	out := map[label.ID]int{}
	for at, calls := range p.calls.from(start...) {
		for _, id := range p.byPlace[at] {
			if known, ok := out[id]; !ok || calls < known {
				out[id] = calls
			}
		}
	}
	return out
}

// least is in how many calls the closest of labels are.
func least(near map[label.ID]int) int {
	n := -1
	for _, calls := range near {
		if n < 0 || calls < n {
			n = calls
		}
	}
	return n
}

// opened counts what a function's next variants may cover: labels of its own that are
// open or, where it has none and only hands on what it is given, the closest.
func (c *session) opened(t target) (n int) {
	near := c.prog.near(place{t.unit, t.function})
	closest := least(near)
	for id, calls := range near {
		if calls == closest && c.isOpen(id) {
			n++
		}
	}
	return n
}
