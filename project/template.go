package project

import (
	"fmt"
	"strings"
)

// Function is what a template says of a function.
type Function struct {
	Name      string
	Signature string   // as a comment
	Relations []string // "array = [\"t:n\"]": what klabel guesses anyway
}

// Template is the text of a new klabel.toml, with comments.
func Template(files []string, flags []string, functions []Function) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	p("# What klabel does with this project. Keys are called like the flags of")
	p("# 'klabel run', whose values on a command line win over this file.")
	p("")
	p("files = %s", list(files))
	if len(flags) > 0 {
		p("flags = %s", list(flags))
	} else {
		p("# flags = [\"-Iinclude\", \"-DNDEBUG\"]   # for the compiler")
	}
	p("# compile-commands = \"build/compile_commands.json\"")
	p("")
	p("# The coverage criteria ('klabel criteria' lists them).")
	p("criteria = [\"CC\"]")
	p("")
	p("# engine = \"auto\"      # klee where it is found, else native")
	p("budget = \"60s\"         # for each function")
	p("# solver-timeout = \"5s\"")
	p("# test-timeout = \"2s\"")
	p("# fail-under = 80       # exit code 3 when less of the feasible labels is covered")
	p("# output = \"klabel-out\"")
	p("")
	p("# The C tests that people read.")
	p("style = \"plain\"        # cmocka, unity, check")
	p("oracle = \"observed\"    # none, or a function of yours that judges the result")
	p("")
	p("# all-functions = true")
	var names []string
	for _, f := range functions {
		names = append(names, f.Name)
	}
	p("functions = %s", list(names))
	p("")
	p("# What drivers may assume of all functions.")
	p("[inputs]")
	p("max-array = 4")
	p("max-string = 8")
	p("max-depth = 3           # pointers followed in a linked structure")
	p("# global = [\"*\"]        # make the globals that a function reads symbolic")
	p("# any-enum = true")
	p("")
	p("# And of one function:")
	p("#   array = [\"p:n\"]       p has n items      nonnull = [\"p\"]     p is not NULL")
	p("#   range = [\"x:0..100\"]  bounds             string = [\"s\"]      s is a C string")
	p("#   assume = [\"x < y\"]    C conditions       alias = [\"p,q\"]     q may be p")
	p("#   stub = [\"clock=concrete:0\"]")
	for _, f := range functions {
		p("")
		if f.Signature != "" {
			p("# %s", f.Signature)
		}
		p("[function.%s]", f.Name)
		for _, r := range f.Relations {
			p("%s", r)
		}
	}
	return s.String()
}

func list(items []string) string {
	var q []string
	for _, i := range items {
		q = append(q, fmt.Sprintf("%q", i))
	}
	return "[" + strings.Join(q, ", ") + "]"
}
