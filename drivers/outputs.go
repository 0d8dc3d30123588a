package drivers

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Functions of the C library write texts into memory that they are lent: how much of it there must be, a number
// beside it says, or what is written. A driver that gives less sees every run die there.

// limited are those that are told how many bytes they may write: the places of the memory and of the number.
var limited = map[string]struct{ memory, number int }{
	"snprintf": {0, 1}, "vsnprintf": {0, 1}, "strncpy": {0, 2}, "stpncpy": {0, 2}, "strlcpy": {0, 2}, "strlcat": {0, 2},
	"strxfrm": {0, 2}, "strftime": {0, 1}, "fgets": {0, 1}, "getcwd": {0, 1}, "gethostname": {0, 1}, "read": {1, 2},
	"pread": {1, 2}, "recv": {1, 2}, "readlink": {1, 2}, "inet_ntop": {2, 3},
}

// unlimited are those that write a text of any length, by the place of the text or format; the memory comes first.
var unlimited = map[string]int{"strcpy": 1, "stpcpy": 1, "strcat": 1, "sprintf": 1}

// longestNumber is how many characters a number that is written has, unless it is a fraction.
const longestNumber = 20

// writes notes how much a call of a function of the C library writes into what it is given.
func (s *sizes) writes(function string, args []cc.ExpressionNode) {
	if out, ok := limited[function]; ok && out.number < len(args) {
		if name, plus := offsetOf(args[out.memory]); name != "" {
			each := max(itemSize(args[out.memory]), 1)
			s.later = append(s.later, indexed{at: name, of: plus, bytes: args[out.number], each: each, lent: true})
		}
	}
	if from, ok := unlimited[function]; ok && from < len(args) {
		name, plus := offsetOf(args[0])
		n, known := longestText(args[from])
		if text, ok := literalString(args[from]); ok && function == "sprintf" {
			n, known = longestPrinted(text, args[from+1:]), true
		}
		if name != "" && known {
			s.later = append(s.later, indexed{at: name, of: plus, wide: n, lent: true})
		}
	}
}

// longestText is how many bytes a text takes with its end, where it is a literal or lies in an array.
func longestText(e cc.ExpressionNode) (int64, bool) {
	if text, ok := literalString(e); ok {
		return int64(len(text)) + 1, true
	}
	if x, ok := csource.Unparen(e).(*cc.ConditionalExpression); ok && x.Case == cc.ConditionalExpressionCond {
		a, ok := longestText(x.ExpressionList)
		b, ok2 := longestText(x.ConditionalExpression)
		return max(a, b), ok && ok2
	}
	if p, ok := csource.Unparen(e).Type().(*cc.PointerType); ok {
		if a, ok := p.Undecay().(*cc.ArrayType); ok && a.Len() > 0 {
			return a.Size(), true
		}
	}
	return 0, false
}

// longestPrinted is how many bytes a printed text takes with its end: of texts that lie elsewhere, as many as a
// driver makes.
func longestPrinted(format string, args []cc.ExpressionNode) int64 {
	format = strings.ReplaceAll(format, "%%", "-")
	n := int64(len(format)) + 1
	for i, conversion := range plainConversion.FindAllString(format, -1) {
		add := int64(longestNumber)
		switch {
		case strings.HasSuffix(conversion, "c"):
			add = 1
		case strings.HasSuffix(conversion, "s"):
			add = DefaultMaxString
			if i < len(args) {
				if k, ok := longestText(args[i]); ok {
					add = k
				}
			}
		}
		n += add
	}
	return n
}
