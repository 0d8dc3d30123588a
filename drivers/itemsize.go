package drivers

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A container that knows no types is told the size of its items when it is made
// (vector_new(size_t item_size)), and copies as many bytes from each that it is
// given. A larger size than that of what calls are given ends every run there.

// givenItem is how many bytes there are at least in what a call is given as an item.
const givenItem = 16

// sizedBlock notes a variable without a type from which, or to which, as many bytes are copied as a name says.
func (s *sizes) sizedBlock(p, size cc.ExpressionNode) {
	pt, ok := plainer(p).Type().(*cc.PointerType)
	of, by := nameOf(p), nameOf(size)
	if ok && pt.Elem().Kind() == cc.Void && by != "" && of != "" && !strings.HasPrefix(of, ".") {
		s.sized.add(by, of)
	}
}

// sizesItems reports whether an integer that a function is given is kept as the size of items which functions of the
// unit are given.
func (a *analysis) sizesItems(f *csource.Function, name string) bool {
	return a.once(question{"item size", f.Name, name, 0}, func() bool {
		kept := map[string]bool{}
		a.followNumber(f, name, limitDepth, func(s *sizes, name string) {
			for _, to := range append(s.copies[name], name) {
				kept[to] = kept[to] || strings.HasPrefix(to, ".")
			}
		})
		for _, g := range a.unit.Functions() {
			facts := a.of(g.Name)
			if facts == nil {
				continue
			}
			for field, is := range kept {
				if is && slices.ContainsFunc(g.Params, func(p *cc.Parameter) bool {
					return facts.sizes.sized[field][p.Name()]
				}) {
					return true
				}
			}
		}
		return false
	})
}
