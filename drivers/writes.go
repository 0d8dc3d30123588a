package drivers

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// functionName are the names that stand for the function's own.
var functionName = set("__func__ __FUNCTION__ __PRETTY_FUNCTION__")

// outputs are functions that write, and do nothing else that a program can notice
// without asking for their result, or errno.
var outputs = set("printf puts putchar putchar_unlocked fputs fputc putc fprintf fflush perror fwrite")

// onlyWrites reports whether nobody looks at what a call of such a function
// returns, and its format says what it does.
func onlyWrites(call *cc.PostfixExpression, above []cc.Node) bool {
	for i := len(above) - 1; ; i-- {
		if i < 0 {
			return false
		}
		switch x := above[i].(type) {
		case *cc.ExpressionStatement:
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast && x.Type().Kind() != cc.Void {
				return false
			}
			continue
		case *cc.PrimaryExpression:
			continue
		default:
			return false
		}
		break
	}
	at := map[string]int{"printf": 0, "fprintf": 1}
	n, formats := at[csource.Callee(call)]
	if !formats {
		return true
	}
	i := 0
	for l := call.ArgumentExpressionList; l != nil; l = l.ArgumentExpressionList {
		if i == n {
			text, ok := literalString(l.AssignmentExpression)
			return ok && plainFormat(text)
		}
		i++
	}
	return false
}

// plainConversion matches the conversions of printf that read one argument, or a
// width before it, and do what they do everywhere.
var plainConversion = regexp.MustCompile(`%[-+ #0]*(\d+|\*)?(\.(\d+|\*)?)?` +
	`((hh|h|ll|l|j|z|t)?[diouxX]|[csp]|[lL]?[fFeEgGaA])`)

// plainFormat reports whether a format holds nothing else.
func plainFormat(text string) bool {
	text = strings.ReplaceAll(text, "%%", "")
	return strings.Count(text, "%") == len(plainConversion.FindAllString(text, -1))
}

// asksOf reports whether the code looks at what a function that writes has to say.
func (b *builder) asksOf(r reach, name string) bool {
	return slices.ContainsFunc(r.outside, func(d *cc.Declarator) bool { return d.Name() == "__errno_location" }) ||
		slices.ContainsFunc(r.funcs, func(f *csource.Function) bool {
			facts := b.an.of(f.Name)
			return facts.printed[name] || facts.taken[name]
		})
}
