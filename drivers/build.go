package drivers

import (
	"errors"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// builder writes one entry, or the stubs that all of them share.
type builder struct {
	*shared
	fn         *csource.Function // nil for the shared part
	reach      reach
	number     int
	strict     bool // the user's options are meant for this function
	o          Options
	rel        *relations
	uses       map[string]use
	fields     map[string]bool // names of fields that are read; nil: any may be
	unseen     bool            // behind what is being built nobody follows a pointer
	unread     bool            // what is being built lies in a field that nobody reads
	givesConst bool            // and is of functions that return what is constant, as no type says
	toConst    bool            // and points to what is constant; its type does not say that either
	inConst    bool            // and in a constant structure that has no name to cast to
	local      map[string]bool // identifiers that are taken in the entry
	cur        *block
	flat       map[string]int64       // parameters that are arrays of arrays whose lengths vary: their items
	promised   map[string]bool        // pointers of which their function says that they are not NULL
	unasked    map[string]bool        // pointers that calls before the one under test do not expect to be NULL
	before     bool                   // what is being built is for such a call
	begins     bool                   // and that begins an object in memory that it is given
	nested     int                    // stubs that are being written, one within the other
	more       []string               // variables of variable arguments
	lists      string                 // C of the function that calls with a list of them
	through    string                 // its name
	arrays     map[string]int64       // parameters that lead to pointers which are made: how many
	items      map[string]*object     // those pointers, by Name
	helpers    []string               // C of functions that call others many times
	failing    string                 // the variable that says which allocation fails
	streams    string                 // C of the number of the call on a stream that fails; "" where none may
	late       []func()               // what is written when all inputs exist
	exprs      map[string]string      // C expression of a value, by Name
	intTypes   map[string]*input.Type // types of integer parameters
	objects    int
	kinds      map[string]bool // of structures that pointers lead to

	top    strings.Builder // functions before the entry: stubs
	calls  []*input.Call
	consts []float64 // numbers that the function compares floats with
	floats int       // floating-point inputs picked so far

	heap        bool // what pointers lead to comes from malloc: it may be freed
	variant     Variant
	above       []partner // what is being built around
	grids       map[string]grid
	inner       []partner       // pointers that were built within what others lead to
	spanned     map[string]bool // pointers of which another tells the end, and those others
	afterCalls  []func()        // write what the calls before the one under test are waited for with
	objectsMade []object        // that these make
	moving      []partner       // what parameters lead to that are pointers to pointers
	beside      []partner       // pointers that are built and certain to exist here
	shares      bool            // some pointer may share
	roomy       bool            // some pointer has more room than usual
	bounded     bool            // some input is larger with larger bounds
	enums       bool            // some input is an enumeration that takes other values than its items here alone
	pointers    int             // pointers that may lead somewhere
	narrowed    []string        // what the entry leaves out
	memory      []string        // functions that give memory, of which none fails
	remembers   []string        // where variables were set before
	assumed     []string        // what the user says of it
}

// fail adds whose type it is to a type's error.
func (b *builder) fail(name string, err error) error {
	var te *typeError
	if errors.As(err, &te) {
		return &TypeError{b.owner(), name, te.typ, te.reason}
	}
	return err
}

// owner is the function that is spoken of in an error.
func (b *builder) owner() string {
	if b.fn == nil {
		return b.unit.Path
	}
	return b.fn.Name
}

// ident returns a C identifier for a variable of the entry, made from a value's
// name.
func (b *builder) ident(name, suffix string) string {
	n := free(name, suffix, func(n string) bool { return b.names[n] || b.local[n] })
	b.local[n] = true
	return n
}

// topIdent returns a C identifier for a function at file scope.
func (b *builder) topIdent(name, suffix string) string {
	n := free(name, suffix, func(n string) bool { return b.names[n] || b.local[n] })
	b.names[n] = true
	return n
}

// free makes an identifier that is not taken.
func free(name, suffix string, taken func(string) bool) string {
	var s strings.Builder
	for _, r := range name {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && s.Len() > 0, r == '_':
			s.WriteRune(r)
		case s.Len() > 0 && !strings.HasSuffix(s.String(), "_"):
			s.WriteByte('_')
		}
	}
	base := strings.TrimRight(s.String(), "_") + suffix
	for i := 1; ; i++ {
		n := base
		if i > 1 {
			n += "_" + strconv.Itoa(i)
		}
		if !taken(n) {
			return n
		}
	}
}

