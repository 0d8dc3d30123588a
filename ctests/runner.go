package ctests

import (
	"fmt"
	"slices"
	"strings"

	"klabel/runtime_c"
)

// part is C that ships: a piece of the runner.
func part(name string) string { return runtime_c.Text("ctest/parts/"+name+".c") + "\n" }

// runner writes the file that brings the tests together. With record set it
// prints what the program does instead of checking it.
func runner(tests []*written, o Options, record bool) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	style := o.Style
	if record {
		style = Plain
	}
	p("/* Runs the tests of %s. To build and run them:\n%s", o.Include, o.commands())
	if o.Linked {
		p("   OBJECTS of make or CMake names objects of the program that are there already. */")
	} else {
		p("   KLABEL_SOURCE names another file to test in place of the source. */")
	}
	fails := slices.ContainsFunc(tests, func(t *written) bool { return t.fails > 0 })
	wrapped := o.wraps(tests)
	streams := slices.ContainsFunc(tests, func(t *written) bool { return t.stream > 0 })
	hidden := slices.Concat(o.Hides, o.HidesTypes)
	switch {
	case o.Linked:
		p("%s\n#undef main\n", directives(o.text))
	case o.separate:
		p("%s", o.declared())
	default:
		// The source comes first, and sees of headers what it sees in its own build.
		s.WriteString(o.labels() + o.included())
		if len(o.Apart) > 0 {
			p("/* Another file has names like these. */")
			for _, n := range o.Apart {
				p("#define %s tested_%s", n, n)
			}
		}
		if fails && !wrapped {
			p("/* Allocations fail where a test says so. */\nstatic void fail_allocation(unsigned number);")
			for _, n := range allocating {
				if undefined(n, o.text) { // a macro would be taken away, and with it what headers declare
					p(declared[n]+" __asm__(\"klabel_%s\");", n, n)
				} else {
					p("#define %s klabel_%s", n, n)
				}
			}
		}
		if streams {
			p("/* Calls on streams fail where a test says so. */\nstatic void fail_on_streams(unsigned number);")
			for _, n := range onStreams {
				if !undefined(n, o.text) {
					p("#define %s klabel_%s", n, n)
				}
			}
		}
		guessed := o.guessed()
		if len(guessed) > 0 {
			p("/* What the source calls and nothing declares is of the type that compilers guess. */")
			for _, n := range guessed {
				p("int guessed_%s() __asm__(\"%s\");\n#define %s guessed_%s", n, n, n, n)
			}
		}
		s.WriteString(o.hide(true, hidden) + including + "\n" + o.hide(false, hidden))
		for _, n := range guessed {
			p("#undef %s", n)
		}
	}
	if names := o.shadowed(tests); len(names) > 0 {
		p("/* Names of members, and macros of the source: it is done with them. */")
		for _, n := range names {
			p("#undef %s", n)
		}
	}
	if wrapped {
		p("/* Allocations of all files fail where a test says so: the linker leads them here. */\n" +
			"static void fail_allocation(unsigned number);")
	}
	s.WriteString(part("older"))
	apart := o.redeclared(fails && !wrapped, streams)
	if len(apart) > 0 {
		p("/* The source declares these in its own words. */")
	}
	for _, n := range apart {
		p("#define %s header_%s", n, n)
	}
	s.WriteString(part("headers"))
	for _, n := range apart {
		p("#undef %s", n)
	}
	s.WriteString(part("names"))
	s.WriteString(part("sanitizer"))
	s.WriteString(frameworks[style].includes())
	s.WriteString(o.hide(true, o.HidesTypes) + declarations(tests))
	mocks := record && slices.ContainsFunc(tests, (*written).mocks)
	if mocks {
		s.WriteString("#include <stdarg.h>\n\n" + part("mock_record"))
	} else if mocks = slices.ContainsFunc(tests, func(t *written) bool { return t.expects }); mocks {
		s.WriteString("#include <stdarg.h>\n\n" + part("mock"))
	}
	s.WriteString(stubs(tests, mocks))
	gives := slices.ContainsFunc(tests, func(t *written) bool { return t.gives })
	s.WriteString(o.standIns(gives) + o.hide(false, o.HidesTypes))
	for _, name := range []string{"folder", "stream", "file", "give_variable"} {
		if slices.ContainsFunc(tests, func(t *written) bool { return strings.Contains(t.before, "klabel_"+name+"(") }) {
			if name == "folder" {
				s.WriteString(part("confine"))
				if o.Defines["tmpfile"] {
					p("#define KLABEL_OWN_tmpfile")
				}
			}
			s.WriteString(part(name))
		}
	}
	if o.asks || gives || slices.ContainsFunc(tests, func(t *written) bool { return t.driver == nil }) {
		if record { // an assumption that does not hold is no exit of the program's
			p("#define exit _Exit")
		}
		s.WriteString(part("inputs"))
		if gives { // an unused function is a warning
			s.WriteString(part("give"))
		}
		if slices.ContainsFunc(tests, func(t *written) bool { return t.stdin }) {
			s.WriteString(part("stdin"))
		}
		if slices.ContainsFunc(tests, (*written).givesFile) {
			s.WriteString(part("give_file"))
		}
		s.WriteString(nondet(o))
		for _, n := range verifierFunctions {
			if o.Defines[n] {
				p("#define KLABEL_OWN_%s", n)
			}
		}
		s.WriteString(part("verifier"))
		if record {
			p("#undef exit")
		}
	}
	if frameworks[style].includes() == "" {
		s.WriteString(part("checks"))
	}
	if record {
		s.WriteString(timer + part("exits_record"))
	} else if slices.ContainsFunc(tests, func(t *written) bool { return t.exits }) {
		s.WriteString(part("exits"))
	}
	s.WriteString(o.hide(true, hidden))
	if record {
		for _, t := range tests {
			s.WriteString(t.recording(o))
		}
	} else {
		for _, f := range files(tests) {
			p("#include %q", f)
		}
	}
	p("%s", o.hide(false, hidden))
	if record {
		p("#define main klabel_record\n%s\n#undef main\n%s", mains[style](tests), part("again"))
	} else {
		s.WriteString(mains[style](tests))
	}
	if fails {
		for _, n := range allocating {
			p("#undef %s", n)
			switch {
			case wrapped:
				p("#define %s __real_%s\n#define klabel_%s __wrap_%s", n, n, n, n)
			case undefined(n, o.text):
				p(declared[n]+" __asm__(\"%s\");\n#define %s klabel_library_%s", "klabel_library_"+n, n, n, n)
			}
		}
		s.WriteString(part("failing"))
	}
	if streams {
		for _, n := range onStreams {
			p("#undef %s", n)
		}
		s.WriteString(part("streams"))
	}
	return s.String()
}

