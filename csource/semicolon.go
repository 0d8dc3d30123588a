package csource

import (
	"bytes"
	"context"
	"strings"
)

// completed reads a file that clang refuses because labels stand in it without a
// semicolon: the file's own macro is {}, ends in a semicolon, or is nothing, and labels
// that are kept as calls need one. It is written behind them, and clang judges that.
func completed(ctx context.Context, path string, raw []byte, names []string, o Options) (text []byte,
	macros macroTable, ok bool) {
	calls := ScanLabels(raw, names)
	if len(calls) == 0 {
		return nil, nil, false
	}
	own, err := o.Clang.Preprocess(ctx, path, append(o.preprocessFlags(nil), "-dD", "-w"))
	if err != nil {
		return nil, nil, false
	}
	whole, found := withSemicolons(raw, calls, definitions(own, names))
	if !found {
		return nil, nil, false
	}
	text, macros, _ = tidy(whole, path, names)
	return text, macros, gateText(ctx, path, text, o) == nil
}

// definitions are the bodies of the named macros, in text that still has its #defines.
func definitions(text []byte, names []string) map[string]string {
	out := map[string]string{}
	for line := range bytes.Lines(text) {
		undef, name, function, ok := parseDefine(line)
		if !ok || undef || !contains(names, name) {
			continue
		}
		_, body, _ := strings.Cut(string(line), name)
		if function {
			_, body, _ = strings.Cut(body, ")")
		}
		out[name] = strings.TrimSpace(body)
	}
	return out
}

// withSemicolons writes a semicolon behind each call that begins a statement and has
// none, where that leaves the file as its own macro has it: a macro that is nothing, or
// not known, is no body of an if, an else or a loop; what stands next would be it.
func withSemicolons(text []byte, calls []ScannedCall, bodies map[string]string) (out []byte, found bool) {
	lacks := map[int]bool{} // ends of calls
	ends := map[int]Span{}
	for _, c := range calls {
		ends[c.Call.Start] = c.Call
	}
	const other, start, within = 0, 1, 2 // where the next token stands: in a statement, at its begin, as a body
	l, at := newLexer(text, 0), start
	for {
		t, ok := l.next()
		if !ok {
			break
		}
		if t.kind == tokDirective {
			continue
		}
		word := string(text[t.start:t.end])
		call, isCall := ends[t.start]
		if !isCall || at == other {
			switch word {
			case ";", "{", "}", ":":
				at = start
			case ")", "else", "do":
				at = within
			default:
				at = other
			}
			continue
		}
		l.off = call.End
		next, more := peek(l)
		body, known := bodies[word]
		statement := strings.HasSuffix(body, "}") || strings.HasSuffix(body, ";")
		switch {
		case !more || text[next.start] == ';':
			at = other
		case statement, at == start && body == "" && (known || begins(text, next)):
			lacks[call.End], at = true, start
		default:
			at = other
		}
	}
	for i := range text {
		if lacks[i] {
			out = append(out, ';')
			if text[i] == ' ' || text[i] == '\t' {
				continue // what follows keeps its column
			}
		}
		out = append(out, text[i])
	}
	return out, len(lacks) > 0
}

// peek is the token after the last one that is no directive.
func peek(l *lexer) (token, bool) {
	ahead := *l
	ahead.lineStart = false
	for {
		t, ok := ahead.next()
		if !ok || t.kind != tokDirective {
			return t, ok
		}
	}
}

// begins reports whether a token behind a call can only begin something new.
func begins(text []byte, t token) bool {
	return t.kind == tokIdent || text[t.start] == '}' || text[t.start] == '{'
}
