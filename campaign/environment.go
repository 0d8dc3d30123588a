package campaign

import (
	"fmt"
	"slices"
	"strings"

	"klabel/csource"
)

// Bounds of what a program is given that asks for arguments and standard input,
// where nobody says what.
const (
	openArgumentLength = 6
	manyArguments      = 4 // from here on they are shorter
	shortArgument      = 4
	openInput          = 16
)

// readers are the names by which C asks for standard input.
var readers = []string{"stdin", "STDIN_FILENO", "getchar", "getchar_unlocked", "gets", "scanf", "vscanf", "read"}

// openEnvironment makes the arguments and the standard input of a program
// symbolic that looks at them, where the user gives none: started without any, it
// would show no more than its message of how it is used.
func (c *session) openEnvironment() {
	e := c.prog.image.entries
	if len(c.job.ProgramArgs) > 0 || !c.row.environment || c.beside != nil && !c.beside.patient || len(e) != 1 ||
		!e[0].ownMain() || len(c.prog.units) == 0 {
		return
	}
	var args []string
	if u := c.prog.units[e[0].unit]; usesArguments(u) {
		n, length := argumentCount(u, u.Function("main")), openArgumentLength
		if n > manyArguments {
			length = shortArgument
		}
		args = append(args, "--sym-args", "0", fmt.Sprint(n), fmt.Sprint(length))
	}
	if slices.ContainsFunc(c.prog.units, func(u *csource.Unit) bool { return len(u.Identifiers(readers...)) > 0 }) {
		args = append(args, "--sym-stdin-upto", fmt.Sprint(openInput))
	}
	if len(args) == 0 {
		return
	}
	c.job.ProgramArgs, c.build.args = args, args
	c.beside = nil // it has no symbolic arguments and files; nobody asked for it
	c.obs.Note(fmt.Sprintf("the program is given %s; others stand after --", strings.Join(args, " ")))
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
