package csource

import "klabel/label"

// ScannedCall is a label call as its characters show it, without a parser.
type ScannedCall struct {
	Macro string
	Call  Span   // from the name to the closing parenthesis
	Args  []Span // white space trimmed
}

// ScanLabels finds the calls of the named macros in C text by its tokens
// alone. It serves where there is no tree: for a file that clang refuses, and
// as a check on the parser. Calls within arguments are found too.
func ScanLabels(text []byte, names []string) []ScannedCall {
	var out []ScannedCall
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			return out
		}
		if t.kind != tokIdent || !contains(names, string(text[t.start:t.end])) {
			continue
		}
		if c, ok := scanCall(text, t); ok {
			out = append(out, c)
		}
	}
}

// scanCall reads the arguments after a macro's name.
func scanCall(text []byte, name token) (ScannedCall, bool) {
	c := ScannedCall{Macro: string(text[name.start:name.end])}
	l := newLexer(text, name.end)
	l.lineStart = false
	open, ok := l.next()
	if !ok || open.kind != tokPunct || text[open.start] != '(' {
		return c, false
	}
	depth := 1
	arg := Span{-1, -1}
	for {
		t, ok := l.next()
		if !ok {
			return c, false
		}
		if t.kind == tokPunct && t.end == t.start+1 {
			switch b := text[t.start]; {
			case b == '(' || b == '[' || b == '{':
				depth++
			case b == ')' || b == ']' || b == '}':
				if depth--; depth > 0 {
					break
				}
				if arg.Start >= 0 {
					c.Args = append(c.Args, arg)
				}
				c.Call = Span{name.start, t.end}
				return c, b == ')'
			case b == ',' && depth == 1:
				if arg.Start < 0 {
					arg = Span{t.start, t.start}
				}
				c.Args = append(c.Args, arg)
				arg = Span{-1, -1}
				continue
			}
		}
		if t.kind == tokDirective {
			continue
		}
		if arg.Start < 0 {
			arg.Start = t.start
		}
		arg.End = t.end
	}
}

// badIDs lists label calls whose ID cannot be a number: an identifier that
// clang does not know, or text.
func badIDs(text []byte, markers markers, names []string, unknown map[string]bool) (out []Warning) {
	u := &Unit{Text: text, markers: markers, lineStarts: lineStarts(text)}
	for _, c := range ScanLabels(text, names) {
		if len(c.Args) < 2 || u.IsSystem(c.Call.Start) || labelKinds[c.Macro] >= Sequence {
			continue
		}
		id := string(text[c.Args[1].Start:c.Args[1].End])
		if _, err := label.ParseID(id); err == nil || !unknown[id] {
			continue
		}
		file, line := u.LineOf(c.Call.Start)
		out = append(out, Warning{label.Position{File: file, Line: line}, "label ID \"" + id + "\" is not a number"})
	}
	return out
}
