package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// Who reads a text looks at characters by constant places, and steps over those that belong together by
// constants: s[3], s += 4, t = s + 6. A text that ends before has nothing behind the first step, so it is as
// long as all of them together ask for. Single steps are no leaps: loops make them, and these know when to end.

const (
	leastLeap = 2
	mostLeap  = 32 // characters that a text gets for them
)

// leap is a pointer that leads so many items behind another one.
type leap struct {
	to string
	by int64
}

// leaps notes a step of a pointer by a constant.
func (s *sizes) leaps(p, by cc.ExpressionNode) {
	name := nameOf(p)
	if _, ok := p.Type().(*cc.PointerType); !ok || name == "" {
		return
	}
	if k, ok := integer(by.Value()); ok && k >= leastLeap && k <= maxBound {
		s.leapt[name] += k
	}
}

// leapTo notes a pointer that is assigned another one and a constant.
func (s *sizes) leapTo(to string, from cc.ExpressionNode) {
	x, ok := csource.Unparen(from).(*cc.AdditiveExpression)
	if !ok || x.Case != cc.AdditiveExpressionAdd || to == "" {
		return
	}
	name := nameOf(x.AdditiveExpression)
	k, ok := integer(x.MultiplicativeExpression.Value())
	switch {
	case !ok || name == "" || isCast(x.AdditiveExpression) || k < leastLeap || k > maxBound:
	case name == to:
		s.leaps(x.AdditiveExpression, x.MultiplicativeExpression)
	default:
		s.ahead[name] = append(s.ahead[name], leap{to, k})
	}
}

// leapOf is how many characters behind a pointer the leaps of a function ask for, one after the other.
func (a *analysis) leapOf(f *csource.Function, name string, depth int) int64 {
	s := a.of(f.Name).sizes
	out := s.leapt[name] + a.boundOf(f, name, 1)
	if depth == 0 {
		return out
	}
	for _, to := range s.flows[name] {
		out = max(out, a.leapOf(f, to, depth-1))
	}
	for _, to := range s.ahead[name] {
		out = max(out, to.by+a.leapOf(f, to.to, depth-1))
	}
	return out
}

// leapt is the same of a text that the driver builds, within what is still cheap.
func (b *builder) leapt(name string) (out int64) {
	b.inFunctions(name, func(f *csource.Function, name string) bool {
		out = max(out, b.an.leapOf(f, name, 2))
		return false
	})
	return min(out, mostLeap)
}
