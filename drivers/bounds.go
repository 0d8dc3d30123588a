package drivers

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// boundOf is the number of items that a function, or what it hands a parameter
// on to, asks for behind a parameter.
func (a *analysis) boundOf(f *csource.Function, param string, depth int) int64 {
	return a.farthest(f, param, depth, indexedItems)
}

// asking is one kind of numbers of items behind pointers, by name; of more than most nobody is asked.
type asking struct {
	of   func(s *sizes) map[string]int64
	most int64
}

// What the code itself asks for, what functions of the C library write, and what the code asks for that is more than
// can be input.
var (
	indexedItems = asking{func(s *sizes) map[string]int64 { return s.bounds }, maxBound}
	lentItems    = asking{func(s *sizes) map[string]int64 { return s.lent }, maxBound}
	farItems     = asking{func(s *sizes) map[string]int64 { return s.far }, maxFar}
)

func (a *analysis) farthest(f *csource.Function, param string, depth int, bounds asking) int64 {
	s := a.of(f.Name).sizes
	out := bounds.of(s)[param]
	if depth == 0 {
		return out
	}
	for _, to := range s.flows[param] {
		out = max(out, bounds.of(s)[to])
	}
	for _, to := range s.passed[param] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) {
			n := a.farthest(g, g.Params[to.index].Name(), depth-1, bounds)
			if n > 0 && n+to.offset <= bounds.most {
				out = max(out, n+to.offset)
			}
		}
	}
	return out
}

// limitOf is one more than the largest constant that a function, or what it hands a
// number on to, compares the number with, or what shows more than that there are too few.
func (a *analysis) limitOf(f *csource.Function, name string, depth int) (out int64) {
	a.followNumber(f, name, depth, func(s *sizes, name string) { out = max(out, s.limits[name], s.sparedOf(name)) })
	return out
}

// beyondOf are the numbers that tell apart, in a function or what it hands a number on
// to, what no number of items is: (size_t)-1, or one more than is allowed.
func (a *analysis) beyondOf(f *csource.Function, name string, depth int) (out []int64) {
	a.followNumber(f, name, depth, func(s *sizes, name string) { out = append(out, s.beyond[name]...) })
	slices.Sort(out)
	return slices.Compact(out)
}

// followNumber visits a number's names: in a function, its copies there, and in what it is handed on to.
func (a *analysis) followNumber(f *csource.Function, name string, depth int, visit func(s *sizes, name string)) {
	a.follow(f, name, depth, map[ownName]int{}, visit)
}

// ownName is a name in a function.
type ownName struct{ function, name string }

// follow leaves out what it has seen from as far: functions that call one another lead to the same on many ways.
func (a *analysis) follow(f *csource.Function, name string, depth int, seen map[ownName]int,
	visit func(s *sizes, name string)) {
	at := ownName{f.Name, name}
	if from, ok := seen[at]; ok && from >= depth {
		return
	}
	seen[at] = depth
	s := a.of(f.Name).sizes
	visit(s, name)
	if depth == 0 {
		return
	}
	for _, to := range s.copies[name] {
		visit(s, to)
	}
	behind := func(to []argumentOf, prefix string) {
		for _, to := range to {
			if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) {
				a.follow(g, prefix+g.Params[to.index].Name(), depth-1, seen, visit)
			}
		}
	}
	behind(s.passed[name], "")
	behind(s.addressed[name], "*")
	if pointer, ok := strings.CutPrefix(name, "*"); ok {
		behind(s.passed[pointer], "*")
	}
}

// isArray reports whether a function, or what it hands a value on to, indexes
// or moves a pointer.
func (a *analysis) isArray(f *csource.Function, name string, depth int) bool {
	s := a.of(f.Name).sizes
	if s.moved[name] {
		return true
	}
	if depth == 0 {
		return false
	}
	for _, to := range s.flows[name] {
		if !strings.HasPrefix(to, ".") && a.isArray(f, to, depth-1) {
			return true
		}
	}
	for _, to := range s.passed[name] {
		if g := a.funcs[to.function]; g != nil && to.index < len(g.Params) &&
			a.isArray(g, g.Params[to.index].Name(), depth-1) {
			return true
		}
	}
	return false
}

