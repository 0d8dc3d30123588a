package ctests

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"klabel/runtime_c"
	"klabel/toolchain"
)

// wrapperFile is the file in C++ of a style that has one.
const wrapperFile = "run_tests.cpp"

// needs is what a framework asks of a compiler and of CMake.
type needs struct {
	compile, libs string // for a shell
	cmake         string // what CMake links
	finds         string // how CMake finds that
	pkg           string // for Meson: a pkg-config package
	fallback      string // for Meson: what a subproject calls it, where that does not say so itself
}

var frameworkNeeds = map[Style]needs{
	Plain:  {},
	CMocka: {libs: "-lcmocka", cmake: "cmocka", pkg: "cmocka"},
	Unity: {compile: "-I $(UNITY) $(UNITY)/unity.c", cmake: "${unity_library}", pkg: "unity",
		fallback: "['unity', 'unity_dep']", finds: `# Unity is the project's own, or installed.
set(unity_library unity)
if(NOT TARGET unity)
  find_package(unity QUIET)
  if(TARGET unity::framework)
    set(unity_library unity::framework)
  endif()
endif()`},
	Check: {libs: "$(shell pkg-config --cflags --libs check)", cmake: "PkgConfig::CHECK", pkg: "check",
		finds: "find_package(PkgConfig REQUIRED)\npkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)"},
	GoogleTest: {libs: "-lgtest_main -lgtest -lpthread", cmake: "gtest_main gtest pthread", pkg: "gtest_main"},
	CppUTest:   {libs: "-lCppUTest", cmake: "CppUTest", pkg: "cpputest"},
}

// quoted are words as a shell or a makefile takes them.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		if strings.ContainsAny(w, " '\"\\$&;()<>|*?[]#`~\t") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// escape keeps text from make's variables.
func escape(s string) string { return strings.ReplaceAll(s, "$", "$$") }

// listed is a list as CMake and Meson take it: each in quotation marks.
func listed(words []string, quote, sep string) string {
	var out []string
	for _, w := range words {
		w = strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(w)
		out = append(out, quote+w+quote)
	}
	return strings.Join(out, sep)
}

// places are paths as CMake takes them: no part of them is a variable.
func places(paths []string) string { return strings.ReplaceAll(listed(paths, `"`, " "), "$", `\$`) }

// commands are how the tests are built by hand, for the runner's header.
func (o Options) commands() string {
	n := frameworkNeeds[o.Style]
	shell := func(s string) string {
		return strings.NewReplacer("$(UNITY)", "UNITY", "$(shell ", "$(").Replace(s)
	}
	words := func(parts ...string) string {
		var out []string
		for _, p := range parts {
			if p != "" {
				out = append(out, p)
			}
		}
		// The command stands in a comment of C.
		return strings.ReplaceAll(strings.Join(out, " "), "*/", "*\\/")
	}
	compile, link := quoted(o.compile()), quoted(o.Flags.Link())
	same, own := o.groups()
	files := append([]string{RunnerFile}, same...)
	first := ""
	for _, g := range own {
		for _, f := range g.files {
			object := o.objectOf(f)
			first += words("cc", quoted(g.flags), "-c -o", quoted([]string{object, f})) + " && "
			if !o.cxx() {
				files = append(files, object)
			}
		}
	}
	if o.cxx() {
		return "       " + first + words("cc", compile, "-c", quoted(files)) + " && " +
			words("c++ -o run_tests", wrapperFile, "*.o", link, n.libs, "-lm") + " && ./run_tests"
	}
	return "       " + first + words("cc", compile, "-o run_tests", shell(n.compile), quoted(files), link,
		shell(n.libs), "-lm") + " && ./run_tests"
}

func (o Options) cxx() bool { return o.Style == GoogleTest || o.Style == CppUTest }

// sources are the other files of the program; of linked tests the source is one.
func (o Options) sources() []string {
	if o.Linked {
		return append([]string{o.Include}, o.Sources...)
	}
	return o.Sources
}

