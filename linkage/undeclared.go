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

// ImplicitInt reports whether a unit declares something without saying its type, an int, as C of before 1999 may:
// newer compilers refuse that, too, unless a flag tells them not to.
func ImplicitInt(u *csource.Unit) (found bool) {
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		if found {
			return false
		}
		switch x := n.(type) {
		case *cc.FunctionDefinition:
			found = !namesType(x.DeclarationSpecifiers) || declarators(x.DeclarationList) < names(u, x.Declarator)
		case *cc.ParameterDeclaration:
			found = !namesType(x.DeclarationSpecifiers)
		case *cc.Declaration:
			found = x.Case == cc.DeclarationDecl && x.InitDeclaratorList != nil && !namesType(x.DeclarationSpecifiers)
		}
		return true
	})
	return found
}

// names is how many parameters a function of before C90 lists by their names alone.
func names(u *csource.Unit, d *cc.Declarator) (n int) {
	u.Walk(d, func(x cc.Node) bool {
		if _, ok := x.(*cc.IdentifierList); ok {
			n++
		}
		return true
	})
	return n
}

// declarators is how many of them it says more of.
func declarators(list *cc.DeclarationList) (n int) {
	for ; list != nil; list = list.DeclarationList {
		for l := list.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			n++
		}
	}
	return n
}

// namesType reports whether a type stands among specifiers.
func namesType(s *cc.DeclarationSpecifiers) bool {
	for ; s != nil; s = s.DeclarationSpecifiers {
		if s.Case == cc.DeclarationSpecifiersTypeSpec {
			return true
		}
	}
	return false
}
