package campaign

import (
	"fmt"
	"slices"

	"klabel/input"
	"klabel/linkage"
	"klabel/replayer"
)

// entry is a way into the image. Number 0 is the program's own main.
type entry struct {
	number    int
	name      string // what people see, and what a test is stored under; "" for main
	target    string // name of the target; "" for main
	function  string // what it is called in C
	file      string // that defines the function
	unit      int
	image     int    // of the campaign's, from 0
	rank      int    // of the entry among those of its target, the plainest first
	symbol    string // "" for main
	inputs    *input.Driver
	narrowed  []string // what keeps it from all that the function can be given
	memory    []string // functions that give memory and do not fail, if the engine does not know better
	remembers []string // where labels note what was set before: narrows those that speak of it
	assumed   []string // those of it that the user asked for
}

// ownMain reports whether the entry is the program's own.
func (e entry) ownMain() bool { return e.number == 0 }

// program reports whether the entry is a main function, the program's own or one that a driver calls.
func (e entry) program() bool { return e.ownMain() || e.function == "main" }

func (e entry) place() linkage.Place { return linkage.Place{Unit: e.unit, Name: e.function} }

// adopt makes an image the program's first one.
func (p *program) adopt(im *image) {
	p.image, p.home = im, im.home
	p.warnings = append(p.warnings, fewer(im.warnings)...)
	p.add(im)
}

// fewest is how many of the drivers' warnings are said one by one.
const fewest = 8

// fewer are the first of many warnings, and how many others there are: of a library
// nobody reads hundreds. Who asks for more (-v) gets all.
func fewer(warnings []string) []string {
	all := slices.Clone(warnings)
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) <= fewest {
		return warnings
	}
	seen := map[string]bool{}
	var out []string
	for _, w := range warnings {
		if !seen[w] && len(out) < fewest/2 {
			out = append(out, w)
		} else if !seen[w] {
			log.Info(w)
		}
		seen[w] = true
	}
	return append(out, fmt.Sprintf("so it is with %d more parameters: 'klabel driver FILE --function NAME' says how "+
		"those of a function are taken, -v lists all", len(all)-len(out)))
}

// cannotEnter takes over which functions a further image has no entry for, of those that
// the first one had no room for.
func (p *program) cannotEnter(im *image) {
	has := map[string]bool{}
	for _, e := range p.all() {
		has[e.target] = true
	}
	for name, why := range im.leftOut {
		if !has[name] && !slices.ContainsFunc(im.entries, func(e entry) bool { return e.target == name }) {
			p.leftOut[name] = why
		}
	}
}

// add gives the program the entries of a further image.
func (p *program) add(im *image) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.entries = append(p.entries, im.entries...)
}

// all are the entries of all images so far.
func (p *program) all() []entry {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.entries
}

// named finds the entry of a stored test.
func (p *program) named(name string) (entry, bool) {
	entries := p.all()
	i := slices.IndexFunc(entries, func(e entry) bool { return e.name == name })
	if i < 0 {
		return entry{}, false
	}
	return entries[i], true
}

// open reports whether the program is run from other functions than its main.
func (im *image) open() bool {
	return slices.ContainsFunc(im.entries, func(e entry) bool { return !e.ownMain() })
}

// entryOf finds the entry that a test file is for: its first argument names it;
// other tests are for the plainest entry.
func (p *program) entryOf(f replayer.TestFile) entry {
	if f.Test != nil && len(f.Test.Args) > 0 {
		if e, ok := p.named(f.Test.Args[0]); ok {
			return e
		}
	}
	if len(p.image.entries) == 0 {
		return entry{}
	}
	return p.image.entries[0]
}
