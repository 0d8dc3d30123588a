package csource

import (
	"bytes"
	"reflect"
	"sort"
	"sync/atomic"

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

// span is where n stands. For most nodes its ends are enough.
func (u *Unit) span(n cc.Node) span32 {
	for {
		switch t := n.(type) {
		case *cc.Token:
			return u.tokenSpan(t)
		case cc.Token:
			return u.tokenSpan(&t)
		}
		first, last := ends(n)
		if first == nil || last == nil {
			return u.joined(n)
		}
		if first != last {
			a, b := u.edge(first, false), u.edge(last, true)
			if a.start < 0 || b.start < 0 {
				return u.joined(n)
			}
			return span32{a.start, b.end}
		}
		n = first
	}
}

// edge is the span of n's first or last token, or of a part of n that begins
// or ends with it.
func (u *Unit) edge(n cc.Node, atEnd bool) span32 {
	for {
		if t, ok := n.(*cc.Token); ok {
			return u.tokenSpan(t)
		}
		first, last := ends(n)
		switch {
		case first == nil || last == nil:
			return u.joined(n)
		case atEnd:
			n = last
		default:
			n = first
		}
	}
}

// joined computes the span of n from all of its parts, once a node.
func (u *Unit) joined(n cc.Node) span32 {
	if s, ok := u.spans[n]; ok {
		return s
	}
	s := noSpan
	v := reflect.ValueOf(n).Elem()
	for _, f := range planOf(v.Type()).fields {
		if f.token {
			s = s.join(u.tokenSpan(v.Field(f.index).Addr().Interface().(*cc.Token)))
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
func (u *Unit) tokenSpan(t *cc.Token) span32 {
	if t.Seq() == 0 {
		return noSpan
	}
	src := t.Src()
	if len(src) == 0 {
		return noSpan
	}
	p := t.Position()
	if p.Filename != textName || p.Offset >= len(u.view.at) {
		return noSpan
	}
	start, end := int(u.view.at[p.Offset]), -1
	if t.Ch == rune(cc.STRINGLITERAL) || t.Ch == rune(cc.LONGSTRINGLITERAL) {
		end = u.stringsEnd(start)
	} else if n := written(u.view.text[p.Offset:], src); n > 0 {
		end = int(u.view.at[p.Offset+n-1]) + 1
		if isIdentStart(src[0]) { // the parser may know it by another spelling
			end += identLen(u.Text[end:])
		}
	}
	if end < 0 {
		return noSpan
	}
	if i := u.useAt(start); i >= 0 {
		return span32{int32(u.view.uses[i].Start), int32(u.view.uses[i].End)}
	}
	return span32{int32(start), int32(end)}
}

// written is the length of a token where it stands in a text, perhaps cut by
// backslash-newlines; 0 if it does not stand there.
func written(text, src []byte) int {
	if bytes.HasPrefix(text, src) {
		return len(src)
	}
	i, j := 0, 0
	for j < len(src) {
		if i+1 < len(text) && text[i] == '\\' && text[i+1] == '\n' {
			i += 2
			continue
		}
		if i >= len(text) || text[i] != src[j] {
			return 0
		}
		i, j = i+1, j+1
	}
	return i
}

// stringsEnd is the end of the string literals that stand in a row at start;
// the parser joins them into one token.
func (u *Unit) stringsEnd(start int) int {
	l := newLexer(u.Text, start)
	l.lineStart = false
	end := -1
	for {
		t, ok := l.next()
		switch {
		case ok && t.kind == tokString:
			end = t.end
		case !ok || t.kind != tokDirective:
			return end
		}
	}
}

// useAt returns the index of the builtin macro use around an offset, or -1.
func (u *Unit) useAt(off int) int {
	i := sort.Search(len(u.view.uses), func(i int) bool { return u.view.uses[i].End > off })
	if i < len(u.view.uses) && u.view.uses[i].Start <= off {
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

// nodePlan is what is known of a kind of tree struct.
type nodePlan struct {
	fields []nodeField
	kind   int // the field that says which production of the grammar a node is of; -1: none
	orders atomic.Pointer[map[uint64][]uint8]
}

// planOf lists the token and node fields of a tree struct.
func planOf(t reflect.Type) *nodePlan {
	if p, ok := plans.Load(t); ok {
		return p.(*nodePlan)
	}
	out := &nodePlan{kind: -1}
	if t.Kind() == reflect.Struct {
		for i := range t.NumField() {
			f := t.Field(i)
			if !f.IsExported() || f.Anonymous {
				continue
			}
			switch {
			case f.Name == "Case" && f.Type.Kind() == reflect.Int:
				out.kind = i
			case f.Type == tokenType:
				out.fields = append(out.fields, nodeField{i, true})
			case f.Type.Implements(nodeType) && (f.Type.Kind() == reflect.Pointer ||
				f.Type.Kind() == reflect.Interface):
				out.fields = append(out.fields, nodeField{i, false})
			}
		}
	}
	p, _ := plans.LoadOrStore(t, out)
	return p.(*nodePlan)
}
