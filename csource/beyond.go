package csource

import (
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

var (
	reNamed    = regexp.MustCompile(`\b(?:__)?(ifunc|alias|weakref)(?:__)?\s*\(`)
	reSection  = regexp.MustCompile(`\b(?:__)?section(?:__)?\s*\(((?:\s*"(?:[^"\\]|\\.)*")+)`)
	reByItself = regexp.MustCompile(`\b(?:__)?(?:con|de)structor(?:__)?\b|` + reSection.String())
	// The places that a loader takes functions from, to run them before and after main.
	reStartup = regexp.MustCompile(`^\.(preinit_array|init_array|fini_array|init|fini|ctors|dtors)\b`)
)

// Beyond says what the assembler, the linker or the loader makes of a unit that neither its
// C nor the compiler's output shows: functions that run by themselves. Where there is something,
// nobody has seen all that the program does. Constructors and destructors, which
// compilers know, are none of it. "" if there is nothing.
func (u *Unit) Beyond() string {
	if why := u.named("ifunc"); why != "" {
		return why
	}
	for _, m := range reSection.FindAllSubmatchIndex(u.Text, -1) {
		name := strings.ReplaceAll(NormalizeSpace(u.Text[m[2]:m[3]]), `" "`, "")
		name = strings.Trim(strings.ReplaceAll(name, `""`, ""), `"`)
		if reStartup.MatchString(name) || strings.Contains(name, `\`) {
			return "the section " + name
		}
	}
	why := ""
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		if x, ok := n.(*cc.ExternalDeclaration); ok && x.Case == cc.ExternalDeclarationAsmStmt {
			why = "assembly outside of functions"
		}
		return why == ""
	})
	return why
}

// ByItself reports whether a program may use a unit that no other one mentions: it has functions that run before and
// after main, or something in a section, which others may go through.
func (u *Unit) ByItself() bool { return reByItself.Match(u.Text) }

// OtherNames says what in a unit may have two names in its C, and one in the compiler's
// output: who looks at the C alone takes them for two things. "" if there is nothing.
func (u *Unit) OtherNames() string {
	why := u.named("alias", "weakref")
	u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
		if x, ok := n.(*cc.InitDeclarator); ok && x.Asm != nil && !u.systemNode(x) && !x.Declarator.IsRegister() {
			why = "the name in assembly of " + x.Declarator.Name()
		}
		return why == ""
	})
	return why
}

// named finds an attribute that names another function or variable.
func (u *Unit) named(attributes ...string) string {
	for _, m := range reNamed.FindAllSubmatchIndex(u.Text, -1) {
		if name := string(u.Text[m[2]:m[3]]); !u.IsSystem(m[0]) && slices.Contains(attributes, name) {
			return "the attribute " + name
		}
	}
	return ""
}

func (u *Unit) systemNode(n cc.Node) bool {
	s, ok := u.Span(n)
	return ok && u.IsSystem(s.Start)
}
