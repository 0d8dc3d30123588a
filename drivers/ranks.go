package drivers

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"klabel/csource"
)

var (
	// ending matches functions that end an object's life, or empty it.
	ending = regexp.MustCompile(`(?i)free|destroy|delete|dispose|close|release|deinit|clear|reset|(^|_)del($|_)`)
	// emptying are those of them that leave an object behind.
	emptying = regexp.MustCompile(`(?i)clear|reset`)
	// configuring matches those that set something beside the items.
	configuring = regexp.MustCompile(`(^|_)[sS]et(_|[A-Z])`)
	// filling matches functions that put something into an object.
	filling = regexp.MustCompile(`(?i)add|push|set|put|insert|append|init|open|cat([^c]|c[^h]|$)|write|enqueue|` +
		`grow|reserve|resize|room|create|register|` + // and no catch
		`(^|_)(send|post|give|offer|store)([_A-Z]|$)|(_|[a-z])(Send|Post|Give|Offer|Store)([_A-Z]|$)`)
	// creating matches those that add a whole object to what a file keeps.
	creating = regexp.MustCompile(`(?i)create|register`)
	// reading matches functions that take in what an object is to hold.
	reading = regexp.MustCompile(`(^|_)(?i:parse|feed|update|load|process|consume)([_A-Z]|$)|` +
		`[a-z](Parse|Feed|Update|Load|Process|Consume)([_A-Z]|$)`)
)

// toldHard is how much harder than others a maker is that gives what another one has made.
const toldHard = 4

// bestMakers are those that are easy to call. Of equals comes first the one that calls most, for
// what reads a text makes every kind of object, then the one that calls least, which soon
// has made one, and so on. What needs a file comes after what needs none. What is no
// structure holds what its makers are given: those that are given something come first.
func (s *shared) bestMakers(o object, makers []preparation, most int) []preparation {
	type ranked struct {
		preparation
		hard, reach int
	}
	var by []ranked
	for _, m := range makers {
		r := ranked{m, m.hard + len(m.with) + 4*boolean(m.start >= 0), 0}
		if m.fn.Def != nil {
			r.reach = s.reaches(m.fn)
			r.hard += boolean(s.readsFile(m.fn))
			if s.onlyTells(m.fn) {
				r.hard += toldHard
			}
		}
		if o.elem == nil && m.hasContent() && r.hard < 2 {
			r.hard -= 2
		}
		by = append(by, r)
	}
	slices.SortStableFunc(by, func(a, b ranked) int { return cmp.Or(a.hard-b.hard, b.reach-a.reach) })
	for i := 0; i < len(by); {
		n := 1
		for i+n < len(by) && by[i+n].hard == by[i].hard {
			n++
		}
		equal := slices.Clone(by[i : i+n])
		for k := range equal {
			from := k / 2
			if k%2 == 1 {
				from = n - 1 - k/2
			}
			by[i+k] = equal[from]
		}
		i += n
	}
	var list []preparation
	for _, r := range by[:min(len(by), most)] {
		list = append(list, r.preparation)
	}
	return list
}

// onlyTells reports whether all that a function returns is what pointers of the file hold: NULL, until others set
// them.
func (s *shared) onlyTells(f *csource.Function) bool {
	facts := s.an.of(f.Name)
	held := func(r result) bool {
		for name, how := range facts.access {
			if how&reads != 0 && s.isPointer(name) && slices.Contains(facts.sizes.cursors(name), r.name) {
				return true
			}
		}
		return false
	}
	for _, r := range facts.sizes.results {
		if r.name == "" || !held(r) {
			return false
		}
	}
	return len(facts.sizes.results) > 0
}

// isPointer reports whether a variable of the file is a pointer.
func (s *shared) isPointer(variable string) bool {
	return slices.ContainsFunc(s.unit.AST.Scope.Nodes[variable], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		return ok && d.Type().Kind() == cc.Ptr
	})
}

