package csource

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// Kinds of numbers that the parser does not know stand in its view as types of their
// size, with names of their own: who asks what a number can hold, or how it is
// computed, has to ask Foreign first.

// half and the others stand for numbers of two and of sixteen bytes.
const (
	half  = "__kf16"
	brain = "__kbf16"
	quad  = "__kf128"
	bits  = "__kb" // and s or u, and how many: _BitInt(N)
)

var spellings = map[string]string{half: "_Float16", brain: "__bf16", quad: "__float128"}

// numbersPrelude declares the types of two and sixteen bytes. What a type stands for is
// an attribute, which types that are made of it have too, and an array's items.
const numbersPrelude = "typedef short " + half + " __attribute__((" + half + ")); typedef short " + brain +
	" __attribute__((" + brain + ")); typedef long double " + quad + " __attribute__((" + quad + "));\n"

// StandIn is how C spells what a name in the view stands for; "" for other names.
func StandIn(name string) string {
	if s, ok := spellings[name]; ok {
		return s
	}
	if n, ok := strings.CutPrefix(name, bits+"s"); ok {
		return "_BitInt(" + n + ")"
	}
	if n, ok := strings.CutPrefix(name, bits+"u"); ok {
		return "unsigned _BitInt(" + n + ")"
	}
	return ""
}

// Foreign is how C spells a type of number that the parser has a stand-in for; "" for
// all others.
func Foreign(t cc.Type) string {
	if t == nil || !cc.IsArithmeticType(t) {
		return ""
	}
	a := t.Attributes()
	if a == nil {
		return ""
	}
	for name, s := range spellings {
		if a.IsAttrSet(name) {
			return s
		}
	}
	if v := a.AttrValue(bits); len(v) == 2 {
		n, _ := v[1].(cc.Int64Value)
		if v[0] == cc.Int64Value(1) {
			return fmt.Sprintf("unsigned _BitInt(%d)", n)
		}
		return fmt.Sprintf("_BitInt(%d)", n)
	}
	return ""
}

// Half reports whether a type is a floating-point number of two bytes.
func Half(t cc.Type) bool {
	s := Foreign(t)
	return s == spellings[half] || s == spellings[brain]
}

// maxBits is how many bits a _BitInt has that is read; LLVM has far wider ones.
const maxBits = 128

// bitsPrelude declares the kinds of _BitInt that a view has, each as the integer that
// has room for it. The widest are the parser's only where it has them.
func (v *view) bitsPrelude(narrow bool) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(v.bits)) {
		n, _ := strconv.Atoi(name[len(bits)+1:])
		t := "__int128"
		switch {
		case n <= 8:
			t = "char"
		case n <= 16:
			t = "short"
		case n <= 32:
			t = "int"
		case n <= 64:
			t = "long long"
		case narrow:
			continue
		}
		sign, is := "signed", 0
		if name[len(bits)] == 'u' {
			sign, is = "unsigned", 1
		}
		fmt.Fprintf(&b, "typedef %s %s %s __attribute__((%s(%d, %d)));\n", sign, t, name, bits, is, n)
	}
	return b.String()
}

// respellBits writes _BitInt(17), and the unsigned before it, as one name.
func (v *view) respellBits(name token) (end int) {
	c, ok := scanCall(v.src, name)
	if !ok || len(c.Args) != 1 {
		return 0
	}
	n, err := strconv.Atoi(string(v.src[c.Args[0].Start:c.Args[0].End]))
	if err != nil || n < 1 || n > maxBits {
		return 0
	}
	sign, at := "s", name.start
	if w := lastWord(v.text); w == "signed" || w == "unsigned" {
		text := bytes.TrimRight(v.text, " \n")
		sign, at = w[:1], int(v.at[len(text)-len(w)])
		v.text = v.text[:len(text)-len(w)]
		v.at = v.at[:len(v.text)]
		v.line = min(v.line, len(v.text))
	}
	s := bits + sign + strconv.Itoa(n)
	if v.bits == nil {
		v.bits = map[string]bool{}
	}
	v.bits[s] = true
	v.put(s, at)
	return c.Call.End
}

// plainNumber is a constant with an end that the parser knows in place of one that it
// does not: 1.5f16, 3wb.
func plainNumber(word string) string {
	low := strings.ToLower(word)
	hex := strings.HasPrefix(low, "0x") && !strings.Contains(low, "p")
	for _, end := range []string{"bf16", "f16"} {
		if s, ok := strings.CutSuffix(low, end); ok && !hex && s != "" {
			return word[:len(s)] + "f"
		}
	}
	if i := strings.Index(low, "wb"); i > 0 {
		return word[:i] + word[i+2:] + "L"
	}
	return word
}
