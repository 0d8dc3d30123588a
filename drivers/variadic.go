package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// furtherArguments is how many arguments a function gets beyond those that it names.
const furtherArguments = 3

// zeros follow them in the call: who takes more would find what happens to stand there, in each build something
// else, and no sanitizer says so.
const zeros = 8

// further adds the arguments that a function with variable arguments, or with a
// list of them, is given beside those that it names. Where one of these is a text,
// a format maybe, they are texts: a number can be read of a pointer, but nothing
// else of a number. Some variants give numbers all the same: what of a text is read for one is where it stands.
// Floating-point numbers that are read beside texts are given behind them: they do not go the same way.
func (b *builder) further(params []param, desc *input.Driver) error {
	texts := false
	for _, p := range params {
		if pt, ok := p.typ.(*cc.PointerType); ok && pt.Elem().Kind() == cc.Char && !b.listed(p.typ) {
			texts = true
		}
	}
	elem := b.argumentType()
	read := func(is func(*facts) bool) bool {
		return slices.ContainsFunc(b.reach.funcs, func(f *csource.Function) bool { return is(b.an.of(f.Name)) })
	}
	if texts && (b.variant == Room || b.variant == Wider) && read(func(f *facts) bool { return f.integers }) {
		texts, elem = false, b.unit.AST.LongLong
	}
	var types []cc.Type // nil for a text
	for range furtherArguments {
		if texts {
			types = append(types, nil)
		} else {
			types = append(types, elem)
		}
	}
	mixed := texts && b.pointerSize() == 8 && read(func(f *facts) bool { return f.fractions })
	if mixed {
		types = append(types, slices.Repeat([]cc.Type{b.unit.AST.Double}, furtherArguments)...)
	}
	for i, t := range types {
		if err := b.furtherOne(fmt.Sprintf("argument %d", i+1), t, desc); err != nil {
			return err
		}
	}
	zero := "0L"
	if elem != nil && !texts && cc.IsFloatingPointType(elem) {
		zero = "0.0"
	}
	desc.Zeros = slices.Repeat([]string{zero}, zeros)
	if mixed {
		desc.Zeros = append(desc.Zeros, slices.Repeat([]string{"0.0"}, zeros-furtherArguments)...)
	}
	b.more = append(b.more, desc.Zeros...)
	b.narrow("%d further arguments of %s", len(types), b.fn.Name)
	return nil
}

// furtherOne adds one of them, a text if it has no type.
func (b *builder) furtherOne(name string, t cc.Type, desc *input.Driver) error {
	local := b.ident(strings.ReplaceAll(name, " ", "_"), "")
	b.more = append(b.more, local)
	if o := b.items[name]; o != nil {
		decl, err := b.declareMade(o.param.typ, local)
		if err != nil {
			return b.fail(name, err)
		}
		b.cur.declare(decl)
		o.param.local = local
		in, err := b.made(*o)
		if err != nil {
			return err
		}
		desc.Inputs = append(desc.Inputs, in)
		return nil
	}
	if t == nil {
		desc.Inputs = append(desc.Inputs, b.furtherText(name, local))
		return nil
	}
	decl, err := b.ts.declare(t, local, true)
	if err != nil {
		return b.fail(name, err)
	}
	b.cur.declare(decl)
	in, err := b.fill(name, t, local, 0, true)
	if err != nil {
		return err
	}
	desc.Inputs = append(desc.Inputs, in)
	return nil
}

// furtherText is an argument that is a text of the driver's.
func (b *builder) furtherText(name, local string) *input.Input {
	n := int64(b.o.MaxString) + 1
	it := &input.Type{Kind: input.Array, Decl: fmt.Sprintf("char @[%d]", n), Size: n, Len: n,
		Elem: &input.Type{Kind: input.Int, Decl: "char @", Size: 1, Signed: true, Char: true}}
	b.cur.declare(it.Declare(local))
	b.symbolic(local, name+"[]", it, true)
	b.cur.line("%s[%d] = 0;", local, n-1)
	b.count()
	return &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer, Decl: "char *@", Size: b.pointerSize()},
		Targets: []input.Target{{Value: &input.Input{Name: name + "[]", Type: it, Object: name + "[]", Text: true}}}}
}

// argumentType is the type that the code takes the first variable argument for;
// nil where it takes none, or one that klabel does not build. Who takes numbers and pointers, as another argument
// says, gets texts in the variants from Calls on.
func (b *builder) argumentType() cc.Type {
	for _, f := range b.reach.funcs {
		if b.an.of(f.Name).pointers {
			b.bounded = true
			if b.variant >= Calls {
				return nil
			}
		}
		if t := b.an.of(f.Name).argument; t != nil && cc.IsArithmeticType(t) && !cc.IsComplexType(t) {
			return t
		} else if t != nil {
			return nil
		}
	}
	return b.unit.AST.Int
}