// compile are the flags that tests are compiled with. What they check was seen where signed
// overflow wraps around; without the flag compilers take x + 1 < x for false, at -O0 even. Linked
// ones find the headers beside the source, as it does.
func (o Options) compile() toolchain.Flags {
	flags := append(slices.Clone(o.Flags.Compile()), "-fwrapv")
	if o.Linked {
		flags = append(flags, "-iquote", path.Dir(o.Include))
	}
	return o.withShipped(flags)
}

// withShipped adds where headers are that only klabel brings.
func (o Options) withShipped(flags toolchain.Flags) toolchain.Flags {
	if o.headers != "" {
		flags = append(flags, "-idirafter", o.headers)
	}
	return flags
}

// group are files that are compiled alike.
type group struct {
	flags toolchain.Flags
	files []string
}

// groups tells the files of the program that are compiled like the tests from those that are not.
func (o Options) groups() (same []string, own []group) {
	for _, f := range o.sources() {
		flags, ok := o.Own[f]
		if !ok {
			same = append(same, f)
			continue
		}
		flags = o.withShipped(append(slices.Clone(flags.Compile()), "-fwrapv"))
		i := slices.IndexFunc(own, func(g group) bool { return slices.Equal(g.flags, flags) })
		if i < 0 {
			i, own = len(own), append(own, group{flags: flags})
		}
		own[i].files = append(own[i].files, f)
	}
	return same, own
}

// compileOf are the flags of a file of the program.
func (o Options) compileOf(file string) toolchain.Flags {
	_, own := o.groups()
	for _, g := range own {
		if slices.Contains(g.files, file) {
			return g.flags
		}
	}
	return o.compile()
}

// writeBuild adds what builds the tests, and the file in C++ where there is one.
func writeBuild(files map[string]string, tests []*written, o Options) {
	files["Makefile"], files["CMakeLists.txt"], files["meson.build"] = makefile(tests, o), cmake(tests, o),
		meson(tests, o)
	if o.cxx() {
		files[wrapperFile] = wrapper(tests, o)
	}
	if o.Linked {
		files[optionsFile] = "option('objects', type: 'array', value: [],\n" +
			"  description: 'objects of the program that are there already; none: they are compiled')\n"
	}
}

// objects are names for the objects of sources, one of its own for each.
func objects(sources []string) (out []string) {
	for _, f := range sources {
		name := strings.TrimSuffix(filepath.Base(f), ".c")
		for slices.Contains(out, name+".o") {
			name += "_"
		}
		out = append(out, name+".o")
	}
	return out
}

// objectOf is the name of the object of a file of the program.
func (o Options) objectOf(file string) string {
	sources := o.sources()
	return objects(append([]string{RunnerFile}, sources...))[1+slices.Index(sources, file)]
}

