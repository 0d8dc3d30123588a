package csource

import (
	"bytes"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"modernc.org/cc/v4"
)

// idle are the attributes of C23 that say nothing but what compilers shall warn of,
// or may take for granted. Others, as those of compilers that pack structures, stay.
var idle = map[string]bool{"nodiscard": true, "maybe_unused": true, "deprecated": true, "fallthrough": true,
	"noreturn": true, "_Noreturn": true, "unsequenced": true, "reproducible": true}

// blankAttributes leaves spaces for [[nodiscard]] and the like: headers of libraries
// have them where the clang that preprocesses knows them, and neither the parser
// nor the older clang of an engine does. Nothing else in C has two opening brackets
// side by side.
func blankAttributes(text []byte) []byte {
	if !bytes.Contains(text, []byte("[[")) {
		return text
	}
	out := bytes.Clone(text)
	l := newLexer(text, 0)
	for {
		t, ok := l.next()
		if !ok {
			return out
		}
		if t.kind != tokDirective && text[t.start] == '[' {
			if end := idleAttributes(text, t.start); end > 0 {
				blank(out[t.start:end])
				l.off = end
			}
		}
	}
}

// idleAttributes is the end of [[...]] at an offset, if all in it are idle; else 0.
func idleAttributes(text []byte, from int) int {
	l := newLexer(text, from)
	open, begins := 0, false // brackets and parentheses; a name begins an attribute
	for n := 1; ; n++ {
		t, ok := l.next()
		if !ok || t.kind == tokDirective || n == 2 && text[t.start] != '[' {
			return 0
		}
		word := string(text[t.start:t.end])
		switch {
		case word == "[" || word == "(":
			open++
			begins = n == 2
		case word == "]" || word == ")":
			if open--; open == 0 {
				return t.end
			}
		case word == "," && open == 2:
			begins = true
		case t.kind == tokIdent && open == 2:
			if !begins || !idle[strings.TrimSuffix(strings.TrimPrefix(word, "__"), "__")] {
				return 0
			}
			begins = false
		case open == 2:
			return 0 // gnu::packed
		}
	}
}

// attribute is one of a list of GNU attributes.
type attribute struct {
	name    Span
	numbers []int // what stands in its brackets
}

// attributes are the GNU attributes in the user's text that have one of these names,
// with or without underscores around it.
func (u *Unit) attributes(names ...string) (out []attribute) {
	depth := -1 // of brackets behind __attribute__; -1: outside of one
	var in *attribute
	u.eachUserToken(func(t token) {
		word := string(u.Text[t.start:t.end])
		switch {
		case word == "__attribute__" || word == "__attribute":
			depth = 0
		case depth < 0:
		case word == "(":
			depth++
		case word == ")":
			if depth--; depth == 0 {
				depth = -1
			}
		case depth == 2 && t.kind == tokIdent:
			if in = nil; contains(names, strings.TrimSuffix(strings.TrimPrefix(word, "__"), "__")) {
				out = append(out, attribute{name: Span{t.start, t.end}})
				in = &out[len(out)-1]
			}
		case depth == 3 && in != nil && t.kind == tokNumber:
			if n, err := strconv.Atoi(word); err == nil {
				in.numbers = append(in.numbers, n)
			}
		}
	})
	return out
}

// PureSpans are the attributes pure and const of functions in the user's text, by which
// a compiler may leave out a call whose result nobody uses.
func (u *Unit) PureSpans() (out []Span) {
	for _, a := range u.attributes("pure", "const") {
		out = append(out, a.name)
	}
	return out
}

// NonNull holds, by name, the functions of the user's text that say of pointers which
// they are given that they are not NULL: the numbers of those parameters, from 1; none
// means all. The parser loses some attributes of declarations that have several.
func (u *Unit) NonNull() map[string][]int {
	found := u.attributes("nonnull")
	out := map[string][]int{}
	if len(found) == 0 {
		return out
	}
	for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		head, names := u.Head(l.ExternalDeclaration)
		for _, a := range found {
			if !head.Contains(a.name) {
				continue
			}
			for _, n := range names {
				if have, ok := out[n]; !ok {
					out[n] = a.numbers
				} else if len(have) == 0 || len(a.numbers) == 0 {
					out[n] = nil
				} else {
					out[n] = append(have[:len(have):len(have)], a.numbers...)
				}
			}
		}
	}
	return out
}

// Aliases are the names that declarations of the user's text define as others: by the
// attributes alias and ifunc.
func (u *Unit) Aliases() (names []string) {
	found := u.attributes("alias", "ifunc")
	if len(found) == 0 {
		return nil
	}
	for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		head, declared := u.Head(l.ExternalDeclaration)
		for _, a := range found {
			if head.Contains(a.name) {
				names = append(names, declared...)
				break
			}
		}
	}
	return names
}

// Weak holds the names that declarations of the user's text say are weak: another file, which is
// linked, may define them in place of this one.
func (u *Unit) Weak() map[string]bool {
	out := map[string]bool{}
	for _, m := range rePragmaWeak.FindAllSubmatch(u.Text, -1) {
		out[string(m[1])] = true
	}
	found := u.attributes("weak")
	for l := u.AST.TranslationUnit; l != nil && len(found) > 0; l = l.TranslationUnit {
		head, declared := u.Head(l.ExternalDeclaration)
		if slices.ContainsFunc(found, func(a attribute) bool { return head.Contains(a.name) }) {
			for _, name := range declared {
				out[name] = true
			}
		}
	}
	return out
}

// NeverReturning holds the names of functions of which declarations of the user's text say that they do
// not return.
func (u *Unit) NeverReturning() map[string]bool {
	out := map[string]bool{}
	for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		head, declared := u.Head(l.ExternalDeclaration)
		if len(declared) > 0 && !u.IsSystem(head.Start) && reNoReturn.Match(u.Text[head.Start:head.End]) {
			for _, name := range declared {
				out[name] = true
			}
		}
	}
	return out
}

// The attribute in its spellings, the word of C11, and C23's attribute.
var reNoReturn = regexp.MustCompile(`\b(?:__noreturn__|noreturn|_Noreturn)\b`)

var rePragmaWeak = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+weak[ \t]+(\w+)`)

// Head is what of a declaration stands outside of bodies, and the names of the functions that
// it declares; none, if it declares something else.
func (u *Unit) Head(d *cc.ExternalDeclaration) (head Span, names []string) {
	if d == nil {
		return head, nil
	}
	head, ok := u.Span(d)
	switch {
	case !ok:
	case d.Case == cc.ExternalDeclarationFuncDef:
		body, ok := u.Span(d.FunctionDefinition.CompoundStatement)
		if ok {
			head.End = body.Start
			names = append(names, d.FunctionDefinition.Declarator.Name())
		}
	case d.Case == cc.ExternalDeclarationDecl && d.Declaration.Case == cc.DeclarationDecl:
		for l := d.Declaration.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
			if l.InitDeclarator == nil || l.InitDeclarator.Case != cc.InitDeclaratorDecl {
				return head, nil // it has a value
			}
			names = append(names, l.InitDeclarator.Declarator.Name())
		}
	}
	return head, names
}
