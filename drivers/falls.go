package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// What an index may come to. Most often it stays below the number that tells of the items; where it comes to the
// number itself, as in sort(a, low, high), there is one item more than that.

// bounding are the names that indexes are held against, by index, and for direct by pointer.
type bounding struct {
	below   ties            // i = n - 1: it goes down from there
	between ties            // i = (low + high) / 2
	under   ties            // low < high, low <= high
	upTo    ties            // low <= high, or what tells low > high apart
	direct  ties            // p[n]
	sinks   map[string]bool // i--, i -= 4
}

func newBounding() bounding {
	return bounding{ties{}, ties{}, ties{}, ties{}, ties{}, map[string]bool{}}
}

// sink notes what goes down.
func (s *bounding) sink(e cc.ExpressionNode, down bool) {
	if name := nameOf(e); down && name != "" {
		s.sinks[name] = true
	}
}

// ordered notes what is compared by order.
func (s *bounding) ordered(x *cc.RelationalExpression) {
	l, r := nameOf(x.RelationalExpression), nameOf(x.ShiftExpression)
	if x.Case == cc.RelationalExpressionGt || x.Case == cc.RelationalExpressionGeq {
		l, r = r, l
	}
	if l == "" || r == "" {
		return
	}
	s.under.add(l, r)
	if x.Case == cc.RelationalExpressionLeq || x.Case == cc.RelationalExpressionGeq {
		s.upTo.add(l, r)
	} else {
		s.upTo.add(r, l) // what is more than that is told apart
	}
}

// halved reports whether an index lies between another one and n.
func (s *bounding) halved(index, n string) bool {
	if !s.between[index][n] {
		return false
	}
	for m := range s.between[index] {
		if s.under[m][n] {
			return true
		}
	}
	return false
}

// counted reports whether n is compared with an index of p, or what one begins with.
func (s *sizes) counted(p, n string) bool {
	for index := range s.sums[p] {
		if s.order[index][n] || s.sinks[index] && s.below[index][n] || s.halved(index, n) {
			return true
		}
	}
	return false
}

// beside reports whether an index of p is held against n alone, not against a sum.
func (s *sizes) beside(p, n string) bool {
	for index := range s.sums[p] {
		if s.under[index][n] || s.under[n][index] || s.halved(index, n) {
			return true
		}
	}
	return false
}

// comesTo reports whether an index of p comes to n itself.
func (s *sizes) comesTo(p, n string) bool {
	for index := range s.sums[p] {
		if _, constant := s.constants[index]; !constant && (s.upTo[index][n] || s.halved(index, n)) {
			return true
		}
	}
	return s.direct[p][n]
}

// fall notes that an index begins below a number, and goes down from there: for (i = n - 1; i >= 0; i--).
func (s *sizes) fall(to string, from cc.ExpressionNode) {
	x, ok := plainer(from).(*cc.AdditiveExpression)
	if !ok || to == "" || x.Case != cc.AdditiveExpressionSub {
		return
	}
	if k, ok := integer(x.MultiplicativeExpression.Value()); !ok || k < 1 {
		return
	}
	if n := nameOf(x.AdditiveExpression); n != "" && n != to {
		s.below.add(to, n)
	}
}

// halve notes that an index begins between two others: mid = (low + high) / 2, low + (high - low) / 2.
func (s *sizes) halve(u *csource.Unit, to string, from cc.ExpressionNode) {
	halves := false
	u.Walk(from, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.MultiplicativeExpression:
			if k, ok := integer(x.CastExpression.Value()); ok && k == 2 && x.Case == cc.MultiplicativeExpressionDiv {
				halves = true
			}
		case *cc.ShiftExpression:
			if k, ok := integer(x.AdditiveExpression.Value()); ok && k == 1 && x.Case == cc.ShiftExpressionRsh {
				halves = true
			}
		}
		return true
	})
	if !halves || to == "" {
		return
	}
	for _, n := range namesIn(u, from) {
		if n != to {
			s.between.add(to, n)
		}
	}
}

// countDepth is how many calls a pointer and a number are followed to what holds an index against the number.
const countDepth = 2

// countIn is the parameter of a function that its code, or what it hands both on to, holds an index of another
// parameter against, "" for none. upTo says that the index comes to it.
func (a *analysis) countIn(fn *csource.Function, params []param, i, depth int) (n string, upTo bool) {
	f := a.of(fn.Name)
	if f == nil { // it is defined in another file
		return "", false
	}
	p, s := params[i].name, f.sizes
	if n := countInTurn(params, i); n != "" && s.counted(p, n) {
		return n, s.comesTo(p, n)
	}
	for _, is := range []func(p, n string) bool{s.beside, s.counted} {
		for _, q := range params {
			if plainInteger(q.typ) && s.counted(p, q.name) && is(p, q.name) {
				return q.name, s.comesTo(p, q.name)
			}
		}
	}
	if depth == 0 {
		return "", false
	}
	for _, to := range s.passed[p] {
		g := a.funcs[to.function]
		if g == nil || g.Name == fn.Name || to.index >= len(g.Params) || to.offset != 0 {
			continue
		}
		var inner []param
		for k, q := range g.Params {
			inner = append(inner, param{name: argument(q, k), typ: q.Type()})
		}
		n, upTo := a.countIn(g, inner, to.index, depth-1)
		for _, q := range params {
			if n != "" && plainInteger(q.typ) && slices.ContainsFunc(s.passed[q.name], func(with argumentOf) bool {
				return with.function == g.Name && with.offset == 0 && with.index < len(inner) &&
					inner[with.index].name == n
			}) {
				return q.name, upTo
			}
		}
	}
	return "", false
}

// comesTo reports whether an index of a parameter comes to a number that is taken for that of its items.
func (a *analysis) comesTo(fn *csource.Function, params []param, i int, n string) bool {
	if found, upTo := a.countIn(fn, params, i, countDepth); found == n {
		return upTo
	}
	f := a.of(fn.Name)
	return f != nil && f.sizes.comesTo(params[i].name, n)
}
