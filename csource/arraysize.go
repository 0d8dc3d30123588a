package csource

import (
	"bytes"
	"regexp"
	"strings"
)

// The parser does not know __attribute__((packed)): a structure is too large to it, and an array of
// sizeof(struct header) == 5 ? 1 : -1 items, as programs assert the size, has a negative size. Clang has read the
// file: what is asserted is true. Limit: other sizes that come from a packed structure's stay wrong (see
// PackedSizes).

// negative matches the parser's words of an array.
var negative = regexp.MustCompile(textName + `:\d+:\d+: invalid array size, (.*): -\d+ \(`)

var (
	// condition is what an expression has whose value says yes or no.
	condition = regexp.MustCompile(`[=!]=|[<>?!]`)
	// chosen is the number of the two that a condition chooses from which is no negative one.
	chosen = regexp.MustCompile(`[?:]\s*\(*\s*(\d+)\s*\)*\s*(?::|$)`)
)

// believe gives the asserting arrays that look like the one of which an error speaks the size that is not
// negative; false if it speaks of none.
func (u *Unit) believe(said string) bool {
	m := negative.FindStringSubmatch(said)
	if m == nil || !condition.MatchString(m[1]) {
		return false
	}
	shape := alike(m[1])
	found := false
	text := u.view.text
	for at := 0; ; {
		k := bytes.IndexByte(text[at:], '[')
		if k < 0 {
			return found
		}
		at += k + 1
		end := skipBalanced(text[:min(len(text), at+maxAssertion)], at-1)
		if end < 0 || alike(string(text[at:end-1])) != shape {
			continue
		}
		size := text[at : end-1]
		items := []byte("1")
		if bytes.IndexByte(size, '?') >= 0 {
			n := chosen.FindSubmatch(size)
			if n == nil {
				continue
			}
			items = bytes.Clone(n[1])
		}
		copy(size, bytes.Repeat([]byte(" "), len(size)))
		copy(size, items)
		found = true
	}
}

// maxAssertion is the length of a size that is looked at.
const maxAssertion = 1 << 10

var wordsOfExpression = regexp.MustCompile(`\w+(?:\s+\w+)*`)

// alike is an expression without its names and numbers: assertions of one macro are the same.
func alike(expr string) string {
	return strings.Join(strings.Fields(wordsOfExpression.ReplaceAllString(expr, "x")), "")
}

// PackedSizes reports whether the user's code has packed structures and arrays of which the size comes from that
// of a type: such arrays may be shorter than the parser says.
func (u *Unit) PackedSizes() bool {
	if len(u.attributes("packed")) == 0 {
		return false
	}
	depth, found := 0, false // of brackets
	u.eachUserToken(func(t token) {
		switch string(u.Text[t.start:t.end]) {
		case "[":
			depth++
		case "]":
			depth--
		case ";", "{", "}":
			depth = 0
		case "sizeof", "__builtin_offsetof":
			found = found || depth > 0
		}
	})
	return found
}
