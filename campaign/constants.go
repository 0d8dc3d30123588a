package campaign

import (
	"math"
	"regexp"
	"strconv"
	"strings"
)

// What the program's own text holds, a fuzzer puts into inputs: comparisons are
// with such constants most of the time.
const (
	maxWords   = 500
	maxNumbers = 1000
)

var (
	lineMarker = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
	// a string, a character, a number; names that end in digits are none
	constant = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.[0-7a-fA-F]*)'|` +
		`\b(?:0[xX][0-9a-fA-F]+|[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+\.?(?:[eE][-+]?[0-9]+)?)`)
)

// eachConstant calls f with the constants of the user's own text.
func eachConstant(p *program, f func(text string)) {
	for _, u := range p.units {
		constantsIn(u.Text, func(at int, text string) {
			if !u.IsSystem(at) {
				f(text)
			}
		})
	}
}

// constantsIn calls f with the constants of a text, and where they stand.
func constantsIn(text []byte, f func(at int, text string)) {
	text = lineMarker.ReplaceAllFunc(text, func(line []byte) []byte {
		return []byte(strings.Repeat(" ", len(line)))
	})
	for _, at := range constant.FindAllIndex(text, -1) {
		f(at[0], string(text[at[0]:at[1]]))
	}
}

// words are the string literals of the program, but for the names of criteria that
// labels have.
func words(p *program) (out []string) {
	seen := map[string]bool{}
	for _, l := range p.labels {
		for _, tag := range l.Tags {
			seen[tag] = true
		}
	}
	eachConstant(p, func(text string) {
		if text[0] != '"' {
			return
		}
		w, err := strconv.Unquote(text) // Go's escapes are C's, nearly
		if err == nil && w != "" && len(w) <= 64 && !seen[w] && len(out) < maxWords {
			seen[w] = true
			out = append(out, w)
		}
	})
	return out
}

// numbersIn are the numbers and characters of the program.
func numbersIn(p *program) (out []uint64) {
	seen := map[uint64]bool{0: true, 1: true}
	eachConstant(p, func(text string) {
		for _, n := range valuesOf(text) {
			if !seen[n] && len(out) < maxNumbers {
				seen[n] = true
				out = append(out, n)
			}
		}
	})
	return out
}

// valuesOf are the values of a constant, as inputs may hold them: of one with a
// fraction the bits, as double and as float; none of a string.
func valuesOf(text string) []uint64 {
	if text[0] == '\'' {
		if r, _, rest, err := strconv.UnquoteChar(text[1:], '\''); err == nil && rest == "'" && r < 256 {
			return []uint64{uint64(r)}
		}
		return nil
	}
	if n, err := strconv.ParseUint(text, 0, 64); err == nil {
		return []uint64{n}
	}
	if x, err := strconv.ParseFloat(text, 64); err == nil {
		return []uint64{math.Float64bits(x), uint64(math.Float32bits(float32(x)))}
	}
	return nil
}
