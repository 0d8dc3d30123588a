package drivers

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// Bounds of the variant Calls: each function to call is a fork.
const (
	maxMakers     = 2 // functions that make what a pointer leads to
	maxOperations = 4 // functions that change it, or the state
	maxSteps      = 2 // calls that change something
)

// preparation is a function that may be called before the one under test.
type preparation struct {
	fn   *csource.Function
	self int // the parameter that takes the object, -1 for none
}

// object is a parameter that leads to a structure which the unit's own
// functions make and change.
type object struct {
	param      param
	elem       cc.Type
	makers     []preparation
	operations []preparation
}

// interfaceOf finds what the unit offers to make the structures that a function
// takes, and to change the state that it reads.
func (s *shared) interfaceOf(fn *csource.Function, params []param) (objects []object, state []preparation) {
	for _, p := range params {
		pt, ok := p.typ.(*cc.PointerType)
		if !ok || !isRecord(pt.Elem()) {
			continue
		}
		o := object{param: p, elem: pt.Elem()}
		for _, f := range s.unit.Functions() {
			self, ok := s.simple(f, pt.Elem())
			if !ok {
				continue
			}
			switch {
			case self < 0 && s.gives(f, pt.Elem()) && len(o.makers) < maxMakers && f.Name != fn.Name:
				o.makers = append(o.makers, preparation{f, -1})
			case self >= 0 && !isConst(f.Params[self].Type().(*cc.PointerType).Elem()):
				o.operations = append(o.operations, preparation{f, self})
			}
		}
		o.operations = best(o.operations)
		if len(o.makers) > 0 || len(o.operations) > 0 && !pt.Elem().IsIncomplete() {
			objects = append(objects, o)
		}
	}
	vars := s.state(s.an.reach(fn))
	var users []preparation // of what the variables lead to
	for _, f := range s.unit.Functions() {
		if _, ok := s.simple(f, nil); !ok || f.Name == fn.Name || len(vars) == 0 {
			continue
		}
		var how access
		for _, g := range s.an.reach(f).funcs {
			for name, a := range s.an.of(g.Name).access {
				if vars[name] {
					how |= a
				}
			}
		}
		if how&writes != 0 {
			state = append(state, preparation{f, -1})
		} else if how != 0 {
			users = append(users, preparation{f, -1})
		}
	}
	return objects, best(append(state, users...))
}

// ending matches functions that end an object's life: they come last.
var ending = regexp.MustCompile(`(?i)free|destroy|delete|close|release|deinit|clear|reset`)

