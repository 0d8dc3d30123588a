package annotate

import (
	"strings"

	"klabel/annotate/ctree"
)

// callCoverage: FCC, every function that a function calls is called from it.
// A pair with one call has its label there; a pair with several has it in a
// small function of its own, which each of the calls runs first.
type callCoverage struct{}

func (callCoverage) mark(f *function, tag string) {
	calls := map[string][]*ctree.Expr{}
	var order []string
	for _, e := range f.exprs {
		if e.Kind != ctree.Call || e.Closed || e.NoTemp || e.Span.Start < 0 || !e.Wrap {
			continue
		}
		name := f.src(e.Kids[0])
		if strings.HasPrefix(name, "klee_") || strings.HasPrefix(name, "__builtin_") {
			continue
		}
		if calls[name] == nil {
			order = append(order, name)
		}
		calls[name] = append(calls[name], e)
	}
	for _, name := range order {
		cs := calls[name]
		if len(cs) == 1 {
			f.pre(cs[0]).add("1", tag)
			continue
		}
		s, fresh := f.p.site(siteKey{outside, f.Span.Start, cs[0].Span.Start}, f.Func)
		if !fresh {
			continue
		}
		s.name = f.p.temp() + "_calls"
		s.at = cs[0].Span.Start
		s.expr = cs[0]
		s.add("1", tag)
		for _, c := range cs {
			if p := f.pre(c); p != nil {
				p.runs = append(p.runs, s)
			}
		}
	}
}

// callSites: CALL, every call is made: the pairs of FCC, each with its place.
type callSites struct{}

func (callSites) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind == ctree.Call && !e.Closed && !strings.HasPrefix(f.src(e.Kids[0]), "klee_") {
			f.pre(e).add("1", tag)
		}
	}
}
