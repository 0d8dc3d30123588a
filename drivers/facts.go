package drivers

import (
	"slices"
	"sort"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

// facts are what the body of one function, or the initial value of a variable,
// tells. They are collected once for all the drivers of a unit.
type facts struct {
	names  []*cc.Declarator  // at file scope, each once, in order
	access map[string]access // of the variables among them
	fields map[string]bool   // names of fields that are read or written
	// assigned are those that are assigned to, with a point before them.
	assigned map[string]bool
	// bytes says that bytes of a structure are reached by other means than the
	// names of its fields.
	bytes     bool
	floats    map[float64]bool // floating-point constants
	ints      map[float64]bool // integer constants
	statics   []string         // static variables of the function's own that it may write
	taken     map[string]bool  // functions that are mentioned and not called
	sizes     *sizes
	indirect  bool // functions are called through pointers
	addresses bool // an address becomes a number
	stores    bool // to what has no name of its own: an item, a member, what a pointer leads to
	assembly  bool
	restless  bool            // something volatile or atomic is reached through a pointer, or as a member
	moving    []string        // static variables of the function's own that are volatile
	argument  cc.Type         // of the first va_arg
	pointers  bool            // some va_arg is a pointer
	integers  bool            // some is an integer
	fractions bool            // some is of a floating-point type
	printed   map[string]bool // functions that write, of which more than the writing matters
	buffer    int64           // characters of its largest local array of them
}

// factsOf reads a function's body, or an initial value.
func factsOf(u *csource.Unit, body cc.Node, constants map[string]int64) *facts {
	out := &facts{sizes: newSizes(), access: map[string]access{}, taken: map[string]bool{}, fields: map[string]bool{},
		assigned: map[string]bool{},
		printed:  map[string]bool{}, floats: map[float64]bool{}, ints: map[float64]bool{}}
	out.sizes.constants = constants
	seen := map[string]bool{}
	u.WalkParents(body, func(n cc.Node, above []cc.Node) bool {
		out.sizes.see(u, n)
		out.restless = out.restless || u.RestlessAccess(n)
		switch x := n.(type) {
		case *cc.AssignmentExpression:
			out.stores = out.stores || x.Case != cc.AssignmentExpressionCond && !isName(x.UnaryExpression)
			if x.Case == cc.AssignmentExpressionAssign {
				out.assigned[nameOf(x.UnaryExpression)] = true
			}
		case *cc.UnaryExpression:
			out.stores = out.stores || (x.Case == cc.UnaryExpressionInc || x.Case == cc.UnaryExpressionDec) &&
				!isName(x.UnaryExpression)
		case *cc.PostfixExpression:
			out.stores = out.stores || (x.Case == cc.PostfixExpressionInc || x.Case == cc.PostfixExpressionDec) &&
				!isName(x.PostfixExpression)
			if x.Case == cc.PostfixExpressionSelect || x.Case == cc.PostfixExpressionPSelect {
				out.fields[x.Token2.SrcStr()] = true
			}
			if x.Case == cc.PostfixExpressionCall && outputs[csource.Callee(x)] && !onlyWrites(x, above) {
				out.printed[csource.Callee(x)] = true
			}
			out.indirect = out.indirect || x.Case == cc.PostfixExpressionCall && !direct(x.PostfixExpression)
		case *cc.CastExpression:
			if x.Case == cc.CastExpressionCast && x.CastExpression != nil {
				from, to := x.CastExpression.Type(), x.Type()
				out.bytes = out.bytes || rawBytes(from, to)
				if t := argumentOfList(x); t != nil {
					if out.argument == nil {
						out.argument = t
					}
					_, pointer := t.(*cc.PointerType)
					out.pointers = out.pointers || pointer
					out.integers = out.integers || cc.IsIntegerType(t)
					out.fractions = out.fractions || cc.IsFloatingPointType(t) && !cc.IsComplexType(t)
				}
				_, address := from.(*cc.PointerType)
				out.addresses = out.addresses || address && cc.IsIntegerType(to)
			}
		case *cc.Asm, *cc.AsmStatement:
			out.assembly = true
		case *cc.PrimaryExpression:
			switch x.Case {
			case cc.PrimaryExpressionIdent:
				out.bytes = out.bytes || comparesBytes[x.Token.SrcStr()]
				d, ok := x.ResolvedTo().(*cc.Declarator)
				if !ok || d.IsParam() || d.IsTypename() {
					break
				}
				if d.Linkage() == cc.None {
					if a, ok := d.Type().Undecay().(*cc.ArrayType); ok && a.Elem().Kind() == cc.Char {
						out.buffer = max(out.buffer, a.Len())
					}
					if d.IsStatic() && changesByItself(u, d.Type()) && !slices.Contains(out.moving, d.Name()) {
						out.moving = append(out.moving, d.Name())
					}
					if d.IsStatic() && accessOf(x, d.Type(), above)&writes != 0 && !functionName[d.Name()] &&
						!slices.Contains(out.statics, d.Name()) {
						out.statics = append(out.statics, d.Name())
					}
					break
				}
				out.access[d.Name()] |= accessOf(x, d.Type(), above)
				if _, isFunc := d.Type().(*cc.FunctionType); isFunc && !called(x, above) {
					out.taken[d.Name()] = true
				}
				if !seen[d.Name()] {
					seen[d.Name()] = true
					out.names = append(out.names, d)
				}
			case cc.PrimaryExpressionFloat:
				if f, err := strconv.ParseFloat(strings.TrimRight(x.Token.SrcStr(), "fFlL"), 64); err == nil {
					out.floats[f] = true
				}
			case cc.PrimaryExpressionInt:
				if i, ok := integer(x.Value()); ok {
					out.ints[float64(i)] = true
				}
			}
		}
		return true
	})
	out.sizes.finish()
	return out
}

// direct reports whether what is called is a function by its name.
func direct(callee cc.ExpressionNode) bool {
	id, ok := csource.Unparen(callee).(*cc.PrimaryExpression)
	if !ok || id.Case != cc.PrimaryExpressionIdent {
		return false
	}
	d, ok := id.ResolvedTo().(*cc.Declarator)
	if !ok {
		return true // declared by its use
	}
	_, ok = d.Type().(*cc.FunctionType)
	return ok
}

// called reports whether a function is mentioned to call it.
func called(n cc.Node, above []cc.Node) bool {
	for i := len(above) - 1; i >= 0; i-- {
		switch x := above[i].(type) {
		case *cc.PrimaryExpression:
			n = x
		case *cc.PostfixExpression:
			return x.Case == cc.PostfixExpressionCall && x.PostfixExpression == n
		default:
			return false
		}
	}
	return false
}

var comparesBytes = map[string]bool{"memcmp": true, "bcmp": true, "__builtin_memcmp": true, "__builtin_bcmp": true}

// rawBytes reports whether a cast lets a structure be read as numbers.
func rawBytes(from, to cc.Type) bool {
	p, ok := from.(*cc.PointerType)
	if !ok || !isRecord(p.Elem()) {
		return false
	}
	q, ok := to.(*cc.PointerType)
	return ok && !isRecord(q.Elem()) && q.Elem().Kind() != cc.Void
}

// numbers are the constants to try as floating-point inputs: floating-point
// ones, or integers when there are no others.
func (f *facts) numbers() []float64 {
	from := f.floats
	if len(from) == 0 {
		from = f.ints
	}
	var out []float64
	for v := range from {
		out = append(out, v)
	}
	sort.Float64s(out)
	return out
}

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
	reaches   map[string]reach             // by function
	touched   map[string]map[string]access // by function, then variable
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
		answers: map[question]bool{}, reaches: map[string]reach{}, touched: map[string]map[string]access{}}
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

