package drivers

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// replaced are the functions that give memory and that FailingPrefix replaces,
// with their prototypes and calls.
var replaced = []struct{ name, params, result, args string }{
	{"malloc", "__SIZE_TYPE__ n", "void *", "n"},
	{"calloc", "__SIZE_TYPE__ n, __SIZE_TYPE__ size", "void *", "n, size"},
	{"realloc", "void *p, __SIZE_TYPE__ n", "void *", "p, n"},
	{"strdup", "const char *s", "char *", "s"},
	{"strndup", "const char *s, __SIZE_TYPE__ n", "char *", "s, n"},
}

// FailingPrefix is C that stands before every unit of a program one of whose
// entries lets allocations fail: it calls what such entries bring.
func FailingPrefix(u *csource.Unit) string {
	var s strings.Builder
	for _, r := range replaced {
		if !ownTerms(u, r.name) {
			fmt.Fprintf(&s, "#define %s klabel_%s\n", r.name, r.name)
		}
	}
	return s.String()
}

// Undeclared is C that stands before a unit: prototypes of the functions that give memory, where the
// unit calls one that nobody declares and flags of the compiler give it another name, which the
// compiler does not know to be one of these.
func Undeclared(u *csource.Unit) string {
	var s strings.Builder
	for _, r := range replaced {
		if len(u.AST.Scope.Nodes[r.name]) == 0 && ownTerms(u, r.name) {
			fmt.Fprintf(&s, "#ifdef %s\n%s%s(%s);\n#endif\n", r.name, r.result, r.name, r.params)
		}
	}
	return s.String()
}

// ownTerms reports whether a unit names a function of the library without a header that
// declares it: not at all, as old C may, or in words of its own (char *malloc()). The compiler
// knows these names and lets it pass; another name in their place would be an int ().
func ownTerms(u *csource.Unit, name string) bool {
	for _, n := range u.AST.Scope.Nodes[name] {
		if d, ok := n.(*cc.Declarator); ok {
			if at, ok := u.Span(d.NameTok()); !ok || u.IsSystem(at.Start) {
				return false
			}
		}
	}
	return u.Identifiers(name)[name]
}

// ownTerms is the function of that name for the shared unit, which is read through once.
func (s *shared) ownTerms(name string) bool {
	own, known := s.ownWords[name]
	if !known {
		own = ownTerms(s.unit, name)
		s.ownWords[name] = own
	}
	return own
}

// Fails reports whether entries let allocations fail.
func (d *Unit) Fails() bool {
	for _, e := range d.Entries {
		if e.Inputs.Fails != "" {
			return true
		}
	}
	return false
}

// failing is the C of the functions that allocate, and fail when they are told to.
func failing() string {
	var s strings.Builder
	for _, r := range replaced {
		// By another name: the prefix has taken this one.
		fmt.Fprintf(&s, "%sklabel_given_%s(%s) __asm__(%s);\n", r.result, r.name, r.params, quote(r.name))
	}
	s.WriteString("\n/* Of the allocations to come this one fails, 0 for none. */\n" +
		"__attribute__((weak)) unsigned klabel_failing;\n\n")
	for _, r := range replaced {
		fmt.Fprintf(&s, own+"__attribute__((weak)) %sklabel_%s(%s)\n{\n"+
			"    if (klabel_failing != 0 && --klabel_failing == 0)\n        return 0;\n"+
			"    return klabel_given_%s(%s);\n}\n\n",
			r.result, r.name, r.params, r.name, r.args)
	}
	return s.String()
}

// maxFailing is the last allocation that fails in the variant Failing. Which one does is asked where
// memory is asked for: a larger number makes no path of its own.
const maxFailing = 8

// allocates is an error where letting allocations fail gives a function nothing
// new, or the program has functions of these names itself.
func (s *shared) allocates(r reach) error {
	for _, f := range replaced {
		if s.an.funcs[f.name] != nil || s.common.Defined[f.name] {
			return &nothingNew{"the program has its own " + f.name}
		}
		if s.ownTerms(f.name) {
			return &nothingNew{"no header declares " + f.name}
		}
	}
	if r.calls(isAllocator) || r.calls(s.common.Across.Allocating) {
		return nil
	}
	return &nothingNew{"it allocates nothing"}
}

// failingObject is what a test calls the allocation that fails.
const failingObject = "failing allocation"

// fails lets one of the allocations fail that the function under test makes.
func (b *builder) fails(desc *input.Driver) {
	b.failing = b.ident(failingObject, "")
	desc.Fails = failingObject
	b.cur.declare("unsigned char " + b.failing)
	b.cur.line("%s = klabel_choose(%s, %d);", b.failing, quote(desc.Fails), maxFailing+1)
}

// streamsObject is what a test calls the call on a stream that fails.
const streamsObject = "failing call on a stream"

// onStreams are the functions of which a replay lets one fail; see runtime_c/replay/streams.c.
var onStreams = set("fclose fflush fputs fwrite fread fseek ftell")

// mayFailOnStreams lets a test name a call on a stream that fails. Engines see none fail.
func (b *builder) mayFailOnStreams(desc *input.Driver) {
	if !b.common.Refusing || b.fn.Name == "main" || desc.Oracle != "" ||
		!slices.ContainsFunc(b.allocatingReach(b.fn, b.reach).outside, func(d *cc.Declarator) bool {
			return onStreams[d.Name()] && b.system(d) || b.common.Across.Streaming[d.Name()]
		}) {
		return
	}
	b.streams, desc.Streams = "klabel_told("+quote(streamsObject)+")", streamsObject
}

// mayFail lets a test name an allocation that fails, where the variant has nothing of the
// kind: engines see none fail, and explore what they would without. What an oracle asks for
// must not fail.
func (b *builder) mayFail(desc *input.Driver) {
	if !b.common.Refusing || b.variant == Failing || b.fn.Name == "main" || desc.Oracle != "" ||
		b.allocates(b.allocatingReach(b.fn, b.reach)) != nil {
		return
	}
	b.failing = "klabel_told(" + quote(failingObject) + ")"
	desc.Fails, desc.FailsIfTold = failingObject, true
}

// allocatingReach is what a function reaches that may allocate, of what its entry does: through
// a pointer it calls what those that make its objects put there.
func (s *shared) allocatingReach(fn *csource.Function, all reach) reach {
	own := s.an.reach(fn)
	if slices.ContainsFunc(own.funcs, func(f *csource.Function) bool { return s.an.of(f.Name).indirect }) {
		return all
	}
	return own
}
