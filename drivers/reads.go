package drivers

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// A function that stores nothing, calls nothing that is not there, and does no more with
// its pointers than *p, p->x and a test for NULL sees of the memory behind them values
// alone, each time the same. One item with any values behind each of them is then all
// that it can be given: of what lies beside the item it sees nothing, and where pointers
// share memory some of the values are equal.

// readsItems reports whether a function is such a one.
func (s *shared) readsItems(fn *csource.Function) bool {
	known, ok := s.readers[fn.Name]
	if !ok {
		known = fn.Def != nil && s.storesNothing(fn) && s.readsAlone(fn)
		s.readers[fn.Name] = known
	}
	return known
}

// storesNothing is analysis.mayChange of what stands around the labels.
func (s *shared) storesNothing(fn *csource.Function) bool {
	r := s.an.reach(fn)
	return !slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool { return !s.isLabel(d.Name()) }) &&
		!slices.ContainsFunc(r.funcs, func(f *csource.Function) bool {
			x := s.an.of(f.Name)
			return x.stores || x.indirect || x.assembly || x.restless
		})
}

func (s *shared) isLabel(name string) bool {
	return s.labels[name] || strings.HasPrefix(name, "pc_label") || name == "cov_label"
}

func (s *shared) readsAlone(fn *csource.Function) bool {
	pointers := map[string]bool{}
	for _, p := range fn.Params {
		if pt, ok := p.Type().(*cc.PointerType); ok {
			if _, isArray := pt.Undecay().(*cc.ArrayType); isArray || !plainItem(pt.Elem()) {
				return false
			}
			pointers[p.Name()] = true
		}
	}
	alone := true
	s.unit.WalkParents(fn.Def.CompoundStatement, func(n cc.Node, above []cc.Node) bool {
		if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
			if d, ok := id.ResolvedTo().(*cc.Declarator); ok && d.IsParam() && pointers[d.Name()] {
				alone = alone && s.readsItem(id, above)
			}
		}
		return alone
	})
	return alone
}

// plainItem reports whether a value of a type is a number, or a structure of numbers.
func plainItem(t cc.Type) bool {
	if x, ok := t.(*cc.StructType); ok {
		for i := range x.NumFields() {
			if f := x.FieldByIndex(i); f == nil || !cc.IsArithmeticType(f.Type()) {
				return false
			}
		}
		return !x.IsIncomplete() && x.NumFields() > 0
	}
	return cc.IsArithmeticType(t)
}

// readsItem reports whether a mention of a pointer is *p, p->x or a test for NULL, or a
// label that is this test; the nodes above it, the nearest last.
func (s *shared) readsItem(n cc.Node, above []cc.Node) bool {
	for _, x := range slices.Backward(above) {
		switch x := x.(type) {
		case *cc.PrimaryExpression: // parentheses
			n = x
			continue
		case *cc.ArgumentExpressionList:
			continue
		case *cc.PostfixExpression:
			return x.Case == cc.PostfixExpressionPSelect && x.PostfixExpression == n && !addressOf(x, above) ||
				x.Case == cc.PostfixExpressionCall && s.isLabel(csource.Callee(x))
		case *cc.UnaryExpression:
			return x.Case == cc.UnaryExpressionNot || x.Case == cc.UnaryExpressionDeref && !addressOf(x, above)
		case *cc.EqualityExpression:
			return x.Case != cc.EqualityExpressionRel && (null(x.EqualityExpression) || null(x.RelationalExpression))
		case *cc.LogicalAndExpression, *cc.LogicalOrExpression, *cc.SelectionStatement, *cc.IterationStatement:
			return true
		}
		return false
	}
	return false
}

// addressOf reports whether the address of what an expression names is taken above it.
func addressOf(n cc.Node, above []cc.Node) bool {
	from := slices.IndexFunc(above, func(x cc.Node) bool { return x == n })
	for _, x := range slices.Backward(above[:from]) {
		switch x := x.(type) {
		case *cc.PrimaryExpression:
			continue
		case *cc.PostfixExpression:
			if x.Case == cc.PostfixExpressionSelect {
				continue
			}
		case *cc.UnaryExpression:
			return x.Case == cc.UnaryExpressionAddrof
		}
		return false
	}
	return false
}

// null reports whether an expression is a null pointer that stands there as a constant.
func null(e cc.ExpressionNode) bool {
	for {
		e = csource.Unparen(e)
		c, ok := e.(*cc.CastExpression)
		if !ok || c.Case != cc.CastExpressionCast {
			break
		}
		e = c.CastExpression
	}
	v, ok := integer(e.Value())
	return ok && v == 0
}