// child is the name of a part: "*s" and ".next" make "s->next".
func child(name, path string) string {
	switch {
	case path == "":
		return name
	case strings.HasPrefix(name, "*") && path[0] == '.':
		return name[1:] + "->" + path[1:]
	case strings.HasSuffix(name, "[]") && path[0] == '[':
		return name[:len(name)-2] + path
	}
	return name + path
}

// count notes one more thing built; false when there are too many.
func (b *builder) count() bool {
	b.objects++
	return b.objects <= maxObjects
}

// built says how large an entry is: the things in it, and the kinds of structures that pointers lead to.
type built struct{ objects, kinds int }

func (b *builder) built() built { return built{b.objects, len(b.kinds)} }

// fill writes the C that gives a value to lv, which is a whole variable when
// whole is true. depth counts the pointers followed so far.
func (b *builder) fill(name string, t cc.Type, lv string, depth int, whole bool) (*input.Input, error) {
	if p, ok := t.(*cc.PointerType); ok {
		return b.pointer(name, p, lv, depth)
	}
	it, err := b.ts.of(t)
	if err != nil {
		return nil, b.fail(name, err)
	}
	b.exprs[name] = lv
	in := &input.Input{Name: name, Type: it}
	b.count()
	switch {
	case isPrivate(t):
		b.private(in, lv)
		return in, nil
	case it.Kind == input.Float && b.o.Floats == PickFloats:
		b.pick(in, lv)
		return in, nil
	case it.Kind == input.Bool:
		in.Object, in.Mask = name, true
		b.cur.line("%s = klabel_byte(%s) & 1;", lv, quote(name))
		return in, b.limit(in, lv)
	case b.piecewise(t):
		return in, b.pieces(in, t, lv, depth)
	}
	if !onlyPointers(t) {
		in.Object = name
		b.symbolic(lv, name, it, whole)
	} else {
		b.cur.line("__builtin_memset(&%s, 0, sizeof %s);", lv, lv)
	}
	if err := b.limit(in, lv); err != nil {
		return nil, err
	}
	return in, b.parts(in, in, t, "", lv, 0, depth)
}

// symbolic makes a value symbolic. A part of a variable goes through a copy,
// since engines want whole objects.
func (b *builder) symbolic(lv, name string, it *input.Type, whole bool) {
	at := "&" + lv
	if it.Kind == input.Array {
		at = lv
	}
	if whole {
		b.cur.line("klee_make_symbolic(%s, sizeof %s, %s);", at, lv, quote(name))
		return
	}
	b.cur.open("")
	// With odd layouts an array may be shorter than the parser says; the compiler knows.
	if strings.Contains(it.Decl, anonymous) || b.ts.packed && it.Kind == input.Array {
		b.cur.line("__typeof__(%s) klabel_value;", lv)
	} else {
		b.cur.line("%s;", it.Declare("klabel_value"))
	}
	b.cur.line("klee_make_symbolic((void *)&klabel_value, sizeof klabel_value, %s);", quote(name))
	b.cur.line("__builtin_memcpy((void *)%s, (const void *)&klabel_value, sizeof klabel_value);", at)
	b.cur.close("")
}

func quote(s string) string { return strconv.Quote(s) }

// limit writes what is assumed of a value's own bytes.
func (b *builder) limit(in *input.Input, lv string) error {
	conds, err := b.conditions(in.Name, lv, in.Type, 0)
	if err != nil {
		return err
	}
	b.cur.assume(conds)
	return nil
}
