package drivers

import (
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// FileName is what the file is called that a driver makes for a function that
// takes the name of one.
const FileName = "klabel-input"

// isStream reports whether a type is the C library's FILE.
func isStream(t cc.Type) bool {
	x, ok := t.(*cc.StructType)
	if !ok {
		return false
	}
	if d := t.Typedef(); d != nil && d.Name() == "FILE" {
		return true
	}
	tag := tokenText(x.Tag())
	return tag == "_IO_FILE" || tag == "__sFILE"
}

// isStream reports whether the code takes an untyped pointer for a FILE *.
func (b *builder) isStream(name string) bool {
	t := b.view(name)
	return t != nil && isStream(t)
}

// contents describes the bytes of a stream or a file: the last of them says how
// many of the others there are. A mask cuts it, so that nothing is assumed.
func (b *builder) contents(name string) (variable string, in *input.Input, room int64) {
	room = 15
	for room < int64(b.o.MaxString) {
		room = 2*room + 1
	}
	if b.variant == Widest || name == input.StandardInput { // conversations are long
		room = 255 // the most that its last byte tells
	}
	b.bounded = true
	variable = b.ident(name, "_bytes")
	b.cur.declare((&input.Type{Decl: "unsigned char @"}).Declare(variable + "[" + literal(room+1) + "]"))
	it := &input.Type{Kind: input.Array, Decl: "unsigned char @[" + literal(room+1) + "]", Size: room + 1,
		Len:  room + 1,
		Elem: &input.Type{Kind: input.Int, Decl: "unsigned char @", Size: 1, Char: true}}
	in = &input.Input{Name: name + ":content", Type: it, Object: name + ":content"}
	b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", variable, variable, quote(in.Name))
	b.count()
	b.narrow("%d bytes of %s", room, name)
	return variable, in, room
}

// stream lets a pointer lead to a stream, or be NULL where that is asked.
func (b *builder) stream(in *input.Input, lv string, depth int) (*input.Input, error) {
	if b.nested > 0 {
		b.narrow("NULL only for %s", in.Name)
		b.cur.line("%s = 0;", lv)
		return in, nil
	}
	u, isParam := b.uses[in.Name]
	in.Nullable = b.mayBeNull(in.Name) && (depth > 0 || !isParam || u.nullTest)
	b.cur.line("%s = 0;", lv)
	if in.Nullable {
		in.Object = in.Name
		b.cur.open("if (klabel_choose(%s, 2))", quote(in.Name))
	}
	v, content, room := b.contents(in.Name)
	b.cur.line("%s = klabel_stream(%s, %d);", lv, v, room)
	if in.Nullable {
		b.cur.close("")
	}
	in.Targets = []input.Target{{Value: content, Stream: true}}
	return in, nil
}

// file lets a pointer to characters be the name of a file with input in it.
func (b *builder) file(in *input.Input, lv string) {
	name := b.ident(in.Name, "_file")
	b.cur.declare("char " + name + "[] = " + quote(FileName))
	v, content, room := b.contents(in.Name)
	b.cur.line("%s = klabel_file(%s, %s, %d);", lv, name, v, room)
	in.Targets = append(in.Targets, input.Target{Value: content, File: FileName})
}

// opening are the functions that take the name of a file first.
var opening = set("fopen fopen64 freopen freopen64 open open64 stat lstat access")

// opens reports whether a function, or what it hands a parameter on to, opens
// the file of that name.
func (a *analysis) opens(f *csource.Function, name string, depth int) bool {
	for _, to := range a.of(f.Name).sizes.passed[name] {
		if to.index == 0 && opening[to.function] && a.funcs[to.function] == nil {
			return true
		}
		if g := a.funcs[to.function]; g != nil && depth > 0 && to.index < len(g.Params) &&
			a.opens(g, g.Params[to.index].Name(), depth-1) {
			return true
		}
	}
	return false
}

// namesFile reports whether a pointer is the name of a file to read.
func (b *builder) namesFile(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool { return b.an.opens(f, name, 3) })
}

// handedTo is what a declared function of other files takes an argument for, nil
// where the unit does not say.
func (a *analysis) handedTo(to argumentOf) cc.Type {
	for _, n := range a.unit.AST.Scope.Nodes[to.function] {
		d, ok := n.(*cc.Declarator)
		if !ok || d.IsTypename() {
			continue
		}
		if t, ok := d.Type().(*cc.FunctionType); ok && to.index < len(t.Parameters()) {
			if p, ok := t.Parameters()[to.index].Type().(*cc.PointerType); ok && isStream(p.Elem()) {
				return p.Elem()
			}
		}
	}
	return nil
}

// Named are what drivers name of system headers though the code under test does not.
var Named = []string{"stdin"}

// readsInput are the functions that read standard input without naming it.
var readsInput = set("getchar getchar_unlocked gets scanf __isoc99_scanf __isoc23_scanf vscanf")

// standardInput lets the standard input be a stream on input, where the code under
// test reads it. It is the first of the inputs, a global like others.
func (b *builder) standardInput(refs []*cc.Declarator, desc *input.Driver) {
	reads := slices.ContainsFunc(refs, func(d *cc.Declarator) bool {
		_, isFunc := d.Type().(*cc.FunctionType)
		return b.system(d) && (!isFunc && d.Name() == "stdin" || isFunc && readsInput[d.Name()])
	})
	declared := slices.ContainsFunc(b.unit.AST.Scope.Nodes["stdin"], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		return ok && b.system(d)
	})
	if !reads || !declared {
		return
	}
	in := &input.Input{Name: input.StandardInput,
		Type: &input.Type{Kind: input.Pointer, Decl: "FILE *@", Size: b.pointerSize()}}
	v, content, room := b.contents(input.StandardInput)
	b.cur.line("stdin = klabel_stream(%s, %d);", v, room)
	in.Targets = []input.Target{{Value: content, Stream: true}}
	desc.Inputs = append(desc.Inputs, in)
	desc.Globals++
}
