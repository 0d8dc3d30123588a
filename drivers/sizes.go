package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// sizes are what the accesses of a function tell of how many items there are
// behind pointers. Values are named as in the function: "n" for a variable,
// ".n" for a field of whatever structure.
type sizes struct {
	sums  ties // of an index or a sum: in p[i] p and i
	order ties // of a comparison: in i < s->n i and .n
	// bounds are the numbers of items that constant indexes, or indexes
	// that are compared with constants, ask for.
	bounds map[string]int64
	limits map[string]int64        // constants that variables are compared with
	later  []indexed               // indexes that are variables
	moved  map[string]bool         // pointers that are indexed or moved
	flows  map[string][]string     // where values that have a name are assigned to
	views  map[string]cc.Type      // what untyped pointers are taken to lead to
	dims   map[string]bool         // lengths of arrays
	copies map[string][]string     // integers: where they are assigned to
	passed map[string][]argumentOf // arguments that are names: where they go
}

// indexed is an access to at the index of, plus a constant.
type indexed struct {
	at, of string
	plus   int64
}

// argumentOf is a parameter of a function.
type argumentOf struct {
	function string
	index    int
}

// ties are names that stand on both sides of something.
type ties map[string]map[string]bool

func (t ties) tie(u *csource.Unit, l, r cc.Node) {
	for _, a := range namesIn(u, l) {
		for _, b := range namesIn(u, r) {
			if a == b {
				continue
			}
			for _, p := range [][2]string{{a, b}, {b, a}} {
				if t[p[0]] == nil {
					t[p[0]] = map[string]bool{}
				}
				t[p[0]][p[1]] = true
			}
		}
	}
}

// maxBound bounds what an index may ask for.
const maxBound = 4096

func newSizes() *sizes {
	return &sizes{sums: ties{}, order: ties{}, bounds: map[string]int64{}, limits: map[string]int64{},
		passed: map[string][]argumentOf{}, dims: map[string]bool{}, copies: map[string][]string{},
		moved: map[string]bool{}, flows: map[string][]string{}, views: map[string]cc.Type{}}
}

// see looks at one node.
func (s *sizes) see(u *csource.Unit, n cc.Node) {
	switch x := n.(type) {
	case *cc.PostfixExpression:
		switch x.Case {
		case cc.PostfixExpressionInc, cc.PostfixExpressionDec:
			s.move(x.PostfixExpression)
		case cc.PostfixExpressionIndex:
			s.move(x.PostfixExpression)
			s.sums.tie(u, x.PostfixExpression, x.ExpressionList)
			s.index(x.PostfixExpression, x.ExpressionList)
		case cc.PostfixExpressionCall:
			i := 0
			for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
				if name := nameOf(l.AssignmentExpression); name != "" {
					if f := csource.Callee(x); f != "" {
						s.passed[name] = append(s.passed[name], argumentOf{f, i})
					}
				}
				i++
			}
		}
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec {
			s.move(x.UnaryExpression)
		}
	case *cc.AssignmentExpression:
		switch x.Case {
		case cc.AssignmentExpressionAssign:
			s.assign(nameOf(x.UnaryExpression), x.UnaryExpression.Type(), x.AssignmentExpression)
		case cc.AssignmentExpressionAdd, cc.AssignmentExpressionSub:
			s.move(x.UnaryExpression)
		}
	case *cc.InitDeclarator:
		if x.Declarator != nil {
			s.dimension(u, x.Declarator.Type())
		}
		if x.Initializer != nil && x.Initializer.Case == cc.InitializerExpr {
			s.assign(x.Declarator.Name(), x.Declarator.Type(), x.Initializer.AssignmentExpression)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			s.view(x.CastExpression, x.Type())
		}
	case *cc.AdditiveExpression:
		s.move(x.AdditiveExpression)
		s.sums.tie(u, x.AdditiveExpression, x.MultiplicativeExpression)
		if _, ok := x.AdditiveExpression.Type().(*cc.PointerType); ok && x.Case == cc.AdditiveExpressionAdd {
			s.index(x.AdditiveExpression, x.MultiplicativeExpression)
		}
	case *cc.RelationalExpression:
		s.order.tie(u, x.RelationalExpression, x.ShiftExpression)
		s.compare(x.RelationalExpression, x.ShiftExpression)
		s.compare(x.ShiftExpression, x.RelationalExpression)
	case *cc.EqualityExpression:
		s.compare(x.EqualityExpression, x.RelationalExpression)
	}
}

