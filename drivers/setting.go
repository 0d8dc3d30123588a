package drivers

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
	"klabel/runtime_c"
)

// An object that the caller has the memory of is begun by a function of the program's, and
// then told what to work on by the caller, who assigns to its fields: a stream where it reads
// from, and how many bytes there are. Those are the plain fields that no function which begins
// it assigns to. Entries of calls assign to them, too.

const (
	setRoom = 64 // behind a pointer that is set, at most: a byte tells
	mostSet = 8  // fields
)

// setTimes is how often these items stand behind a pointer one after the other: what is
// compressed or buffered shows in long inputs alone.
var setTimes = []int{1, 5, 1200}

// beginning matches functions that begin an object in memory of the caller's, plainBeginning those of them that want
// little for it, and undoing those that end it.
var (
	beginning      = regexp.MustCompile(`(?i)init|set_?up|create|construct`)
	plainBeginning = regexp.MustCompile(`(?i)init|set_?up`)
	undoing        = regexp.MustCompile(`(de|un|De|Un)_?([iI]nit|[cC]onstruct)`)
)

// remaining matches integers that tell what is left of what a pointer leads to.
var remaining = regexp.MustCompile(`(?i)avail|left|remain|room|have|fill|size|len|count|cap|num|bytes|max`)

// beginnings takes the operations that begin an object apart.
func beginnings(list []preparation) (inits, others []preparation) {
	for _, p := range list {
		if beginning.MatchString(p.verb()) && !undoing.MatchString(p.verb()) && !p.raw {
			p.begins = true
			inits = append(inits, p)
		} else {
			others = append(others, p)
		}
	}
	return inits, others
}

// begun chooses what begins an object, and what may be called on it then: functions of the unit, where it has some
// that begin it, and first the function under test, whose next call goes on where this one stopped.
//
// values are functions that return one. Those that need another object for it are called when that is filled.
func (s *shared) begun(o *object, values []preparation, fn *csource.Function, limit bounds) {
	o.inits, o.operations = beginnings(o.operations)
	for _, v := range s.bestMakers(*o, values, len(values)) {
		if len(v.with) > 0 {
			o.setups = append(o.setups, v)
		} else {
			o.inits = append(o.inits, v)
		}
	}
	near := defined(o.inits)
	if len(near) > 0 {
		o.inits, o.operations = near, defined(o.operations)
	}
	slices.SortStableFunc(o.inits, func(a, b preparation) int {
		return cmp.Or(boolean(a.fn.Static)-boolean(b.fn.Static), s.kinship(b.fn, fn)-s.kinship(a.fn, fn))
	})
	o.inits = withConstants(o.inits, limit.makers+moreHeld*boolean(o.param.held))
	o.operations = s.best(o.operations, fn, len(o.operations))
	if own := slices.IndexFunc(o.operations, func(p preparation) bool { return p.fn.Name == fn.Name }); own > 0 &&
		len(o.inits) > 0 {
		again := o.operations[own]
		o.operations = slices.Insert(slices.Delete(o.operations, own, own+1), 0, again)
	}
	o.operations = append(o.operations, o.inits...) // once more, where nothing else is to be called
	o.operations = o.operations[:min(len(o.operations), limit.operations)]
}

// moreHeld is how many more functions that return a structure itself make one: it may be of one of several kinds.
const moreHeld = 2

// mostConstant bounds the makers that take no arguments beside the others: each is a way to go, and nothing more.
const mostConstant = 8

// withConstants are the first of some makers, and those behind them that take no arguments: a value that is none, an
// empty list.
func withConstants(makers []preparation, most int) (out []preparation) {
	constant := 0
	for i, m := range makers {
		more := m.self < 0 && takesNothing(m.fn) && constant < mostConstant
		if i >= most && more {
			constant++
		}
		if i < most || more {
			out = append(out, m)
		}
	}
	return out
}

// takesNothing reports whether a function has no parameters: (void) is none.
func takesNothing(f *csource.Function) bool {
	return !slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool { return p.Type().Kind() != cc.Void })
}

