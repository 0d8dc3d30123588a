package ctests

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"klabel/toolchain"
)

// wrapperFile is the file in C++ of a style that has one.
const wrapperFile = "run_tests.cpp"

// needs is what a framework asks of a compiler and of CMake.
type needs struct {
	compile, libs string // for a shell
	cmake         string // what CMake links
	pkg           string // for Meson: a pkg-config package
}

var frameworkNeeds = map[Style]needs{
	Plain:      {},
	CMocka:     {libs: "-lcmocka", cmake: "cmocka", pkg: "cmocka"},
	Unity:      {compile: "-I $(UNITY) $(UNITY)/unity.c", cmake: "unity", pkg: "unity"},
	Check:      {libs: "$(shell pkg-config --cflags --libs check)", cmake: "check", pkg: "check"},
	GoogleTest: {libs: "-lgtest_main -lgtest -lpthread", cmake: "gtest_main gtest pthread", pkg: "gtest_main"},
	CppUTest:   {libs: "-lCppUTest", cmake: "CppUTest", pkg: "cpputest"},
}

// quoted are words as a shell or a makefile takes them.
func quoted(words []string) string {
	var out []string
	for _, w := range words {
		if strings.ContainsAny(w, " '\"\\$&;()<>|*?[]#`\t") {
			w = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// listed is a list as CMake and Meson take it: each in quotation marks.
func listed(words []string, quote, sep string) string {
	var out []string
	for _, w := range words {
		w = strings.NewReplacer(`\`, `\\`, quote, `\`+quote).Replace(w)
		out = append(out, quote+w+quote)
	}
	return strings.Join(out, sep)
}

// commands are how the tests are built by hand, for the runner's header.
func (o Options) commands() string {
	n := frameworkNeeds[o.Style]
	files := append([]string{RunnerFile}, o.Sources...)
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
	compile, link := quoted(o.Flags.Compile()), quoted(o.Flags.Link())
	if o.cxx() {
		return "       " + words("cc", compile, "-c", quoted(files)) + " && " +
			words("c++ -o run_tests", wrapperFile, "*.o", link, n.libs, "-lm") + " && ./run_tests"
	}
	return "       " + words("cc", compile, "-o run_tests", shell(n.compile), quoted(files), link, shell(n.libs),
		"-lm") + " && ./run_tests"
}

func (o Options) cxx() bool { return o.Style == GoogleTest || o.Style == CppUTest }

// writeBuild writes what builds the tests, and the file in C++ where there is
// one.
func writeBuild(dir string, tests []*written, o Options) error {
	files := map[string]string{"Makefile": makefile(tests, o), "CMakeLists.txt": cmake(tests, o),
		"meson.build": meson(tests, o)}
	if o.cxx() {
		files[wrapperFile] = wrapper(tests, o)
	} else if err := os.Remove(filepath.Join(dir, wrapperFile)); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("writing C tests: %w", err)
	}
	for name, text := range files {
		if err := put(filepath.Join(dir, name), text); err != nil {
			return err
		}
	}
	return nil
}

func makefile(tests []*written, o Options) string {
	n := frameworkNeeds[o.Style]
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	escape := func(s string) string { return strings.ReplaceAll(s, "$", "$$") }
	p("# Builds and runs the tests of %s.", o.Include)
	p("CC ?= cc\nCXX ?= c++\nCFLAGS ?= -g")
	if o.Style == Unity {
		p("UNITY ?= unity")
	}
	sources := append([]string{RunnerFile}, o.Sources...)
	if len(tests) > 0 {
		p("\ncheck: run_tests\n\t./run_tests\n")
	}
	depends := RunnerFile
	for _, f := range files(tests) {
		depends += " " + f
	}
	compile, link := escape(quoted(o.Flags.Compile())), escape(quoted(o.Flags.Link()))
	p("run_tests: %s", depends)
	if o.cxx() {
		p("\tfor f in %s; do $(CC) $(CFLAGS) %s -c $$f -o $$(basename $$f .c).o || exit 1; done",
			escape(quoted(sources)), compile)
		var objects []string
		for _, f := range sources {
			objects = append(objects, strings.TrimSuffix(filepath.Base(f), ".c")+".o")
		}
		p("\t$(CXX) -o $@ %s %s %s %s -lm", wrapperFile, escape(quoted(objects)), link, n.libs)
	} else {
		p("\t$(CC) $(CFLAGS) %s -o $@ %s %s %s %s -lm", compile, n.compile, escape(quoted(sources)), link, n.libs)
	}
	p("\n.PHONY: check")
	return s.String()
}

// target is the name of the program for build systems that want one of its own
// for each.
func (o Options) target() string {
	return newBody().ident("test_" + strings.TrimSuffix(filepath.Base(o.Source), ".c"))
}

func cmake(tests []*written, o Options) string {
	n := frameworkNeeds[o.Style]
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	sources, inC, languages := listed(append([]string{RunnerFile}, o.Sources...), `"`, " "), o.target(), "C"
	if o.cxx() {
		inC, languages = o.target()+"_c", "C CXX"
	}
	p("# Builds the tests of %s; ctest runs them.", o.Include)
	p("cmake_minimum_required(VERSION 3.12)\nproject(%s %s)\nenable_testing()", o.target(), languages)
	if o.cxx() {
		p("add_library(%s OBJECT %s)", inC, sources)
		sources = wrapperFile + " $<TARGET_OBJECTS:" + inC + ">"
	}
	p("add_executable(%s %s)", o.target(), sources)
	// The compiler runs in the folder of the build.
	if flags := o.Flags.Compile().WithPaths(below("${CMAKE_CURRENT_SOURCE_DIR}")); len(flags) > 0 {
		p("target_compile_options(%s PRIVATE %s)", inC, listed([]string{"SHELL:" + quoted(flags)}, `"`, " "))
	}
	libs := listed(o.Flags.Link().WithPaths(below("${CMAKE_CURRENT_SOURCE_DIR}")), `"`, " ")
	p("target_link_libraries(%s %s %s m)", o.target(), libs, n.cmake)
	if o.Style == Plain {
		for _, t := range tests {
			p("add_test(NAME %s.%s COMMAND %s %s)", o.target(), t.function(), o.target(), t.function())
		}
	} else {
		p("add_test(NAME %s COMMAND %s)", o.target(), o.target())
	}
	return s.String()
}

// below takes relative paths from a folder.
func below(dir string) func(string) string {
	return func(path string) string {
		if filepath.IsAbs(path) {
			return path
		}
		return dir + "/" + path
	}
}

// mesonList writes flags for Meson, which sorts -I and the like as single words.
func mesonList(flags toolchain.Flags) string {
	const here = "\x00"
	var words []string
	flags = flags.WithPaths(below(here))
	for i := 0; i < len(flags); i++ {
		w := flags[i]
		if slices.Contains([]string{"-I", "-isystem", "-iquote", "-idirafter", "-D", "-U", "-L", "-l"}, w) &&
			i+1 < len(flags) {
			i++
			w += flags[i]
		}
		words = append(words, w)
	}
	return strings.ReplaceAll(listed(words, "'", ", "), here, "' + meson.current_source_dir() + '")
}

func meson(tests []*written, o Options) string {
	n := frameworkNeeds[o.Style]
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	sources := append([]string{RunnerFile}, o.Sources...)
	languages := []string{"c"}
	if o.cxx() {
		sources, languages = append(sources, wrapperFile), []string{"c", "cpp"}
	}
	p("# Builds the tests of %s; meson test runs them.", o.Include)
	p("project(%s, %s)", listed([]string{o.target()}, "'", ""), listed(languages, "'", ", "))
	deps := "meson.get_compiler('c').find_library('m', required: false)"
	if n.pkg != "" {
		deps += ", dependency('" + n.pkg + "')"
	}
	p("tests = executable('%s', %s,\n  c_args: [%s],\n  link_args: [%s],\n  dependencies: [%s])", o.target(),
		listed(sources, "'", ", "), mesonList(o.Flags.Compile()), mesonList(o.Flags.Link()), deps)
	if o.Style == Plain {
		for _, t := range tests {
			p("test('%s', tests, args: ['%s'])", t.function(), t.function())
		}
	} else {
		p("test('%s', tests)", o.target())
	}
	return s.String()
}

// wrapper names each test to a framework in C++. The tests themselves stay C, and
// each runs in a process of its own.
func wrapper(tests []*written, o Options) string {
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	p("// Names the tests of %s to the framework; they stand in %s.", o.Include, RunnerFile)
	if o.Style == GoogleTest {
		p("#include <gtest/gtest.h>")
	} else {
		p("#include <CppUTest/CommandLineTestRunner.h>\n#include <CppUTest/TestHarness.h>")
	}
	p("\nextern \"C\" int klabel_run(int test);\n")
	group := ""
	for i, t := range tests {
		if o.Style == GoogleTest {
			p("TEST(%s, %s)\n{\n    EXPECT_EQ(0, klabel_run(%d));\n}\n", t.tested(), t.function(), i)
			continue
		}
		if t.tested() != group {
			group = t.tested()
			p("TEST_GROUP(%s) {};\n", group)
		}
		p("TEST(%s, %s)\n{\n    CHECK_EQUAL(0, klabel_run(%d));\n}\n", t.tested(), t.function(), i)
	}
	if o.Style == CppUTest {
		p("int main(int argc, char **argv)\n{\n    return CommandLineTestRunner::RunAllTests(argc, argv);\n}")
	}
	return s.String()
}
