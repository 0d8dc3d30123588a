package csource

import "regexp"

// asmBefore matches what stands before the goto of an assembler statement that may jump to labels.
var asmBefore = regexp.MustCompile(`\b(?:asm|__asm|__asm__)\s*(?:(?:volatile|__volatile__|inline|__inline__)\s*)*$`)

const (
	maxAsmBefore = 64 // characters
	targetsAt    = 4  // colons: outputs, inputs, clobbers, labels
)

// targets are the labels of such a statement, where a goto that ends at an offset is one's: the parser takes them for
// variables that nothing declares.
func (v *view) targets(at, to int) Span {
	if !asmBefore.Match(v.text[max(0, len(v.text)-maxAsmBefore):]) {
		return Span{}
	}
	l := newLexer(v.src[:to], at)
	depth, colons, labels := 0, 0, 0
	for {
		t, ok := l.next()
		if !ok {
			return Span{}
		}
		switch v.src[t.start] {
		case '(', '[':
			depth++
		case ')', ']':
			if depth--; depth > 0 {
				continue
			}
			if labels == 0 {
				return Span{}
			}
			return Span{labels, t.start}
		case ':': // two of them may be one token
			if depth == 1 {
				colons += t.end - t.start
			}
			if colons >= targetsAt && labels == 0 {
				labels = t.end
			}
		}
	}
}

var asmWords = map[string]bool{"asm": true, "__asm": true, "__asm__": true}

// operandsEnd is where the brackets end that stand behind the word asm and its qualifiers; 0 without them.
func (v *view) operandsEnd(at, to int) int {
	l := newLexer(v.src[:to], at)
	for {
		t, ok := l.next()
		switch {
		case ok && v.src[t.start] == '(':
			return max(0, skipBalanced(v.src[:to], t.start))
		case !ok || t.kind != tokIdent:
			return 0
		}
	}
}
