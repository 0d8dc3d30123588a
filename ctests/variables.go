package ctests

import (
	"slices"

	"klabel/ktest"
)

// variablesOf are the names of the variables of the environment that some test's program
// asked for: each test says of each whether there is one, for whoever runs the tests has an
// environment of their own.
func variablesOf(cases []Case) (names []string) {
	for _, c := range cases {
		vars, _ := c.Test.Variables()
		for _, v := range vars {
			if !slices.Contains(names, v.Name) {
				names = append(names, v.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// variables writes the environment of a test.
func (w *body) variables(vars []ktest.Variable, names []string) {
	for _, name := range names {
		i := slices.IndexFunc(vars, func(v ktest.Variable) bool { return v.Name == name })
		if i >= 0 && vars[i].Set {
			w.line("klabel_give_variable(%s, %s);", text([]byte(name)), text([]byte(vars[i].Value)))
		} else {
			w.line("klabel_give_variable(%s, NULL);", text([]byte(name)))
		}
	}
}
