package csource

import (
	"reflect"
	"sort"

	"modernc.org/cc/v4"
)

// span32 is a Span as the table keeps it; start < 0 means no place in the text.
type span32 struct{ start, end int32 }

var noSpan = span32{-1, -1}

func (s span32) join(t span32) span32 {
	switch {
	case t.start < 0:
		return s
	case s.start < 0:
		return t
	}
	return span32{min(s.start, t.start), max(s.end, t.end)}
}

// Span returns the bytes of a node in u.Text. It is false for nodes that have
// none, such as the declaration of __func__ that the parser adds by itself. A
// node inside a use of a compiler builtin that takes a type (va_arg, offsetof)
// is given the whole use.
func (u *Unit) Span(n cc.Node) (Span, bool) {
	if n == nil || reflect.ValueOf(n).Kind() == reflect.Pointer && reflect.ValueOf(n).IsNil() {
		return Span{}, false
	}
	u.mu.Lock()
	s := u.span(n)
	u.mu.Unlock()
	if s.start < 0 {
		return Span{}, false
	}
	return Span{int(s.start), int(s.end)}, true
}

// Source returns the text of a node as it stands in u.Text, "" if it has none.
func (u *Unit) Source(n cc.Node) string {
	s, ok := u.Span(n)
	if !ok {
		return ""
	}
	return string(u.Text[s.Start:s.End])
}

// span computes the span of n from those of its children, once a node. Lists
// are chains of nodes, so they are followed in a loop, back to front.
func (u *Unit) span(n cc.Node) span32 {
	if t, ok := n.(cc.Token); ok {
		return u.tokenSpan(t)
	}
	if s, ok := u.spans[n]; ok {
		return s
	}
	s := noSpan
	if c, ok := n.(*cc.CompoundStatement); ok { // its braces are its ends
		s = u.tokenSpan(c.Token).join(u.tokenSpan(c.Token2))
		u.spans[n] = s
		return s
	}
	v := reflect.ValueOf(n).Elem()
	for _, f := range planOf(v.Type()) {
		if f.token {
			s = s.join(u.tokenSpan(*v.Field(f.index).Addr().Interface().(*cc.Token)))
			continue
		}
		fv := v.Field(f.index)
		if fv.IsNil() {
			continue
		}
		if c, ok := fv.Interface().(cc.Node); ok {
			if e, isIface := c.(cc.ExpressionNode); isIface && reflect.ValueOf(e).IsNil() {
				continue
			}
			s = s.join(u.span(c))
		}
	}
	u.spans[n] = s
	return s
}

// tokenSpan places a token in the text, or nowhere if it is not from there.
func (u *Unit) tokenSpan(t cc.Token) span32 {
	if t.Seq() == 0 {
		return noSpan
	}
	src := t.Src()
	if len(src) == 0 {
		return noSpan
	}
	p := t.Position()
	if p.Filename != textName {
		return noSpan
	}
	start := p.Offset
	if start >= len(u.view) {
		return noSpan
	}
	end := start + len(src)
	switch {
	case t.Ch == rune(cc.STRINGLITERAL) || t.Ch == rune(cc.LONGSTRINGLITERAL):
		end = u.stringsEnd(start)
		if end < 0 {
			return noSpan
		}
	case end > len(u.view) || string(u.view[start:end]) != string(src):
		if !spliced(u.view[start:], src, &end, start) {
			return noSpan
		}
	case isIdentStart(src[0]):
		// The parser may know the identifier by a shorter spelling.
		for end < len(u.Text) && isIdentPart(u.Text[end]) {
			end++
		}
	}
	if i := u.useAt(start); i >= 0 {
		return span32{int32(u.uses[i].Start), int32(u.uses[i].End)}
	}
	return span32{int32(start), int32(end)}
}

// spliced matches a token whose text is cut by backslash-newlines.
func spliced(view, src []byte, end *int, start int) bool {
	i, j := 0, 0
	for j < len(src) {
		if i+1 < len(view) && view[i] == '\\' && view[i+1] == '\n' {
			i += 2
			continue
		}
		if i >= len(view) || view[i] != src[j] {
			return false
		}
		i, j = i+1, j+1
	}
	*end = start + i
	return true
}

// stringsEnd is the end of the string literals that stand in a row at start;
// the parser joins them into one token.
func (u *Unit) stringsEnd(start int) int {
	l := newLexer(u.view, start)
	l.lineStart = false
	end := -1
	for {
		t, ok := l.next()
		if !ok || t.kind != tokString {
			return end
		}
		end = t.end
	}
}

// useAt returns the index of the builtin macro use around an offset, or -1.
func (u *Unit) useAt(off int) int {
	i := sort.Search(len(u.uses), func(i int) bool { return u.uses[i].End > off })
	if i < len(u.uses) && u.uses[i].Start <= off {
		return i
	}
	return -1
}

// nodeField is a field of a syntax tree struct that holds a token or a node.
type nodeField struct {
	index int
	token bool
}

var (
	tokenType = reflect.TypeFor[cc.Token]()
	nodeType  = reflect.TypeFor[cc.Node]()
)

// planOf lists the token and node fields of a tree struct.
func planOf(t reflect.Type) []nodeField {
	if p, ok := plans.Load(t); ok {
		return p.([]nodeField)
	}
	var out []nodeField
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() || f.Anonymous {
				continue
			}
			switch {
			case f.Type == tokenType:
				out = append(out, nodeField{i, true})
			case f.Type.Implements(nodeType) && (f.Type.Kind() == reflect.Pointer || f.Type.Kind() == reflect.Interface):
				out = append(out, nodeField{i, false})
			}
		}
	}
	plans.Store(t, out)
	return out
}
