package annotate

import (
	"regexp"
	"strings"

	"klabel/annotate/ctree"
)

// temporary is a variable in which a labelled program keeps what it evaluates once.
var (
	temporary = regexp.MustCompile(`\bklb_\w+`)
	casts     = regexp.MustCompile(`\(__typeof__\(klb_\w+\)\)`)
)

// words says a predicate of a site as people read it, "" where it names no
// variable of klabel's, or one that stands for more than an expression.
func (s *site) words(p *plan, pred string) string {
	if !strings.Contains(pred, "klb_") || s.expr == nil {
		return ""
	}
	stands := map[string]*ctree.Expr{}
	switch s.kind {
	case value:
		stands[s.name] = s.expr
	case operands:
		stands[s.name], stands[s.left], stands[s.right] = s.expr, s.expr.Kids[0], s.expr.Kids[1]
	case record, sides:
		stands[s.name] = s.expr
		for i, a := range s.atoms {
			stands[s.name+"_"+itoa(i+1)] = a
		}
	}
	whole := true
	out := temporary.ReplaceAllStringFunc(casts.ReplaceAllString(pred, ""), func(name string) string {
		e := stands[name]
		if e == nil || e.Span.Start < 0 {
			whole = false
			return name
		}
		return p.src(e)
	})
	if !whole {
		return ""
	}
	return out
}