// reach is what a call of some functions may come by, as far as the unit tells.
type reach struct {
	funcs   []*csource.Function // the functions, those that they mention, and so on
	outside []*cc.Declarator    // variables, and functions that the unit does not define
}

// isName reports whether an expression is the name of a variable.
func isName(x cc.ExpressionNode) bool {
	p, ok := csource.Unparen(x).(*cc.PrimaryExpression)
	return ok && p.Case == cc.PrimaryExpressionIdent
}

// mayChange reports whether a call of a function may leave what it is given other than
// it was: it, or one that it calls, stores something, or the unit does not say.
func (a *analysis) mayChange(fn *csource.Function) bool {
	if fn.Def == nil {
		return true
	}
	changes, known := a.mutates[fn.Name]
	if !known { // every entry asks it of all that could be called before
		r := a.reach(fn)
		changes = len(r.outside) > 0 || slices.ContainsFunc(r.funcs, func(f *csource.Function) bool {
			facts := a.of(f.Name)
			return facts.stores || facts.indirect || facts.assembly
		})
		a.mutates[fn.Name] = changes
	}
	return changes
}

// reach follows every mention of a name, through the initial values of
// variables too: tables of functions are called through. That of one function is
// remembered: every entry asks what each of the unit's functions does.
func (a *analysis) reach(roots ...*csource.Function) reach {
	if len(roots) != 1 {
		return a.reachFrom(roots)
	}
	name := roots[0].Name
	out, ok := a.reaches[name]
	if !ok {
		out = a.reachFrom(roots)
		out.funcs, out.outside = slices.Clip(out.funcs), slices.Clip(out.outside)
		a.reaches[name] = out
	}
	return out
}

