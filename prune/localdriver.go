package prune

import (
	"fmt"
	"strings"

	"modernc.org/cc/v4"
)

// localDriver is the unit with a main function that calls f with arguments and
// variables that hold anything, or why there is none for which that is so.
func (j *job) localDriver(f *function) (text []byte, why string) {
	p, u := j.p, f.unit
	switch {
	case p.early: // one whose body is left out would keep main from being reached
		return nil, "functions may run before or after main"
	case f.namesake != nil || f.taken && p.indirect && !p.isOpen:
		return nil, "it may be called in ways that are not seen"
	case f.Type == nil || f.Type.IsVariadic():
		return nil, "it takes any number of arguments"
	}
	globals, needed := map[*cc.Declarator]bool{}, map[*function]bool{}
	if why := p.environment(f, needed, globals); why != "" {
		return nil, why
	}
	var b, args strings.Builder
	b.WriteString("\nvoid klee_make_symbolic(void *, unsigned long, const char *); void klee_assume(unsigned long);\n" +
		"int main(void) { ")
	for i, q := range f.Params {
		if q.Type().Kind() == cc.Void {
			continue
		}
		t := intType(q.Type())
		if t == "" {
			return nil, fmt.Sprintf("its parameter %s is no integer", q.Name())
		}
		if i > 0 {
			args.WriteString(", ")
		}
		name := q.Name()
		if name == "" {
			name = fmt.Sprintf("klabel_p%d", i)
		}
		fmt.Fprintf(&b, "%s %s; klee_make_symbolic(&%s, sizeof %s, \"%s\"); ", t, name, name, name, name)
		args.WriteString(name)
	}
	hidden := map[string]bool{}
	for _, q := range f.Params {
		hidden[q.Name()] = true
	}
	for d := range globals {
		if hidden[d.Name()] {
			return nil, fmt.Sprintf("a parameter has the name of the variable %s", d.Name())
		}
	}
	for _, d := range sortedDecls(globals) {
		fmt.Fprintf(&b, "klee_make_symbolic((void *)&%s, sizeof %s, \"%s\"); ", d.Name(), d.Name(), d.Name())
	}
	if j.facts != nil && j.facts.entry[f] != "" {
		for _, c := range strings.Split(j.facts.entry[f], " && ") {
			lo, rest, _ := strings.Cut(c, " <= ")
			x, hi, _ := strings.Cut(rest, " <= ")
			fmt.Fprintf(&b, "klee_assume(%s >= %s); klee_assume(%s <= %s); ", x, literal(lo), x, literal(hi))
		}
	}
	fmt.Fprintf(&b, "%s(%s); return 0; }\n", f.Name, args.String())
	e := u.Edits()
	for _, l := range p.labels {
		if l.unit != u || l.fn == f {
			continue
		}
		if l.Statement {
			e.Replace(l.Stmt, ";")
		} else {
			e.Replace(l.Call, "((void)0)")
		}
	}
	for _, g := range p.order {
		if g.unit == u && g.Name != "main" && !needed[g] {
			e.Replace(g.Body, "{ for (;;) ; }") // never called: the answer is to depend on what f is made of
		}
	}
	if m := p.funcs["main"]; m != nil && m.unit == u {
		s, ok := u.Span(m.Def)
		if !ok {
			return nil, "main is not found in the text"
		}
		e.Replace(s, "")
	}
	return append(e.Apply(), b.String()...), ""
}

// literal writes a number as C reads it, the smallest ones included.
func literal(n string) string {
	switch n {
	case "-9223372036854775808":
		return "(-9223372036854775807L - 1)"
	case "-2147483648":
		return "(-2147483647 - 1)"
	}
	if len(n) > 18 && n[0] != '-' {
		return n + "UL"
	}
	return n
}

