package drivers

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/input"
)

// shared is what all entries of a unit have in common: what the unit needs to
// link, stubs and variables that nobody else defines. Definitions are weak, so
// that several units of a program may each bring theirs.
type shared struct {
	unit    *csource.Unit
	an      *analysis
	ts      *types
	common  Options
	labels  map[string]bool   // macros of labels
	renames map[string]string // functions of the unit to rename where they are defined

	offers       []*csource.Function              // see offered
	manners      map[string]manner                // see mannerOf
	words        map[string][]string              // see wordsOf
	prepare      map[prepares][]*csource.Function // see preparers
	deals        map[string][]*csource.Function   // see dealing
	beside       map[string][]cc.Type             // see takenBeside
	shows        map[string][]cc.Type             // see shown
	leads        map[string]preparation           // see leadingTo
	reached      map[string]int                   // see reaches
	typeKeys     map[cc.Type]string               // see typeKey
	mentioned    map[string]map[string]use        // see usesOf, by function
	readers      map[string]bool                  // see readsItems, by function
	ownConstants []*cc.Declarator                 // see constants
	fieldOrder   map[*cc.StructType][]*cc.Field   // see beginsFirst
	nonNull      map[string][]int                 // see promise, by function
	headers      map[string]bool                  // see headed, by the type's name
	ownWords     map[string]bool                  // see ownTerms, by function
	noReturn     map[string]bool                  // see neverReturns, by function
	text         strings.Builder
	stubbed      []stubbed
	alone        bool       // one entry is wanted: all options are meant for it
	stubRel      *relations // relations that stubs and earlier entries met
	stubValues   []string   // names of what they build
	nowhere      []string   // names that the unit mentions and nobody defines
	lacking      []string   // C that tests without klabel need to link
	said
}

// said is what entries add for those after them.
type said struct {
	names    map[string]bool // identifiers at file scope
	warnings []string
	warned   map[string]bool
}

func (s said) clone() said {
	return said{maps.Clone(s.names), slices.Clone(s.warnings), maps.Clone(s.warned)}
}

// stubbed is a function that the driver defines.
type stubbed struct {
	name     string
	call     *input.Call
	replaces bool // the unit's own, by the user's wish
}

func newShared(u *csource.Unit, o Options) *shared {
	if names := u.Aliases(); len(names) > 0 {
		o.Defined = maps.Clone(o.Defined)
		if o.Defined == nil {
			o.Defined = map[string]bool{}
		}
		for _, n := range names {
			o.Defined[n] = true
		}
	}
	if o.Embeddings == nil {
		o.Embeddings = Embeddings([]*csource.Unit{u})
	}
	s := &shared{
		unit: u, common: o, an: newAnalysis(u),
		ts: &types{scope: u.AST.Scope, seen: map[cc.Type]*input.Type{}, plain: map[cc.Type]string{},
			packed: oddLayouts(u)},
		labels:  map[string]bool{},
		renames: map[string]string{},
		manners: map[string]manner{}, words: map[string][]string{},
		prepare: map[prepares][]*csource.Function{}, mentioned: map[string]map[string]use{},
		beside: map[string][]cc.Type{}, shows: map[string][]cc.Type{}, leads: map[string]preparation{},
		reached: map[string]int{}, typeKeys: map[cc.Type]string{}, deals: map[string][]*csource.Function{},
		fieldOrder: map[*cc.StructType][]*cc.Field{},
		readers:    map[string]bool{}, headers: map[string]bool{}, ownWords: map[string]bool{},
		said: said{names: map[string]bool{}, warned: map[string]bool{}},
	}
	for name := range u.AST.Scope.Nodes {
		s.names[name] = true
	}
	if calls, err := u.Labels(); err == nil {
		for _, c := range calls {
			s.labels[c.Macro] = true
		}
	}
	if s.an.funcs["main"] != nil {
		s.renames["main"] = programMain
	}
	return s
}

// warn notes a remark, once.
func (s *shared) warn(format string, a ...any) {
	text := fmt.Sprintf(format, a...)
	if !s.warned[text] {
		s.warned[text] = true
		s.warnings = append(s.warnings, text)
	}
}

// builder returns the builder of what is shared. Relations of all wants may
// speak of what stubs return.
func (s *shared) builder(wants []Want, near reach) *builder {
	o := s.common
	o.fill()
	for _, w := range wants {
		if w.Options != nil {
			o.Ranges = append(o.Ranges[:len(o.Ranges):len(o.Ranges)], w.Options.Ranges...)
			o.NonNull = append(o.NonNull[:len(o.NonNull):len(o.NonNull)], w.Options.NonNull...)
		}
	}
	b := &builder{
		shared: s, o: o, rel: newRelations(&o),
		fields:   s.an.fieldsOf(near, o.Defined),
		local:    map[string]bool{},
		spanned:  map[string]bool{},
		grids:    map[string]grid{},
		exprs:    map[string]string{},
		intTypes: map[string]*input.Type{},
		cur:      newBlock(true),
	}
	b.heap = b.mayFree(near)
	all := facts{floats: map[float64]bool{}, ints: map[float64]bool{}}
	for _, f := range near.funcs {
		for v := range s.an.of(f.Name).floats {
			all.floats[v] = true
		}
		for v := range s.an.of(f.Name).ints {
			all.ints[v] = true
		}
	}
	b.consts = all.numbers()
	return b
}

// complete defines what the unit mentions and nobody defines. What no needed
// function, which entries call, reaches only has to link.
func (s *shared) complete(wants []Want, functions, needed []*csource.Function) error {
	reach := s.an.reach(needed...)
	near := reach.outside
	nearby := map[string]bool{}
	for _, d := range near {
		nearby[d.Name()] = true
	}
	far := s.an.rest(reach)
	b := s.builder(wants, reach)
	if err := b.stubs(near, far, functions); err != nil {
		return err
	}
	for _, d := range append(far, near...) {
		if _, isFunc := d.Type().(*cc.FunctionType); !isFunc && s.undefined(d) {
			if err := b.defineGlobal(d, nearby[d.Name()]); err != nil {
				return err
			}
		}
	}
	s.stubRel, s.stubValues = b.rel, b.known()
	s.text.WriteString(b.top.String())
	return nil
}

// lacks reports whether nobody defines a function that the unit mentions.
func (s *shared) lacks(d *cc.Declarator) bool {
	if s.common.Unlinked[d.Name()] {
		return true
	}
	if f, ok := d.Type().(*cc.FunctionType); ok && InLibrary(d.Name(), f) {
		return false
	}
	return !provided(d.Name()) && !s.common.Defined[d.Name()] && !s.system(d) &&
		!s.labels[d.Name()]
}

// system reports whether a declaration stands in a system header, or is of a variable of the C library that programs
// declare by hand.
func (s *shared) system(d *cc.Declarator) bool {
	at, ok := s.unit.Span(d.NameTok())
	return !ok || s.unit.IsSystem(at.Start) || libraryVariable(d) && !s.common.Defined[d.Name()] && !s.defines(d.Name())
}
