package drivers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A pointer that is indexed by row * columns + column leads to rows * columns
// items: images, matrices, tables. Neither number alone tells how many there are.

// gridCalls is how many calls a pointer is followed to what takes it for a grid.
const gridCalls = 3

// mostGridSide bounds the rows and the columns, however wide an entry is.
const mostGridSide = 16

// grid are the integers that tell how many items there are, by their product.
type grid struct {
	rows, columns string
	least         int64 // rows and columns without which its loops do nothing
}

// margin notes the k of n - k, which something is held against.
func (s *sizes) margin(e cc.ExpressionNode) {
	if x, ok := plainer(e).(*cc.AdditiveExpression); ok && x.Case == cc.AdditiveExpressionSub {
		if k, ok := integer(x.MultiplicativeExpression.Value()); ok && k > 0 && k <= mostGridSide {
			if name := nameOf(x.AdditiveExpression); name != "" {
				s.margins[name] = max(s.margins[name], k)
			}
		}
	}
}

// start notes what a variable begins with.
func (s *sizes) start(name string, from cc.ExpressionNode) {
	if k, ok := integer(from.Value()); ok && k > 0 && k <= mostGridSide {
		s.starts[name] = max(s.starts[name], k)
	}
}

// least is what a number of rows must be for a loop over them, which leaves some out at its
// ends, to go round twice.
func (s *sizes) least(rows string) int64 {
	first := int64(0)
	for row := range s.order[rows] {
		first = max(first, s.starts[row])
	}
	return first + s.margins[rows] + 2
}

// stride notes the products in an index, or in what is added to a pointer: what is
// multiplied there, by a name.
func (s *sizes) stride(u *csource.Unit, base, at cc.ExpressionNode) {
	p := pointerOf(base)
	if p == "" {
		return
	}
	u.Walk(at, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.MultiplicativeExpression:
			if x.Case != cc.MultiplicativeExpressionMul {
				return false
			}
			for _, f := range [][2]cc.ExpressionNode{{x.MultiplicativeExpression, x.CastExpression},
				{x.CastExpression, x.MultiplicativeExpression}} {
				if name := nameOf(f[1]); name != "" {
					if s.strides[p] == nil {
						s.strides[p] = ties{}
					}
					for _, row := range namesIn(u, f[0]) {
						s.strides[p].add(name, row)
					}
				}
			}
			return false
		case *cc.PostfixExpression:
			return false // another's index, a call
		}
		return true
	})
}

// gridOf is how a function, or what it hands a pointer on to, tells the items behind it.
func (a *analysis) gridOf(f *csource.Function, pointer string, depth int) (grid, bool) {
	s := a.of(f.Name).sizes
	for _, columns := range slices.Sorted(maps.Keys(s.strides[pointer])) {
		for _, rows := range slices.Sorted(maps.Keys(s.strides[pointer][columns])) {
			c := s.paramNamed(f, columns)
			if r := s.boundOf(f, rows); c != "" && r != "" {
				return grid{r, c, max(s.least(r), s.least(c))}, true
			}
		}
	}
	if depth == 0 {
		return grid{}, false
	}
	for _, to := range s.passed[pointer] {
		g := a.funcs[to.function]
		if g == nil || to.index >= len(g.Params) || to.offset != 0 {
			continue
		}
		if there, ok := a.gridOf(g, g.Params[to.index].Name(), depth-1); ok {
			here := grid{s.handedAs(f, g, there.rows), s.handedAs(f, g, there.columns), there.least}
			if here.rows != "" && here.columns != "" {
				return here, true
			}
		}
	}
	return grid{}, false
}

// boundOf is the parameter that a row, or what is multiplied by one, stays below.
func (s *sizes) boundOf(f *csource.Function, row string) string {
	for _, with := range slices.Sorted(maps.Keys(s.order[row])) {
		if p := s.paramNamed(f, with); p != "" && p != row {
			return p
		}
	}
	return ""
}

