package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// How often a function is called in a row, with which numbers. A table grows, a
// tree turns and a buffer is filled after dozens of calls, each with something
// else; symbolic values in all of them no engine would follow.
var (
	manyTimes = []int{13, 2, 5, 40, 130}
	manyFrom  = []int{0, 1, 100}
	manySteps = []int{1237, 1, -1, 0, 7}
)

// manyNumbers bounds the numbers: the first step goes round among them, up and down, as no other one comes so far.
const manyNumbers = 2003

// many writes the step in which one function that fills an object, or changes the
// state, is called many times.
func (b *builder) many(desc *input.Driver, calls *block, objects []object, state []preparation) error {
	var choices []choice
	for i := range objects {
		o := &objects[i]
		for _, list := range [][]preparation{o.operations, o.makers} {
			for _, p := range list {
				if p.self >= 0 && !isRecord(p.fn.Params[p.self].Type()) && filling.MatchString(p.fn.Name) &&
					b.repeats(p) {
					choices = append(choices, choice{p, o})
				}
			}
		}
	}
	for _, p := range state {
		if len(p.fn.Params) > 0 && filling.MatchString(p.fn.Name) && b.repeats(p) {
			choices = append(choices, choice{p, nil})
		}
	}
	choices = choices[:min(len(choices), b.variant.bounds().operations)]
	if len(choices) == 0 {
		return nil
	}
	const name = "many calls"
	which := b.ident(name, "_choice")
	b.cur.declare("unsigned char " + which)
	b.cur.line("%s = klabel_choose(%s, %d);", which, quote(name), len(choices)+1)
	b.cur.open("switch (%s)", which)
	calls.open("switch (%s)", which)
	st := input.Step{Object: name}
	for i, c := range choices {
		helper, err := b.repeated(c)
		if err != nil {
			return err
		}
		p := input.Prepare{Function: helper}
		b.cur.line("case %d:", i+1)
		b.cur.indent++
		var args []string
		if c.self >= 0 {
			p.Args = append(p.Args, nil)
			if c.out {
				args, p.Out = append(args, "(void *)&"+c.of.param.local), c.of.param.name
			} else {
				args, p.Self = append(args, "(void *)"+c.of.param.address()), c.of.param.name
			}
		}
		for _, one := range []struct {
			name   string
			values []int
		}{{"from", manyFrom}, {"step", manySteps}, {"times", manyTimes}} {
			in, local := b.oneOf(name+":"+c.fn.Name+"."+one.name, one.values)
			p.Args, args = append(p.Args, in), append(args, local)
		}
		b.cur.line("break;")
		b.cur.indent--
		call := fmt.Sprintf("%s(%s);", helper, strings.Join(args, ", "))
		if c.self >= 0 && !c.out {
			if b.replaced(c.preparation, *c.of) {
				p.Result = c.of.param.name
				call = c.of.param.local + " = (void *)" + call
			}
			call = fmt.Sprintf("if (%s != 0) %s", c.of.param.address(), call)
		}
		calls.line("case %d: %s break;", i+1, call)
		st.Choices = append(st.Choices, p)
		b.narrow("%s called many times", c.fn.Name)
	}
	b.cur.close("")
	calls.close("")
	desc.Steps = append(desc.Steps, st)
	return nil
}

// oneOf is a variable that gets one of some numbers.
func (b *builder) oneOf(name string, values []int) (*input.Input, string) {
	local := b.ident(name, "")
	in := &input.Input{Name: name, Object: name,
		Type: &input.Type{Kind: input.Int, Decl: "int @", Size: 4, Signed: true}}
	b.cur.declare("int " + local)
	b.cur.open("switch (klabel_choose(%s, %d))", quote(name), len(values))
	for i, v := range values {
		label := fmt.Sprintf("case %d:", i)
		if i == len(values)-1 {
			label = "default:"
		}
		b.cur.line("%s %s = %d; break;", label, local, v)
		in.Picks = append(in.Picks, input.Pick{Text: fmt.Sprint(v), Value: float64(v)})
	}
	b.cur.close("")
	return in, local
}

