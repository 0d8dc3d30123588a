package drivers

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// promise notes that a function says of a parameter, by its attribute nonnull, that it
// is never NULL. A run that gives it NULL is undefined, and no replay that is checked
// ends normally.
func (b *builder) promise(fn *csource.Function, param int, name string) {
	if b.nonNull == nil {
		b.nonNull = b.unit.NonNull()
	}
	if numbers, ok := b.nonNull[fn.Name]; ok && (len(numbers) == 0 || slices.Contains(numbers, param+1)) {
		if b.promised == nil {
			b.promised = map[string]bool{}
		}
		b.promised[name] = true
	}
}

// mayBeNull reports whether nobody says of a pointer that it is not NULL.
func (b *builder) mayBeNull(name string) bool {
	if b.rel.nonNull(name) || b.unasked[name] {
		return false
	}
	if b.promised[name] {
		b.narrow("NULL for %s, which an attribute forbids", name)
		return false
	}
	return true
}

// expect notes that a call before the one under test, and what keeps the pointer that it is given, never
// asks whether that is NULL: with NULL the run would end before the function under test, or there.
func (b *builder) expect(fn *csource.Function, param int, name string) {
	if fn.Def == nil || fn.Params[param].Name() == "" || b.asks(fn, fn.Params[param].Name(), askDepth) {
		return
	}
	if b.unasked == nil {
		b.unasked = map[string]bool{}
	}
	b.unasked[name] = true
}

// askDepth bounds how many calls are followed to what asks for NULL.
const askDepth = 3

// asks reports whether a function, what it hands a pointer on to, or what reads the field that it puts
// it in, asks for NULL. It does where nobody knows.
func (s *shared) asks(fn *csource.Function, name string, depth int) bool {
	own := s.an.of(fn.Name).sizes
	if own.asked[name] || slices.ContainsFunc(own.flows[name], s.an.isAsked) {
		return true
	}
	for _, to := range own.passed[name] {
		g := s.an.funcs[to.function]
		switch {
		case g == nil:
			if _, block := blocks[to.function]; !block && !strings.HasPrefix(to.function, "str") {
				return true
			}
		case depth > 0 && to.index < len(g.Params) && s.asks(g, g.Params[to.index].Name(), depth-1):
			return true
		}
	}
	return false
}

// isAsked reports whether the code asks for NULL in a pointer that the driver builds.
func (b *builder) isAsked(name string) bool {
	f, n := b.nameOf(name)
	if f != nil {
		return b.asks(f, n, askDepth)
	}
	return n == "" || b.an.isAsked(n)
}

// isAsked reports whether some function of the unit asks for NULL in a field.
func (a *analysis) isAsked(field string) bool {
	if a.asked == nil {
		a.asked = map[string]bool{}
		a.each(func(f *facts) {
			for name := range f.sizes.asked {
				a.asked[name] = a.asked[name] || strings.HasPrefix(name, ".")
			}
		})
	}
	return a.asked[field]
}

// ask notes which pointers are asked for NULL, and compared.
func (s *sizes) ask(n cc.Node) {
	var list []cc.ExpressionNode
	switch x := n.(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionNot {
			list = []cc.ExpressionNode{x.CastExpression}
		}
	case *cc.EqualityExpression:
		list = []cc.ExpressionNode{x.EqualityExpression, x.RelationalExpression}
	case *cc.LogicalAndExpression:
		list = []cc.ExpressionNode{x.LogicalAndExpression, x.InclusiveOrExpression}
	case *cc.LogicalOrExpression:
		list = []cc.ExpressionNode{x.LogicalOrExpression, x.LogicalAndExpression}
	case *cc.ConditionalExpression:
		list = []cc.ExpressionNode{x.LogicalOrExpression}
	case *cc.SelectionStatement:
		list = []cc.ExpressionNode{x.ExpressionList}
	case *cc.IterationStatement:
		list = []cc.ExpressionNode{x.ExpressionList, x.ExpressionList2}
	}
	for _, e := range list {
		if e == nil {
			continue
		}
		if _, ok := e.Type().(*cc.PointerType); ok {
			s.asked[nameOf(e)] = true
		}
	}
}
