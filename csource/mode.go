package csource

import (
	"bytes"
	"regexp"
	"slices"
)

// modes are the integer types that GNU's modes stand for, of machines with bytes of 8 bits.
var modes = map[string]string{"QI": "char", "byte": "char", "HI": "short", "SI": "int", "DI": "long long",
	"TI": "__int128", "word": "long", "unwind_word": "long", "pointer": "long"}

var (
	modeAttribute = regexp.MustCompile(`^\s*\(\s*\(\s*(?:__)?mode(?:__)?\s*\(\s*(?:__)?(\w+?)(?:__)?\s*\)\s*\)\s*\)`)
	integerWords  = regexp.MustCompile(`\b(?:int|long|short|char)\b`)
	signedness    = regexp.MustCompile(`\b(?:un)?signed\b`)
)

// respellMode gives a declaration with __attribute__((mode(TI))), which the parser does not know, the type that
// it means: the type stands before what is declared, so it changes what was written.
func (v *view) respellMode(name token) (end int) {
	m := modeAttribute.FindSubmatchIndex(v.src[name.end:])
	if m == nil {
		return 0
	}
	t, known := modes[string(v.src[name.end+m[2]:name.end+m[3]])]
	from := bytes.LastIndexAny(v.text, ";{}") + 1
	words := integerWords.FindAllIndex(v.text[from:], -1)
	if sign := signedness.FindIndex(v.text[from:]); len(words) == 0 && sign != nil {
		words, t = [][]int{{sign[1], sign[1]}}, " "+t
	}
	if !known || len(words) == 0 {
		return 0
	}
	for _, w := range words {
		copy(v.text[from+w[0]:from+w[1]], bytes.Repeat([]byte(" "), w[1]-w[0]))
	}
	first := from + words[0][0]
	v.at = slices.Insert(v.at, first, slices.Repeat(v.at[first:first+1], len(t))...)
	v.text = slices.Insert(v.text, first, []byte(t)...)
	return name.end + m[1]
}
