package campaign

import (
	"maps"
	"path/filepath"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/ctests"
	"klabel/input"
	"klabel/linkage"
	"klabel/toolchain"
)

// testBuild says with which flags, and with which other files of the program, tests of
// a unit are built in a folder: those that the unit needs, and what the tests mention. The
// tests have a main function: that of another file is renamed, and a second file with one
// stays out.
//
// So does a file that defines what one before it defines, as programs do that share
// a folder: what the unit needs comes first. Where that clashes with the unit
// itself, the unit's own names are others in its tests. Where functions are called that nothing
// declares, or pointers stand for numbers, compilers are told to let that pass: klabel does, and the tests
// hold the same source.
func (c *session) testBuild(dir string, unit int, mentioned map[string]bool) (b testBuild) {
	seen := func(path string) string { return seenFrom(dir, path) }
	b.own = map[string]toolchain.Flags{}
	b.flags = toolchain.Flags(slices.Concat(c.job.Flags, c.prog.sources[unit].Flags)).In(".").WithPaths(seen)
	others, without, renamed := c.prog.defined().Linkable(c.prog.units, unit, mentioned)
	b.renamed = renamed
	withMain, mains := false, ""
	for i, s := range c.prog.sources {
		if i == unit {
			continue
		}
		if linkage.Header(c.prog.units[i]) {
			if slices.Contains(others, i) { // this unit includes it, if it needs it: with its functions
				b.flags = append(b.flags, s.Flags.WithPaths(seen)...)
			}
			continue
		}
		if slices.Contains(without, i) {
			b.leftOut = append(b.leftOut, filepath.Base(s.Path))
		}
		if !slices.Contains(others, i) {
			continue
		}
		if linkage.DefinesMain(c.prog.units[i]) {
			if withMain {
				continue
			}
			withMain = true
			b.flags = append(b.flags, otherMain)
			mains = seen(s.Path)
		}
		b.sources = append(b.sources, seen(s.Path))
		if !slices.Equal(s.Flags.Compile(), c.prog.sources[unit].Flags.Compile()) {
			b.own[seen(s.Path)] = toolchain.Flags(slices.Concat(c.job.Flags, s.Flags)).In(".").WithPaths(seen)
		}
	}
	theirs := len(b.flags) // what is added for all
	all := append([]int{unit}, others...)
	if c.prog.defined().Common(all) {
		b.flags = append(b.flags, "-fcommon")
	}
	if slices.ContainsFunc(all, func(i int) bool { return len(c.prog.undeclaredIn(i)) > 0 }) {
		b.flags = append(b.flags, "-Wno-implicit-function-declaration")
	}
	if slices.ContainsFunc(all, func(i int) bool { return c.prog.implicitInt(i) }) {
		b.flags = append(b.flags, "-Wno-implicit-int")
	}
	for _, i := range all {
		for _, flag := range c.prog.plain[i].Loose {
			if !slices.Contains(b.flags, flag) {
				b.flags = append(b.flags, flag)
			}
		}
	}
	for path, own := range b.own {
		if path == mains {
			own = append(own, otherMain)
		}
		b.own[path] = slices.Concat(own, b.flags[theirs:])
	}
	return b
}

// otherMain gives the main function of another file a name that the tests' own does not have.
const otherMain = "-Dmain=klabel_other_main"

// mentionedIn are all words of what describes the tests' inputs: among them what the tests call and take addresses of.
func mentionedIn(cases []ctests.Case) map[string]bool {
	words, seen := map[string]bool{}, map[*input.Driver]bool{}
	for _, one := range cases {
		if one.Driver != nil && !seen[one.Driver] {
			seen[one.Driver] = true
			maps.Copy(words, one.Driver.Words())
		}
	}
	return words
}

// testBuild is how tests of a unit are built.
type testBuild struct {
	flags   toolchain.Flags
	sources []string                   // other files of the program
	own     map[string]toolchain.Flags // of those that are compiled with others
	leftOut []string                   // those that define what these define, too
	renamed []string                   // names of the unit that another file needs for its own
}

// defined says what each unit defines, found out once: every image and C tests of every unit want it.
func (p *program) defined() linkage.Definitions {
	p.definedOnce.Do(func() { p.definitions = linkage.Defined(p.units) })
	return p.definitions
}

// undeclaredIn are the functions that a unit calls and nothing declares.
func (p *program) undeclaredIn(unit int) []string {
	p.findUnsaid()
	return p.undeclared[unit]
}

// implicitInt reports whether a unit leaves out a type.
func (p *program) implicitInt(unit int) bool {
	p.findUnsaid()
	return p.untyped[unit]
}

// findUnsaid finds out once what the units leave unsaid that newer compilers want to be told.
func (p *program) findUnsaid() {
	p.unsaidOnce.Do(func() {
		for _, u := range p.plain {
			p.undeclared = append(p.undeclared, linkage.Undeclared(u))
			p.untyped = append(p.untyped, linkage.ImplicitInt(u))
		}
	})
}

// seenFrom is a path as it is written in a file of a folder.
func seenFrom(dir, path string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if here, err := filepath.Abs(dir); err == nil {
		if rel, err := filepath.Rel(here, abs); err == nil {
			return rel
		}
	}
	return abs
}

// calledIn are the names that units call functions by.
func calledIn(units []*csource.Unit) map[string]bool {
	names := map[string]bool{}
	for _, u := range units {
		u.Walk(u.AST.TranslationUnit, func(n cc.Node) bool {
			if x, ok := n.(*cc.PostfixExpression); ok {
				names[csource.Callee(x)] = true
			}
			return true
		})
	}
	return names
}
