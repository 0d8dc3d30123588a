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

// Flags are what a template says of the compiler.
type Flags struct {
	IncludeDirs, Defines, CFlags []string
	Std                          string
	Database                     string // "" or the path of a compilation database
	Build                        string // "" or the build that is asked
	Criterion                    string
}

// Template is the text of a new klabel.toml, with comments.
func Template(files []string, flags Flags, functions []Function) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	p("# What klabel does with this project. Keys are called like the flags of")
	p("# 'klabel run', whose values on a command line win over this file. Paths are")
	p("# relative to this file. 'klabel help project-file' says more.")
	p("")
	p("files = %s", list(files))
	given := func(key string, values []string, example string) {
		if len(values) > 0 {
			p("%s = %s", key, list(values))
		} else {
			p("# %s = %s", key, example)
		}
	}
	given("include-dir", flags.IncludeDirs, `["include"]`)
	given("define", flags.Defines, `["NDEBUG"]`)
	if flags.Std != "" {
		p("std = %q", flags.Std)
	}
	given("cflag", flags.CFlags, `["-m32"]             # for the compiler, as it is`)
	switch {
	case flags.Build != "":
		p("build = %q   # is asked for the flags of each file", flags.Build)
	case flags.Database != "":
		p("compile-commands = %q   # the flags of each file", flags.Database)
	default:
		p("# compile-commands = \"build/compile_commands.json\"")
	}
	p("")
	p("# The coverage criteria ('klabel criteria' lists them).")
	p("criteria = [%q]", flags.Criterion)
	p("")
	p("# engine = \"auto\"      # klee where it is found, else native")
	p("budget = \"60s\"         # for all together")
	p("# solver-timeout = \"5s\"")
	p("# test-timeout = \"2s\"")
	p("# fail-under = 80       # exit code 3 when less of the feasible labels is covered")
	p("# output = \"klabel-out\"")
	p("")
	p("# The C tests that people read.")
	p("style = \"plain\"        # cmocka, unity, check")
	p("oracle = \"observed\"    # none, or a function of yours that judges the result")
	p("")
	p("# Every function is a way in; without it, --function NAME says which one is.")
	p("all-functions = true")
	p("# functions = [\"parse_*\"]   # of these only; skip-functions leaves some out")
	p("")
	p("# What drivers may assume of all functions. [for.NAME] says it of one.")
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
		p("[for.%s]", f.Name)
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