// argumentOfList is the type of va_arg, whose call the parser sees as a cast of what
// that returns; nil for another cast.
func argumentOfList(x *cc.CastExpression) cc.Type {
	call, ok := csource.Unparen(x.CastExpression).(*cc.PostfixExpression)
	p, isPtr := x.Type().(*cc.PointerType)
	if !ok || !isPtr || call.Case != cc.PostfixExpressionCall || csource.Callee(call) != "__kva" {
		return nil
	}
	return p.Elem()
}

// variadic gives a function the arguments that it does not name.
func (b *builder) variadic(params []param, desc *input.Driver) error {
	list := slices.ContainsFunc(params, func(p param) bool { return b.listed(p.typ) })
	if !list && (b.fn.Type == nil || !b.fn.Type.IsVariadic() || len(params) == 0) {
		return nil
	}
	if list {
		if err := b.withList(params, desc); err != nil {
			return err
		}
	}
	return b.further(params, desc)
}

// withList writes the function by which an entry calls one that takes a list of
// variable arguments. A test in C has it, too.
func (b *builder) withList(params []param, desc *input.Driver) error {
	var heads, args []string
	last := ""
	for _, p := range params {
		if b.listed(p.typ) {
			list := "klabel_list"
			if leadsToList(p.typ) {
				list = "&klabel_list"
			}
			args = append(args, list)
			continue
		}
		decl, err := b.ts.declare(p.typ, p.local, true)
		if err != nil {
			return b.fail(p.name, err)
		}
		heads, args, last = append(heads, decl), append(args, p.local), p.local
	}
	if last == "" {
		return &TypeError{b.owner(), params[0].name, "va_list",
			"a list of variable arguments, and nothing else is named"}
	}
	name := b.topIdent("call_"+b.fn.Name, "")
	call := fmt.Sprintf("%s(%s)", b.fn.Name, strings.Join(args, ", "))
	result, back := "", ""
	head := name + "(" + strings.Join(heads, ", ") + ", ...)"
	if f := b.fn.Type; f != nil && f.Result().Kind() != cc.Void {
		decl, err := b.ts.declare(f.Result(), "klabel_result", true)
		if err != nil {
			return b.fail(b.fn.Name+"()", err)
		}
		if head, err = b.ts.declare(f.Result(), head, true); err != nil {
			return b.fail(b.fn.Name+"()", err)
		}
		result, call, back = "    "+decl+";\n", "klabel_result = "+call, "    return klabel_result;\n"
	} else {
		head = "void " + head
	}
	text := fmt.Sprintf("static %s\n{\n    __builtin_va_list klabel_list;\n%s\n", head, result)
	text += fmt.Sprintf("    __builtin_va_start(klabel_list, %s);\n    %s;\n", last, call)
	text += "    __builtin_va_end(klabel_list);\n" + back + "}\n"
	b.top.WriteString(own + text + "\n")
	desc.Through, b.through = name, name
	b.lists = "__attribute__((unused)) " + text
	return nil
}

// argumentBefore is the first of a function's variable arguments, where it looks before one of them: it is
// what its parameters of a headed type are.
func (b *builder) argumentBefore(params []param) []object {
	s := b.an.of(b.fn.Name).sizes
	if b.fn.Type == nil || !b.fn.Type.IsVariadic() || !slices.ContainsFunc(s.taken, func(name string) bool {
		return b.an.looksBefore(b.fn, name, beforeDepth) != ""
	}) {
		return nil
	}
	i := slices.IndexFunc(params, func(p param) bool { return b.headed(p.typ) })
	if i < 0 {
		return nil
	}
	limit := b.variant.bounds()
	limit.operations = 0
	out := b.objectsOf(b.fn, []param{{name: "argument 1", typ: params[i].typ}}, nil, limit)
	for _, o := range out {
		b.items[o.param.name] = nil
	}
	return out
}

// argument notes a variable that gets a variable argument.
func (s *sizes) argument(to string, from cc.ExpressionNode) {
	x, ok := csource.Unparen(from).(*cc.UnaryExpression)
	if !ok || x.Case != cc.UnaryExpressionDeref {
		return
	}
	if c, ok := csource.Unparen(x.CastExpression).(*cc.CastExpression); ok && argumentOfList(c) != nil {
		s.taken = append(s.taken, to)
	}
}