// paramNamed is the parameter that a name in the function, or what it is a copy of, stands for: an integer.
func (s *sizes) paramNamed(f *csource.Function, name string) string {
	for _, p := range f.Params {
		if plainInteger(p.Type()) && (p.Name() == name || slices.Contains(s.copies[p.Name()], name)) {
			return p.Name()
		}
	}
	return ""
}

// handedAs is the parameter of f that g gets as one of its own.
func (s *sizes) handedAs(f, g *csource.Function, name string) string {
	for _, p := range f.Params {
		if plainInteger(p.Type()) && slices.ContainsFunc(s.passed[p.Name()], func(to argumentOf) bool {
			return to.function == g.Name && to.index < len(g.Params) && g.Params[to.index].Name() == name
		}) {
			return p.Name()
		}
	}
	return ""
}

// guessGrids finds the pointers whose items are a grid's, and keeps its sides small.
func (b *builder) guessGrids(params []param) (notes []string) {
	limited, names := map[string]bool{}, []string(nil)
	for _, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		if !ok || b.an.of(b.fn.Name) == nil || b.flat[p.name] > 0 || b.rel.mentions(p.name) ||
			pt.Elem().Kind() == cc.Void || b.buildable(pt.Elem()) != nil || b.hasParts(pt.Elem()) {
			continue
		}
		if a, ok := pt.Undecay().(*cc.ArrayType); ok && a.Len() > 0 {
			continue
		}
		g, ok := b.an.gridOf(b.fn, p.name, gridCalls)
		if !ok || b.rel.mentions(g.rows) || b.rel.mentions(g.columns) {
			continue
		}
		b.grids[p.name] = g
		names = append(names, p.name)
		for _, n := range []string{g.rows, g.columns} {
			if limited[n] {
				continue
			}
			limited[n] = true
			b.late = append(b.late, func() { b.limitSide(n) })
		}
	}
	for _, n := range names {
		notes = append(notes, fmt.Sprintf("%s is taken for a grid of at most %d rows and columns, "+
			"of which %s and %s tell the numbers", n, b.gridSide(), b.grids[n].rows, b.grids[n].columns))
	}
	return notes
}

// gridSide is how many rows and columns there are at most: a function has one number for all
// its grids, which share them.
func (b *builder) gridSide() int64 {
	side := 2 * int64(b.o.MaxArray)
	for _, g := range b.grids {
		side = max(side, g.least)
	}
	return min(side, mostGridSide)
}

func (b *builder) limitSide(name string) {
	e, side := b.exprs[name], b.gridSide()
	b.bounded = true
	if t := b.intTypes[name]; t != nil && t.Signed {
		b.cur.line("klee_assume((%s >= %d) & (%s <= %d));", e, -side, e, side)
	} else {
		b.cur.line("klee_assume(%s <= %d);", e, side)
	}
	b.narrow("%d rows and columns by %s", side, name)
}

// exactGrid is exact of a grid.
func (b *builder) exactGrid(p param, g grid) {
	r, c := b.exprs[g.rows], b.exprs[g.columns]
	b.late = append(b.late, func() {
		b.cur.open("if (klee_is_replay() && (long)%s >= 0 && (long)%s >= 0)", r, c)
		b.cur.line("%s = klabel_exact(%s, (unsigned long)%s * %s * sizeof *%s);", p.local, p.local, r, c, p.local)
		b.cur.close("")
	})
}

// mostGridItems bounds those behind a field.
const mostGridItems = 256

// isGridField reports whether a field is indexed by a product of others: what a structure says of its
// sides is all that there is to say then.
func (b *builder) isGridField(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool {
		if facts := b.an.of(f.Name); facts != nil && strings.HasPrefix(name, ".") {
			for by := range facts.sizes.strides[name] {
				if strings.HasPrefix(by, ".") {
					return true
				}
			}
		}
		return false
	})
}
