package campaign

import (
	"path/filepath"
	"slices"

	"modernc.org/cc/v4"

	"klabel/csource"
	"klabel/toolchain"
)

// testBuild says with which flags, and with which other files of the program,
// tests of a unit are built in a folder. The tests have a main function: that of
// another file is renamed, and a second file with one stays out.
//
// So does a file that defines what one before it defines, as programs do that share
// a folder: what the unit needs comes first. Where that clashes with the unit
// itself, the unit's own names are others in its tests.
func (c *session) testBuild(dir string, unit int) (b testBuild) {
	seen := func(path string) string { return seenFrom(dir, path) }
	b.flags = toolchain.Flags(slices.Concat(c.job.Flags, c.prog.sources[unit].Flags)).In(".").WithPaths(seen)
	others, renamed := linkable(c.prog.units, unit)
	b.renamed = renamed
	withMain := false
	for i, s := range c.prog.sources {
		if i == unit {
			continue
		}
		if !slices.Contains(others, i) {
			b.leftOut = append(b.leftOut, filepath.Base(s.Path))
			continue
		}
		if definesMain(c.prog.units[i]) {
			if withMain {
				continue
			}
			withMain = true
			b.flags = append(b.flags, "-Dmain=klabel_other_main")
		}
		b.sources = append(b.sources, seen(s.Path))
	}
	return b
}

// testBuild is how tests of a unit are built.
type testBuild struct {
	flags   toolchain.Flags
	sources []string // other files of the program
	leftOut []string // those that define what these define, too
	renamed []string // names of the unit that another file needs for its own
}

// linkable finds the units that can be linked with one of them, and the names of its
// own that have to give way to what it needs.
func linkable(units []*csource.Unit, unit int) (others []int, renamed []string) {
	g := definitions(units)
	order := g.needed(units, unit)
	needs := len(order)
	for i := range units {
		if i != unit && !slices.Contains(order, i) {
			order = append(order, i)
		}
	}
	taken := map[string]bool{}
	for n, i := range order {
		clash, own := false, []string(nil)
		for name := range g.units[i] {
			clash = clash || taken[name]
			if _, ok := g.units[unit][name]; ok {
				own = append(own, name)
			}
		}
		if clash || len(own) > 0 && n >= needs {
			continue
		}
		renamed = append(renamed, own...)
		others = append(others, i)
		for name := range g.units[i] {
			taken[name] = true
		}
	}
	slices.Sort(renamed)
	return others, renamed
}

// needed are the units that define what a unit mentions, what those mention, and
// so on.
func (g globals) needed(units []*csource.Unit, unit int) (order []int) {
	for queue := []int{unit}; len(queue) > 0; queue = queue[1:] {
		mentioned := map[string]bool{}
		units[queue[0]].Walk(units[queue[0]].AST.TranslationUnit, func(n cc.Node) bool {
			if x, ok := n.(*cc.PrimaryExpression); ok && x.Case == cc.PrimaryExpressionIdent {
				mentioned[x.Token.SrcStr()] = true
			}
			return true
		})
		for i, own := range g.units {
			if i == unit || slices.Contains(order, i) {
				continue
			}
			for name := range own {
				if _, ok := g.units[queue[0]][name]; mentioned[name] && !ok {
					order, queue = append(order, i), append(queue, i)
					break
				}
			}
		}
	}
	return order
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