// repeats reports whether something else can be given in each of many calls.
func (b *builder) repeats(c preparation) bool {
	for i, p := range c.fn.Params {
		t := p.Type()
		pt, isPtr := t.(*cc.PointerType)
		switch {
		case i == c.self, t.Kind() == cc.Void, cc.IsArithmeticType(t) && !cc.IsComplexType(t):
		case isPtr && (pt.Elem().Kind() == cc.Void || cc.IsArithmeticType(pt.Elem())) && !b.listed(t):
		case isPtr && leadsToPlain(pt.Elem()):
		case isPtr && b.isNode(c, pt.Elem()):
		default:
			return false
		}
	}
	return true
}

// repeated writes the function that calls another many times. A test in C has it,
// too.
func (b *builder) repeated(c choice) (string, error) {
	// The tested function's name is in it: a test program may hold those of several.
	name := b.ident("many_"+c.fn.Name+"_for_"+b.fn.Name, "")
	most := slices.Max(manyTimes)
	var places, fills, args []string
	self, call := "", ""
	for i, p := range c.fn.Params {
		t := p.Type()
		pt, isPtr := t.(*cc.PointerType)
		n := fmt.Sprintf("items_%d", i+1)
		switch {
		case t.Kind() == cc.Void:
		case i == c.self:
			decl, err := b.ts.declare(c.of.param.typ, map[bool]string{false: "self", true: "*self"}[c.out], true)
			if err != nil {
				return "", b.fail(c.of.param.name, err)
			}
			self, args = decl+", ", append(args, "(void *)self")
		case !isPtr && lengthOf(c.fn, i):
			args = append(args, "3")
		case !isPtr:
			args = append(args, "k")
		case leadsToPlain(pt.Elem()):
			args = append(args, roomForPointer)
		case isRecord(pt.Elem()):
			decl, err := b.ts.declare(pt.Elem(), "", true)
			if err != nil {
				return "", b.fail(p.Name(), err)
			}
			places = append(places, b.manyRoom(strings.TrimSpace(decl), n, "[1]", most))
			if b.heap {
				fills = append(fills, fmt.Sprintf("%s[i] = calloc(1, sizeof *%s[i]);", n, n))
			}
			more, set := nodeFields(pt.Elem().(*cc.StructType), n, most)
			places, fills = append(places, more...), append(fills, set...)
			args = append(args, "(void *)"+n+"[i]")
		case pt.Elem().Kind() == cc.Char, pt.Elem().Kind() == cc.UChar:
			places = append(places, b.manyRoom("char", n, "[4]", most))
			fills = append(fills, b.manyItem(n, "4")...)
			for at, shift := range []int{6, 3, 0} {
				fills = append(fills, fmt.Sprintf("%s[i][%d] = (char)('a' + ((unsigned)k >> %d & 7));", n, at, shift))
			}
			fills, args = append(fills, n+"[i][3] = 0;"), append(args, "(void *)"+n+"[i]")
		default:
			elem, err := "int", error(nil)
			if pt.Elem().Kind() != cc.Void {
				if elem, err = b.ts.declare(pt.Elem(), "", true); err != nil {
					return "", b.fail(p.Name(), err)
				}
			}
			places = append(places, b.manyRoom(strings.TrimSpace(elem), n, "[4]", most))
			fills = append(fills, b.manyItem(n, "4 * sizeof *"+n+"[i]")...)
			fills = append(fills, fmt.Sprintf("%s[i][0] = %s[i][1] = %s[i][2] = k;", n, n, n))
			args = append(args, "(void *)"+n+"[i]")
		}
	}
	call = fmt.Sprintf("%s(%s);", c.fn.Name, strings.Join(args, ", "))
	head, back := "void", ""
	if c.self >= 0 && !c.out && b.replaced(c.preparation, *c.of) {
		call, head, back = "self = (void *)"+call, "void *", "    return (void *)self;\n"
	} else {
		call = "(void)" + call
	}
	var s strings.Builder
	fmt.Fprintf(&s, "static %s %s(%sint from, int step, int times)\n{\n", head, name, self)
	for _, p := range places {
		s.WriteString("    " + p + "\n")
	}
	s.WriteString("    int i;\n\n    for (i = 0; i < times; i++) {\n        int k = (from + i * step) % " +
		fmt.Sprint(manyNumbers) + ";\n\n")
	for _, f := range fills {
		s.WriteString("        " + f + "\n")
	}
	s.WriteString("        (void)k;\n        " + call + "\n    }\n" + back + "}\n")
	b.top.WriteString(own + s.String() + "\n")
	b.helpers = append(b.helpers, "__attribute__((unused)) "+s.String())
	return name, nil
}

