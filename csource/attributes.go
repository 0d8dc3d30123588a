package csource

import (
	"bytes"
	"strings"
)

// idle are the attributes of C23 that say nothing but what compilers shall warn of,
// or may take for granted. Others, as those of compilers that pack structures, stay.
var idle = map[string]bool{"nodiscard": true, "maybe_unused": true, "deprecated": true, "fallthrough": true,
	"noreturn": true, "_Noreturn": true, "unsequenced": true, "reproducible": true}

// blankAttributes leaves spaces for [[nodiscard]] and the like: headers of libraries
// have them where the clang that preprocesses knows them, and neither the parser
// nor the older clang of an engine does. Nothing else in C has two opening brackets
// side by side.
func blankAttributes(text []byte) []byte {
	if !bytes.Contains(text, []byte("[[")) {
		return text
	}
	out := bytes.Clone(text)
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			return out
		}
		if t.kind != tokDirective && text[t.start] == '[' {
			if end := idleAttributes(text, t.start); end > 0 {
				blank(out[t.start:end])
				l.off = end
			}
		}
	}
}

// idleAttributes is the end of [[...]] at an offset, if all in it are idle; else 0.
func idleAttributes(text []byte, from int) int {
	l := newLexer(text, from)
	open, begins := 0, false // brackets and parentheses; a name begins an attribute
	for n := 1; ; n++ {
		t, ok := l.next()
		if !ok || t.kind == tokDirective || n == 2 && text[t.start] != '[' {
			return 0
		}
		word := string(text[t.start:t.end])
		switch {
		case word == "[" || word == "(":
			open++
			begins = n == 2
		case word == "]" || word == ")":
			if open--; open == 0 {
				return t.end
			}
		case word == "," && open == 2:
			begins = true
		case t.kind == tokIdent && open == 2:
			if !begins || !idle[strings.TrimSuffix(strings.TrimPrefix(word, "__"), "__")] {
				return 0
			}
			begins = false
		case open == 2:
			return 0 // gnu::packed
		}
	}
}