const programMain = "klabel_program_main"

// list is a table of all tests.
func list(tests []*written) string {
	return part("list") + each("static const struct klabel_test klabel_tests[] = {", "    {%q, %[1]s},\n", tests,
		"    {NULL, NULL},\n};\n\n")
}

// each writes a row for each test.
func each(head, row string, tests []*written, end string) string {
	var s strings.Builder
	s.WriteString(head + "\n")
	for _, t := range tests {
		fmt.Fprintf(&s, row, t.function())
	}
	return s.String() + end
}

// mains write the end of the runner. The plain one gives each test a process
// of its own where there is fork, as frameworks do.
var mains = map[Style]func([]*written) string{
	Plain:      func(tests []*written) string { return list(tests) + part("run") + part("main") },
	GoogleTest: func(tests []*written) string { return list(tests) + part("run") + part("exported") },
	CppUTest:   func(tests []*written) string { return list(tests) + part("run") + part("exported") },
	CMocka: func(tests []*written) string {
		var s strings.Builder
		s.WriteString("static const struct CMUnitTest klabel_tests[] = {\n")
		for i, t := range tests {
			fmt.Fprintf(&s, "    {%q, klabel_alone, NULL, NULL, &klabel_bodies[%d]},\n", t.function(), i)
		}
		return part("alone") + part("cmocka") +
			each("static CMUnitTestFunction klabel_bodies[] = {", "    %s,\n", tests, "};\n\n") +
			s.String() + "};\n\n" + part("cmocka_main")
	},
	Unity: func(tests []*written) string {
		return each("static void klabel_run_tests(void)\n{", "    RUN_TEST(%s);\n", tests,
			"}\n\n") + part("alone") + part("unity")
	},
	Check: func(tests []*written) string {
		return each("static void klabel_add_tests(TCase *tcase)\n{", "    tcase_add_test(tcase, %s);\n", tests,
			"}\n\n") + part("check")
	},
}
