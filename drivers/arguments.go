package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/input"
)

// param is a parameter of the function under test.
type param struct {
	name  string
	local string // the driver's variable: the name, unless that stands for something else
	typ   cc.Type
	// header stands before what it leads to, where code tells that the name does not; see headerAt.
	header string
	// held says that the parameter is the structure itself, and typ a pointer to it, as what makes it sees it.
	held bool
}

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
		if n == b.fn.Name || b.an.funcs[n] != nil || b.an.initial[n] != nil || b.ts.isTypedef(n) {
			local = b.ident(n, "_value") // the entry may mean what the file calls so
		}
		b.local[local] = true
		b.promise(b.fn, i, n)
		t := p.Type()
		if flat, items := b.flatten(t); flat != nil {
			t, b.flat[n] = flat, items
		}
		out = append(out, param{name: n, local: local, typ: t})
	}
	return out
}

func (b *builder) arguments(params []param, desc *input.Driver) error {
	objects, state := b.prepared(params)
	for i := range objects {
		if _, ok := b.items[objects[i].param.name]; ok {
			b.items[objects[i].param.name] = &objects[i]
		}
	}
	if b.variant.calls() && b.variant != Failing && len(objects)+len(state) == 0 {
		return &nothingNew{"no function of the file makes or changes what it works on"}
	}
	b.objectsMade = objects
	all := params
	params = slices.DeleteFunc(slices.Clone(params), func(p param) bool { return b.listed(p.typ) })
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
		var in *input.Input
		var err error
		if i := slices.IndexFunc(objects, func(o object) bool { return o.param.name == p.name }); i >= 0 {
			in, err = b.made(objects[i])
		} else {
			heap := b.heap
			b.heap = b.mayRelease(b.fn, p.name, p.typ)
			in, err = b.fill(p.name, p.typ, p.local, 0, true)
			b.heap = heap
		}
		if err != nil {
			return err
		}
		desc.Inputs = append(desc.Inputs, in)
	}
	for i, p := range params {
		if !slices.ContainsFunc(objects, func(o object) bool { return o.param.name == p.name }) {
			b.exact(p, desc.Inputs[len(desc.Inputs)-len(params)+i])
		}
	}
	err := b.besides(objects, func(o object) error {
		in, err := b.made(o)
		desc.Beside = append(desc.Beside, in)
		return err
	})
	if err != nil {
		return err
	}
	// Before the calls: in a test the inputs come first, then what prepares.
	if err := b.variadic(all, desc); err != nil {
		return err
	}
	if len(objects)+len(state) > 0 {
		if err := b.prepare(desc, objects, state); err != nil {
			return err
		}
	}
	b.late = append(b.late, b.afterCalls...)
	if b.variant == Failing {
		b.fails(desc)
	}
	b.mayFail(desc)
	b.mayFailOnStreams(desc)
	return nil
}

// whollyText reports whether a pointer leads to texts, of which Room has no more than others do.
func whollyText(in *input.Input) bool {
	texts := false
	for _, t := range in.Targets {
		if t.Value != nil && !t.Value.Text {
			return false
		}
		texts = texts || t.Value != nil
	}
	return texts
}

// exact gives the function, when a test is replayed, memory of exactly the
// size that it may use, so that a sanitizer sees what lies beyond. A test in C has
// as much: all the memory of the driver where no number says how much that is.
func (b *builder) exact(p param, in *input.Input) {
	pt, ok := p.typ.(*cc.PointerType)
	if !ok {
		return
	}
	count, guess, _ := b.rel.countOf(p.name)
	if guess && pt.Elem().Kind() == cc.Char && b.ends(p.name) {
		count = ""
	}
	if b.variant == Room && (count != "" || !whollyText(in)) || b.variant >= Sharing || b.flat[p.name] > 0 ||
		b.arrays[p.name] > 0 || b.spanned[p.name] {
		return // a copy would have less room, share nothing, have another length, or be made too early
	}
	for _, a := range b.o.Aliases {
		if a.Name == p.name || a.Text == p.name {
			return
		}
	}
	if g, ok := b.grids[p.name]; ok {
		b.exactGrid(p, g)
		return
	}
	if e, _ := b.rel.expr(b, count); count != "" && b.exprs[count] != "" {
		number := "(unsigned long)" + e
		if b.rel.upTo[p.name] {
			number = "(" + number + " + 1)"
		}
		size := number
		if pt.Elem().Kind() != cc.Void {
			size = fmt.Sprintf("%s * sizeof *%s", number, p.local)
		}
		cond := "klee_is_replay()"
		if t := b.intTypes[count]; guess && t != nil && t.Signed {
			cond += fmt.Sprintf(" && %s >= 0", e)
		}
		for _, k := range b.beyond(count, guess) {
			cond += fmt.Sprintf(" && %s != %s", e, literal(k))
		}
		b.late = append(b.late, func() {
			b.cur.open("if (%s)", cond)
			b.cur.line("%s = klabel_exact(%s, %s);", p.local, p.local, size)
			b.cur.close("")
		})
		for i := range in.Targets {
			if in.Targets[i].Value != nil {
				in.Targets[i].Count, in.Targets[i].UpTo = count, b.rel.upTo[p.name]
			}
		}
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

// call writes the call of the function under test.
func (b *builder) call(params []param) string {
	name := b.fn.Name
	if name == "main" {
		name = programMain
	}
	if b.through != "" {
		name = b.through
	}
	var args []string
	for _, p := range params {
		if b.listed(p.typ) {
			continue
		}
		if _, ok := p.typ.(*cc.PointerType); ok && (b.needsCast(p.typ) || b.flat[p.name] > 0) {
			args = append(args, "(void *)"+p.local)
			continue
		}
		args = append(args, p.local)
	}
	call := name + "(" + strings.Join(append(args, b.more...), ", ") + ")"
	before := ""
	if b.failing != "" {
		before = "    klabel_failing = " + b.failing + ";\n"
	}
	if b.streams != "" {
		before += "    klabel_fail_on_streams(" + b.streams + ");\n"
	}
	asked := b.oracle()
	if asked == "" || !b.o.Checked || before != "" { // an oracle may need memory itself
		return before + "    (void)" + call + ";\n"
	}
	failed := fmt.Sprintf("        __assert_fail(%s, %s, %d, %s);\n", quote("oracle "+asked), quote(b.fn.Origin.File),
		b.fn.Origin.Line, quote(b.fn.Name))
	if strings.HasSuffix(asked, "()") {
		return "    (void)" + call + ";\n    if (!" + asked + ")\n" + failed
	}
	return "    if (!" + b.o.Oracle + "(" + call + "))\n" + failed
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
