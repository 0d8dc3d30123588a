package csource

import (
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
	Inline bool
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
	f.Inline = def.Declarator.IsInline()
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

// Function returns the definition of the named function, or nil.
func (u *Unit) Function(name string) *Function {
	for _, f := range u.Functions() {
		if f.Name == name {
			return f
		}
	}
	return nil
}
