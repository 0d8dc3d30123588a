package drivers

import (
	"math"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// upperDepth bounds how many assignments are followed to learn how large an index
// may be.
const upperDepth = 3

// maxKnown bounds the values of a variable that are remembered.
const maxKnown = 8

// blocks are the functions of the C library that read and write so many bytes: the
// places of their pointers, and of the number.
var blocks = map[string]struct {
	pointers []int
	size     int
}{
	"memcpy": {[]int{0, 1}, 2}, "memmove": {[]int{0, 1}, 2}, "memcmp": {[]int{0, 1}, 2}, "memset": {[]int{0}, 2},
	"__builtin_memcpy": {[]int{0, 1}, 2}, "__builtin_memmove": {[]int{0, 1}, 2}, "__builtin_memset": {[]int{0}, 2},
	"bcopy": {[]int{0, 1}, 2}, "bzero": {[]int{0}, 1},
}

// call notes which names go where.
func (s *sizes) call(x *cc.PostfixExpression) {
	f, goes := csource.Callee(x), s.passed
	if f == "" {
		f, goes = strings.TrimPrefix(nameOf(x.PostfixExpression), "*"), s.through
	}
	if f == "" {
		return
	}
	var args []cc.ExpressionNode
	for l := x.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		if name, plus := offsetOf(l.AssignmentExpression); name != "" {
			goes[name] = append(goes[name], argumentOf{function: f, index: len(args), plus: plus})
		}
		s.lend(f, len(args), l.AssignmentExpression)
		args = append(args, l.AssignmentExpression)
		if n := len(args) - 2; n >= 0 {
			s.handsOn(args[n], args[n+1])
		}
	}
	s.writes(f, args)
	s.spells(x, args)
	block, ok := blocks[f]
	if !ok || block.size >= len(args) {
		return
	}
	for _, i := range block.pointers {
		name, plus := offsetOf(args[i])
		if name == "" {
			continue
		}
		if each := itemSize(args[i]); each > 0 {
			s.later = append(s.later, indexed{at: name, of: plus, bytes: args[block.size], each: each})
		}
	}
}

// largestBlock bounds a block that a stub fills as a whole.
const largestBlock = 1024

// handsOn notes how large a block of memory is that a call is given, where that is a constant.
func (s *sizes) handsOn(p, size cc.ExpressionNode) {
	if _, ok := p.Type().(*cc.PointerType); !ok || !cc.IsIntegerType(size.Type()) {
		return
	}
	if k, ok := integer(size.Value()); ok && k <= largestBlock {
		s.block = max(s.block, k)
	}
}

// offsetOf takes a pointer with something added apart: p, p + i, &p[i].
func offsetOf(e cc.ExpressionNode) (name string, plus cc.ExpressionNode) {
	if name := nameOf(e); name != "" {
		return name, nil
	}
	switch x := plainer(e).(type) {
	case *cc.AdditiveExpression:
		if _, ok := x.Type().(*cc.PointerType); ok && x.Case == cc.AdditiveExpressionAdd {
			return nameOf(x.AdditiveExpression), x.MultiplicativeExpression
		}
	case *cc.UnaryExpression:
		if x.Case != cc.UnaryExpressionAddrof {
			break
		}
		if y, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression); ok &&
			y.Case == cc.PostfixExpressionIndex {
			return nameOf(y.PostfixExpression), y.ExpressionList
		}
	}
	return "", nil
}

// plainer is an expression without parentheses and casts around it.
func plainer(e cc.ExpressionNode) cc.ExpressionNode {
	for {
		e = csource.Unparen(e)
		x, ok := e.(*cc.CastExpression)
		if !ok || x.Case != cc.CastExpressionCast || x.CastExpression == nil {
			return e
		}
		e = x.CastExpression
	}
}

// itemSize is that of what a pointer leads to, whatever it is cast to.
func itemSize(e cc.ExpressionNode) int64 {
	p, ok := plainer(e).Type().(*cc.PointerType)
	if !ok {
		return 0
	}
	if p.Elem().Kind() == cc.Void {
		return 1
	}
	return p.Elem().Size()
}

// resolve asks for the items up to an index.
func (s *sizes) resolve(x indexed) {
	last := int64(0)
	ok := true
	if x.of != nil {
		last, ok = s.upper(x.of, upperDepth)
	}
	if x.bytes == nil {
		if ok {
			s.want(x, last+max(x.wide, 1))
		}
		return
	}
	n, known := s.upper(x.bytes, upperDepth)
	if ok && known && n > 0 && (n <= maxBound || integerConstant(x.bytes)) {
		s.want(x, last+(n+x.each-1)/x.each)
	}
}

