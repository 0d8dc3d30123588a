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
// items: images, matrices, tables. Neither number alone tells how many there are. So it is with
// a `void *base` to which item * size is added: what sorts or searches items of any type.

// gridCalls is how many calls a pointer is followed to what takes it for a grid.
const gridCalls = 3

// mostGridSide bounds the rows and the columns, however wide an entry is.
const mostGridSide = 16

// grid are the integers that tell how many items there are, by their product.
type grid struct {
	rows, columns string
	least         int64 // rows and columns without which its loops do nothing
	row           bool  // rows may be the number of a row, not how many there are
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
	cursors := []string{pointer}
	if slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool {
		return p.Name() == pointer && isVoidPointer(p.Type())
	}) {
		cursors = s.cursors(pointer) // `char *a = base`: nothing is added to the pointer itself
	}
	for _, cursor := range cursors {
		if g, ok := s.gridBehind(f, cursor); ok {
			return g, true
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
			here := grid{s.handedAs(f, g, there.rows), s.handedAs(f, g, there.columns), there.least, there.row}
			if here.rows != "" && here.columns != "" {
				return here, true
			}
		}
	}
	return grid{}, false
}

// gridBehind is how a function tells the items behind a pointer that it adds products to. A row that is
// itself what it was given is the last of them at most.
func (s *sizes) gridBehind(f *csource.Function, pointer string) (g grid, ok bool) {
	for _, columns := range slices.Sorted(maps.Keys(s.strides[pointer])) {
		c := s.paramNamed(f, columns)
		if c == "" {
			continue
		}
		for _, row := range slices.Sorted(maps.Keys(s.strides[pointer][columns])) {
			if r := s.boundOf(f, row); r != "" {
				return grid{r, c, max(s.least(r), s.least(c)), false}, true
			}
			if r := s.paramNamed(f, row); !ok && r != "" && r != c {
				g, ok = grid{r, c, max(s.least(r), s.least(c)), true}, true
			}
		}
	}
	return g, ok
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
	limited, names := map[string]bool{}, []param(nil)
	for _, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		if !ok || b.an.of(b.fn.Name) == nil || b.flat[p.name] > 0 || b.rel.mentions(p.name) ||
			!isVoidPointer(pt) && (b.buildable(pt.Elem()) != nil || b.hasParts(pt.Elem())) {
			continue
		}
		if a, ok := pt.Undecay().(*cc.ArrayType); ok && a.Len() > 0 {
			continue
		}
		g, ok := b.an.gridOf(b.fn, p.name, gridCalls)
		if !ok || b.rel.mentions(g.rows) || b.rel.mentions(g.columns) || g.row && !isVoidPointer(pt) {
			continue
		}
		b.grids[p.name] = g
		names = append(names, p)
		for _, n := range []string{g.rows, g.columns} {
			if limited[n] {
				continue
			}
			limited[n] = true
			b.late = append(b.late, func() { b.limitSide(n) })
		}
	}
	for _, p := range names {
		what := "%s is taken for a grid of at most %d rows and columns, of which %s and %s tell the numbers"
		if isVoidPointer(p.typ) {
			what = "%s is taken for at most %d items of as many bytes, of which %s and %s tell the numbers"
		}
		notes = append(notes, fmt.Sprintf(what, p.name, b.gridSide(), b.grids[p.name].rows, b.grids[p.name].columns))
	}
	return notes
}

// sizeOfItem is what a number stands for beside an array of items of any size: search(key, base, n, size) gets
// a key of that size.
func (b *builder) sizeOfItem(params []param, pointer, n string) string {
	if f := b.an.of(b.fn.Name); f == nil || f.sizes.counted(pointer, n) {
		return n
	}
	for _, p := range params {
		if g, ok := b.grids[p.name]; ok && g.rows == n && isVoidPointer(p.typ) {
			return g.columns
		}
	}
	return n
}

// isVoidPointer reports whether a type is that of pointers to memory of no type.
func isVoidPointer(t cc.Type) bool {
	pt, ok := t.(*cc.PointerType)
	return ok && pt.Elem().Kind() == cc.Void
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
	size := fmt.Sprintf("(unsigned long)%s * %s", r, c)
	if g.row {
		size = fmt.Sprintf("((unsigned long)%s + 1) * %s", r, c)
	}
	if !isVoidPointer(p.typ) {
		size += " * sizeof *" + p.local
	}
	b.late = append(b.late, func() {
		b.cur.open("if (klee_is_replay() && (long)%s >= 0 && (long)%s >= 0)", r, c)
		b.cur.line("%s = klabel_exact(%s, %s);", p.local, p.local, size)
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
