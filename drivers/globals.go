package drivers

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/fault"
	"klabel/input"
)

// globals writes the function that makes globals symbolic: those that the user
// names, and those of the state as far as their types allow. It returns the
// call.
func (b *builder) globals(refs []*cc.Declarator, state map[string]bool, desc *input.Driver) (string, error) {
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
	for _, d := range refs {
		if _, isFunc := d.Type().(*cc.FunctionType); isFunc {
			continue
		}
		name := d.Name()
		names = append(names, name)
		byUser := wanted[name] || all && !b.system(d) && !remembers(name)
		if b.undefined(d) && !byUser {
			b.warn("%s is declared but not defined here: it is 0; --global %s makes it symbolic", name, name)
		}
		delete(wanted, name)
		if !byUser && !state[name] || b.an.constant(d) {
			continue
		}
		if err := b.global(d, byUser, desc); err != nil {
			return "", err
		}
	}
	for g := range wanted {
		if b.strict {
			return "", &UnknownFunctionError{Name: g, Named: "global that the function reads named",
				Nearest: fault.Nearest(g, names), File: b.unit.Path}
		}
	}
	b.forget(refs, desc)
	b.standardInput(refs, desc)
	if desc.Globals == 0 {
		if len(state) > 0 {
			return "", &nothingNew{"none of the variables that it reads can be built"}
		}
		return "", nil
	}
	name := b.topIdent("klabel_globals", "")
	fmt.Fprintf(&b.top, own+"static void %s(void)\n{\n%s}\n\n", name, b.cur.text())
	return "    " + name + "();\n", nil
}

// global makes one variable symbolic. What the user did not ask for stays as it
// is where it cannot be built.
func (b *builder) global(d *cc.Declarator, byUser bool, desc *input.Driver) error {
	name := d.Name()
	if a, ok := d.Type().(*cc.ArrayType); ok && a.Len() < 0 {
		if byUser {
			b.warn("%s has no length here and keeps its value", name)
		}
		return nil
	}
	before, narrowed := b.cur.mark(), len(b.narrowed)
	in, err := b.fill(name, d.Type(), name, 0, true)
	var te *TypeError
	switch {
	case err == nil:
		in.Volatile = changesByItself(b.unit, d.Type())
		desc.Inputs = append(desc.Inputs, in)
		desc.Globals++
	case errors.As(err, &te) && !byUser:
		b.cur.back(before)
		b.narrowed = b.narrowed[:narrowed]
		err = nil
	}
	return err
}

// state are the variables that a function and what it calls read, and that
// someone may write.
func (s *shared) state(r reach) map[string]bool {
	read := map[string]bool{}
	for _, f := range r.funcs {
		for name, how := range s.an.of(f.Name).access {
			read[name] = read[name] || how&reads != 0
		}
	}
	for _, d := range r.outside {
		if f := s.an.of(d.Name()); f != nil { // what its first value points to
			for name := range f.access {
				read[name] = true
			}
		}
	}
	out := map[string]bool{}
	for _, d := range r.outside {
		_, isFunc := d.Type().(*cc.FunctionType)
		if !isFunc && read[d.Name()] && !remembers(d.Name()) && !s.system(d) && !isPrivate(d.Type()) &&
			s.an.changes(d) {
			out[d.Name()] = true
		}
	}
	return out
}

// forget lets dataflow labels know that variables have been set from outside: what
// remembers where g was set, klb_set_g_1, goes back to nowhere.
func (b *builder) forget(refs []*cc.Declarator, desc *input.Driver) {
	for _, d := range refs {
		for _, in := range desc.Inputs {
			if strings.HasPrefix(d.Name(), "klb_set_"+in.Name+"_") {
				b.cur.line("%s = 0;", d.Name())
				break
			}
		}
	}
}

// remembers reports whether a variable is klabel's own, in which labels note what
// the run has come to: no caller sets it.
func remembers(name string) bool { return strings.HasPrefix(name, "klb_") }

// notesSetting reports whether it is one of dataflow: it gets constants alone, and only
// predicates read it.
func notesSetting(name string) bool { return strings.HasPrefix(name, "klb_set_") }

func isConst(t cc.Type) bool {
	if a, ok := t.(*cc.ArrayType); ok {
		return isConst(a.Elem())
	}
	a := t.Attributes()
	return a != nil && a.IsConst()
}

// defineGlobal defines a variable that no file of the program defines.
func (b *builder) defineGlobal(d *cc.Declarator, near bool) error {
	decl, err := b.ts.declare(d.Type(), d.Name(), false)
	a, isArray := d.Type().(*cc.ArrayType)
	open := isArray && a.Len() < 0
	like, items := d.Name(), ""
	if open {
		n := int64(b.o.MaxArray)
		if a.Elem().Size() == 1 {
			n = max(n, openBytes)
		}
		like, items = d.Name()+"[0]", fmt.Sprintf("[%d]", n)
	}
	if open && err == nil {
		decl, err = b.ts.declare(a.Elem(), d.Name()+items, false)
	}
	if err == nil {
		err = b.buildable(d.Type())
	}
	if err != nil {
		err = b.fail(d.Name(), err)
		if near {
			return err
		}
		return nil // nobody who is wanted needs it, and the linker says what lacks
	}
	_, pointers := innermost(d.Type()).(*cc.PointerType)
	outside := len(b.unit.AST.Scope.Nodes[d.Name()]) > 0 // else a function declares it
	if outside && (pointers && isArray || constPointer.MatchString(b.unit.Source(d))) {
		// The type as it is written: the parser drops what qualifies a pointer, or takes for it
		// what qualifies what the items of an array lead to.
		decl = fmt.Sprintf("__typeof__(%s) %s%s", like, d.Name(), items)
	}
	if !outside {
		fmt.Fprintf(&b.top, "%s;\n", b.written(d))
	}
	// Weak, since other units may lack it too; and an alias, since AddressSanitizer watches the ends of no
	// weak variable.
	fmt.Fprintf(&b.top, "static __typeof__(%[1]s) klabel_zero_%[2]s%[3]s;\nextern __typeof__(%[1]s) %[2]s%[3]s "+
		"__attribute__((weak, alias(\"klabel_zero_%[2]s\")));\n\n", like, d.Name(), items)
	b.lacking = append(b.lacking, decl+";\n")
	b.nowhere = append(b.nowhere, d.Name())
	return nil
}

// openBytes is how large an array of bytes is, at least, of which nobody tells the length: programs lay
// structures over such buffers of other files.
const openBytes = 1024

// written is the declaration of a variable as it stands: the parser's type may have lost what qualifies a pointer.
func (b *builder) written(d *cc.Declarator) (text string) {
	b.unit.Walk(b.unit.AST.TranslationUnit, func(n cc.Node) bool {
		if x, ok := n.(*cc.Declaration); ok {
			for l := x.InitDeclaratorList; l != nil; l = l.InitDeclaratorList {
				if l.InitDeclarator.Declarator == d {
					text = b.unit.Source(x.DeclarationSpecifiers) + " " + b.unit.Source(d)
				}
			}
		}
		return text == ""
	})
	return text
}

// undefined reports whether a variable is declared (extern) and nowhere
// defined.
func (s *shared) undefined(d *cc.Declarator) bool {
	return !s.common.Defined[d.Name()] && !s.system(d) && !s.defines(d.Name())
}

// defines reports whether the unit itself defines a variable.
func (s *shared) defines(name string) bool {
	return slices.ContainsFunc(s.unit.AST.Scope.Nodes[name], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		return ok && (!d.IsExtern() || d.HasInitializer())
	})
}