func makefile(tests []*written, o Options) string {
	n := frameworkNeeds[o.Style]
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	// squeezed is a command without the blanks of words that are none.
	squeezed := func(words ...string) string { return strings.Join(strings.Fields(strings.Join(words, " ")), " ") }
	p("# Builds and runs the tests of %s.", o.Include)
	p("CC ?= cc\nCXX ?= c++\nCFLAGS ?= -g")
	if o.Style == Unity {
		p("UNITY ?= unity")
	}
	compile, link := escape(quoted(o.compile())), escape(quoted(o.Flags.Link()))
	sources := o.sources()
	built := objects(append([]string{RunnerFile}, sources...))
	if o.Linked {
		p("# Objects of the program; make OBJECTS=../build/x.o takes those that are there already.")
		p("OBJECTS ?= %s", escape(quoted(built[1:])))
	}
	if len(tests) > 0 {
		p("\ncheck: run_tests\n\t./run_tests\n")
	}
	depends := RunnerFile + " " + strings.Join(files(tests), " ")
	switch {
	case o.Linked:
		p("run_tests: %s $(OBJECTS)", depends)
	default:
		p("run_tests: %s", depends)
	}
	switch {
	case o.cxx() && o.Linked:
		p("\t%s", squeezed("$(CC) $(CFLAGS)", compile, "-c -o run_tests.o", RunnerFile))
		p("\t%s", squeezed("$(CXX) -o $@", wrapperFile, "run_tests.o $(OBJECTS)", link, n.libs, "-lm"))
	case o.cxx():
		p("\t%s", squeezed("$(CC) $(CFLAGS)", compile, "-c -o run_tests.o", RunnerFile))
		for i, f := range sources {
			p("\t%s", squeezed("$(CC) $(CFLAGS)", escape(quoted(o.compileOf(f))), "-c -o",
				escape(quoted([]string{built[i+1], f}))))
		}
		p("\t%s", squeezed("$(CXX) -o $@", wrapperFile, escape(quoted(built)), link, n.libs, "-lm"))
	case o.Linked:
		p("\t%s", squeezed("$(CC) $(CFLAGS)", compile, "-o $@", n.compile, RunnerFile, "$(OBJECTS)", link, n.libs,
			"-lm"))
	default:
		same, own := o.groups()
		all := append([]string{RunnerFile}, same...)
		for _, g := range own {
			for _, f := range g.files {
				object := o.objectOf(f)
				p("\t%s", squeezed("$(CC) $(CFLAGS)", escape(quoted(g.flags)), "-c -o",
					escape(quoted([]string{object, f}))))
				all = append(all, object)
			}
		}
		p("\t%s", squeezed("$(CC) $(CFLAGS)", compile, "-o $@", n.compile, escape(quoted(all)), link, n.libs, "-lm"))
	}
	if o.Linked {
		for i, f := range sources {
			p("\n%s: %s\n\t%s", escape(quoted(built[i+1:i+2])), escape(makeName(f)),
				squeezed("$(CC) $(CFLAGS)", escape(quoted(o.compileOf(f))), "-c -o $@",
					escape(quoted([]string{f}))))
		}
	}
	p("\n.PHONY: check")
	return s.String()
}

// makeName is a file as a makefile names what something depends on.
func makeName(file string) string { return strings.ReplaceAll(file, " ", `\ `) }

// target is the name of the program for build systems that want one of its own
// for each.
func (o Options) target() string {
	name := newBody().ident("test_" + strings.TrimSuffix(filepath.Base(o.Source), ".c"))
	if o.Name != "" {
		name = newBody().ident(o.Name)
	}
	if slices.Contains(reservedTargets, name) { // of a name without any letter, say
		name += "_of_klabel"
	}
	return name
}

// reservedTargets are names that CMake or Meson has targets of its own for.
var reservedTargets = []string{"all", "benchmark", "clean", "dist", "edit_cache", "help", "install", "package",
	"package_source", "rebuild_cache", "scan_build", "test", "uninstall"}

// wrapper names each test to a framework in C++. The tests themselves stay C, and
// each runs in a process of its own.
func wrapper(tests []*written, o Options) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	p("// Names the tests of %s to the framework; they stand in %s.", o.Include, RunnerFile)
	if o.Style == GoogleTest {
		p("#include <gtest/gtest.h>")
	} else {
		s.WriteString(runtime_c.Text("ctest/parts/cpputest_headers.cpp"))
	}
	p("\nextern \"C\" int klabel_run(int test);\n")
	group := ""
	for i, t := range tests {
		if o.Style == GoogleTest {
			p("TEST(%s, %s) { EXPECT_EQ(0, klabel_run(%d)); }\n", t.tested(), t.function(), i)
			continue
		}
		if t.tested() != group {
			group = t.tested()
			p("TEST_GROUP(%s) {};\n", group)
		}
		p("TEST(%s, %s) { CHECK_EQUAL(0, klabel_run(%d)); }\n", t.tested(), t.function(), i)
	}
	if o.Style == CppUTest {
		s.WriteString(runtime_c.Text("ctest/parts/cpputest_main.cpp"))
	}
	return s.String()
}
