package sample

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"klabel/csource"
)

// Constants is what a program's own text compares with, most of the time: inputs are
// made of it.
type Constants struct {
	Words   []string // string literals
	Numbers []uint64 // numbers and characters; of those with a fraction the bits, as double and as float
	Marks   []byte   // characters, those of short strings too, which are sets of them often
	// Fractions are numbers that inputs with a fraction may be: those with one, and whole ones.
	Fractions []float64
	whole     []int // whole numbers, in their order
}

const (
	maxWords   = 500
	maxNumbers = 1000
	maxWord    = 64 // characters
	maxSet     = 8  // characters of a string that may be a set of them
)

var (
	lineMarker = regexp.MustCompile(`(?m)^[ \t]*#.*$`)
	// a string, a character, a number; names that end in digits are none
	constant = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.[0-7a-fA-F]*)'|` +
		`\b(?:0[xX][0-9a-fA-F]+|[0-9]*\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+\.?(?:[eE][-+]?[0-9]+)?)`)
)

// Read collects the constants of the user's own text; strings that are not the
// program's, the names that labels have in it, are left out.
func Read(units []*csource.Unit, names map[string]bool) *Constants {
	c := &Constants{}
	seen, numbers, marks := maps.Clone(names), map[uint64]bool{0: true, 1: true}, map[byte]bool{}
	if seen == nil {
		seen = map[string]bool{}
	}
	for _, u := range units {
		constantsIn(u.Text, func(at int, text string) {
			if u.IsSystem(at) {
				return
			}
			c.word(text, seen)
			for _, n := range valuesOf(text) {
				if !numbers[n] && len(c.Numbers) < maxNumbers {
					numbers[n] = true
					c.Numbers = append(c.Numbers, n)
				}
			}
			if x, err := strconv.ParseFloat(text, 64); err == nil && len(c.Fractions) < maxNumbers &&
				!slices.Contains(c.Fractions, x) {
				c.Fractions = append(c.Fractions, x)
			}
			if n, err := strconv.Atoi(text); err == nil {
				c.whole = append(c.whole, n)
			}
			marksOf(text, marks)
		})
	}
	c.Marks = slices.Sorted(maps.Keys(marks))
	return c
}

// word takes a string literal. Go's escapes are C's, nearly.
func (c *Constants) word(text string, seen map[string]bool) {
	if text[0] != '"' {
		return
	}
	w, err := strconv.Unquote(text)
	if err == nil && w != "" && len(w) <= maxWord && !seen[w] && len(c.Words) < maxWords {
		seen[w] = true
		c.Words = append(c.Words, w)
	}
}

// marksOf adds the characters of a character constant or of a short string.
func marksOf(text string, found map[byte]bool) {
	if text[0] != '\'' && text[0] != '"' || len(text) > 2+maxSet {
		return
	}
	if text[0] == '\'' {
		text = `"` + text[1:len(text)-1] + `"`
		if text == `"""` || text == `"\'"` {
			text = strconv.Quote(text[len(text)-2 : len(text)-1])
		}
	}
	w, err := strconv.Unquote(text)
	for i := 0; err == nil && i < len(w); i++ {
		if w[i] != 0 {
			found[w[i]] = true
		}
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
