package drivers

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// oddLayouts reports whether a unit has structures with fields elsewhere than the parser says.
func oddLayouts(u *csource.Unit) bool { return pragmaPack.Match(u.Text) || u.PackedSizes() }

var pragmaPack = regexp.MustCompile(`(?m)^[ \t]*#[ \t]*pragma[ \t]+pack`)

const (
	programMain  = "klabel_program_main"
	mainArgument = 6 // characters of each argument that main gets where the user says nothing
)

// entry writes an entry of a function: as deep as its inputs are still few,
// unless the user says how deep.
func (s *shared) entry(fn *csource.Function, w Want) (Entry, error) {
	o := s.common
	if w.Options != nil {
		o = *w.Options
		o.Stubs, o.Defined, o.Embeddings = s.common.Stubs, s.common.Defined, s.common.Embeddings
		o.Oracle, o.Checked = s.common.Oracle, s.common.Checked
	}
	chosen := o.MaxDepth > 0 && o.MaxDepth != DefaultMaxDepth
	o.fill()
	o.widen(w.Variant)
	if fn.Name == "main" && o.SymArgs == nil && s.unit.UsesArguments() {
		o.SymArgs = []int{mainArgument, mainArgument}
	}
	if chosen {
		e, _, err := s.entryWith(fn, w, o)
		return e, err
	}
	// From shallow to deep, so that what is too large is never far too large.
	type attempt struct {
		e    Entry
		made built
		said said
	}
	var best attempt
	var shallow error // nothing new as deep as it was built
	before, deepest := s.said.clone(), o.MaxDepth
	for o.MaxDepth = 1; o.MaxDepth <= deepest; o.MaxDepth++ {
		s.said = before.clone()
		few := fewObjects
		if o.MaxDepth == secondDepth {
			few = fewAtSecond
		}
		e, made, err := s.entryWith(fn, w, o)
		for _, spare := range sparing {
			if err == nil && o.MaxDepth > 1 && spare(&o, made.objects, few) {
				s.said = before.clone()
				e, made, err = s.entryWith(fn, w, o)
			}
		}
		none := (*nothingNew)(nil)
		if w.Variant == Sharing && errors.As(err, &none) && o.MaxDepth < deepest {
			best.made, shallow = made, err
			continue
		}
		if err != nil {
			return e, err
		}
		if o.straight > 0 {
			few = max(few, fewStraight)
		}
		if o.MaxDepth > 1 && (made.objects > few || made.objects == best.made.objects ||
			o.straight > 0 && made.kinds == best.made.kinds) {
			break
		}
		best, shallow = attempt{e, made, s.said}, nil
	}
	if shallow != nil {
		return Entry{}, shallow
	}
	s.said = best.said
	return best.e, nil
}

// sparing are the ways of building less where there are too many objects, which come before following pointers less
// deep. They say whether they do so.
var sparing = []func(o *Options, objects, few int) bool{
	// A second item behind inner pointers is worth less than what the pointers in the first lead to.
	func(o *Options, objects, _ int) bool { return objects > fewObjects && turn(&o.sparse) },
	func(o *Options, objects, few int) bool { return objects > few && turn(&o.needed) },
	// What leads back to structures of a kind that there is already is worth less than kinds that are new.
	func(o *Options, objects, few int) bool {
		if o.straight > 0 || objects <= few {
			return false
		}
		o.straight = o.MaxDepth - 1
		return true
	},
}

// turn makes something true, and reports whether it was not.
func turn(b *bool) bool {
	before := *b
	*b = true
	return !before
}