// move notes that a pointer is moved, or indexed.
func (s *sizes) move(e cc.ExpressionNode) {
	if _, ok := e.Type().(*cc.PointerType); ok && !isCast(e) {
		if name := nameOf(e); name != "" {
			s.moved[name] = true
		}
	}
}

func isCast(e cc.ExpressionNode) bool {
	x, ok := csource.Unparen(e).(*cc.CastExpression)
	return ok && x.Case == cc.CastExpressionCast
}

// assign notes where a value with a name goes.
func (s *sizes) assign(to string, t cc.Type, from cc.ExpressionNode) {
	name := nameOf(from)
	if name == "" || to == "" || name == to {
		return
	}
	if cc.IsIntegerType(t) {
		s.copies[name] = append(s.copies[name], to)
	}
	if _, ok := t.(*cc.PointerType); ok {
		s.flows[name] = append(s.flows[name], to)
		s.view(from, t)
	}
}

// view notes that an untyped pointer is taken to lead to something.
func (s *sizes) view(from cc.ExpressionNode, to cc.Type) {
	p, ok := from.Type().(*cc.PointerType)
	q, ok2 := to.(*cc.PointerType)
	if !ok || !ok2 || p.Elem().Kind() != cc.Void || q.Elem().Kind() == cc.Void || q.Elem().Kind() == cc.Function {
		return
	}
	if name := nameOf(from); name != "" && s.views[name] == nil {
		s.views[name] = q.Elem()
	}
}

// nameOf is the name of a variable, of a field, or, as "*p", of what a variable
// leads to; "" for anything else.
func nameOf(e cc.ExpressionNode) string {
	switch x := csource.Unparen(e).(type) {
	case *cc.UnaryExpression:
		if x.Case == cc.UnaryExpressionDeref {
			if id, ok := csource.Unparen(x.CastExpression).(*cc.PrimaryExpression); ok {
				if name := nameOf(id); name != "" {
					return "*" + name
				}
			}
		}
	case *cc.PrimaryExpression:
		if d, ok := x.ResolvedTo().(*cc.Declarator); ok && x.Case == cc.PrimaryExpressionIdent && !d.IsTypename() {
			return d.Name()
		}
	case *cc.PostfixExpression:
		if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
			return "." + x.Token2.SrcStr()
		}
		if x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec {
			return nameOf(x.PostfixExpression)
		}
	case *cc.CastExpression:
		if x.Case == cc.CastExpressionCast {
			return nameOf(x.CastExpression)
		}
	}
	return ""
}

// namesIn are the names in an expression of sums, brackets and casts.
func namesIn(u *csource.Unit, e cc.Node) (out []string) {
	u.Walk(e, func(n cc.Node) bool {
		x, ok := n.(cc.ExpressionNode)
		if !ok {
			return true
		}
		if name := nameOf(x); name != "" {
			out = append(out, name)
			return false
		}
		_, isCall := n.(*cc.PostfixExpression)
		return !isCall
	})
	return out
}

func (s *sizes) index(base, at cc.ExpressionNode) {
	name := nameOf(base)
	if name == "" || isCast(base) {
		return // items of another type
	}
	switch x := csource.Unparen(at).(type) {
	case *cc.AdditiveExpression:
		if k, ok := integer(x.MultiplicativeExpression.Value()); ok && x.Case == cc.AdditiveExpressionAdd {
			if of := nameOf(x.AdditiveExpression); of != "" {
				s.later = append(s.later, indexed{name, of, k})
			}
			return
		}
	}
	if k, ok := integer(at.Value()); ok {
		s.want(name, k+1)
	} else if of := nameOf(at); of != "" {
		s.later = append(s.later, indexed{name, of, 0})
	}
}

func (s *sizes) want(name string, items int64) {
	if items > 0 && items <= maxBound {
		s.bounds[name] = max(s.bounds[name], items)
	}
}

func (s *sizes) compare(v, with cc.ExpressionNode) {
	if k, ok := integer(with.Value()); ok {
		if name := nameOf(v); name != "" && k > 0 && k < maxBound {
			s.limits[name] = max(s.limits[name], k)
		}
	}
}

// finish resolves the indexes that are variables.
func (s *sizes) finish() {
	for range 2 {
		for from, to := range s.copies {
			for _, n := range to {
				s.dims[from] = s.dims[from] || s.dims[n]
			}
		}
	}
	for _, x := range s.later {
		if k, ok := s.limits[x.of]; ok {
			s.want(x.at, k+x.plus)
		}
	}
}
