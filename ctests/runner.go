package ctests

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"klabel/input"
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

// redeclared are the functions that the source alone declares, but for those that have other names there.
func (o Options) redeclared(allocations, streams bool) (names []string) {
	for _, n := range o.Redeclares {
		if !o.Linked && !o.separate && !(allocations && slices.Contains(allocating, n)) &&
			!(streams && slices.Contains(onStreams, n)) {
			names = append(names, n)
		}
	}
	return names
}

// hide gives the source's own names of the library others, or takes them away again.
func (o Options) hide(yes bool, names []string) string {
	var s strings.Builder
	for _, n := range names {
		switch {
		case o.Linked || o.separate || conditional(n, o.text):
		case yes:
			fmt.Fprintf(&s, "#define %s tested_%s\n", n, n)
		default:
			fmt.Fprintf(&s, "#undef %s\n", n)
		}
	}
	if s.Len() > 0 && yes {
		return "/* The source's own, not those of headers that it does not include. */\n" + s.String()
	}
	return s.String()
}

// otherwise are functions of headers that come after the source, of another type than int f(), which a compiler
// guesses of what nothing declares and it does not know itself.
var otherwise = map[string]bool{
	"lseek": true, "read": true, "write": true, "pread": true, "pwrite": true, "readlink": true, "getcwd": true,
	"sleep": true, "alarm": true, "getuid": true, "geteuid": true, "getgid": true, "getegid": true, "sysconf": true,
	"atof": true, "atol": true, "atoll": true, "getenv": true, "qsort": true, "bsearch": true, "srand": true,
	"random": true, "srandom": true, "drand48": true, "lrand48": true, "mrand48": true, "srand48": true,
}

// guessed are those that the source calls and nothing declares.
func (o Options) guessed() (names []string) {
	for _, n := range o.Undeclared {
		if otherwise[n] {
			names = append(names, n)
		}
	}
	return names
}

// allocating are the functions of parts/failing.c.
var allocating = []string{"malloc", "calloc", "realloc", "strdup", "strndup"}

// wraps reports whether the linker is to lead allocations to parts/failing.c: where tests make one fail, and
// the program has files that the runner does not include. Every file's allocations count then, as in a replay.
func (o Options) wraps(tests []*written) bool {
	return (o.Linked || o.separate || len(o.Sources) > 0) &&
		slices.ContainsFunc(tests, func(t *written) bool { return t.fails > 0 })
}

// wrapping are the linker's flags for that.
var wrapping = func() (flags []string) {
	for _, n := range allocating {
		flags = append(flags, "-Wl,--wrap="+n)
	}
	return flags
}()

// isWrapped reports whether a runner's text wants them.
func isWrapped(runner []byte) bool {
	return bytes.Contains(runner, []byte("#define malloc __real_malloc\n"))
}

// declared are their declarations, of any name.
var declared = map[string]string{
	"malloc":  "void *%s(__SIZE_TYPE__ n)",
	"calloc":  "void *%s(__SIZE_TYPE__ n, __SIZE_TYPE__ size)",
	"realloc": "void *%s(void *p, __SIZE_TYPE__ n)",
	"strdup":  "char *%s(const char *s)",
	"strndup": "char *%s(const char *s, __SIZE_TYPE__ n)",
}

// onStreams are the functions of parts/streams.c.
var onStreams = []string{"fclose", "fflush", "fputs", "fwrite", "fread", "fseek", "ftell", "ferror", "clearerr",
	"rewind"}

// undefined reports whether a source takes a macro of that name away.
func undefined(name, source string) bool {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*undef[ \t]+` + name + `\b`).MatchString(source)
}

// conditional reports whether a source asks if there is a macro of that name: one that
// the tests define would be the answer, and take what stands behind the question away.
func conditional(name, source string) bool {
	return regexp.MustCompile(`(?m)^[ \t]*#[ \t]*(?:ifn?def[ \t]+|(?:el)?if\b.*\bdefined[ \t]*\(?[ \t]*)` + name + `\b`).
		MatchString(source)
}

