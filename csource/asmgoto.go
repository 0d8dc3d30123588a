package csource

import (
	"bytes"
	"regexp"
)

// asmGoto matches where the operands of an assembler statement begin that may jump to labels.
var asmGoto = regexp.MustCompile(`\b(?:asm|__asm|__asm__)\s*(?:(?:volatile|__volatile__|inline)\s*)*\bgoto\s*` +
	`(?:(?:volatile|__volatile__|inline)\s*)*\(`)

const targetsAt = 4 // colons: outputs, inputs, clobbers, labels

// hideTargets writes white space over the labels of such statements: the parser takes them for variables
// that nothing declares.
func (v *view) hideTargets() {
	if !bytes.Contains(v.text, []byte("goto")) {
		return
	}
	for _, at := range asmGoto.FindAllIndex(v.text, -1) {
		l := newLexer(v.text, at[1])
		colons, labels := 0, 0
		for depth := 1; ; {
			t, ok := l.next()
			if !ok {
				break
			}
			switch v.text[t.start] {
			case '(', '[':
				depth++
			case ')', ']':
				depth--
			case ':': // two of them may be one token
				if depth == 1 {
					colons += t.end - t.start
				}
				if colons >= targetsAt && labels == 0 {
					labels = t.end
				}
			}
			if depth > 0 {
				continue
			}
			if labels > 0 {
				copy(v.text[labels:t.start], bytes.Repeat([]byte(" "), t.start-labels))
			}
			break
		}
	}
}
