package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/fault"
	"klabel/input"
)

// provided are functions that engines, or klabel's own runtime, define.
func provided(name string) bool {
	for _, p := range []string{"klee_", "klabel_", "__builtin_", "__VERIFIER_", "__assert", "__sync_", "__atomic_",
		"__c11_"} {
		if strings.HasPrefix(name, p) {
			return true
		}
	}
	switch name {
	case "cov_label", "pc_label", "pc_label_bindings", "cov_label_bind", "cov_label_bind_values", "sc_assume",
		"reach_error", "abort", "exit", "malloc", "calloc", "realloc", "free",
		"memcpy", "memset", "memmove", "memcmp", "strlen", "strcmp", "printf":
		return true
	}
	return false
}

// stubs writes the functions that the code under test mentions and nobody
// defines, and those that the user wants replaced. Those that only the rest of
// the unit mentions are never called: the program must link with them.
func (b *builder) stubs(near, far []*cc.Declarator, tested []*csource.Function) error {
	wanted := map[string]Stub{}
	for _, s := range b.o.Stubs {
		wanted[s.Function] = s
	}
	done := map[string]bool{}
	for _, d := range near {
		name := d.Name()
		f, ok := d.Type().(*cc.FunctionType)
		if !ok || done[name] {
			continue
		}
		how, explicit := wanted[name]
		if !explicit && !b.lacks(d) {
			continue
		}
		done[name] = true
		if !explicit {
			does := "returns symbolic values"
			if b.neverReturns(name) {
				does = "ends the program"
			}
			b.warn("%s is not defined here: a stub %s", name, does)
			b.nowhere = append(b.nowhere, name)
		}
		if err := b.replace(name, f, how, false); err != nil {
			return err
		}
	}
	for _, d := range far {
		f, ok := d.Type().(*cc.FunctionType)
		_, explicit := wanted[d.Name()]
		if !ok || explicit || done[d.Name()] || !b.lacks(d) {
			continue
		}
		done[d.Name()] = true
		if head, err := b.head(d.Name(), f); err == nil {
			fmt.Fprintf(&b.top, own+"__attribute__((weak)) %s\n{\n"+
				"    __builtin_trap(); /* out of reach */\n}\n\n", head)
			b.lacking = append(b.lacking, unreached(head))
			b.nowhere = append(b.nowhere, d.Name())
		}
	}
	for _, s := range b.o.Stubs {
		if done[s.Function] {
			continue
		}
		def := b.an.funcs[s.Function]
		under := slices.ContainsFunc(tested, func(f *csource.Function) bool { return f.Name == s.Function })
		if def == nil || def.Type == nil || under {
			return b.noStub(s.Function, under, near)
		}
		b.renames[s.Function] = "klabel_replaced_" + s.Function
		if err := b.replace(s.Function, def.Type, s, def.Static); err != nil {
			return err
		}
		b.stubbed[len(b.stubbed)-1].replaces = true
	}
	return nil
}

// replace writes the stub that stands for a function.
func (b *builder) replace(name string, f *cc.FunctionType, how Stub, static bool) error {
	if err := b.stub(name, name+"()", f, how.Value, static, false); err != nil {
		return err
	}
	call := b.calls[len(b.calls)-1]
	if call.Mock = how.Mock; call.Mock {
		call.Params = b.mocked(f)
	}
	b.stubbed = append(b.stubbed, stubbed{name: name, call: call})
	return nil
}

// mocked describes the parameters of a function whose calls tests check.
func (b *builder) mocked(f *cc.FunctionType) (out []input.Param) {
	for i, p := range f.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		one := input.Param{Name: "klabel_" + argument(p, i), Shown: argument(p, i)}
		if _, ok := p.Type().(*cc.PointerType); ok { // what it leads to does not matter
			one.Type = &input.Type{Kind: input.Pointer, Size: 8}
		} else if t, err := b.ts.of(p.Type()); err == nil {
			one.Type = t
		}
		out = append(out, one)
	}
	return out
}

// noStub says why a function cannot be replaced.
func (b *builder) noStub(name string, under bool, near []*cc.Declarator) error {
	reason := "this is the function under test"
	if !under {
		var names []string
		for _, d := range near {
			names = append(names, d.Name())
		}
		for _, f := range b.unit.Functions() {
			if !f.Origin.System {
				names = append(names, f.Name)
			}
		}
		reason = fmt.Sprintf("the function under test calls no %q", name)
		if n := fault.Nearest(name, names); len(n) > 0 {
			reason += "; is one of these meant: " + strings.Join(n, ", ") + "?"
		}
	}
	return &RelationError{Relation: "--stub " + name, Reason: reason}
}

// unreached defines a function that tests never call, for the linker.
func unreached(head string) string {
	return head + "\n{\n" + "    abort(); /* not called by these tests */\n}\n"
}