// environment collects the variables that f and what it calls read, and says
// why their values cannot all be made arbitrary.
func (p *program) environment(f *function, seen map[*function]bool, globals map[*cc.Declarator]bool) (why string) {
	if seen[f] {
		return ""
	}
	seen[f] = true
	switch {
	case f.Name == "main":
		return "it calls main"
	case f.twice || f.namesake != nil:
		return fmt.Sprintf("there are several functions %s", f.Name)
	case f.indirect:
		return f.Name + " calls through a pointer"
	case f.asm:
		return f.Name + " has inline assembly"
	case f.unit.Volatile(f.Def.CompoundStatement):
		return f.Name + " has volatile variables"
	case f.statics:
		return f.Name + " has static variables"
	case f.floats:
		return f.Name + " uses floating point"
	}
	for _, c := range sortedKeys(f.calls) {
		if g := p.funcs[c]; g != nil {
			if why := p.environment(g, seen, globals); why != "" {
				return why
			}
		} else if !p.macros[c] && !localKnows[c] && !endsAbnormally[c] {
			return fmt.Sprintf("%s calls %s", f.Name, c)
		}
	}
	f.unit.Walk(f.Def.CompoundStatement, func(n cc.Node) bool {
		x, ok := n.(*cc.PrimaryExpression)
		if !ok || x.Case != cc.PrimaryExpressionIdent || why != "" {
			return why == ""
		}
		d, ok := x.ResolvedTo().(*cc.Declarator)
		if !ok || d.Type() == nil || d.Type().Kind() == cc.Function {
			return true
		}
		if s, ok := f.unit.Span(d); ok && f.Span.Contains(s) {
			if d.IsExtern() {
				why = fmt.Sprintf("%s declares the variable %s of elsewhere", f.Name, d.Name())
			}
			return true
		}
		t := d.Type()
		switch {
		case d.IsTypename():
			return true
		case plainData(t, 0) && constant(t):
			return true // it keeps its value
		case d.IsConst() || !plainData(t, 0): // of a constant of another kind, nothing may be said
			why = fmt.Sprintf("the variable %s is not made of integers alone", d.Name())
		default:
			globals[canonical(globals, d)] = true
		}
		return true
	})
	return why
}

// restless reports whether some function has to do with what changes by itself.
func (p *program) restless() bool {
	for _, f := range p.order {
		if f.unit.Volatile(f.Def.CompoundStatement) {
			return true
		}
	}
	return false
}

// constant reports whether integers, or an array of them, cannot be written to.
func constant(t cc.Type) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return constant(a.Elem())
	}
	return t.Attributes().IsConst()
}

// canonical keeps one of several declarations of a variable.
func canonical(globals map[*cc.Declarator]bool, d *cc.Declarator) *cc.Declarator {
	for g := range globals {
		if g.Name() == d.Name() {
			return g
		}
	}
	return d
}

// localKnows lists functions without a body that need no environment.
var localKnows = map[string]bool{"klee_assume": true, "klee_silent_exit": true, "klee_int": true, "klee_range": true,
	"klee_make_symbolic": true,
	"klee_is_symbolic":   true, "klee_is_replay": true, "klee_warning": true, "klee_prefer_cex": true, "abs": true,
	"labs": true, "exit": true,
	"__builtin_memcpy": true, "__builtin_expect": true, "putchar": true, "puts": true}

// plainData reports whether every pattern of bits is a value that the program
// could hold: integers, and arrays and structs of them.
func plainData(t cc.Type, depth int) bool {
	if t == nil || depth > 8 {
		return false
	}
	switch x := t.(type) {
	case *cc.ArrayType:
		return x.Len() > 0 && plainData(x.Elem(), depth+1)
	case *cc.StructType:
		for i := range x.NumFields() {
			if f := x.FieldByIndex(i); f == nil || f.IsBitfield() || !plainData(f.Type(), depth+1) {
				return false
			}
		}
		return x.NumFields() > 0
	}
	return cc.IsIntegerType(t) && t.Kind() != cc.Bool && t.Size() <= 8
}

// intType is a C type with the size and sign of an integer type, "" for others.
func intType(t cc.Type) string {
	if t == nil || !cc.IsIntegerType(t) || t.Kind() == cc.Bool {
		return ""
	}
	name := map[int64]string{1: "char", 2: "short", 4: "int", 8: "long long"}[t.Size()]
	switch {
	case name == "":
		return ""
	case cc.IsSignedInteger(t):
		return "signed " + name
	}
	return "unsigned " + name
}

func sortedDecls(m map[*cc.Declarator]bool) []*cc.Declarator {
	by := map[string]*cc.Declarator{}
	for d := range m {
		by[d.Name()] = d
	}
	var out []*cc.Declarator
	for _, n := range sortedKeys(by) {
		out = append(out, by[n])
	}
	return out
}
