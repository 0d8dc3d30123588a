package drivers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// made leaves a parameter to the calls before the one under test.
func (b *builder) made(o object) (*input.Input, error) {
	decl, err := b.declareMade(o.param.typ, "@")
	if err != nil {
		return nil, b.fail(o.param.name, err)
	}
	if o.param.held {
		b.cur.line("__builtin_memset((void *)&%[1]s, 0, sizeof %[1]s);", o.param.local)
		it, err := b.ts.of(o.elem)
		if err != nil {
			return nil, b.fail(o.param.name, err)
		}
		return &input.Input{Name: o.param.name, Made: true, Type: it}, nil
	}
	b.cur.line("%s = 0;", o.param.local)
	b.pointers++
	return &input.Input{Name: o.param.name, Made: true, Type: &input.Type{Kind: input.Pointer, Decl: decl,
		Size: o.param.typ.Size()}}, nil
}

// address is C for where an object is.
func (p param) address() string {
	if p.held {
		return "&" + p.local
	}
	return p.local
}

// itself is C for the structure that an object is, which calls may assign to.
func (b *builder) itself(p param) (string, error) {
	if p.held {
		return p.local, nil
	}
	to, err := b.declareMade(p.typ, "")
	return "*(" + to + ")" + p.local, err
}

// declareMade declares a pointer to what calls make and change: it is not constant to them, whatever it is to
// the function under test.
func (b *builder) declareMade(t cc.Type, inner string) (string, error) {
	pt, ok := t.(*cc.PointerType)
	if ok && (isRecord(pt.Elem()) || leadsToPlain(t)) && !b.ts.visible(t.Typedef()) {
		return b.ts.declare(pt.Elem(), "*"+inner, true)
	}
	return b.ts.declare(t, inner, true)
}

// step lets one byte choose among functions, or none, builds the arguments,
// and writes the call into another block. made is the object that the step
// makes, nil for one that changes something.
func (b *builder) step(desc *input.Driver, calls *block, name string, choices []choice, made *object,
	zeroed string) error {
	which := b.ident(name, "_choice")
	b.cur.declare("unsigned char " + which)
	st := input.Step{Object: name}
	n := len(choices) + 1 + boolean(zeroed != "")
	b.cur.line("%s = klabel_choose(%s, %d);", which, quote(name), n)
	b.cur.open("switch (%s)", which)
	calls.open("switch (%s)", which)
	for i, c := range choices {
		b.cur.line("case %d:", i+1)
		b.cur.indent++
		p := input.Prepare{Function: c.fn.Name}
		var args []string
		locals := make([]string, len(c.fn.Params))
		itself := ""
		if c.of != nil && c.of.elem != nil {
			var err error
			if itself, err = b.itself(c.of.param); err != nil {
				return b.fail(c.of.param.name, err)
			}
		}
		texts := b.memoryOf(c.preparation)
		for k, param := range c.fn.Params {
			if param.Type().Kind() == cc.Void {
				continue
			}
			if k == c.self {
				p.Args = append(p.Args, nil)
				switch p.Copied = isRecord(param.Type()); {
				case c.out:
					args, p.Out = append(args, "(void *)&"+c.of.param.local), c.of.param.name
				case p.Copied:
					args, p.Self = append(args, itself), c.of.param.name
				default:
					args, p.Self = append(args, "(void *)"+c.of.param.address()), c.of.param.name
				}
				continue
			}
			if o, ok := c.with[k]; ok {
				if p.With == nil {
					p.With = map[int]string{}
				}
				p.Args, p.With[k] = append(p.Args, nil), o.name
				if isRecord(param.Type()) {
					p.Values, args = append(p.Values, k), append(args, o.local)
				} else {
					args = append(args, "(void *)"+o.address())
				}
				continue
			}
			text := texts[k]
			if size := b.an.saysSizeOf(c.fn, param.Name()); size > 0 && plainInteger(param.Type()) {
				text = literal(size) // with another one nothing is done
			} else if takesPlace(param.Type()) {
				text = roomForPointer
			} else if k == c.start {
				text = "(void *)0"
			}
			if text != "" {
				if p.Texts == nil {
					p.Texts = map[int]string{}
				}
				p.Texts[k], p.Args, args = text, append(p.Args, nil), append(args, text)
				continue
			}
			arg := fmt.Sprintf("%s:%s.%s", name, c.fn.Name, argument(param, k))
			local := b.ident(arg, "")
			decl, err := b.ts.declare(param.Type(), local, true)
			if err != nil {
				return b.fail(arg, err)
			}
			b.cur.declare(decl)
			b.promise(c.fn, k, arg)
			b.expect(c.fn, k, arg)
			heap := b.heap
			b.heap, b.before, b.begins = b.mayRelease(c.fn, param.Name(), param.Type()), true, c.begins
			in, err := b.fill(arg, param.Type(), local, 0, true)
			if b.heap, b.before, b.begins = heap, false, false; err != nil {
				return err
			}
			b.limitSize(c.fn, param, local)
			p.Args = append(p.Args, in)
			args, locals[k] = append(args, local), local
		}
		b.limitArguments(c.fn, p.Args, locals)
		b.cur.line("break;")
		b.cur.indent--
		call := fmt.Sprintf("%s(%s);", c.fn.Name, strings.Join(args, ", "))
		owner := made
		if owner == nil && c.of != nil && b.replaced(c.preparation, *c.of) {
			owner = c.of // what adds to a list returns its new head
		}
		p.Whole = c.of != nil && b.holds(c.fn.Type.Result(), c.of.param.typ)
		if p.Whole {
			p.Result = c.of.param.name
			call = itself + " = " + call
		} else if owner != nil && !c.out {
			p.Result = owner.param.name
			call = owner.param.local + " = (void *)" + call
		} else {
			call = "(void)" + call
		}
		for _, k := range slices.Sorted(maps.Keys(c.with)) {
			if !c.with[k].held {
				call = fmt.Sprintf("if (%s != 0) %s", c.with[k].local, call)
			}
		}
		if (c.self >= 0 && !c.out || p.Whole) && !c.of.param.held {
			call = fmt.Sprintf("if (%s != 0) %s", c.of.param.local, call)
		}
		calls.line("case %d: %s break;", i+1, call)
		st.Choices = append(st.Choices, p)
	}
	if zeroed != "" {
		calls.line("case %d: %s = %s; break;", n-1, made.param.local, zeroed)
		st.Choices = append(st.Choices, input.Prepare{Text: zeroed, Result: made.param.name})
	}
	b.cur.close("")
	calls.close("")
	desc.Steps = append(desc.Steps, st)
	return nil
}

