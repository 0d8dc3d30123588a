package drivers

import (
	"fmt"
	"strings"

	"klabel/csource"
	"klabel/fault"
)

// UnknownFunctionError says that no unit defines the function.
type UnknownFunctionError struct {
	Name    string
	Nearest []string // names that are close, best first
	File    string
	Named   string // "" or the kind of name: "global"
}

func (e *UnknownFunctionError) Error() string {
	kind := "function"
	if e.Named != "" {
		kind = e.Named
	}
	s := fmt.Sprintf("%s has no %s %q", e.File, kind, e.Name)
	switch len(e.Nearest) {
	case 0:
		return s
	case 1:
		return s + fmt.Sprintf("; is %q meant?", e.Nearest[0])
	}
	return s + "; is one of these meant: " + strings.Join(e.Nearest, ", ") + "?"
}

// ExitCode is that of a command line that is wrong.
func (e *UnknownFunctionError) ExitCode() int { return fault.Usage }

// DuplicateFunctionError says that several files define the function.
type DuplicateFunctionError struct {
	Name   string
	Places []string // file:line
}

func (e *DuplicateFunctionError) Error() string {
	return fmt.Sprintf("function %q is defined %d times: %s; name one as FILE:%s",
		e.Name, len(e.Places), strings.Join(e.Places, ", "), e.Name)
}

// TypeError says that a value cannot be built from its type.
type TypeError struct {
	Function string
	Name     string // the parameter, or what is below it: "s->file"
	Type     string
	Reason   string
}

func (e *TypeError) Error() string {
	return fmt.Sprintf("no driver for %s: %s has type %s, %s", e.Function, e.Name, e.Type, e.Reason)
}

// RelationError says that a relation does not fit the function, or that no
// value satisfies it.
type RelationError struct {
	Relation string // as on the command line: "--array p:n"
	Reason   string
	// Contradiction is true when the relation can never hold.
	Contradiction bool
}

func (e *RelationError) Error() string { return e.Relation + ": " + e.Reason }

// ExitCode is that of a command line that is wrong.
func (e *RelationError) ExitCode() int { return fault.Usage }

// Find looks for the unit that defines a function. The name may be FILE:NAME.
func Find(units []*csource.Unit, name string) (*csource.Unit, *csource.Function, error) {
	file, fn := "", name
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		file, fn = name[:i], name[i+1:]
	}
	var unit *csource.Unit
	var found *csource.Function
	var places, names, files []string
	for _, u := range units {
		files = append(files, u.Path)
		if file != "" && u.Path != file && !strings.HasSuffix(u.Path, "/"+file) {
			continue
		}
		for _, f := range u.Functions() {
			if f.Origin.System {
				continue
			}
			if f.Name != fn {
				names = append(names, f.Name)
				continue
			}
			places = append(places, f.Origin.Position().String())
			unit, found = u, f
		}
	}
	switch {
	case len(places) > 1 && !same(places):
		return nil, nil, &DuplicateFunctionError{fn, places}
	case found == nil:
		return nil, nil, &UnknownFunctionError{Name: fn, Nearest: fault.Nearest(fn, names),
			File: strings.Join(files, ", ")}
	}
	return unit, found, nil
}

// same reports whether all places are one: a header's inline function that
// several files include is one function.
func same(places []string) bool {
	for _, p := range places {
		if p != places[0] {
			return false
		}
	}
	return true
}
