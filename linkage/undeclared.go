package linkage

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Undeclared are the functions that a unit calls where nothing declares them, as C of before 1999 may: newer compilers
// refuse that unless a flag tells them not to.
func Undeclared(u *csource.Unit) []string {
	names := map[string]bool{}
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		if !ok || x.Case != cc.PostfixExpressionCall {
			return true
		}
		id, ok := csource.Unparen(x.PostfixExpression).(*cc.PrimaryExpression)
		if !ok || csource.Callee(x) == "" || strings.HasPrefix(id.Token.SrcStr(), "__") {
			return true
		}
		// Where there is no declaration, the parser takes the call for one, or knows the function itself.
		d, ok := id.ResolvedTo().(*cc.Declarator)
		if ok {
			var at csource.Span
			if at, ok = u.Span(d.NameTok()); ok {
				here, _ := u.Span(id.Token)
				ok = at.Start < here.Start
			}
		}
		if !ok {
			names[id.Token.SrcStr()] = true
		}
		return true
	})
	return slices.Sorted(maps.Keys(names))
}