// stub writes a function that returns inputs, or a value of the user's. Its
// objects are named after shown; givesConst says of what its result leads to what the type does not.
func (b *builder) stub(name, shown string, f *cc.FunctionType, value string, static, givesConst bool) error {
	outer := b.cur
	b.cur = newBlock(true)
	b.nested++
	defer func() { b.cur, b.nested = outer, b.nested-1 }()
	call := &input.Call{Function: name}
	returned := "" // what it returns, or NULL
	for i, p := range f.Parameters() {
		arg := argument(p, i)
		pt, isPtr := p.Type().(*cc.PointerType)
		if static && value == "" && handsOut(f, i) {
			b.handOut(call, shown, arg, f.Result())
			continue
		}
		if size := roomOf(f, i); size != "" && value == "" {
			b.fills(call, shown, arg, pt, size)
			if call.Text && returned == "" && f.Result().Kind() == cc.Ptr && sameText(f.Result(), pt) {
				returned = "klabel_" + arg
			}
			continue
		}
		if !b.o.StubOutputs || value != "" || !isPtr || !writable(pt) {
			continue
		}
		if b.hasParts(pt.Elem()) || b.buildable(pt.Elem()) != nil {
			continue
		}
		it, err := b.ts.of(pt.Elem())
		if err != nil {
			return b.fail(shown, err)
		}
		out := &input.Input{Name: shown + ":*" + arg, Type: it, Object: shown + ":*" + arg, Mask: it.Kind == input.Bool}
		b.cur.open("if (klabel_%s != 0)", arg)
		b.cur.line("%s;", it.Declare("klabel_value"))
		b.cur.line("klee_make_symbolic((void *)&klabel_value, sizeof klabel_value, %s);", quote(out.Object))
		conds, err := b.conditions(out.Name, "klabel_value", it, 1)
		if err != nil {
			return err
		}
		b.cur.assume(conds)
		b.cur.line("__builtin_memcpy((void *)klabel_%s, (const void *)&klabel_value, sizeof klabel_value);", arg)
		b.cur.close("")
		call.Outputs = append(call.Outputs, out)
		call.Through = append(call.Through, "klabel_"+arg)
		call.Rooms = append(call.Rooms, "")
	}
	head, err := b.head(name, f)
	if err != nil {
		return b.fail(shown, err)
	}
	if givesConst {
		head = "const " + head
	}
	memory := returned
	if value == "" && memory == "" && call.Result == nil {
		memory = allocation(f)
	}
	if value == "" && memory == "" && call.Result == nil {
		memory = b.madeResult(shown, f.Result())
	}
	if value == "" && memory == "" && call.Result == nil {
		if call.Gives = b.movedArgument(f); call.Gives > 0 {
			memory = "klabel_" + argument(f.Parameters()[call.Gives-1], call.Gives-1)
		}
	}
	switch {
	case memory != "":
		call.Result = &input.Input{Name: shown, Object: shown, Mask: true,
			Type: &input.Type{Kind: input.Bool, Decl: "_Bool @", Size: 1}}
		b.cur.line("return klabel_byte(%s) & 1 ? %s : 0;", quote(shown), memory)
		value = memory
	case f.Result().Kind() == cc.Void:
		if call.Ends = b.neverReturns(name); call.Ends {
			b.cur.line("exit(1);")
		}
	case call.Result != nil: // of what it hands out
		b.cur.line("klee_make_symbolic(&klabel_count, 1, %s);", quote(shown))
		b.cur.line("klee_assume(klabel_count <= %d);", handedBytes)
		b.cur.line("return klabel_count;")
	case value != "":
		b.cur.line("return %s;", constant(value))
	default:
		decl, err := b.ts.declare(f.Result(), "klabel_result", true)
		if err != nil {
			return b.fail(shown, err)
		}
		b.cur.declare(decl)
		// Depth 1: what cannot be built is NULL and warned of, not refused.
		if call.Result, err = b.fill(shown, f.Result(), "klabel_result", 1, true); err != nil {
			return err
		}
		b.cur.line("return klabel_result;")
	}
	attr := own
	if static {
		attr += "static "
	} else {
		attr += "__attribute__((weak)) "
	}
	fmt.Fprintf(&b.top, "%s%s\n{\n%s}\n\n", attr, head, b.cur.text())
	call.Head, call.Static, call.Value = head, static, constant(value)
	b.calls = append(b.calls, call)
	return nil
}

// neverReturns reports whether a function is declared so: a stub of it ends the program, as what
// reports an error and gives up does mostly.
func (s *shared) neverReturns(name string) bool {
	if s.noReturn == nil {
		s.noReturn = s.unit.NeverReturning()
	}
	return s.noReturn[name]
}

// movedArgument is the parameter, from 1, that a stub gives back, for the function it stands for likely moves it
// within what it leads to: the first one of the type that is returned, a pointer to numbers and no text. 0 for none.
func (b *builder) movedArgument(f *cc.FunctionType) int {
	pt, ok := f.Result().(*cc.PointerType)
	if !ok || !cc.IsArithmeticType(pt.Elem()) || pt.Elem().Kind() == cc.Char || isConst(pt.Elem()) {
		return 0
	}
	for i, p := range f.Parameters() {
		if b.alike(p.Type(), f.Result()) {
			return i + 1
		}
	}
	return 0
}

// writable reports whether a function may write through a pointer that it is given.
func writable(p *cc.PointerType) bool {
	t := p.Elem()
	a := t.Attributes()
	return !decayedConst(p) && (a == nil || !a.IsConst()) && t.Kind() != cc.Void && t.Kind() != cc.Function
}

// head writes the head of a function's definition, all parameters named.
func (b *builder) head(name string, f *cc.FunctionType) (string, error) {
	var params []string
	for i, p := range f.Parameters() {
		if p.Type().Kind() == cc.Void {
			continue
		}
		decl, err := b.ts.declare(p.Type(), "klabel_"+argument(p, i), false)
		if err != nil {
			return "", err
		}
		params = append(params, decl)
	}
	if f.IsVariadic() && len(params) > 0 {
		params = append(params, "...")
	}
	if len(params) == 0 {
		params = []string{"void"}
	}
	return b.ts.declare(f.Result(), name+"("+strings.Join(params, ", ")+")", false)
}

// argument is the name of a parameter, made up when it has none.
func argument(p *cc.Parameter, i int) string {
	if n := p.Name(); n != "" {
		return n
	}
	return fmt.Sprintf("arg%d", i+1)
}
