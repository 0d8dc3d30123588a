package instrument

import (
	"regexp"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// always are the names of the attribute that has a function copied into each caller.
var always = []string{"always_inline", "__always_inline__"}

// framed matches what a function may do that depends on whose frame it runs in, or on
// arguments that are constants there.
var framed = regexp.MustCompile(`alloca|setjmp|_address\b|\basm\b|\b__asm|\btarget\b|__target__`)

// keepCalls takes the attribute always_inline off the program's static functions. At
// -O0 it changes nothing but the size of what is compiled: libraries that are written
// for speed have it on large functions with many callers, and with a copy of these in
// each, sanitized, compile for ten times as long. It stays where a function asks for
// its frame, and where there may be nothing to call: functions of headers of the
// system, and those that are inline but not static.
func (r *rewriter) keepCalls() {
	var places []csource.Span
	for _, name := range always {
		places = append(places, r.u.IdentifierSpans(name)...)
	}
	if len(places) == 0 {
		return
	}
	plain := map[string]bool{}
	for _, f := range r.u.Functions() {
		plain[f.Name] = f.Static && !f.Origin.System && !framed.Match(r.u.Text[f.Span.Start:f.Span.End])
	}
	for l := r.u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		head, names := r.head(l.ExternalDeclaration)
		for _, n := range names {
			if !plain[n] {
				names = nil
				break
			}
		}
		for _, p := range places {
			if len(names) > 0 && head.Contains(p) {
				r.edits.Replace(p, "__unused__")
			}
		}
	}
}

// head is what of a declaration stands outside of bodies, and the names of the functions that
// it declares; none, if it declares something else.
func (r *rewriter) head(d *cc.ExternalDeclaration) (head csource.Span, names []string) {
	if d == nil {
		return head, nil
	}
	head, ok := r.u.Span(d)
	switch {
	case !ok:
	case d.Case == cc.ExternalDeclarationFuncDef:
		body, ok := r.u.Span(d.FunctionDefinition.CompoundStatement)
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