// verifierFunctions are those of parts/verifier.c.
var verifierFunctions = []string{"__VERIFIER_assume", "sc_assume", "reach_error", "__VERIFIER_error",
	"__VERIFIER_assert", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end"}

const programMain = "klabel_program_main"

// stubs defines the functions that the source lacks, with a queue of values
// for each. With mocks, those that are some tell of their calls.
func stubs(tests []*written, mocks bool) string {
	var s strings.Builder
	var calls []*input.Call
	named := map[string]bool{} // by tests
	for _, t := range tests {
		for _, w := range identifier.FindAllString(t.before+t.call, -1) {
			w, _, _ = strings.Cut(strings.TrimSuffix(w, "_returns"), "_writes_")
			named[w] = true
		}
	}
	seen := map[string]bool{}
	for _, t := range tests {
		if t.driver == nil {
			continue
		}
		for _, c := range t.driver.Calls {
			// A stub behind a pointer that no test sets would be unused.
			replaces := slices.ContainsFunc(t.driver.Replaced,
				func(r input.Replaced) bool { return r.Name == c.Function })
			used := !c.Static || replaces || named[c.Function]
			if used && !seen[c.Function] {
				seen[c.Function] = true
				calls = append(calls, c)
			}
		}
	}
	for _, t := range tests {
		if t.driver == nil {
			continue
		}
		for _, u := range t.driver.Undefined {
			if !seen[u] && !slices.ContainsFunc(calls, func(
				c *input.Call) bool {
				return strings.HasPrefix(u, c.Head+"\n")
			}) {
				seen[u] = true
				s.WriteString(u + "\n")
			}
		}
	}
	for _, c := range calls {
		if c.Result != nil {
			declareQueue(&s, c.Function+"_returns", c.Result.Type)
		}
		for i, o := range c.Outputs {
			declareQueue(&s, fmt.Sprintf("%s_writes_%d", c.Function, i+1), o.Type)
		}
		if c.Static {
			s.WriteString("static ")
		}
		s.WriteString(c.Head + "\n{\n")
		if c.Mock && mocks {
			s.WriteString(mocked(c))
		}
		for i, o := range c.Outputs {
			q := fmt.Sprintf("%s_writes_%d", c.Function, i+1)
			if i < len(c.Hands) && c.Hands[i] {
				fmt.Fprintf(&s, "    if (%s != NULL && %s_left > 0) {\n        *%s = (void *)*%s++;\n"+
					"        %s_left--;\n    }\n", c.Through[i], q, c.Through[i], q, q)
				continue
			}
			if i < len(c.Rooms) && c.Rooms[i] != "" {
				s.WriteString(filling(c, i, q))
				continue
			}
			fmt.Fprintf(&s, "    if (%s != NULL && %s_left > 0) {\n        memcpy(%s, %s++, %d);\n"+
				"        %s_left--;\n    }\n",
				c.Through[i], q, c.Through[i], q, o.Type.Size, q)
		}
		switch {
		case c.Value != "" && c.Result != nil:
			q := c.Function + "_returns"
			fmt.Fprintf(&s, "    return %s_left-- > 0 && *%s++ ? %s : NULL;\n", q, q, c.Value)
		case c.Value != "":
			fmt.Fprintf(&s, "    return %s;\n", c.Value)
		case c.Result != nil:
			q := c.Function + "_returns"
			zero := "(" + strings.TrimSpace(c.Result.Type.Declare("")) + "){0}"
			fmt.Fprintf(&s, "    return %s_left-- > 0 ? *%s++ : %s;\n", q, q, zero)
		}
		s.WriteString("}\n\n")
	}
	return s.String()
}

// filling is C that fills a buffer as far as there is room.
func filling(c *input.Call, i int, queue string) string {
	to, room, size := c.Through[i], c.Rooms[i], c.Outputs[i].Type.Size
	var s strings.Builder
	fmt.Fprintf(&s, "    if (%s != NULL && (long)(%s) > 0 && %s_left > 0) {\n", to, room, queue)
	fmt.Fprintf(&s, "        unsigned long klabel_room = %s;\n", room)
	fmt.Fprintf(&s, "        if (klabel_room > %d)\n            klabel_room = %[1]d;\n", size)
	fmt.Fprintf(&s, "        memcpy(%s, %s++, klabel_room);\n", to, queue)
	if c.Outputs[i].Text {
		fmt.Fprintf(&s, "        ((char *)%s)[klabel_room - 1] = 0;\n", to)
	}
	fmt.Fprintf(&s, "        %s_left--;\n    }\n", queue)
	return s.String()
}

func declareQueue(s *strings.Builder, name string, t *input.Type) {
	fmt.Fprintf(s, "/* What %s gives, one value a call. */\n", strings.TrimSuffix(name, "_returns"))
	of := "*" + name
	if t.Kind == input.Array {
		of = "(" + of + ")"
	}
	fmt.Fprintf(s, "static %s;\nstatic int %s_left;\n\n", t.Declare(of), name)
}

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
