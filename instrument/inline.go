package instrument

import (
	"regexp"

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
		head, names := r.u.Head(l.ExternalDeclaration)
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

// keepPureCalls takes the attributes pure and const off the program's functions. Clang, at
// -O0 too, leaves out a call of such a function whose result nobody uses, and the labels
// in it with it: a driver's call is one.
func (r *rewriter) keepPureCalls() {
	for _, p := range r.u.PureSpans() {
		r.edits.Replace(p, "__unused__")
	}
}
