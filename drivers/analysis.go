package drivers

import (
	"modernc.org/cc/v4"

	"klabel/csource"
)

// analysis answers questions about the functions and variables of a unit.
type analysis struct {
	unit    *csource.Unit
	funcs   map[string]*csource.Function
	initial map[string]*cc.Initializer // of variables at file scope
	// constants are the values of those that are constant numbers.
	constants map[string]int64
	known     map[string]*facts
	changed   map[string]bool    // variables that some function of the unit may write
	taken     map[string]bool    // functions whose address goes somewhere
	mutates   map[string]bool    // by function: what mayChange has said
	asked     map[string]bool    // fields in which some function asks for NULL
	ties      map[[3]string]bool // what, integer and pointer, fields: what anywhere has said
	weak      map[string]bool    // functions that the program may define once more
	answers   map[question]bool
	fieldEnds map[[2]string][]*csource.Function // see endsIn
	reaches   map[string]reach                  // by function
	touched   map[string]map[string]access      // by function, then variable
}

// question is what was asked of a name in a function, so many calls deep.
type question struct {
	what, function, name string
	depth                int
}

// once asks a question that it does not know the answer of.
func (a *analysis) once(q question, ask func() bool) bool {
	answer, ok := a.answers[q]
	if !ok {
		answer = ask()
		a.answers[q] = answer
	}
	return answer
}

func newAnalysis(u *csource.Unit) *analysis {
	a := &analysis{unit: u, funcs: map[string]*csource.Function{}, initial: map[string]*cc.Initializer{},
		constants: map[string]int64{}, known: map[string]*facts{}, mutates: map[string]bool{}, weak: u.Weak(),
		answers: map[question]bool{}, fieldEnds: map[[2]string][]*csource.Function{},
		reaches: map[string]reach{}, touched: map[string]map[string]access{}}
	for _, f := range u.Functions() {
		a.funcs[f.Name] = f
	}
	for l := u.AST.TranslationUnit; l != nil; l = l.TranslationUnit {
		d := l.ExternalDeclaration
		if d == nil || d.Declaration == nil {
			continue
		}
		for i := d.Declaration.InitDeclaratorList; i != nil; i = i.InitDeclaratorList {
			if v := i.InitDeclarator; v != nil && v.Declarator != nil && v.Initializer != nil {
				a.initial[v.Declarator.Name()] = v.Initializer
				if t := v.Declarator.Type(); isConst(t) && plainInteger(t) && v.Initializer.Case == cc.InitializerExpr {
					if k, ok := integer(v.Initializer.AssignmentExpression.Value()); ok {
						a.constants[v.Declarator.Name()] = k
					}
				}
			}
		}
	}
	return a
}

// of returns the facts of a function, or of a variable's initial value; nil
// for what the unit does not define.
func (a *analysis) of(name string) *facts {
	if known, ok := a.known[name]; ok {
		return known
	}
	var out *facts
	if f := a.funcs[name]; f != nil {
		out = factsOf(a.unit, f.Def.CompoundStatement, a.constants)
	} else if v := a.initial[name]; v != nil {
		out = factsOf(a.unit, v, a.constants)
	}
	a.known[name] = out
	return out
}

// each visits the facts of all functions and initial values.
func (a *analysis) each(visit func(*facts)) {
	for _, f := range a.unit.Functions() {
		visit(a.of(f.Name))
	}
	for name := range a.initial {
		visit(a.of(name))
	}
}
