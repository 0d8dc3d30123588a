package csource

import (
	"regexp"
	"strings"

	"modernc.org/cc/v4"
)

var (
	reNamed   = regexp.MustCompile(`\b(?:__)?(ifunc|alias|weakref)(?:__)?\s*\(`)
	reSection = regexp.MustCompile(`\b(?:__)?section(?:__)?\s*\(((?:\s*"(?:[^"\\]|\\.)*")+)`)
	// The places that a loader takes functions from, to run them before and after main.
	reStartup = regexp.MustCompile(`^\.(preinit_array|init_array|fini_array|init|fini|ctors|dtors)\b`)
)

// Beyond says what in a unit the assembler, the linker or the loader makes of it that its C
// does not show: functions that run by themselves, two names for one variable. Where there is
// something, nobody who looks at the C alone has seen all that the program does. Constructors
// and destructors, which compilers know, are none of it. "" if there is nothing.
func (u *Unit) Beyond() string {
	for _, m := range reNamed.FindAllSubmatchIndex(u.Text, -1) {
		if !u.IsSystem(m[0]) {
			return "the attribute " + string(u.Text[m[2]:m[3]])
		}
	}
	for _, m := range reSection.FindAllSubmatchIndex(u.Text, -1) {
		name := strings.ReplaceAll(NormalizeSpace(u.Text[m[2]:m[3]]), `" "`, "")
		name = strings.Trim(strings.ReplaceAll(name, `""`, ""), `"`)
		if reStartup.MatchString(name) || strings.Contains(name, `\`) {
			return "the section " + name
		}
	}
	why := ""
	u.Visit(u.AST.TranslationUnit, func(n cc.Node) bool {
		switch x := n.(type) {
		case *cc.ExternalDeclaration:
			if x.Case == cc.ExternalDeclarationAsmStmt {
				why = "assembly outside of functions"
			}
		case *cc.InitDeclarator:
			if x.Asm != nil && !u.systemNode(x) && !x.Declarator.IsRegister() {
				why = "the name in assembly of " + x.Declarator.Name()
			}
		}
		return why == ""
	})
	return why
}

func (u *Unit) systemNode(n cc.Node) bool {
	s, ok := u.Span(n)
	return ok && u.IsSystem(s.Start)
}