// defined are those of which the unit has the text.
func defined(list []preparation) (out []preparation) {
	for _, p := range list {
		if p.fn.Def != nil {
			out = append(out, p)
		}
	}
	return out
}

// settable are fields of an object that its user sets: a pointer, and the number of what is behind it.
type settable struct {
	pointer, count *cc.Field // nil for none; one of them is there
}

// settables finds what the user of an object sets. Where nobody knows what begins it, these are pointers with
// a number beside them alone.
func (b *builder) settables(o *object) (out []settable) {
	x, ok := o.elem.(*cc.StructType)
	if !ok || len(o.inits) == 0 {
		return nil
	}
	assigned, known := map[string]bool{}, true
	for _, p := range o.inits {
		if p.self < 0 {
			return nil // it returns one that is whole
		}
		known = known && p.fn.Def != nil
		for _, f := range b.an.reach(p.fn).funcs {
			for name := range b.an.of(f.Name).assigned {
				assigned[name] = true
			}
		}
	}
	open := func(i int) *cc.Field {
		if i < 0 || i >= x.NumFields() {
			return nil
		}
		f := x.FieldByIndex(i)
		if f == nil || f.Name() == "" || f.IsBitfield() || assigned["."+f.Name()] || b.constField(f) ||
			!b.fieldMatters(f) {
			return nil
		}
		return f
	}
	counts := func(p, n *cc.Field) bool {
		return n != nil && plainInteger(n.Type()) && (b.counts(n.Name(), p.Name()) || remaining.MatchString(n.Name()))
	}
	taken := map[string]bool{}
	for i := range x.NumFields() {
		f := open(i)
		if f == nil || !leadsToPlain(f.Type()) {
			continue
		}
		s := settable{pointer: f}
		for _, k := range []int{i + 1, i - 1} {
			if n := open(k); counts(f, n) && !taken[n.Name()] {
				s.count, taken[n.Name()] = n, true
				break
			}
		}
		if s.count != nil || known {
			out = append(out, s)
		}
	}
	for i := range x.NumFields() {
		if f := open(i); known && f != nil && plainInteger(f.Type()) && !taken[f.Name()] {
			out = append(out, settable{count: f})
		}
	}
	return out[:min(len(out), mostSet)]
}

// setter writes the function that sets the fields of an object. A test in C has it, too. How many items there are is
// nothing to fork for: only a replay has memory of exactly this size.
func (b *builder) setter(o *object, list []settable) (string, error) {
	name := b.topIdent("set_"+o.param.local+"_for_"+b.fn.Name, "")
	repeat := b.topIdent("repeated_for_"+name, "")
	head, err := b.ts.declare(o.param.typ, "self", true)
	if err != nil {
		return "", b.fail(o.param.name, err)
	}
	var body strings.Builder
	for i, s := range list {
		f := s.pointer
		if f == nil {
			f = s.count
		}
		decl, err := b.ts.declare(f.Type(), f.Name(), true)
		if err != nil {
			return "", b.fail(o.param.name, err)
		}
		if head += ", " + decl; s.pointer == nil {
			fmt.Fprintf(&body, "    self->%s = %s;\n", f.Name(), f.Name())
			continue
		}
		n := fmt.Sprintf("items_%d", i+1)
		times := fmt.Sprintf("times_%d", i+1)
		head += ", int " + times
		count := times + " * " + literal(setRoom)
		if s.count != nil {
			head += ", unsigned char " + n
			count = times + " * " + n
			fmt.Fprintf(&body, "    self->%s = %s;\n", s.count.Name(), count)
		}
		fmt.Fprintf(&body, "    self->%s = (void *)%s(%s, %s * sizeof *%s, (%s) * sizeof *%s, %s);\n", f.Name(),
			repeat, f.Name(), literal(setRoom), f.Name(), count, f.Name(), times)
	}
	text := "static void " + name + "(" + head + ")\n{\n" + body.String() + "}\n"
	block := strings.ReplaceAll(runtime_c.Text("driver/repeated.c"), "klabel_repeated", repeat)
	explored := strings.Replace(block, "room = bytes", "room = klee_is_replay() ? bytes : times * size", 1)
	b.top.WriteString(own + explored + own + text + "\n")
	const unused = "__attribute__((unused)) "
	b.helpers = append(b.helpers, unused+block, unused+text)
	return name, nil
}

