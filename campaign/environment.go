package campaign

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"klabel/csource"
)

// bounds are how long arguments, standard input and files are that an engine makes,
// at most: the paths of one that follows each are as many as the characters allow, and
// a fuzzer needs room.
type bounds struct {
	argument, many int // many: of each where they are many
	input, file    int
}

const manyArguments = 4 // from here on they are many

// readers are the names by which C asks for standard input, openers those by which it
// opens a file.
var (
	readers = []string{"stdin", "STDIN_FILENO", "getchar", "getchar_unlocked", "gets", "scanf", "vscanf", "read"}
	openers = []string{"fopen", "freopen", "open", "fopen64", "open64"}
)

// asks is what a program asks its environment for.
type asks struct {
	arguments    int // -1: it does not look at any
	input, files bool
}

// asksFor looks at a program that begins with the main of a unit. Files whose names
// stand in the program itself are its own affair: one that is named by an argument can
// be made.
func asksFor(units []*csource.Unit, main int) asks {
	a := asks{arguments: -1}
	uses := func(names []string) bool { return len(used(units, names)) > 0 }
	if u := units[main]; usesArguments(u) {
		a.arguments = argumentCount(u, u.Function("main"))
		a.files = uses(openers)
	}
	a.input = uses(readers)
	return a
}

// used are those names, in order, that units use and do not define themselves.
func used(units []*csource.Unit, names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), definitions(units).define)
	found := map[string]bool{}
	for _, u := range units {
		maps.Copy(found, u.Identifiers(names...))
	}
	return slices.Sorted(maps.Keys(found))
}

// options make that symbolic, within an engine's bounds.
func (a asks) options(b bounds) (args []string) {
	if b == (bounds{}) {
		return nil
	}
	if a.arguments >= 0 {
		length := b.argument
		if a.arguments > manyArguments {
			length = b.many
		}
		args = append(args, "--sym-args", "0", fmt.Sprint(a.arguments), fmt.Sprint(length))
	}
	if a.files {
		args = append(args, "--sym-files", "1", fmt.Sprint(b.file))
	}
	if a.input {
		args = append(args, "--sym-stdin-upto", fmt.Sprint(b.input))
	}
	return args
}

// openEnvironment makes the arguments, the standard input and a file of a program
// symbolic that looks at them, where the user gives none: started without any, it
// would show no more than its message of how it is used. Each engine has bounds of its
// own.
func (c *session) openEnvironment() {
	e := c.prog.image.entries
	if len(c.job.ProgramArgs) > 0 || len(e) != 1 || !e[0].ownMain() || len(c.prog.units) == 0 {
		return
	}
	asks := asksFor(c.prog.units, e[0].unit)
	args := asks.options(c.row.bounds)
	if len(args) == 0 {
		return
	}
	if can := c.row.environment; can != nil {
		if why := can(c.tools, c.prog.units); why != "" {
			c.obs.Note(c.row.title + " gives the program no arguments and no input: " + why + "; --engine fuzz does")
			return
		}
	}
	c.job.ProgramArgs, c.build.args, c.build.given = args, args, true
	if asks.input {
		c.endings = c.prog.constants().Endings()
	}
	text := strings.Join(args, " ")
	if c.beside != nil {
		c.beside.build.args, c.beside.reads = asks.options(c.beside.row.bounds), true
		text += fmt.Sprintf(" (by %s %s)", c.beside.row.title, strings.Join(c.beside.build.args, " "))
	}
	c.obs.Note(fmt.Sprintf("the program is given %s; others stand after --", text))
}

// usesArguments reports whether main looks at its parameters.
func usesArguments(u *csource.Unit) bool {
	f := u.Function("main")
	if f == nil {
		return false
	}
	for _, p := range f.Params {
		if p.Name() == "" {
			continue
		}
		for _, s := range u.IdentifierSpans(p.Name()) {
			if s.Start > f.Body.Start && s.End < f.Body.End {
				return true
			}
		}
	}
	return false
}
