package ctests

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"klabel/toolchain"
)

// optionsFile is what Meson reads options from.
const optionsFile = "meson_options.txt"

func cmake(tests []*written, o Options) string {
	n := frameworkNeeds[o.Style]
	var s strings.Builder
	p := func(format string, a ...any) { fmt.Fprintf(&s, format+"\n", a...) }
	program := places(o.sources())
	if o.Linked {
		program = "${program}"
	}
	sources, inC, languages := strings.TrimSpace(listed([]string{RunnerFile}, `"`, " ")+" "+program), o.target(), "C"
	if o.cxx() {
		inC, languages = o.target()+"_c", "C CXX"
	}
	p("# Builds the tests of %s; ctest runs them.", o.Include)
	p("cmake_minimum_required(VERSION 3.12)\nproject(%s %s)\nenable_testing()", o.target(), languages)
	if n.finds != "" {
		p("%s", n.finds)
	}
	if o.Linked {
		p("set(OBJECTS \"\" CACHE STRING \"Objects of the program that are there already; none: they are compiled\")")
		own := places(o.sources())
		if o.cxx() { // a library of objects takes none that are there
			p("add_library(%s_program OBJECT EXCLUDE_FROM_ALL %s)", inC, own)
			own = "$<TARGET_OBJECTS:" + inC + "_program>"
		}
		p("set(program %s)\nif(OBJECTS)\n  set(program ${OBJECTS})\nendif()", own)
	}
	switch {
	case o.cxx() && o.Linked:
		p("add_library(%s OBJECT %s)", inC, RunnerFile)
		sources = wrapperFile + " $<TARGET_OBJECTS:" + inC + "> ${program}"
	case o.cxx():
		p("add_library(%s OBJECT %s)", inC, sources)
		sources = wrapperFile + " $<TARGET_OBJECTS:" + inC + ">"
	}
	p("add_executable(%s %s)", o.target(), sources)
	// The compiler runs in the folder of the build.
	if flags := o.compile().WithPaths(below("${CMAKE_CURRENT_SOURCE_DIR}")); len(flags) > 0 {
		targets := []string{inC}
		if o.cxx() && o.Linked {
			targets = append(targets, inC+"_program")
		}
		for _, t := range targets {
			p("target_compile_options(%s PRIVATE %s)", t, listed([]string{"SHELL:" + quoted(flags)}, `"`, " "))
		}
	}
	libs := listed(o.Flags.Link().WithPaths(below("${CMAKE_CURRENT_SOURCE_DIR}")), `"`, " ")
	p("target_link_libraries(%s)", strings.Join(strings.Fields(o.target()+" "+libs+" "+n.cmake+" m"), " "))
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
	sources := []string{RunnerFile}
	languages := []string{"c"}
	if o.cxx() {
		sources, languages = append(sources, wrapperFile), []string{"c", "cpp"}
	}
	program, given := strings.TrimSuffix(", "+listed(o.sources(), "'", ", "), ", "), ""
	p("# Builds the tests of %s; meson test runs them.", o.Include)
	p("project(%s, %s)", listed([]string{o.target()}, "'", ""), listed(languages, "'", ", "))
	deps := "meson.get_compiler('c').find_library('m', required: false)"
	if n.pkg != "" {
		deps += ", dependency('" + n.pkg + "'"
		if n.fallback != "" {
			deps += ", fallback: " + n.fallback
		}
		deps += ")"
	}
	if o.Linked {
		p("objects = get_option('objects')\nprogram = objects.length() == 0 ? [%s] : []",
			listed(o.sources(), "'", ", "))
		program, given = ", program", "\n  objects: objects,"
	}
	p("tests = executable('%s', %s%s,%s\n  c_args: [%s],\n  link_args: [%s],\n  dependencies: [%s])", o.target(),
		listed(sources, "'", ", "), program, given, mesonList(o.compile()), mesonList(o.Flags.Link()), deps)
	if o.Style == Plain {
		for _, t := range tests {
			p("test('%s', tests, args: ['%s'])", t.function(), t.function())
		}
	} else {
		p("test('%s', tests)", o.target())
	}
	return s.String()
}
