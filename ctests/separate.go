package ctests

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"klabel/disk"
)

// A source that was preprocessed has the headers of the C library in it, and contradicts
// those of the tests. Its tests, where they call nothing but the program's main, are
// linked with it: it is a file of the program's own, in which main has another name.

const programFile = "program.c"

// lineMark is what preprocessors leave.
var lineMark = regexp.MustCompile(`(?m)^# [0-9]+ "`)

// Separate puts a source that was preprocessed beside its tests, where no case is of a
// function of it.
func Separate(dir string, cases []Case, o *Options) error {
	for _, c := range cases {
		if o.driver(c) != nil {
			return nil
		}
	}
	source, err := disk.Read(o.Source)
	if err != nil {
		return fmt.Errorf("writing C tests: %w", err)
	}
	if filepath.Ext(o.Source) != ".i" && !lineMark.Match(source) {
		return nil
	}
	o.separate = true
	o.Sources = append([]string{programFile}, o.Sources...)
	return put(filepath.Join(dir, programFile), o.program())
}

// program is the file of the program, as tests that do not include it are linked with.
func (o Options) program() string {
	return fmt.Sprintf("/* %s, whose main is called by the tests. */\n%s%s", o.Include, o.labels(),
		o.included()+including)
}

// labels make labels nothing: macros or, where the source declares them as functions,
// functions under its names, whatever their parameters are there.
func (o Options) labels() string {
	var before, macros, after strings.Builder
	names := []string{"cov_label", "pc_label"}
	for _, n := range o.LabelMacros {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	for _, n := range names {
		fmt.Fprintf(&macros, "#if !defined(%[1]s) && !defined(KLABEL_DECLARED_%[1]s)\n"+
			"#define %[1]s(...) ((void)0)\n#endif\n", n)
	}
	for _, n := range o.LabelFunctions {
		fmt.Fprintf(&before, "#define KLABEL_DECLARED_%s\n", n)
		fmt.Fprintf(&after, "void klabel_nothing_%[1]s(void) __asm__(\"%[1]s\") __attribute__((weak));\n"+
			"void klabel_nothing_%[1]s(void)\n{\n}\n", n)
	}
	return before.String() + strings.Replace(part("labels"), "MACROS\n", macros.String(), 1) + after.String()
}

// included includes the source, which may be another one that whoever compiles names.
// Between the quotation marks of #include nothing is escaped.
func (o Options) included() string {
	return fmt.Sprintf("#ifndef KLABEL_SOURCE\n#define KLABEL_SOURCE \"%s\"\n#endif\n", o.Include)
}

// including gives the source's main another name.
const including = "#undef main\n#define main " + programMain + "\n#include KLABEL_SOURCE\n#undef main\n"

// declared declares the program's main, for tests that do not include it.
func (o Options) declared() string {
	params := []string{"int", "char **", "char **"}[:min(o.MainParams, 3)]
	if len(params) == 0 {
		params = []string{"void"}
	}
	return fmt.Sprintf("int %s(%s);\n", programMain, strings.Join(params, ", "))
}