// value notes what a variable gets.
func (s *sizes) value(to string, from cc.ExpressionNode) {
	if to != "" && len(s.values[to]) < maxKnown {
		s.values[to] = append(s.values[to], from)
	}
}

// cases notes the constants that a variable is told apart by.
func (s *sizes) cases(u *csource.Unit, x *cc.SelectionStatement) {
	name := nameOf(x.ExpressionList)
	if name == "" {
		return
	}
	u.Walk(x.Statement, func(n cc.Node) bool {
		if l, ok := n.(*cc.LabeledStatement); ok && l.Case == cc.LabeledStatementCaseLabel {
			if k, ok := integer(l.ConstantExpression.Value()); ok {
				s.limit(name, k+1)
				s.apart(name, l.ConstantExpression)
			}
		}
		return true
	})
}

// upper is the largest value that the constants in a function let an expression
// have, as far as they tell; what is subtracted counts for nothing.
func (s *sizes) upper(e cc.ExpressionNode, depth int) (int64, bool) {
	if k, ok := integer(e.Value()); ok {
		return k, true
	}
	if name := nameOf(e); name != "" {
		if k, ok := s.upperNamed(name, depth); ok {
			return k, true
		}
	}
	e = plainer(e)
	switch x := e.(type) {
	case *cc.AdditiveExpression:
		a, ok := s.upper(x.AdditiveExpression, depth)
		b, ok2 := s.upper(x.MultiplicativeExpression, depth)
		switch {
		case x.Case == cc.AdditiveExpressionAdd:
			return a + b, ok && ok2
		case ok && integerConstant(x.MultiplicativeExpression):
			return a - b, true
		}
		return a, ok
	case *cc.MultiplicativeExpression:
		a, ok := s.upper(x.MultiplicativeExpression, depth)
		b, ok2 := s.upper(x.CastExpression, depth)
		switch {
		case x.Case == cc.MultiplicativeExpressionMul:
			return a * b, ok && ok2 && a <= maxBound && b <= maxBound
		case x.Case == cc.MultiplicativeExpressionMod:
			return b - 1, ok2
		case integerConstant(x.CastExpression) && b > 0:
			return a / b, ok
		}
		return a, ok
	case *cc.ShiftExpression:
		a, ok := s.upper(x.ShiftExpression, depth)
		b, ok2 := s.upper(x.AdditiveExpression, depth)
		if !ok || !ok2 || a < 0 || b < 0 || b > 12 || a > maxBound {
			return 0, false
		}
		if x.Case == cc.ShiftExpressionLsh {
			return a << b, true
		}
		return a >> b, true
	case *cc.AndExpression:
		if k, ok := s.upper(x.EqualityExpression, depth); ok {
			return k, true
		}
		return s.upper(x.AndExpression, depth)
	}
	t := e.Type()
	isByte := t != nil && plainInteger(t) && t.Size() == 1 && !cc.IsSignedInteger(t)
	return 255, isByte
}

// named is a variable at some depth.
type named struct {
	name  string
	depth int
}

// upperNamed is upper of a variable, by what it is compared with and what it gets.
// Each of these leads on to others: what came out is kept while sizes are resolved.
func (s *sizes) upperNamed(name string, depth int) (most int64, known bool) {
	at := named{name, depth}
	if k, ok := s.uppers[at]; ok {
		return k, k > unbounded
	}
	defer func() {
		k := most
		if !known {
			k = unbounded
		}
		s.uppers[at] = k
	}()
	most, known = s.limits[name]
	most--
	for _, v := range s.above[name] {
		if k, ok := s.upperWithin(v, depth-1); ok {
			most, known = max(most, k-1), true
		}
	}
	if known {
		for _, v := range s.values[name] { // it goes down from there, or is another loop's
			if k, ok := integer(v.Value()); ok && depth == upperDepth && k <= maxFar {
				most = max(most, k)
			}
		}
		return most, true
	}
	for _, v := range s.values[name] {
		if k, ok := s.upperWithin(v, depth-1); ok {
			most = max(most, k)
		}
	}
	if depth == upperDepth { // of the index itself, not of a number of items that it is below
		most = max(most, s.farther[name]-1)
	}
	return most, most > 0
}

// unbounded stands for no bound that is known.
const unbounded = math.MinInt64

func (s *sizes) upperWithin(e cc.ExpressionNode, depth int) (int64, bool) {
	if depth < 0 {
		return 0, false
	}
	return s.upper(e, depth)
}

func integerConstant(e cc.ExpressionNode) bool {
	_, ok := integer(e.Value())
	return ok
}
