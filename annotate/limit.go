package annotate

import (
	"fmt"

	"klabel/annotate/ctree"
)

// limitCoverage: LIMIT-N, an integer comparison is true with its operands at
// most N from the boundary. The distance is computed in the unsigned
// counterpart of the common type, where a difference that is known to be
// positive cannot overflow.
type limitCoverage struct{ n int }

func (c limitCoverage) mark(f *function, tag string) {
	for _, e := range f.exprs {
		if e.Kind != ctree.Compare || e.Const || e.Op == "==" || e.Op == "!=" {
			continue
		}
		a, ok1 := e.Kids[0].Int()
		b, ok2 := e.Kids[1].Int()
		if !ok1 || !ok2 {
			continue
		}
		s, l, r := f.operands(e)
		if s == nil {
			continue
		}
		u := ctree.Common(a, b).U
		low, high := l, r
		if e.Op == ">" || e.Op == ">=" {
			low, high = r, l
		}
		dist := fmt.Sprintf("(%s)%s - (%s)%s", u, high, u, low)
		if e.Op == "<" || e.Op == ">" {
			dist += " - 1"
		}
		s.add(fmt.Sprintf("%s %s %s && %s <= %d", l, e.Op, r, dist, c.n), tag)
	}
}
