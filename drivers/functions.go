package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// maxFunctions bounds the program's own functions that a pointer may lead to:
// each is a fork.
const maxFunctions = 4

// maxStubs bounds how many stubs are made one within the other.
const maxStubs = 2

// libraryFunctions are what a function pointer of the type is most often given.
var libraryFunctions = map[string]string{
	"void *@(unsigned long)":                "malloc",
	"void *@(unsigned int)":                 "malloc",
	"void @(void *)":                        "free",
	"void *@(void *, unsigned long)":        "realloc",
	"void *@(void *, unsigned int)":         "realloc",
	"void *@(unsigned long, unsigned long)": "calloc",
	"void *@(unsigned int, unsigned int)":   "calloc",
}

// releases are the functions that take memory from malloc.
var releases = set("free realloc reallocarray cfree")

// libraryFunction is the function of the C library that fits a type.
func (b *builder) libraryFunction(f *cc.FunctionType) string {
	decl, err := b.ts.resolved(f)
	if err != nil {
		return ""
	}
	return libraryFunctions[decl]
}

// ownFunctions are the program's functions that fit a type: those of the unit whose address is
// taken somewhere, or else its others, or else one that it declares and another file defines:
// the functions that compare keys, say, stand in a file of their own.
func (b *builder) ownFunctions(f *cc.FunctionType) []string {
	want, err := b.ts.resolved(f)
	if err != nil {
		return nil
	}
	var taken, others, elsewhere []string
	for _, g := range b.offered() {
		if g.Origin.System || g.Type == nil || b.fn != nil && g.Name == b.fn.Name || g.Name == "main" ||
			b.renames[g.Name] != "" {
			continue
		}
		if got, err := b.ts.resolved(g.Type); err != nil || got != want {
			continue
		}
		switch {
		case b.an.isTaken(g.Name):
			taken = append(taken, g.Name)
		case g.Def != nil:
			others = append(others, g.Name)
		default:
			elsewhere = append(elsewhere, g.Name)
		}
	}
	elsewhere = elsewhere[:min(len(elsewhere), 1)] // each is one more branch, and a stub does what they do
	for _, list := range [][]string{taken, others, elsewhere} {
		if len(list) > 0 {
			return list[:min(len(list), maxFunctions)]
		}
	}
	return nil
}

// handedOut reports whether callers from outside may give a function: its address is taken, or it is no static one.
func (a *analysis) handedOut(name string) bool {
	f := a.funcs[name]
	return a.isTaken(name) || f == nil || !f.Static
}

// isTaken reports whether the address of a function is taken in the unit.
func (a *analysis) isTaken(name string) bool {
	if a.taken == nil {
		a.taken = map[string]bool{}
		a.each(func(f *facts) {
			for n := range f.taken {
				a.taken[n] = true
			}
		})
	}
	return a.taken[name]
}

// resolved is a type without the names of typedefs, to compare by. Structures
// that only a typedef names keep it. It is asked for all functions of a unit by every
// pointer to one.
func (ts *types) resolved(t cc.Type) (string, error) {
	if s, known := ts.plain[t]; known {
		return s, nil
	}
	plain := &types{scope: &cc.Scope{}, seen: ts.seen}
	s, err := plain.declare(t, "@", false)
	if err == nil && strings.Contains(s, anonymous) {
		s, err = ts.declare(t, "@", false)
	}
	if err == nil && ts.plain != nil {
		ts.plain[t] = s
	}
	return s, err
}

