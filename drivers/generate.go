package drivers

import (
	"fmt"
	"regexp"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// param is a parameter of the function under test.
type param struct {
	name  string
	local string // the driver's variable: the name, unless the function has it
	typ   cc.Type
}

var pragmaPack = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+pack`)

// Generate writes a driver for a function that the unit defines.
func Generate(u *csource.Unit, o Options) (*Driver, error) {
	o.fill()
	_, fn, err := Find([]*csource.Unit{u}, o.Function)
	if err != nil {
		return nil, err
	}
	b := &builder{
		unit: u, fn: fn, o: o, rel: newRelations(&o),
		ts:       &types{scope: u.AST.Scope, seen: map[cc.Type]*input.Type{}, packed: pragmaPack.Match(u.Text)},
		uses:     usesOf(u, fn),
		fields:   fieldsOf(u, fn, o.Defined),
		names:    map[string]bool{},
		exprs:    map[string]string{},
		intTypes: map[string]*input.Type{},
		warned:   map[string]bool{},
		cur:      newBlock(false),
	}
	for name := range u.AST.Scope.Nodes {
		b.names[name] = true
	}
	b.consts = b.floatConstants()
	params := b.params()
	if !o.NoGuess {
		for _, n := range b.rel.guessCounts(params) {
			b.warn("%s", n)
		}
	}
	d := &Driver{function: fn.Name, renames: map[string]string{}}
	if fn.Name == "main" || u.Function("main") != nil {
		d.renames["main"] = programMain
	}
	refs, far := references(u, fn)
	if err := b.stubs(refs, far, d.renames); err != nil {
		return nil, err
	}
	desc := &input.Driver{Function: fn.Name}
	globals, err := b.globals(refs, far, desc)
	if err != nil {
		return nil, err
	}
	if fn.Name == "main" {
		if err := b.mainArguments(params, desc); err != nil {
			return nil, err
		}
	} else if err := b.arguments(params, desc); err != nil {
		return nil, err
	}
	for _, f := range b.late {
		f()
	}
	if err := b.assumptions(); err != nil {
		return nil, err
	}
	var known []string
	for n := range b.exprs {
		known = append(known, n)
	}
	if err := b.rel.unused(known); err != nil {
		return nil, err
	}
	if fn.Type != nil && fn.Type.IsVariadic() {
		b.warn("%s takes variable arguments: only the fixed ones are given", fn.Name)
	}
	if fn.Type != nil && fn.Type.Result().Kind() != cc.Void {
		if desc.Result, err = b.ts.of(fn.Type.Result()); err != nil {
			if p, ok := fn.Type.Result().(*cc.PointerType); ok {
				decl, _ := b.ts.declare(p, "@", true)
				desc.Result = &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}
			} else {
				desc.Result = nil
			}
		}
	}
	desc.Calls = b.calls
	desc.Undefined = b.lacking
	desc.Variadic = fn.Type != nil && fn.Type.IsVariadic()
	desc.Main = d.renames["main"]
	desc.Const = map[string]bool{}
	for from, to := range d.renames {
		if def := u.Function(from); from != "main" && def != nil {
			start := u.Origin(def.Span.Start)
			desc.Replaced = append(desc.Replaced, input.Replaced{
				Name: from, To: to, File: start.File, StartLine: start.Line, StartColumn: start.Column,
				NameLine: def.Origin.Line, NameColumn: def.Origin.Column,
			})
		}
	}
	sort.Slice(desc.Replaced, func(i, j int) bool { return desc.Replaced[i].StartLine < desc.Replaced[j].StartLine })
	for _, p := range params {
		desc.Params = append(desc.Params, p.name)
		if pt, ok := p.typ.(*cc.PointerType); ok && isConst(pt.Elem()) {
			desc.Const[p.name] = true
		}
	}
	d.Inputs, d.Warnings = desc, b.warnings
	call := b.call(params)
	d.Text = b.program(globals, call)
	d.Probe = b.program(globals, fmt.Sprintf("    __assert_fail(%s, \"driver\", 0, \"main\");\n", quote(ProbeMessage)))
	return d, nil
}

const programMain = "klabel_program_main"

// params lists the parameters with the names that the driver's variables get.
func (b *builder) params() []param {
	var out []param
	seen := map[string]bool{}
	for i, p := range b.fn.Params {
		if p.Type().Kind() == cc.Void {
			continue
		}
		n := p.Name()
		if n == "" || seen[n] {
			n = fmt.Sprintf("arg%d", i+1)
		}
		seen[n] = true
		local := n
		if n == b.fn.Name {
			local = n + "_value"
		}
		b.names[local] = true
		out = append(out, param{n, local, p.Type()})
	}
	return out
}

func (b *builder) arguments(params []param, desc *input.Driver) error {
	for _, p := range params {
		decl, err := b.ts.declare(p.typ, p.local, true)
		if err != nil {
			return b.fail(p.name, err)
		}
		b.cur.declare(decl)
		b.exprs[p.name] = p.local
		if cc.IsIntegerType(p.typ) && p.typ.Kind() != cc.Enum {
			if b.intTypes[p.name], err = b.ts.of(p.typ); err != nil {
				return b.fail(p.name, err)
			}
		}
	}
	for _, p := range params {
		in, err := b.fill(p.name, p.typ, p.local, 0, true)
		if err != nil {
			return err
		}
		desc.Inputs = append(desc.Inputs, in)
	}
	for _, p := range params {
		b.exact(p)
	}
	return nil
}

// exact gives the function, when a test is replayed, memory of exactly the
// size that it may use, so that a sanitizer sees what lies beyond.
func (b *builder) exact(p param) {
	pt, ok := p.typ.(*cc.PointerType)
	if !ok {
		return
	}
	for _, a := range b.o.Aliases {
		if a.Name == p.name || a.Text == p.name {
			return
		}
	}
	count, guess, _ := b.rel.countOf(p.name)
	if e, _ := b.rel.expr(b, count); count != "" && b.exprs[count] != "" {
		size := fmt.Sprintf("(unsigned long)%s * sizeof *%s", e, p.local)
		if pt.Elem().Kind() == cc.Void {
			size = "(unsigned long)" + e
		}
		cond := "klee_is_replay()"
		if t := b.intTypes[count]; guess && t != nil && t.Signed {
			cond += fmt.Sprintf(" && %s >= 0", e)
		}
		b.late = append(b.late, func() {
			b.cur.open("if (%s)", cond)
			b.cur.line("%s = klabel_exact(%s, %s);", p.local, p.local, size)
			b.cur.close("")
		})
		return
	}
	if a := pt.Elem().Attributes(); pt.Elem().Kind() == cc.Char && count == "" && a != nil && a.IsConst() {
		if u, ok := pt.Undecay().(*cc.ArrayType); ok && u.Len() > 0 {
			return
		}
		b.late = append(b.late, func() {
			b.cur.open("if (klee_is_replay() && %s != 0)", p.local)
			b.cur.line("%s = klabel_exact(%s, __builtin_strlen(%s) + 1);", p.local, p.local, p.local)
			b.cur.close("")
		})
	}
}

// globals writes the function that makes globals symbolic, and defines those
// that are declared only. It returns the call.
func (b *builder) globals(refs, far []*cc.Declarator, desc *input.Driver) (string, error) {
	outer := b.cur
	b.cur = newBlock(true)
	defer func() { b.cur = outer }()
	all := contains(b.o.Globals, "*")
	wanted := map[string]bool{}
	for _, g := range b.o.Globals {
		wanted[g] = true
	}
	delete(wanted, "*")
	var names []string
	for _, d := range far {
		if _, isFunc := d.Type().(*cc.FunctionType); !isFunc && b.undefined(d) {
			if err := b.defineGlobal(d); err != nil {
				return "", err
			}
		}
	}
	for _, d := range refs {
		if _, isFunc := d.Type().(*cc.FunctionType); isFunc {
			continue
		}
		name := d.Name()
		names = append(names, name)
		if b.undefined(d) {
			if err := b.defineGlobal(d); err != nil {
				return "", err
			}
			if !all && !wanted[name] {
				b.warn("%s is declared but not defined here: it is 0; --global %s makes it symbolic", name, name)
			}
		}
		if !wanted[name] && !(all && !b.system(d)) {
			continue
		}
		delete(wanted, name)
		if d.IsConst() || isConst(d.Type()) {
			continue
		}
		if a, ok := d.Type().(*cc.ArrayType); ok && a.Len() < 0 {
			b.warn("%s has no length here and keeps its value", name)
			continue
		}
		in, err := b.fill(name, d.Type(), name, 0, true)
		if err != nil {
			return "", err
		}
		desc.Inputs = append(desc.Inputs, in)
		desc.Globals++
	}
	for g := range wanted {
		return "", &UnknownFunctionError{Name: g, Named: "global that the function reads named", Nearest: nearest(g, names), File: b.unit.Path}
	}
	if desc.Globals == 0 {
		return "", nil
	}
	fmt.Fprintf(&b.top, "__attribute__((nodebug)) static void klabel_globals(void)\n{\n%s}\n\n", b.cur.text())
	return "    klabel_globals();\n", nil
}

func isConst(t cc.Type) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return isConst(a.Elem())
	}
	a := t.Attributes()
	return a != nil && a.IsConst()
}

// defineGlobal defines a variable that no file of the program defines.
func (b *builder) defineGlobal(d *cc.Declarator) error {
	decl, err := b.ts.declare(d.Type(), d.Name(), false)
	if a, ok := d.Type().(*cc.ArrayType); ok && a.Len() < 0 && err == nil {
		decl, err = b.ts.declare(a.Elem(), fmt.Sprintf("%s[%d]", d.Name(), b.o.MaxArray), false)
	}
	if err == nil {
		err = b.buildable(d.Type())
	}
	if err != nil {
		return b.fail(d.Name(), err)
	}
	fmt.Fprintf(&b.top, "__attribute__((weak)) %s;\n\n", decl)
	b.lacking = append(b.lacking, decl+";\n")
	return nil
}

// undefined reports whether a variable is declared (extern) and nowhere
// defined.
func (b *builder) undefined(d *cc.Declarator) bool {
	if b.o.Defined[d.Name()] || b.system(d) {
		return false
	}
	for _, n := range b.unit.AST.Scope.Nodes[d.Name()] {
		if d, ok := n.(*cc.Declarator); ok && (!d.IsExtern() || d.HasInitializer()) {
			return false
		}
	}
	return true
}

// assumptions writes the user's own conditions.
func (b *builder) assumptions() error {
	for _, a := range b.o.Assumes {
		text := constant(a)
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, ";{}#\n") {
			return &RelationError{Relation: "--assume " + a, Reason: "a C expression is wanted"}
		}
		b.cur.body.WriteString("# 1 " + quote("--assume "+a) + "\n")
		if parts, ok := conjunction(text); ok {
			b.cur.line("klee_assume(%s);", strings.Join(parts, " & "))
		} else {
			b.cur.line("klabel_require(!!(%s));", text)
		}
		b.cur.body.WriteString("# 1 " + quote("driver of "+b.fn.Name) + "\n")
	}
	return nil
}

// conjunction splits a && b into conditions to be joined by &, where no part
// needs the protection of the one before: none follows a pointer, indexes,
// divides or calls.
func conjunction(expr string) ([]string, bool) {
	if strings.Contains(expr, "->") || strings.ContainsAny(expr, "[*/%?=") && hasUnsafe(expr) || strings.Contains(expr, "||") || calls.MatchString(expr) {
		return nil, false
	}
	var parts []string
	depth, start := 0, 0
	for i := 0; i < len(expr); i++ {
		switch expr[i] {
		case '(':
			depth++
		case ')':
			depth--
		case '&':
			if depth == 0 && i+1 < len(expr) && expr[i+1] == '&' {
				parts = append(parts, "!!("+strings.TrimSpace(expr[start:i])+")")
				i++
				start = i + 1
			}
		}
	}
	parts = append(parts, "!!("+strings.TrimSpace(expr[start:])+")")
	for _, p := range parts {
		if strings.Contains(p, "&&") {
			return nil, false
		}
	}
	return parts, true
}

var calls = regexp.MustCompile(`[A-Za-z_0-9]\s*\(`)

// hasUnsafe reports operators that can fail, or assign.
func hasUnsafe(expr string) bool {
	plain := strings.NewReplacer("==", "  ", "<=", "  ", ">=", "  ", "!=", "  ").Replace(expr)
	return strings.ContainsAny(plain, "[*/%?=")
}

// call writes the call of the function under test.
func (b *builder) call(params []param) string {
	name := b.fn.Name
	if name == "main" {
		name = programMain
	}
	var args []string
	for _, p := range params {
		if _, ok := p.typ.(*cc.PointerType); ok && b.needsCast(p.typ) {
			args = append(args, "(void *)"+p.local)
			continue
		}
		args = append(args, p.local)
	}
	return fmt.Sprintf("    (void)%s(%s);\n", name, strings.Join(args, ", "))
}

// needsCast reports pointers to pointers, whose inner qualifiers the driver's
// own variables may lack.
func (b *builder) needsCast(t cc.Type) bool {
	p, ok := t.(*cc.PointerType)
	if !ok {
		return false
	}
	switch e := p.Elem().(type) {
	case *cc.PointerType:
		return e.Elem().Kind() != cc.Function
	case *cc.ArrayType:
		return true
	}
	return false
}

// Guess returns the relations that Generate takes for granted of a function:
// which integers tell the number of items of which pointers.
func Guess(u *csource.Unit, f *csource.Function) []Relation {
	b := &builder{unit: u, fn: f, names: map[string]bool{}}
	r := newRelations(&Options{MaxArray: DefaultMaxArray})
	params := b.params()
	r.guessCounts(params)
	var out []Relation
	for _, p := range params {
		if n := r.counts[p.name]; n != "" {
			out = append(out, Relation{p.name, n})
		}
	}
	return out
}
