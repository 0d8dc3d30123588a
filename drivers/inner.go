package drivers

import (
	"regexp"
	"slices"
	"strings"
)

// mostInner bounds the pointers within other parameters' objects that one may share the target of: a list's head and
// tail, a tree's children.
const mostInner = 3

// innerPartners are those of a type, the shallowest first, for a pointer that another parameter leads to.
func (b *builder) innerPartners(name, typ string) []partner {
	var out []partner
	for _, p := range b.inner {
		if p.typ == typ && leaderOf(p.name) != leaderOf(name) {
			out = append(out, p)
		}
	}
	slices.SortStableFunc(out, func(p, q partner) int {
		return strings.Count(p.name, "->") - strings.Count(q.name, "->")
	})
	return out[:min(len(out), mostInner)]
}

// leaderOf is what a pointer's name begins with: the parameter that leads to it.
func leaderOf(name string) string {
	name = strings.TrimPrefix(name, "*")
	return name[:len(name)-len(strings.TrimLeft(name, wordBytes))]
}

const wordBytes = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

// arrows is the name of what a parameter's fields lead to, or, with a star, of what it leads to itself.
var arrows = regexp.MustCompile(`^([a-zA-Z_]\w*->|\*[a-zA-Z_]\w*(->|$))([a-zA-Z_]\w*(\.[a-zA-Z_]\w*)*(->|$))*$`)

// guarded are pointers to structures within what a pointer leads to, as C that asks on the way whether there is
// anything.
func (b *builder) guarded(self partner, list []partner) (out []partner) {
	for _, p := range list {
		root := b.exprs[leaderOf(p.name)]
		if !p.record || root == "" || !arrows.MatchString(p.name) {
			continue
		}
		first, rest, more := strings.Cut(p.name, "->")
		place, typed := root, ""
		var asked []string
		if strings.HasPrefix(first, "*") {
			asked = append(asked, root+" != 0")
			place = b.exprs[first]
			within := append(b.above[:len(b.above):len(b.above)], self)
			if i := slices.IndexFunc(within, func(q partner) bool { return q.name == first }); i >= 0 {
				typed = "((" + strings.TrimSuffix(within[i].typ, " @") + " *)" + place + ")" // it may be untyped
			}
		}
		for more {
			asked = append(asked, place+" != 0")
			if typed != "" {
				place, typed = typed, ""
			}
			var step string
			step, rest, more = strings.Cut(rest, "->")
			place += "->" + step
		}
		p.expr = "(" + strings.Join(asked, " && ") + " ? " + place + " : 0)"
		out = append(out, p)
	}
	return out
}
