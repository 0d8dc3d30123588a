package csource

// tokenKind is the lexical class of a C token, as far as positions need it.
type tokenKind uint8

const (
	tokIdent tokenKind = iota + 1
	tokNumber
	tokString
	tokChar
	tokPunct
	tokDirective // a whole line that starts with #
)

// token is a C token of a text: kind and byte offsets.
type token struct {
	kind       tokenKind
	start, end int
}

// lexer cuts C text into tokens. White space, comments and line splices
// separate them. It accepts any bytes and always moves forward, so it can run
// over text that no compiler has seen.
type lexer struct {
	src       []byte
	off       int
	lineStart bool
}

func newLexer(src []byte, off int) *lexer {
	ls := off == 0 || off > 0 && off <= len(src) && src[off-1] == '\n'
	return &lexer{src: src, off: off, lineStart: ls}
}

// next returns the next token, or false at the end of the text.
func (l *lexer) next() (token, bool) {
	s := l.src
	for l.off < len(s) {
		c := s[l.off]
		switch {
		case c == '\n':
			l.lineStart = true
			l.off++
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			l.off++
		case c == '\\' && l.off+1 < len(s) && s[l.off+1] == '\n':
			l.off += 2
		case c == '\\' && l.off+2 < len(s) && s[l.off+1] == '\r' && s[l.off+2] == '\n':
			l.off += 3
		case c == '/' && l.off+1 < len(s) && s[l.off+1] == '/':
			l.off = lineEnd(s, l.off)
		case c == '/' && l.off+1 < len(s) && s[l.off+1] == '*':
			l.off = commentEnd(s, l.off)
		case c == '#' && l.lineStart:
			start := l.off
			l.off = lineEnd(s, start)
			return token{tokDirective, start, l.off}, true
		default:
			l.lineStart = false
			return l.scan(c), true
		}
	}
	return token{}, false
}

func (l *lexer) scan(c byte) token {
	s, start := l.src, l.off
	switch {
	case isIdentStart(c):
		i := start + 1
		for i < len(s) && isIdentPart(s[i]) {
			i++
		}
		if i < len(s) && (s[i] == '"' || s[i] == '\'') && isLiteralPrefix(s[start:i]) {
			return l.literal(start, i)
		}
		l.off = i
		return token{tokIdent, start, i}
	case c >= '0' && c <= '9' || c == '.' && start+1 < len(s) && s[start+1] >= '0' && s[start+1] <= '9':
		i := start + 1
		for i < len(s) {
			d := s[i]
			if (d == '+' || d == '-') && (s[i-1] == 'e' || s[i-1] == 'E' || s[i-1] == 'p' || s[i-1] == 'P') ||
				isIdentPart(d) || d == '.' || d == '\'' && i+1 < len(s) && isIdentPart(s[i+1]) {
				i++
				continue
			}
			break
		}
		l.off = i
		return token{tokNumber, start, i}
	case c == '"' || c == '\'':
		return l.literal(start, start)
	}
	n := punctLen(s[start:])
	l.off = start + n
	return token{tokPunct, start, l.off}
}

// literal scans a string or character whose quote is at q.
func (l *lexer) literal(start, q int) token {
	s, quote := l.src, l.src[q]
	i := q + 1
	for i < len(s) && s[i] != quote && s[i] != '\n' {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		i++
	}
	if i < len(s) && s[i] == quote {
		i++
	}
	if i > len(s) {
		i = len(s)
	}
	l.off = i
	if quote == '"' {
		return token{tokString, start, i}
	}
	return token{tokChar, start, i}
}

// lineEnd returns the offset of the newline that ends the logical line at off.
func lineEnd(s []byte, off int) int {
	for ; off < len(s); off++ {
		if s[off] == '\n' {
			if off > 0 && s[off-1] == '\\' || off > 1 && s[off-1] == '\r' && s[off-2] == '\\' {
				continue
			}
			return off
		}
	}
	return len(s)
}

func commentEnd(s []byte, off int) int {
	for i := off + 2; i+1 < len(s); i++ {
		if s[i] == '*' && s[i+1] == '/' {
			return i + 2
		}
	}
	return len(s)
}

func isIdentStart(c byte) bool {
	return c == '_' || c == '$' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

func isIdentPart(c byte) bool { return isIdentStart(c) || c >= '0' && c <= '9' }

func isLiteralPrefix(b []byte) bool {
	switch string(b) {
	case "L", "u", "U", "u8":
		return true
	}
	return false
}

// punctLen is the length of the punctuator at the start of s.
func punctLen(s []byte) int {
	if len(s) >= 3 {
		switch string(s[:3]) {
		case "...", "<<=", ">>=":
			return 3
		}
	}
	if len(s) >= 2 {
		switch string(s[:2]) {
		case "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||",
			"*=", "/=", "%=", "+=", "-=", "&=", "^=", "|=", "##":
			return 2
		}
	}
	return 1
}

// skipBalanced returns the offset after the bracket that closes the one at
// off, or -1 when the text ends first.
func skipBalanced(s []byte, off int) int {
	l := newLexer(s, off)
	l.lineStart = false
	depth := 0
	for {
		t, ok := l.next()
		if !ok {
			return -1
		}
		if t.kind != tokPunct || t.end != t.start+1 {
			continue
		}
		switch s[t.start] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth <= 0 {
				return t.end
			}
		}
	}
}
