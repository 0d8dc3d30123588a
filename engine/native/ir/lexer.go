package ir

import "strings"

// tokKind tells tokens apart.
type tokKind uint8

const (
	tEOF     tokKind = iota
	tWord            // keyword, type name, number
	tLocal           // %name
	tGlobal          // @name
	tMeta            // !name, !12; a lone ! has an empty text
	tAttr            // #12
	tComdat          // $name
	tString          // "..."
	tCString         // c"..."
	tLabel           // name:
	tPunct           // one character, in text
	tDots            // ...
)

type token struct {
	kind tokKind
	text string
	pos  int // offset of the first byte
	line int
}

// lexer cuts a part of a file into tokens. It has no errors: what it does not
// know becomes punctuation, which the parser refuses.
type lexer struct {
	src  string
	pos  int
	end  int
	line int
}

func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '$' ||
		c == '-'
}

func (l *lexer) next() token {
	for l.pos < l.end {
		switch c := l.src[l.pos]; c {
		case '\n':
			l.line++
			l.pos++
		case ' ', '\t', '\r':
			l.pos++
		case ';':
			l.skipLine()
		default:
			return l.scan(c)
		}
	}
	return token{kind: tEOF, pos: l.pos, line: l.line}
}

// skipLine moves to the newline that ends the current line.
func (l *lexer) skipLine() {
	if i := strings.IndexByte(l.src[l.pos:l.end], '\n'); i >= 0 {
		l.pos += i
	} else {
		l.pos = l.end
	}
}

func (l *lexer) scan(c byte) token {
	t := token{pos: l.pos, line: l.line}
	switch {
	case c == '%' || c == '@' || c == '$':
		l.pos++
		switch c {
		case '%':
			t.kind = tLocal
		case '@':
			t.kind = tGlobal
		default:
			t.kind = tComdat
		}
		t.text = l.name()
	case c == '!':
		l.pos++
		t.kind = tMeta
		if l.pos < l.end && l.src[l.pos] == '"' {
			t.kind, t.text = tString, l.quoted()
			return t
		}
		start := l.pos
		for l.pos < l.end && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '\\') {
			l.pos++
		}
		t.text = l.src[start:l.pos]
	case c == '#':
		l.pos++
		t.kind, t.text = tAttr, l.word()
	case c == '"':
		t.kind, t.text = tString, l.quoted()
		if l.pos < l.end && l.src[l.pos] == ':' {
			l.pos++
			t.kind = tLabel
		}
	case c == 'c' && l.pos+1 < l.end && l.src[l.pos+1] == '"':
		l.pos++
		t.kind, t.text = tCString, l.quoted()
	case c == '.' && l.pos+2 < l.end && l.src[l.pos+1] == '.' && l.src[l.pos+2] == '.':
		l.pos += 3
		t.kind = tDots
	case isWordByte(c) || c == '+':
		l.pos++
		for l.pos < l.end && (isWordByte(l.src[l.pos]) || l.src[l.pos] == '+' &&
			(l.src[l.pos-1] == 'e' || l.src[l.pos-1] == 'E')) {
			l.pos++
		}
		t.kind, t.text = tWord, l.src[t.pos:l.pos]
		if l.pos < l.end && l.src[l.pos] == ':' {
			l.pos++
			t.kind = tLabel
		}
	default:
		l.pos++
		t.kind, t.text = tPunct, l.src[t.pos:l.pos]
	}
	return t
}

func (l *lexer) word() string {
	start := l.pos
	for l.pos < l.end && isWordByte(l.src[l.pos]) {
		l.pos++
	}
	return l.src[start:l.pos]
}

func (l *lexer) name() string {
	if l.pos < l.end && l.src[l.pos] == '"' {
		return l.quoted()
	}
	return l.word()
}

// quoted reads a string whose opening quote is at pos; \xx escapes are decoded.
func (l *lexer) quoted() string {
	l.pos++
	start := l.pos
	i := strings.IndexByte(l.src[start:l.end], '"')
	if i < 0 {
		l.pos = l.end
		return l.src[start:]
	}
	raw := l.src[start : start+i]
	l.pos = start + i + 1
	l.line += strings.Count(raw, "\n")
	if strings.IndexByte(raw, '\\') < 0 {
		return raw
	}
	out := make([]byte, 0, len(raw))
	for k := 0; k < len(raw); k++ {
		if raw[k] == '\\' && k+2 < len(raw) && isHex(raw[k+1]) && isHex(raw[k+2]) {
			out = append(out, hexVal(raw[k+1])<<4|hexVal(raw[k+2]))
			k += 2
		} else if raw[k] == '\\' && k+1 < len(raw) && raw[k+1] == '\\' {
			out = append(out, '\\')
			k++
		} else {
			out = append(out, raw[k])
		}
	}
	return string(out)
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}

func hexVal(c byte) byte {
	switch {
	case c <= '9':
		return c - '0'
	case c >= 'a':
		return c - 'a' + 10
	}
	return c - 'A' + 10
}