// set writes the step in which the fields of an object are set, or are not.
func (b *builder) set(desc *input.Driver, calls *block, name string, o *object, helper string, list []settable) error {
	which := b.ident(name, "_choice")
	b.cur.declare("unsigned char " + which)
	b.cur.line("%s = klabel_choose(%s, 2);", which, quote(name))
	b.cur.open("if (%s)", which)
	p := input.Prepare{Function: helper, Self: o.param.name, Args: []*input.Input{nil}}
	args := []string{"(void *)" + o.param.address()}
	give := func(f *cc.Field) error {
		arg := name + "." + f.Name()
		local := b.ident(arg, "")
		decl, err := b.ts.declare(f.Type(), local, true)
		if err != nil {
			return b.fail(arg, err)
		}
		b.cur.declare(decl)
		var in *input.Input
		if s, ok := f.Type().(*cc.PointerType); ok {
			in, err = b.setItems(arg, s, local)
		} else {
			in, err = b.fill(arg, f.Type(), local, 0, true)
		}
		p.Args, args = append(p.Args, in), append(args, local)
		return err
	}
	for _, s := range list {
		if s.pointer == nil {
			if err := give(s.count); err != nil {
				return err
			}
			continue
		}
		if err := give(s.pointer); err != nil {
			return err
		}
		times, local := b.oneOf(name+"."+s.pointer.Name()+".times", setTimes)
		p.Args, args = append(p.Args, times), append(args, local)
		if s.count == nil {
			continue
		}
		n := name + "." + s.pointer.Name() + ".items"
		local = b.ident(n, "")
		b.cur.declare("unsigned char " + local)
		b.cur.line("%s = klabel_choose(%s, %d);", local, quote(n), setRoom+1)
		p.Args, args = append(p.Args, &input.Input{Name: n, Object: n,
			Type: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1}}), append(args, local)
	}
	b.cur.close("")
	calls.line("if (%s && %s != 0) %s(%s);", which, o.param.address(), helper, strings.Join(args, ", "))
	desc.Steps = append(desc.Steps, input.Step{Object: name, Choices: []input.Prepare{p}})
	b.narrow("fields of %s that its user sets, as some are set", o.param.name)
	return nil
}

// setItems writes the items behind a pointer that is set: they are copied, and may be constant to others.
func (b *builder) setItems(name string, p *cc.PointerType, lv string) (*input.Input, error) {
	decl, err := b.ts.declare(p, "@", true)
	if err != nil {
		return nil, b.fail(name, err)
	}
	heap := b.heap
	defer func() { b.heap = heap }()
	b.heap = false
	in := &input.Input{Name: name, Type: &input.Type{Kind: input.Pointer, Decl: decl, Size: p.Size()}}
	s := &shape{elem: p.Elem(), items: setRoom, never: true, bytes: p.Elem().Kind() == cc.Void}
	return in, b.target(in, s, name, lv, 0)
}

// setters writes the functions that set fields of objects, and returns what writes a step in which they are called.
func (b *builder) setters(objects []object) (func(desc *input.Driver, calls *block, step string) error, error) {
	type one struct {
		o      *object
		helper string
		list   []settable
	}
	var all []one
	for i := range objects {
		o := &objects[i]
		list := b.settables(o)
		if len(list) == 0 {
			continue
		}
		helper, err := b.setter(o, list)
		if err != nil {
			return nil, err
		}
		all = append(all, one{o, helper, list})
	}
	return func(desc *input.Driver, calls *block, step string) error {
		for _, x := range all {
			if err := b.set(desc, calls, x.o.param.name+step, x.o, x.helper, x.list); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
