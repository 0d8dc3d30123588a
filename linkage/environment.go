package linkage

import (
	"fmt"
	"maps"
	"slices"

	"klabel/csource"
)

// Bounds are how long arguments, standard input and files are that an engine makes,
// at most: the paths of one that follows each are as many as the characters allow, and
// a fuzzer needs room.
type Bounds struct {
	Argument, Many int // many: of each where they are many
	Input, File    int
}

const manyArguments = 4 // from here on they are many

// Readers are the names by which C asks for standard input, Openers those by which it
// opens a file.
var (
	Readers = []string{"stdin", "STDIN_FILENO", "getchar", "getchar_unlocked", "gets", "scanf", "vscanf", "read"}
	Openers = []string{"fopen", "freopen", "open", "fopen64", "open64"}
)

// Asks is what a program asks its environment for.
type Asks struct {
	Arguments    int // -1: it does not look at any
	Input, Files bool
}

// AsksFor looks at a program that begins with the main of a unit. Files whose names
// stand in the program itself are its own affair: one that is named by an argument can
// be made.
func AsksFor(units []*csource.Unit, main int) Asks {
	a := Asks{Arguments: -1}
	uses := func(names []string) bool { return len(Used(units, names)) > 0 }
	if u := units[main]; u.UsesArguments() {
		a.Arguments = argumentCount(u, u.Function("main"))
		a.Files = uses(Openers)
	}
	a.Input = uses(Readers)
	return a
}

// Used are those names, in order, that units use and do not define themselves.
func Used(units []*csource.Unit, names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), Defined(units).Defines)
	found := map[string]bool{}
	for _, u := range units {
		maps.Copy(found, u.Identifiers(names...))
	}
	return slices.Sorted(maps.Keys(found))
}

// Options make that symbolic, within an engine's bounds.
func (a Asks) Options(b Bounds) (args []string) {
	if b == (Bounds{}) {
		return nil
	}
	if a.Arguments >= 0 {
		length := b.Argument
		if a.Arguments > manyArguments {
			length = b.Many
		}
		args = append(args, "--sym-args", "0", fmt.Sprint(a.Arguments), fmt.Sprint(length))
	}
	if a.Files {
		args = append(args, "--sym-files", "1", fmt.Sprint(b.File))
	}
	if a.Input {
		args = append(args, "--sym-stdin-upto", fmt.Sprint(b.Input))
	}
	return args
}