// largestSize is the largest size that a call before the one under test is told. A product of larger ones
// wraps around: the object then has room for less than it says, and the run ends in it.
const largestSize = 1 << 20

// limitSize keeps what a call before the one under test takes for a size within what there is memory for.
func (b *builder) limitSize(fn *csource.Function, p *cc.Parameter, local string) {
	if d := p.Type().Typedef(); d == nil || d.Name() != "size_t" || !plainInteger(p.Type()) {
		return
	}
	b.cur.line("klee_assume(%s <= %d);", local, largestSize)
	b.narrow("sizes of at most %d given to %s", largestSize, fn.Name)
}

// leadsToConst reports whether a function promises not to change the numbers, characters or untyped memory
// that it is given: nor does it free them.
func leadsToConst(t cc.Type) bool {
	pt, ok := t.(*cc.PointerType)
	return ok && leadsToPlain(t) && isConst(pt.Elem())
}

// limitArguments keeps the numbers of items that a function is told within what is
// behind its pointers: one that it believes would end the run before the call under
// test.
func (b *builder) limitArguments(fn *csource.Function, args []*input.Input, locals []string) {
	if b.o.NoGuess || fn.Def == nil { // nothing is known of what another file does with them
		return
	}
	var params []param
	for k, p := range fn.Params {
		params = append(params, param{name: argument(p, k), typ: p.Type()})
	}
	for k, in := range args {
		if _, ok := params[k].typ.(*cc.PointerType); !ok || in == nil || locals[k] == "" {
			continue
		}
		n := b.countOf(fn, params, k)
		q := slices.IndexFunc(params, func(p param) bool { return p.name == n })
		if items := itemsOf(in); items >= 0 && q >= 0 && locals[q] != "" {
			b.cur.line("klee_assume((%s == 0) | (%s <= %s));", locals[k], locals[q], literal(items))
		}
	}
}