// fieldBound is the number of items that functions ask for behind a field.
func (a *analysis) fieldBound(r reach, field string) (out int64) {
	return a.farthestField(r, field, indexedItems)
}

func (a *analysis) farthestField(r reach, field string, bounds asking) (out int64) {
	for _, f := range r.funcs {
		out = max(out, bounds.of(a.of(f.Name).sizes)["."+field])
	}
	return out
}

// asked is the number of items that the code asks for behind a pointer: a
// parameter, or a field.
func (b *builder) asked(name string, depth int) int64 {
	return b.behind(name, depth, indexedItems)
}

// lent is the number of those that functions of the C library write.
func (b *builder) lent(name string, depth int) int64 { return b.behind(name, depth, lentItems) }

func (b *builder) behind(name string, depth int, bounds asking) int64 {
	if b.fn == nil {
		return 0
	}
	if depth == 0 && !strings.ContainsAny(name, ".>[") {
		return b.an.farthest(b.fn, name, 3, bounds)
	}
	if i := strings.LastIndexAny(name, ".>"); i >= 0 {
		return b.an.farthestField(b.reach, name[i+1:], bounds)
	}
	return 0
}

// inFunctions asks of a pointer that the driver builds, by the name that it has
// in the functions: a parameter, what one leads to, a field.
func (b *builder) inFunctions(name string, ask func(f *csource.Function, name string) bool) bool {
	if b.fn == nil {
		return false
	}
	f, n := b.nameOf(name)
	if f != nil {
		return ask(f, n)
	}
	return n != "" && slices.ContainsFunc(b.reach.funcs, func(f *csource.Function) bool { return ask(f, n) })
}

// nameIn is the name that such a pointer has in one of the functions.
func (b *builder) nameIn(f *csource.Function, name string) (string, bool) {
	only, n := b.nameOf(name)
	return n, n != "" && (only == f || only == nil && slices.Contains(b.reach.funcs, f))
}

// nameOf is the only function that has a name for such a pointer, and that name; of a field, which
// all may have, no function; "" for none.
func (b *builder) nameOf(name string) (only *csource.Function, n string) {
	if !strings.ContainsAny(name, ".>[") {
		return b.fn, name
	}
	if f, param := b.givenTo(name); f != nil {
		return f, param
	}
	i := strings.LastIndexAny(name, ".>")
	if i < 0 || strings.Contains(name[i:], "[") {
		return nil, ""
	}
	return nil, "." + name[i+1:]
}

// givenTo is the function that a value is an argument of, in a call before the one under test, and its name there; nil
// where the unit does not define it: "call 1:set_add.key" is key in set_add.
func (b *builder) givenTo(name string) (*csource.Function, string) {
	called, param, ok := strings.Cut(name[strings.LastIndex(name, ":")+1:], ".")
	if f := b.an.funcs[called]; ok && f != nil && b.before && strings.Contains(name, ":") &&
		slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool { return p.Name() == param }) {
		return f, param
	}
	return nil, ""
}

// isArray reports whether the code treats what a pointer leads to as several
// items.
func (b *builder) isArray(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool { return b.an.isArray(f, name, 3) })
}

// strays reports whether the code makes a pointer one to something else and moves that.
func (b *builder) strays(name string) bool {
	return b.inFunctions(name, func(f *csource.Function, name string) bool {
		return b.an.of(f.Name).sizes.strays[name]
	})
}

// itemsOf is the number of items behind a pointer to an array, -1 for others.
func itemsOf(p *input.Input) int64 {
	if p.Type.Kind != input.Pointer || len(p.Targets) == 0 {
		return -1
	}
	t := p.Targets[0]
	if t.Value == nil || t.Single || t.Value.Type.Kind != input.Array {
		return -1
	}
	if t.Value.Text {
		return t.Value.Type.Len - 1
	}
	return t.Value.Type.Len
}
