package csource

import "modernc.org/cc/v4"

// Identifiers reports which of the names the user's part of the text uses as
// identifiers. System headers do not count.
func (u *Unit) Identifiers(names ...string) map[string]bool {
	out := map[string]bool{}
	want := setOf(names...)
	u.eachUserToken(func(t token) {
		if t.kind == tokIdent {
			if n := u.Text[t.start:t.end]; want[string(n)] {
				out[string(n)] = true
			}
		}
	})
	return out
}

// IdentifierSpans returns every place of an identifier in the user's part of
// the text.
func (u *Unit) IdentifierSpans(name string) (out []Span) {
	u.eachUserToken(func(t token) {
		if t.kind == tokIdent && string(u.Text[t.start:t.end]) == name {
			out = append(out, Span{t.start, t.end})
		}
	})
	return out
}

func (u *Unit) eachUserToken(f func(token)) {
	for i, m := range u.markers {
		end := len(u.Text)
		if i+1 < len(u.markers) {
			end = u.markers[i+1].start
		}
		if m.system {
			continue
		}
		for l := newLexer(u.Text[:end], m.off); ; {
			t, ok := l.next()
			if !ok {
				break
			}
			f(t)
		}
	}
}

// Operator is the place of the one token that stands between two operands,
// parentheses that close the left one or open the right one left out.
func (u *Unit) Operator(from, to int) Span {
	l := newLexer(u.Text[:to], from)
	l.lineStart = false
	for {
		t, ok := l.next()
		if !ok {
			return Span{from, from}
		}
		if t.kind == tokPunct && t.end-t.start == 2 {
			return Span{t.start, t.end}
		}
	}
}

// Parenthesised reports whether a pair of parentheses stands right around s.
func (u *Unit) Parenthesised(s Span) bool {
	i, j := s.Start-1, s.End
	for i >= 0 && (u.Text[i] == ' ' || u.Text[i] == '\t') {
		i--
	}
	for j < len(u.Text) && (u.Text[j] == ' ' || u.Text[j] == '\t') {
		j++
	}
	return i >= 0 && j < len(u.Text) && u.Text[i] == '(' && u.Text[j] == ')'
}

// QuoteFile writes a file name as the string of a line marker.
func QuoteFile(name string) string { return quoteFile(name) }

// Mentioned are the names that expressions of the unit use. It is not to be changed.
func (u *Unit) Mentioned() map[string]bool {
	u.mentionOnce.Do(func() {
		u.mentioned = map[string]bool{}
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
				u.mentioned[x.Token.SrcStr()] = true
			}
			return true
		})
	})
	return u.mentioned
}

// UsesArguments reports whether main looks at its parameters.
func (u *Unit) UsesArguments() bool {
	f := u.Function("main")
	if f == nil {
		return false
	}
	for _, p := range f.Params {
		if p.Name() == "" {
			continue
		}
		for _, s := range u.IdentifierSpans(p.Name()) {
			if s.Start > f.Body.Start && s.End < f.Body.End {
				return true
			}
		}
	}
	return false
}
