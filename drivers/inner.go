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
func leaderOf(name string) string { return name[:len(name)-len(strings.TrimLeft(name, wordBytes))] }

const wordBytes = "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"

var arrows = regexp.MustCompile(`^[a-zA-Z_]\w*(->[a-zA-Z_]\w*(\.[a-zA-Z_]\w*)*)+$`)

// guarded are pointers to structures within what others lead to, as C that asks on the way whether there is anything.
func (b *builder) guarded(list []partner) (out []partner) {
	for _, p := range list {
		root := b.exprs[leaderOf(p.name)]
		if !p.record || root == "" || !arrows.MatchString(p.name) {
			continue
		}
		place, rest, more := root, p.name[len(leaderOf(p.name)):], true
		var asked []string
		for more {
			asked = append(asked, place+" != 0")
			var step string
			step, rest, more = strings.Cut(rest[len("->"):], "->")
			place, rest = place+"->"+step, "->"+rest
		}
		p.expr = "(" + strings.Join(asked, " && ") + " ? " + place + " : 0)"
		out = append(out, p)
	}
	return out
}
