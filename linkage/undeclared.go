package linkage

import (
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// Undeclared reports whether a unit calls functions that nothing declares, as C of before 1999 may:
// newer compilers refuse that unless a flag tells them not to.
func Undeclared(u *csource.Unit) (found bool) {
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		x, ok := n.(*cc.PostfixExpression)
		if !ok || x.Case != cc.PostfixExpressionCall {
			return !found
		}
		id, ok := csource.Unparen(x.PostfixExpression).(*cc.PrimaryExpression)
		if !ok || csource.Callee(x) == "" || strings.HasPrefix(id.Token.SrcStr(), "__") {
			return !found
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
		found = !ok
		return !found
	})
	return found
}