// entryWith writes an entry within bounds, and says how many things it builds.
func (s *shared) entryWith(fn *csource.Function, w Want, o Options) (e Entry, made built, err error) {
	calls := w.Variant.calls()
	roots := append([]*csource.Function{fn}, s.preparers(fn, w.Variant)...)
	reach := s.an.reach(roots...)
	refs := reach.outside
	var state map[string]bool
	if w.Variant != Arguments && !calls {
		state = s.state(reach)
		for _, d := range s.readElsewhere(reach) {
			refs, state[d.Name()] = append(refs[:len(refs):len(refs)], d), true
		}
	}
	if w.Variant == State && len(state) == 0 {
		return e, made, &nothingNew{"it reads no variable that changes"}
	}
	if w.Variant == Failing {
		if err := s.allocates(s.allocatingReach(fn, reach)); err != nil {
			return e, made, err
		}
	}
	b := &builder{
		shared: s, fn: fn, reach: reach, o: o, rel: newRelations(&o), number: w.Number, strict: s.alone ||
			w.Options != nil,
		uses:     s.usesOf(fn),
		spanned:  map[string]bool{},
		fields:   s.an.fieldsOf(reach, o.Defined),
		consts:   s.an.of(fn.Name).numbers(),
		variant:  w.Variant,
		local:    map[string]bool{},
		exprs:    map[string]string{},
		intTypes: map[string]*input.Type{},
		cur:      newBlock(false),
		flat:     map[string]int64{},
		grids:    map[string]grid{},
	}
	b.heap = b.mayFree(reach)
	e = Entry{Number: w.Number, Name: fn.Name + w.Variant.String(), Function: fn.Name, Variant: w.Variant,
		Symbol: fmt.Sprintf("klabel_entry_%d", w.Number)}
	params := b.params()
	if !o.NoGuess {
		for _, n := range slices.Concat(b.guessGrids(params), b.guessCounts(params)) {
			b.warn("%s: %s", fn.Name, n)
		}
	}
	desc := &input.Driver{Function: fn.Name, Oracle: b.oracle()}
	globals, err := b.globals(refs, state, desc)
	if err != nil {
		return e, b.built(), err
	}
	if fn.Name == "main" {
		err = b.mainArguments(params, desc)
	} else {
		err = b.arguments(params, desc)
	}
	if err != nil {
		return e, b.built(), err
	}
	b.limitDimensions(params)
	for _, f := range b.late {
		f()
	}
	if err := b.assumptions(); err != nil {
		return e, b.built(), err
	}
	if err := b.adds(w.Variant); err != nil {
		return e, b.built(), err
	}
	known := b.stubValues
	if b.rel.any() || newRelations(&s.common).any() { // else nobody asks for names, and every entry adds its own
		known = b.known()
	}
	if err := b.rel.unused(known, s.stubRel.used); err != nil && b.strict {
		return e, b.built(), err
	}
	maps.Copy(s.stubRel.used, b.rel.used)
	s.stubValues = known
	b.describe(desc, params, refs)
	b.parameters(fn)
	b.surroundings(reach, desc.Inputs[:desc.Globals])
	e.Memory, e.Remembers = b.memory, b.remembers
	e.Narrowed, e.Assumed = b.narrowed, append(o.wishes(), b.assumed...)
	e.Inputs = desc
	e.text = b.function(e.Symbol, globals, b.call(params))
	e.probe = b.function(e.Symbol, globals, fmt.Sprintf("    __assert_fail(%s, \"driver\", 0, \"main\");\n",
		quote(ProbeMessage)))
	return e, b.built(), nil
}

// oracle is the call of the user's oracle after that of the function: it takes
// the result, or nothing. "" where it is not for this function.
func (b *builder) oracle() string {
	def := b.an.funcs[b.o.Oracle]
	if b.o.Oracle == "" || def == nil || def.Type == nil || b.fn.Type == nil || def.Name == b.fn.Name {
		return ""
	}
	var takes []cc.Type
	for _, p := range def.Params {
		if p.Type().Kind() != cc.Void {
			takes = append(takes, p.Type())
		}
	}
	switch result := b.fn.Type.Result(); {
	case len(takes) == 0:
		return def.Name + "()"
	case len(takes) > 1 || result.Kind() == cc.Void:
		return ""
	case cc.IsArithmeticType(takes[0]) && cc.IsArithmeticType(result), takes[0].String() == result.String():
		return def.Name + "(result)"
	}
	return ""
}
