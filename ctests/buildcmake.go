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
	same, others := o.groups()
	program, apart := places(same), ""
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
	for i, g := range others {
		name := fmt.Sprintf("%s_own%d", o.target(), i+1)
		p("add_library(%s OBJECT EXCLUDE_FROM_ALL %s)", name, places(g.files))
		options(p, name, g.flags)
		apart += " $<TARGET_OBJECTS:" + name + ">"
	}
	if o.Linked {
		p("set(OBJECTS \"\" CACHE STRING \"Objects of the program that are there already; none: they are compiled\")")
		own := places(same)
		if o.cxx() { // a library of objects takes none that are there
			p("add_library(%s_program OBJECT EXCLUDE_FROM_ALL %s)", inC, own)
			own = "$<TARGET_OBJECTS:" + inC + "_program>"
		}
		own, apart = strings.TrimSpace(own+apart), ""
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
	p("add_executable(%s %s)", o.target(), sources+apart)
	targets := []string{inC}
	if o.cxx() && o.Linked {
		targets = append(targets, inC+"_program")
	}
	for _, t := range targets {
		options(p, t, o.compile())
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

// options are those that a target is compiled with. The compiler runs in the folder of the build.
func options(p func(string, ...any), target string, flags toolchain.Flags) {
	flags = flags.WithPaths(below("${CMAKE_CURRENT_SOURCE_DIR}"))
	p("target_compile_options(%s PRIVATE %s)", target, listed([]string{"SHELL:" + quoted(flags)}, `"`, " "))
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
	same, own := o.groups()
	program, given := strings.TrimSuffix(", "+listed(same, "'", ", "), ", "), ""
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
			listed(same, "'", ", "))
		program, given = ", program", "\n  objects: objects,"
	}
	var apart []string
	for i, g := range own {
		apart = append(apart, fmt.Sprintf("own%d", i+1))
		p("%s = static_library('%s_%s', %s, c_args: [%s], build_by_default: false)", apart[i], o.target(), apart[i],
			listed(g.files, "'", ", "), mesonList(g.flags))
	}
	switch {
	case len(own) > 0 && o.Linked:
		given += "\n  link_whole: objects.length() == 0 ? [" + strings.Join(apart, ", ") + "] : [],"
	case len(own) > 0:
		given += "\n  link_whole: [" + strings.Join(apart, ", ") + "],"
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