// reaches is how many functions a call may run.
func (s *shared) reaches(f *csource.Function) int {
	n, known := s.reached[f.Name]
	if !known {
		n = len(s.an.reach(f).funcs)
		s.reached[f.Name] = n
	}
	return n
}

// readsFile reports whether a function takes the name of a file that it opens.
func (s *shared) readsFile(f *csource.Function) bool {
	return slices.ContainsFunc(f.Params, func(p *cc.Parameter) bool { return s.an.opens(f, p.Name(), 3) })
}

// ends reports whether nothing of an object is left after a call.
func (s *shared) ends(c preparation) bool {
	return len(c.fn.Params) == 1 && s.mannerOf(c.fn.Name).ends && !emptying.MatchString(c.fn.Name)
}

// inName matches the words that a name is made of.
var inName = regexp.MustCompile(`[A-Z]?[a-z]+|[A-Z]+|[0-9]+`)

// kinship is how many words of a function's name the name of another one has, too: where one type holds things
// of many kinds, what is to work on one kind says which.
func (s *shared) kinship(of, with *csource.Function) (n int) {
	words := s.wordsOf(with.Name)
	for _, w := range s.wordsOf(of.Name) {
		n += boolean(slices.ContainsFunc(words, func(v string) bool { return strings.EqualFold(v, w) }))
	}
	return n
}

// wordsOf are the words of a name, remembered: they are asked for as often as mannerOf.
func (s *shared) wordsOf(name string) []string {
	words, known := s.words[name]
	if !known {
		words = inName.FindAllString(name, -1)
		s.words[name] = words
	}
	return words
}

// best are the functions to call before another: that function itself, and those
// whose names say that they fill the object, come first, those that the file keeps
// to itself and those that only look at it late. Of equals the next of kin come first.
func (s *shared) best(list []preparation, fn *csource.Function, most int) []preparation {
	rank := func(p preparation) int {
		m := s.mannerOf(p.verb())
		switch {
		case p.fn.Name == fn.Name && m.fills:
			return -1
		case m.ends:
			return 20
		case p.handle && p.setsNumbers():
			return 19
		case !s.an.mayChange(p.fn):
			return 30
		case m.fills && !(configuring.MatchString(p.verb()) && p.setsNumbers()):
			return p.hard + 5*boolean(p.fn.Static)
		}
		return 10 + p.hard + 5*boolean(p.fn.Static)
	}
	type ranked struct {
		preparation
		rank, kin int
	}
	by := make([]ranked, len(list))
	for i, p := range list { // each once: a large file has hundreds
		by[i] = ranked{p, rank(p), s.kinship(p.fn, fn)}
	}
	slices.SortStableFunc(by, func(a, b ranked) int { return cmp.Or(a.rank-b.rank, b.kin-a.kin) })
	for i, r := range by {
		list[i] = r.preparation
	}
	return list[:min(len(list), most)]
}

// verb is the name of a function without that of the object's type before it: all functions of a
// set begin with "set".
func (p preparation) verb() string {
	if p.self < 0 {
		return p.fn.Name
	}
	typ := typeName(p.fn.Params[p.self].Type())
	if n := len(typ); n > 0 && len(p.fn.Name) > n+1 && p.fn.Name[n] == '_' && strings.EqualFold(p.fn.Name[:n], typ) {
		return p.fn.Name[n+1:]
	}
	return p.fn.Name
}

// manner is what a function's name says that it does to an object.
type manner struct{ ends, fills, begins bool }

// mannerOf is asked for every function of a unit, by every entry.
func (s *shared) mannerOf(name string) manner {
	m, known := s.manners[name]
	if !known {
		m = manner{ends: ending.MatchString(name), fills: filling.MatchString(name) || reading.MatchString(name),
			begins: plainBeginning.MatchString(name)}
		s.manners[name] = m
	}
	return m
}
