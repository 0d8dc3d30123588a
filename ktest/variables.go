package ktest

import (
	"bytes"
	"strings"
)

// Variable is a variable of the environment that a program asked for by name.
type Variable struct {
	Name  string
	Value string
	Set   bool // else there is none of that name
}

// variable begins the names of objects that are variables. One is not set where its first
// two bytes are 0, empty where the first one is, and a text otherwise.
const variable = "getenv_"

// Variables returns the variables of a test's environment, in the order in which they were
// asked for, and the test without them.
func (t *Test) Variables() (out []Variable, rest *Test) {
	s := *t
	s.Objects = nil
	for _, o := range t.Objects {
		name, is := strings.CutPrefix(o.Name, variable)
		if !is {
			s.Objects = append(s.Objects, o)
			continue
		}
		text, _, _ := bytes.Cut(o.Data, []byte{0})
		out = append(out, Variable{name, string(text), len(text) > 0 || len(o.Data) > 1 && o.Data[1] != 0})
	}
	return out, &s
}