// manyRoom declares the items that many calls are given: memory from malloc where
// the program may free it.
func (b *builder) manyRoom(elem, name, each string, most int) string {
	if b.heap {
		return fmt.Sprintf("%s *%s[%d];", elem, name, most)
	}
	return fmt.Sprintf("static %s %s[%d]%s;", elem, name, most, each)
}

func (b *builder) manyItem(name, size string) []string {
	if !b.heap {
		return nil
	}
	return []string{fmt.Sprintf("%s[i] = malloc(%s);", name, size)}
}

// isNode reports whether a structure is what a caller has the memory of and a container links: another one each time.
func (b *builder) isNode(c preparation, t cc.Type) bool {
	x, ok := t.(*cc.StructType)
	return ok && !x.IsIncomplete() && !x.HasFlexibleArrayMember() && !isConst(t) && !isStream(t) &&
		x.Size() <= largestNode && b.buildable(t) == nil &&
		(c.self < 0 || !b.alike(c.fn.Params[c.self].Type(), t.Pointer()))
}

// largestNode bounds a node of a container, in bytes.
const largestNode = 256

// nodeFields are the texts that the nodes of many calls hold, and C that gives their fields values.
func nodeFields(x *cc.StructType, nodes string, most int) (places, fills []string) {
	digits := func(place string) {
		for at, shift := range []int{6, 3, 0} {
			fills = append(fills, fmt.Sprintf("%s[%d] = (char)('a' + ((unsigned)k >> %d & 7));", place, at, shift))
		}
	}
	for i := range x.NumFields() {
		f := x.FieldByIndex(i)
		if f == nil || f.Name() == "" || isConst(f.Type()) {
			continue
		}
		place := fmt.Sprintf("%s[i]->%s", nodes, f.Name())
		pt, isPtr := f.Type().(*cc.PointerType)
		a, isArray := f.Type().(*cc.ArrayType)
		switch {
		case isPtr && pt.Elem().Kind() == cc.Char:
			texts := nodes + "_" + f.Name()
			places = append(places, fmt.Sprintf("static char %s[%d][4];", texts, most))
			digits(texts + "[i]")
			fills = append(fills, fmt.Sprintf("%s = %s[i];", place, texts))
		case isArray && a.Elem().Kind() == cc.Char && a.Len() >= 4:
			digits(place)
		case plainInteger(f.Type()), cc.IsFloatingPointType(f.Type()) && !cc.IsComplexType(f.Type()):
			fills = append(fills, place+" = k;")
		}
	}
	return places, fills
}

// lengthOf reports whether a parameter tells how long the one before it is.
func lengthOf(f *csource.Function, i int) bool {
	p := f.Params[i]
	if i == 0 || !plainInteger(p.Type()) || !countName.MatchString(p.Name()) {
		return false
	}
	_, ok := f.Params[i-1].Type().(*cc.PointerType)
	return ok
}
