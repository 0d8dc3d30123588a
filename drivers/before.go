package drivers

import (
	"fmt"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Some pointers lead behind a header: a string whose length and flags stand before its
// characters. What a function finds there a driver cannot make up; the program's own
// functions make such values.

// beforeDepth bounds how many calls are followed to what looks before a pointer.
const beforeDepth = 4

// anyHeader is what stands before a pointer when nothing tells what it is.
const anyHeader = "?"

// back notes that a pointer is followed backwards: p[-1], p - 1, p - sizeof(struct header),
// p - size(p). sign is that of a constant that leads there. Casts of p tell of the same place.
func (s *sizes) back(p, by cc.ExpressionNode, sign int64) {
	name := nameOf(p)
	if name == "" {
		return
	}
	if h := headerAt(p, by, sign); h != "" && (s.before[name] == "" || s.before[name] == anyHeader) {
		s.before[name] = h
	}
}

// headerAt says what lies between a pointer and a place before it, or behind it: the name of a structure, a
// number of bytes; "" for what is no header.
func headerAt(p, by cc.ExpressionNode, sign int64) string {
	pt, ok := p.Type().(*cc.PointerType)
	if !ok {
		return ""
	}
	k, known := integer(by.Value())
	if n := measured(by); n != "" {
		return n
	}
	switch {
	case !known && sign > 0 && isCall(by):
		return anyHeader
	case !known || k*sign <= 0:
		return ""
	case isRecord(pt.Elem()) && k*sign == 1:
		return recordName(pt.Elem())
	case pt.Elem().Kind() == cc.Void:
		return fmt.Sprint(k * sign)
	}
	return fmt.Sprint(k * sign * pt.Elem().Size())
}

// measured is the structure whose size an expression is, or the place of its last array:
// offsetof(struct header, text).
func measured(e cc.ExpressionNode) string {
	x, ok := plainer(e).(*cc.UnaryExpression)
	if !ok {
		return ""
	}
	var t cc.Type
	switch x.Case {
	case cc.UnaryExpressionAddrof:
		p, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression)
		if !ok {
			return ""
		}
		if k, known := integer(plainer(p.PostfixExpression).Value()); known && k == 0 {
			return trailing(p)
		}
	case cc.UnaryExpressionSizeofExpr:
		t = x.UnaryExpression.Type()
	case cc.UnaryExpressionSizeofType:
		t = x.TypeName.Type()
	}
	if t == nil || !isRecord(t) {
		return ""
	}
	return recordName(t)
}

// recordName tells one structure from another.
func recordName(t cc.Type) string {
	if tag := recordTag(t); tag != "" {
		return tag
	}
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	return ""
}

// behind says which header a value stands behind: h + 1, (char *)h + sizeof *h, &h[1], h->data[]; ""
// for any other.
func behind(e cc.ExpressionNode) string {
	switch x := plainer(e).(type) {
	case *cc.AdditiveExpression:
		if x.Case == cc.AdditiveExpressionAdd {
			return headerAt(x.AdditiveExpression, x.MultiplicativeExpression, 1)
		}
	case *cc.UnaryExpression:
		y, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression)
		if ok && x.Case == cc.UnaryExpressionAddrof && y.Case == cc.PostfixExpressionIndex {
			return headerAt(y.PostfixExpression, y.ExpressionList, 1)
		}
	case *cc.PostfixExpression:
		return trailing(x)
	}
	return ""
}

// trailing is the structure whose last member, an array of a length that the program chooses, h->data is; "" for
// any other expression.
func trailing(x *cc.PostfixExpression) string {
	if x.Case != cc.PostfixExpressionPSelect {
		return ""
	}
	p, isPointer := x.PostfixExpression.Type().(*cc.PointerType)
	a, isArray := x.Type().Undecay().(*cc.ArrayType)
	if !isPointer || !isArray || a.Len() > 1 {
		return ""
	}
	s, ok := p.Elem().(*cc.StructType)
	if !ok || s.NumFields() < 2 || s.FieldByIndex(s.NumFields()-1).Name() != x.Token2.SrcStr() {
		return ""
	}
	return recordName(s)
}

// result notes what a function returns: what stands behind a header, a variable, what another function
// returns.
func (s *sizes) result(e cc.ExpressionNode) {
	if x, ok := plainer(e).(*cc.ConditionalExpression); ok && x.Case == cc.ConditionalExpressionCond {
		s.result(x.ExpressionList)
		s.result(x.ConditionalExpression)
		return
	}
	if h := behind(e); h != "" {
		s.results = append(s.results, result{header: h})
	} else if name := nameOf(e); name != "" {
		s.results = append(s.results, result{name: name})
	} else if x, ok := plainer(e).(*cc.PostfixExpression); ok && x.Case == cc.PostfixExpressionCall {
		if f := csource.Callee(x); copying[f] && x.ArgumentExpressionList != nil {
			s.result(x.ArgumentExpressionList.AssignmentExpression)
		} else {
			s.results = append(s.results, result{call: f})
		}
	}
}

// copying are the functions of the C library that return where they were told to write.
var copying = set("memcpy memmove memset strcpy strncpy strcat strncat")

// result is what a function returns: one of these.
type result struct{ header, name, call string }

// makes says behind which header what a function returns stands, "" for none.
func (a *analysis) makes(f *csource.Function, depth int) string {
	facts := a.of(f.Name)
	if facts == nil {
		return ""
	}
	for _, r := range facts.sizes.results {
		g := a.funcs[r.call]
		switch {
		case r.header != "" && r.header != anyHeader:
			return r.header
		case r.name != "" && facts.sizes.behind[r.name] != "":
			return facts.sizes.behind[r.name]
		case g != nil && depth > 0:
			if h := a.makes(g, depth-1); h != "" {
				return h
			}
		}
	}
	return ""
}

func isCall(e cc.ExpressionNode) bool {
	x, ok := plainer(e).(*cc.PostfixExpression)
	return ok && x.Case == cc.PostfixExpressionCall
}

// step notes that a pointer goes from item to item: what stands before it then is another
// item.
func (s *sizes) step(e cc.ExpressionNode) {
	s.move(e)
	if name := nameOf(e); name != "" {
		s.steps[name] = true
	}
}

// looksBefore says what a function, or what it hands a pointer on to, takes to stand before the place that
// the pointer leads to; "" for nothing.
func (a *analysis) looksBefore(f *csource.Function, name string, depth int) string {
	s := a.of(f.Name).sizes
	out := ""
	if !s.steps[name] {
		out = s.before[name]
	}
	for _, to := range s.passed[name] {
		if out != "" && out != anyHeader {
			break
		}
		g := a.funcs[to.function]
		if depth > 0 && g != nil && to.plus == nil && to.offset == 0 && to.index < len(g.Params) {
			if h := a.looksBefore(g, g.Params[to.index].Name(), depth-1); h != "" {
				out = h
			}
		}
	}
	return out
}

// itemLooksBefore is looksBefore of the item that a pointer leads to.
func (a *analysis) itemLooksBefore(f *csource.Function, name string, depth int) string {
	if h := a.looksBefore(f, "*"+name, depth); h != "" || depth == 0 {
		return h
	}
	for _, to := range a.of(f.Name).sizes.passed[name] {
		g := a.funcs[to.function]
		if g == nil || to.plus != nil || to.offset != 0 || to.index >= len(g.Params) {
			continue
		}
		if h := a.itemLooksBefore(g, g.Params[to.index].Name(), depth-1); h != "" {
			return h
		}
	}
	return ""
}
