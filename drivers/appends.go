package drivers

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// roomBehind is how many times as much room there is, where items are put behind others, as there are items to
// begin with.
const roomBehind = 4

// putBehind notes an item that is put behind the others: s->buf[s->n++] = c.
func (s *sizes) putBehind(base, at cc.ExpressionNode) {
	x, ok := csource.Unparen(at).(*cc.PostfixExpression)
	if !ok || x.Case != cc.PostfixExpressionInc {
		return
	}
	p, n := nameOf(base), nameOf(x.PostfixExpression)
	if strings.HasPrefix(p, ".") && strings.HasPrefix(n, ".") {
		s.appends.add(p, n)
	}
}

// appended reports whether a function puts items behind those that a pointer field leads to, and counts them in a
// field; in any field if that has no name.
func (a *analysis) appended(pointer, integer string) bool {
	return a.anywhere("appended", integer, pointer, func(s *sizes) bool {
		numbers := s.appends["."+pointer]
		return numbers["."+integer] || integer == "" && len(numbers) > 0
	})
}

// roomToAppend is the number of items behind a pointer field that others are put behind, 0 for other pointers: a
// buffer that is full before it begins shows nothing.
func (b *builder) roomToAppend(name string, elem cc.Type) int64 {
	i := strings.LastIndexAny(name, ".>")
	if i < 0 || b.hasParts(elem) || isRecord(elem) || !b.an.appended(name[i+1:], "") {
		return 0
	}
	return roomBehind * int64(b.o.MaxArray)
}
