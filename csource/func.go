package csource

import (
	"bytes"
	"slices"

	"modernc.org/cc/v4"
)

// Function is a function that the unit defines.
type Function struct {
	Name   string
	Def    *cc.FunctionDefinition
	Span   Span // the whole definition
	Body   Span // from { to }, both included
	Type   *cc.FunctionType
	Params []*cc.Parameter
	Static bool
	Inline bool   // and of no use to other files, which have one of their own
	Origin Origin // of the function's name
}

// Functions returns the functions that the unit defines, in order, those of
// system headers included (Origin.System).
func (u *Unit) Functions() []*Function {
	u.mu.Lock()
	done := u.funcs
	u.mu.Unlock()
	if done != nil {
		return done
	}
	out := []*Function{}
	for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		d := l.ExternalDeclaration
		if d == nil || d.Case != cc.ExternalDeclarationFuncDef || d.FunctionDefinition == nil {
			continue
		}
		if f := u.function(d.FunctionDefinition); f != nil {
			out = append(out, f)
		}
	}
	u.mu.Lock()
	u.funcs = out
	u.mu.Unlock()
	return out
}

func (u *Unit) function(def *cc.FunctionDefinition) *Function {
	f := &Function{Name: def.Declarator.Name(), Def: def}
	var ok bool
	if f.Body, ok = u.Span(def.CompoundStatement); !ok {
		return nil
	}
	if f.Span, ok = u.Span(def); !ok {
		return nil
	}
	f.Static = def.Declarator.IsStatic()
	f.Inline = def.Declarator.IsInline() && !u.givesOthers(f)
	if t, ok := def.Declarator.Type().(*cc.FunctionType); ok {
		f.Type, f.Params = t, t.Parameters()
	}
	if s, ok := u.Span(def.Declarator.NameTok()); ok {
		f.Origin = u.Origin(s.Start)
	} else {
		f.Origin = u.Origin(f.Span.Start)
	}
	return f
}

// givesOthers reports whether the inline definition of a function is one for other files, too: in C since 1999 if
// the file declares it without inline, or extern; in GNU's way, that of older standards, which an attribute asks
// for, too, as in generated tables of names, if it is not extern.
func (u *Unit) givesOthers(f *Function) bool {
	old := slices.ContainsFunc(u.Flags, func(f string) bool { return oldInline[f] })
	if old || bytes.Contains(u.Text[f.Span.Start:f.Body.Start], []byte("gnu_inline")) {
		return !f.Def.Declarator.IsExtern()
	}
	return slices.ContainsFunc(u.AST.Scope.Nodes[f.Name], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		return ok && (!d.IsInline() || d.IsExtern())
	})
}

var oldInline = map[string]bool{"-ansi": true, "-std=c89": true, "-std=c90": true, "-std=gnu89": true,
	"-std=gnu90": true, Outlining: true}

// Outline has compilers define the unit's inline functions where nobody defines one of them, given tells by name, and
// reports whether it does: in C since 1999 a call of one links only if it is inlined, which few compilers do unasked.
// Where others are extern and inline nothing is done: to older C that means the opposite.
func (u *Unit) Outline(given func(name string) bool) bool {
	var list []*Function
	lacking := false
	for _, f := range u.Functions() {
		switch {
		case f.Static || f.Origin.System || !f.Def.Declarator.IsInline():
		case f.Def.Declarator.IsExtern():
			return false
		case f.Inline:
			list = append(list, f)
			lacking = lacking || !given(f.Name)
		}
	}
	if !lacking {
		return false
	}
	for _, f := range list {
		f.Inline = false
	}
	u.Flags = append(slices.Clone(u.Flags), Outlining)
	return true
}

// Outlining is the flag for it, of gcc and clang.
const Outlining = "-fgnu89-inline"

// Function returns the definition of the named function, or nil.
func (u *Unit) Function(name string) *Function {
	for _, f := range u.Functions() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
