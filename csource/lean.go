package csource

import (
	"bytes"
	"strings"
)

// Of what system headers declare a file uses little, and each step that reads, compiles or keeps the file would
// read all of it. So what nothing in the file leads to is left out: a declaration is kept when what it declares
// is named by what is kept. Names are all that is looked at, whatever they mean where they stand, so that more is
// kept than is needed and nothing less.

// declaration is one at file scope.
type declaration struct {
	Span
	names []string // what it declares, or might
	kept  bool
}

// withoutUnused leaves out of a tidied text what system headers declare and nothing else in it uses, but for names to
// keep. What stands behind that keeps its line.
func withoutUnused(text []byte, path string, keep []string) []byte {
	all := declarations(text)
	byName := map[string][]int{}
	var open []int
	for i, d := range all {
		if d.kept {
			open = append(open, i)
		}
		for _, n := range d.names {
			byName[n] = append(byName[n], i)
		}
	}
	need := func(name string) {
		for _, i := range byName[name] {
			if !all[i].kept {
				all[i].kept = true
				open = append(open, i)
			}
		}
		delete(byName, name)
	}
	for _, name := range keep {
		need(name)
	}
	for len(open) > 0 {
		d := all[open[len(open)-1]]
		open = open[:len(open)-1]
		eachWord(text, d.Span, func(w []byte) { need(string(w)) })
	}
	out := bytes.Clone(text)
	for _, d := range all {
		if !d.kept {
			blankTokens(out, d.Span)
		}
	}
	out, _, _ = tidy(out, path, nil)
	return out
}

func eachWord(text []byte, in Span, f func([]byte)) {
	for l := newLexer(text[:in.End], in.Start); ; {
		t, ok := l.next()
		if !ok {
			return
		}
		if t.kind == tokIdent {
			f(text[t.start:t.end])
		}
	}
}

// blankTokens leaves the line markers of a span as they are.
func blankTokens(text []byte, in Span) {
	for l := newLexer(text[:in.End], in.Start); ; {
		t, ok := l.next()
		if !ok {
			return
		}
		if t.kind != tokDirective {
			blank(text[t.start:t.end])
		}
	}
}

// declarations cuts a text into what it declares. What does not stand in a system header is kept, and so is what is
// not understood.
func declarations(text []byte) (out []declaration) {
	system := false
	for l := newLexer(text, 0); ; {
		t, ok := l.next()
		if !ok {
			return out
		}
		if t.kind == tokDirective {
			if m, ok := parseMarker(text[t.start:t.end]); ok {
				system = m.system
			}
			continue
		}
		l.off = t.start
		d, alone := scanDeclaration(text, l)
		d.kept = !system || !alone
		out = append(out, d)
	}
}

// scanDeclaration reads the declaration that begins at the lexer's place. alone: it does nothing but to declare its
// names, and stands in a system header as a whole.
func scanDeclaration(text []byte, l *lexer) (d declaration, alone bool) {
	d = declaration{Span: Span{Start: l.off, End: len(text)}}
	var (
		depth         int                 // of brackets
		braces        int                 // of those, braces
		function      string              // the word before the first parenthesis
		words         = map[string]bool{} // outside of brackets
		last          string              // of the tokens outside of brackets
		aggregate     bool                // the last word was struct, union or enum
		others        []string            // what a declaration of no function might declare
		hasEnum, body bool
		several       bool // declarators
	)
	alone = true
	for {
		t, ok := l.next()
		if !ok {
			return d, false
		}
		word := string(text[t.start:t.end])
		switch {
		case t.kind == tokDirective:
			m, isMarker := parseMarker([]byte(word))
			alone = alone && isMarker && m.system
			continue
		case strings.HasPrefix(word, "__attribute"):
			l.off = max(t.end, skipBalanced(text, t.end)) // it declares nothing
			continue
		case t.kind == tokIdent:
			hasEnum = hasEnum || word == "enum"
			if (braces == 0 || aggregate || hasEnum) && !plainWord[word] {
				others = append(others, word)
			}
			aggregate = word == "struct" || word == "union" || word == "enum"
			if depth == 0 {
				words[word] = true
			}
		case word == "(" || word == "[" || word == "{":
			if word == "(" && depth == 0 && function == "" && isName(last) {
				function = last
			}
			if word == "{" {
				body = body || depth == 0 && last == ")" && function != ""
				braces++
			}
			depth++
		case word == ")" || word == "]" || word == "}":
			depth--
			if word == "}" {
				braces--
			}
		}
		if depth > 0 {
			continue
		}
		several = several || word == ","
		if last = word; word == ";" || word == "}" && body {
			d.End = t.end
			break
		}
	}
	switch {
	case function != "" && !several && !words["typedef"]:
		d.names = []string{function}
		// Other files may call what is no less than a definition.
		alone = alone && (!body || words["static"])
	default:
		d.names = others
		alone = alone && (words["typedef"] || words["extern"] || len(others) > 0 && isAggregate(words))
	}
	return d, alone
}

// isAggregate reports whether a declaration, of which these are words, is one of a structure, union or enumeration.
func isAggregate(words map[string]bool) bool {
	return words["struct"] || words["union"] || words["enum"]
}

// isName reports whether a token can be the name of a function before its parameters.
func isName(word string) bool {
	return len(word) > 0 && isIdentStart(word[0]) && !plainWord[word] && !typeofWords[word]
}

// plainWord are the keywords that stand in declarations.
var plainWord = setOf(strings.Fields(`auto char const double enum extern float inline int long register restrict return short
	signed sizeof static struct typedef union unsigned void volatile _Alignas _Alignof _Atomic _Bool _Complex
	_Noreturn _Static_assert _Thread_local __const __extension__ __inline __inline__ __restrict __restrict__
	__signed__ __volatile__ __asm__ __asm asm __declspec if else while for do switch case
	default break continue goto`)...)
