package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// What is read in blocks stops before the end: limit = end - 12, end - p < 16, p + 4 <= end. Fewer items than the
// constant says show nothing but that there are too few.

const (
	leastSpared = 2
	mostSpared  = 64
	pastSpared  = 8 // items beyond a second block
)

// spare notes a constant that is taken off a name.
func (s *sizes) spare(from, constant cc.ExpressionNode) {
	name := nameOf(from)
	if k, ok := integer(constant.Value()); ok && name != "" && k >= leastSpared && k <= mostSpared {
		s.spared[name] = max(s.spared[name], k)
	}
}

// spareWithin looks at both sides of a comparison: a difference that is compared with a constant, and a sum with one
// that is compared with a name.
func (s *sizes) spareWithin(a, b cc.ExpressionNode) {
	x, ok := csource.Unparen(a).(*cc.AdditiveExpression)
	switch {
	case !ok:
	case x.Case == cc.AdditiveExpressionSub:
		s.spare(x.AdditiveExpression, b)
	case x.Case == cc.AdditiveExpressionAdd && nameOf(x.AdditiveExpression) != "":
		s.spare(b, x.MultiplicativeExpression)
	}
}

// tail notes a pointer that leads to the end: end = p + n.
func (s *sizes) tail(to string, from cc.ExpressionNode) {
	x, ok := plainer(from).(*cc.AdditiveExpression)
	if !ok || x.Case != cc.AdditiveExpressionAdd || to == "" {
		return
	}
	if _, pointer := x.Type().(*cc.PointerType); !pointer {
		return
	}
	if n := nameOf(x.MultiplicativeExpression); n != "" && len(s.tails[n]) < maxKnown {
		s.tails[n] = append(s.tails[n], to)
	}
}

// sparedOf is how many items a number tells of where there is a second block, and some are left after
// those that are spared; 0 if none are.
func (s *sizes) sparedOf(number string) (out int64) {
	out = s.spared[number]
	for _, end := range s.tails[number] {
		out = max(out, s.spared[end])
	}
	if out > 0 {
		out += out + pastSpared
	}
	return out
}

// lend notes a number whose address a function is given.
func (s *sizes) lend(f string, index int, arg cc.ExpressionNode) {
	x, ok := plainer(arg).(*cc.UnaryExpression)
	if !ok || x.Case != cc.UnaryExpressionAddrof || !cc.IsIntegerType(x.CastExpression.Type()) {
		return
	}
	if name := nameOf(x.CastExpression); name != "" {
		s.addressed[name] = append(s.addressed[name], argumentOf{function: f, index: index})
	}
}