func (a *analysis) reachFrom(roots []*csource.Function) reach {
	var out reach
	var queue []string
	seen := map[string]bool{}
	add := func(name string, d *cc.Declarator) {
		if seen[name] {
			return
		}
		seen[name] = true
		if f := a.funcs[name]; f != nil {
			out.funcs = append(out.funcs, f)
		} else if d != nil {
			out.outside = append(out.outside, d)
		}
		queue = append(queue, name)
	}
	for _, f := range roots {
		add(f.Name, nil)
	}
	for ; len(queue) > 0; queue = queue[1:] {
		if f := a.of(queue[0]); f != nil {
			for _, d := range f.names {
				add(d.Name(), d)
			}
		}
	}
	return out
}

// rest is what the other functions of the unit, and the initial values of its
// variables, mention beyond what is reached.
func (a *analysis) rest(near reach) []*cc.Declarator {
	seen := map[string]bool{}
	for _, d := range near.outside {
		seen[d.Name()] = true
	}
	var own []*csource.Function
	for _, f := range a.unit.Functions() {
		if !f.Origin.System {
			own = append(own, f)
		}
	}
	var out []*cc.Declarator
	all := a.reach(own...).outside
	var variables []string
	for name := range a.initial {
		variables = append(variables, name)
	}
	slices.Sort(variables)
	for _, name := range variables {
		all = append(all, a.of(name).names...)
	}
	for _, d := range all {
		if a.funcs[d.Name()] == nil && !seen[d.Name()] {
			seen[d.Name()] = true
			out = append(out, d)
		}
	}
	return out
}

// fieldsOf lists the names of the fields that functions mention. A field that
// none of them names is read by nobody: building what it points to would
// multiply the paths of the driver for nothing. The result is nil where that
// cannot be told: when a function of another file is called, or bytes of a
// structure are read by other means than their names.
func (a *analysis) fieldsOf(r reach, elsewhere map[string]bool) map[string]bool {
	fields := map[string]bool{}
	for _, d := range r.outside {
		if elsewhere[d.Name()] {
			return nil
		}
	}
	for _, f := range r.funcs {
		facts := a.of(f.Name)
		if facts.bytes {
			return nil
		}
		for name := range facts.fields {
			fields[name] = true
		}
	}
	return fields
}

// changes reports whether a variable may get another value than its first:
// some function of the unit writes it, or lets others do so, or another file
// may.
func (a *analysis) changes(d *cc.Declarator) bool {
	if a.constant(d) {
		return false
	}
	if d.Linkage() != cc.Internal {
		return true
	}
	if a.changed == nil {
		a.changed = map[string]bool{}
		a.each(func(f *facts) {
			for name, how := range f.access {
				if how&writes != 0 {
					a.changed[name] = true
				}
			}
		})
	}
	return a.changed[d.Name()]
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