func best(list []preparation) []preparation {
	slices.SortStableFunc(list, func(a, b preparation) int {
		return boolean(ending.MatchString(a.fn.Name)) - boolean(ending.MatchString(b.fn.Name))
	})
	return list[:min(len(list), maxOperations)]
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

// gives reports whether a function returns a pointer to a type.
func (s *shared) gives(f *csource.Function, elem cc.Type) bool {
	p, ok := f.Type.Result().(*cc.PointerType)
	return ok && s.alike(p.Elem(), elem)
}

func (s *shared) alike(a, b cc.Type) bool {
	x, err := s.ts.declare(a, "@", true)
	y, err2 := s.ts.declare(b, "@", true)
	return err == nil && err2 == nil && x == y
}

// simple reports whether all parameters of a function can be given without
// more ado: numbers, strings, and one pointer to the type, whose place is self.
func (s *shared) simple(f *csource.Function, elem cc.Type) (self int, ok bool) {
	self = -1
	if f.Origin.System || f.Type == nil || f.Type.IsVariadic() || f.Name == "main" || s.renames[f.Name] != "" {
		return self, false
	}
	for i, p := range f.Params {
		pt, isPtr := p.Type().(*cc.PointerType)
		switch {
		case p.Type().Kind() == cc.Void:
		case isPtr && elem != nil && self < 0 && s.alike(pt.Elem(), elem):
			self = i
		case isPtr && pt.Elem().Kind() == cc.Char, cc.IsArithmeticType(p.Type()) && !cc.IsComplexType(p.Type()):
		default:
			return self, false
		}
	}
	return self, true
}

// preparers are the functions that an entry of the variant Calls may call.
func (s *shared) preparers(fn *csource.Function) (out []*csource.Function) {
	b := &builder{shared: s, fn: fn, local: map[string]bool{}}
	objects, state := s.interfaceOf(fn, b.params())
	for _, o := range objects {
		for _, p := range slices.Concat(o.makers, o.operations) {
			out = append(out, p.fn)
		}
	}
	for _, p := range state {
		out = append(out, p.fn)
	}
	return out
}

// made leaves a parameter to the calls before the one under test.
func (b *builder) made(o object) (*input.Input, error) {
	decl, err := b.ts.declare(o.elem, "*@", true)
	if err != nil {
		return nil, b.fail(o.param.name, err)
	}
	b.cur.line("%s = 0;", o.param.local)
	b.pointers++
	return &input.Input{Name: o.param.name, Made: true, Type: &input.Type{Kind: input.Pointer, Decl: decl,
		Size: o.param.typ.Size()}}, nil
}

// prepare writes the calls before the one under test: those that make objects,
// then steps that change them, or the state. All that is chosen is chosen
// before the first call.
func (b *builder) prepare(desc *input.Driver, objects []object, state []preparation) error {
	calls := newBlock(false)
	calls.indent = b.cur.indent
	for i := range objects {
		o := &objects[i]
		var choices []choice
		for _, m := range o.makers {
			choices = append(choices, choice{m, o})
		}
		zeroed := ""
		if !o.elem.IsIncomplete() && len(o.makers) == 0 {
			decl, err := b.ts.declare(o.elem, "", true)
			if err != nil {
				return b.fail(o.param.name, err)
			}
			zeroed = "calloc(1, sizeof(" + strings.TrimSpace(decl) + "))"
		}
		if err := b.step(desc, calls, o.param.name+":made", choices, o, zeroed); err != nil {
			return err
		}
		var names []string
		for _, m := range o.makers {
			names = append(names, m.fn.Name)
		}
		if zeroed != "" {
			names = append(names, "calloc")
		}
		b.narrow("%s made by %s", o.param.name, strings.Join(names, ", "))
	}
	var choices []choice
	for i := range objects {
		for _, p := range objects[i].operations {
			choices = append(choices, choice{p, &objects[i]})
		}
	}
	for _, p := range state {
		choices = append(choices, choice{p, nil})
	}
	choices = choices[:min(len(choices), maxOperations)]
	for i := 1; i <= maxSteps && len(choices) > 0; i++ {
		if err := b.step(desc, calls, fmt.Sprintf("call %d", i), choices, nil, ""); err != nil {
			return err
		}
		b.narrow("%d calls before it", maxSteps)
	}
	b.cur.decls.WriteString(calls.decls.String())
	b.late = append(b.late, func() { b.cur.body.WriteString(calls.body.String()) })
	return nil
}

// choice is a function to call for an object, or for the state.
type choice struct {
	preparation
	of *object
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
		for k, param := range c.fn.Params {
			if param.Type().Kind() == cc.Void {
				continue
			}
			if k == c.self {
				args = append(args, "(void *)"+c.of.param.local)
				p.Args, p.Self = append(p.Args, nil), c.of.param.name
				continue
			}
			arg := fmt.Sprintf("%s:%s.%s", name, c.fn.Name, argument(param, k))
			local := b.ident(arg, "")
			decl, err := b.ts.declare(param.Type(), local, true)
			if err != nil {
				return b.fail(arg, err)
			}
			b.cur.declare(decl)
			in, err := b.fill(arg, param.Type(), local, 0, true)
			if err != nil {
				return err
			}
			p.Args = append(p.Args, in)
			args = append(args, local)
		}
		b.cur.line("break;")
		b.cur.indent--
		call := fmt.Sprintf("%s(%s);", c.fn.Name, strings.Join(args, ", "))
		owner := made
		if owner == nil && c.of != nil && b.gives(c.fn, c.of.elem) {
			owner = c.of // what adds to a list returns its new head
		}
		if owner != nil {
			p.Result = owner.param.name
			call = owner.param.local + " = (void *)" + call
		} else {
			call = "(void)" + call
		}
		if c.self >= 0 {
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