// functionPointer lets a pointer be NULL, a function of the C library or of
// the program's own that fits, or a function of the driver's that returns
// inputs. What a stub returns may hold pointers to functions, whose stubs return the like,
// and so on: from maxStubs on there is none.
func (b *builder) functionPointer(in *input.Input, f *cc.FunctionType, lv string) error {
	givesConst := b.givesConst
	b.givesConst = false
	var names []string
	if n := b.libraryFunction(f); n != "" {
		names = append(names, n)
	}
	library := len(names) > 0
	if own := b.ownFunctions(f); !b.before {
		names = append(names, own...)
	} else if !library && len(own) > 0 && b.an.handedOut(own[0]) {
		names = own[:1] // before the call under test one that works will do
	}
	if b.before && library {
		b.narrow("%s for %s", names[0], in.Name)
	} else if b.nested < maxStubs && b.count() {
		stub := b.topIdent(in.Name, "_stub")
		b.narrow("a stub for %s", in.Name)
		if err := b.stub(stub, in.Name+"()", f, "", true, givesConst); err != nil {
			return err
		}
		names = append(names, stub)
	} else {
		b.narrow("no stub for %s", in.Name)
	}
	if len(names) == 0 {
		b.cur.line("%s = 0;", lv)
		return nil
	}
	for _, n := range names {
		in.Targets = append(in.Targets, input.Target{Function: n})
	}
	var values []string
	if in.Nullable = b.mayBeNull(in.Name); in.Nullable {
		values = append(values, "0")
	}
	values = append(values, names...)
	switch {
	case len(values) == 1:
		b.cur.line("%s = %s;", lv, values[0])
	case len(values) == 2 && in.Nullable:
		in.Object = in.Name
		b.cur.line("%s = 0;", lv)
		b.cur.open("if (klabel_choose(%s, 2))", quote(in.Name))
		b.cur.line("%s = %s;", lv, values[1])
		b.cur.close("")
	default:
		in.Object = in.Name
		b.cur.open("switch (klabel_choose(%s, %d))", quote(in.Name), len(values))
		for i, v := range values {
			label := fmt.Sprintf("case %d:", i)
			if i == len(values)-1 {
				label = "default:"
			}
			b.cur.line("%s %s = %s; break;", label, lv, v)
		}
		b.cur.close("")
	}
	return nil
}

// allocation is what a stub returns that must be an allocator: it returns
// untyped memory and is given a size, or a number of items and their size.
func allocation(f *cc.FunctionType) string {
	p, ok := f.Result().(*cc.PointerType)
	if !ok || p.Elem().Kind() != cc.Void {
		return ""
	}
	var sizes []string
	for i, p := range f.Parameters() {
		if cc.IsIntegerType(p.Type()) && p.Type().Kind() != cc.Enum && p.Type().Kind() != cc.Bool {
			sizes = append(sizes, "klabel_"+argument(p, i))
		}
	}
	if len(sizes) == 0 || len(sizes) > 2 {
		return ""
	}
	return "malloc((unsigned long)" + strings.Join(sizes, " * ") + ")"
}

// mayFree reports whether the code under test may release memory that it is
// given: itself, or through a pointer to a function. Another unit may, too; but memory of a malloc
// that is the program's own, and may not work yet, is for those who do.
func (b *builder) mayFree(r reach) bool {
	for _, d := range r.outside {
		if releases[d.Name()] || b.common.Defined[d.Name()] && !b.ownMalloc() {
			if _, isFunc := d.Type().(*cc.FunctionType); isFunc {
				return true
			}
		}
	}
	return slices.ContainsFunc(r.funcs, func(f *csource.Function) bool { return b.an.of(f.Name).indirect })
}

// mayRelease reports whether what a parameter leads to shall come from malloc: where anything may be released, unless
// the parameter promises to leave it alone, and the promise is kept as far as the unit tells.
func (b *builder) mayRelease(fn *csource.Function, param string, t cc.Type) bool {
	return b.heap && !(leadsToConst(t) && (fn.Def == nil || !b.an.frees(fn, param, 3)))
}

// frees reports whether a function, or what it hands a parameter on to, releases what that leads to, whatever it
// has promised.
func (a *analysis) frees(f *csource.Function, param string, depth int) bool {
	s := a.of(f.Name).sizes
	for _, name := range append([]string{param}, s.flows[param]...) {
		for _, to := range s.passed[name] {
			if releases[to.function] {
				return true
			}
			if g := a.funcs[to.function]; g != nil && depth > 0 && to.index < len(g.Params) &&
				a.frees(g, g.Params[to.index].Name(), depth-1) {
				return true
			}
		}
	}
	return false
}
