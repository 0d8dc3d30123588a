package ctests_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/ktest"
	"klabel/toolchain"
)

// counter is C as old projects have it. What it returns depends on what was called
// before in the same process.
const counter = `#include <stddef.h>
#include "counter.h"
static int calls;
static int clamp(int x) { return x > 100 ? 100 : x; }
int counter_add(struct counter *c, int by)
{
    calls++;
    if (c == NULL)
        return -calls;
    c->total += clamp(by);
    c->last.by[1] = gauge(3);
    return calls;
}
int counter_calls(void) { return ++calls; }
int counter_named(int id)
{
    const char *name = name_of(id);

    return name != NULL && name[0] == 'x';
}
`

const counterHeader = `struct counter { int total; struct { long by[2]; char name[4]; } last; };
int counter_add(struct counter *c, int by);
int counter_calls(void);
int gauge(int id);
const char *name_of(int id);
int counter_named(int id);
`

// counterTests are tests of the counter: those that include it, and those that can be linked.
func counterTests(t *testing.T, b *bench, dir string) (src string, cases, linked []ctests.Case, o ctests.Options) {
	t.Helper()
	src = filepath.Join(dir, "counter.c")
	for name, text := range map[string]string{"counter.c": counter, "counter.h": counterHeader} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := toolchain.Flags{"-std=c89"}
	u, err := csource.Load(t.Context(), src, csource.Options{Clang: b.clang, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	add := func(function string, objects ...ktest.Object) {
		d, err := drivers.Generate(u, drivers.Options{Function: function})
		if err != nil {
			t.Fatal(err)
		}
		one := ctests.Case{Number: len(cases) + 1, Driver: d.Inputs, Test: &ktest.Test{Objects: objects}}
		if cases = append(cases, one); function != "clamp" {
			linked = append(linked, one)
		}
	}
	object := func(name string, data ...byte) ktest.Object { return ktest.Object{Name: name, Data: data} }
	add("clamp", object("x", 105, 0, 0, 0))
	add("counter_add", object("c", 0))
	add("counter_add", object("c", 1), object("*c", append([]byte{7}, make([]byte, 31)...)...),
		object("by", 9, 0, 0, 0), object("gauge()", 6, 0, 0, 0))
	add("counter_calls")
	add("counter_calls")
	add("counter_named", object("id", 2, 0, 0, 0), object("name_of()", 1),
		object("name_of()[]", 'x', 'y', 0, 0, 0, 0, 0, 0, 0))
	return src, cases, linked, ctests.Options{Oracle: ctests.Observed, Source: src, Include: "../counter.c",
		Flags: flags}
}

// TestTable builds tests of an old project, which takes every warning for an error, in
// every style: with make and gcc, and, where KLABEL_CTESTS_ALL is set, with each build system
// and compiler.
func TestTable(t *testing.T) {
	b := newBench(t)
	compilers, systems := []string{"gcc"}, []string{"make"}
	switch {
	case whole:
		compilers, systems = append(compilers, b.clang.Path), append(systems, "cmake", "meson")
	case testing.Short():
		t.Skip("builds much")
	}
	dir := t.TempDir()
	src, included, linked, o := counterTests(t, b, dir)
	unity, err := filepath.Abs("testdata/unity")
	if err != nil {
		t.Fatal(err)
	}
	if real := os.Getenv("KLABEL_UNITY"); real != "" {
		unity = real
	}
	for _, style := range ctests.Styles {
		for kind, cases := range map[string][]ctests.Case{"included": included, "linked": linked} {
			o := o
			o.Style, o.Linked, o.Observe = style, kind == "linked", observer(t, b, src, kind == "linked")
			out := filepath.Join(dir, fmt.Sprintf("%s_%s", style, kind))
			if err := ctests.Write(out, cases, o); err != nil {
				t.Fatal(err)
			}
			for _, cc := range compilers {
				for _, system := range systems {
					t.Run(fmt.Sprintf("%s/%s/%s/%s", style, kind, filepath.Base(cc), system), func(t *testing.T) {
						installed(t, style, cc, system)
						buildAndRun(t, table{out, cc, unity, style}, system)
					})
				}
			}
		}
	}
}

// table is one of the table's cells, but for the build system.
type table struct {
	dir, cc, unity string
	style          ctests.Style
}

// installed skips where something is missing.
func installed(t *testing.T, style ctests.Style, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(tool + " is not installed")
		}
	}
	compiler, suffix := tools[0], ".c"
	if style == ctests.GoogleTest || style == ctests.CppUTest {
		compiler, suffix = "c++", ".cpp"
	}
	file := filepath.Join(t.TempDir(), "probe"+suffix)
	if err := os.WriteFile(file, []byte(probes[style]), 0o600); err != nil {
		t.Fatal(err)
	}
	if exec.Command(compiler, "-fsyntax-only", file).Run() != nil {
		t.Skip(string(style) + " is not installed")
	}
}

// buildAndRun builds the tests as a project with a build system would, and runs them.
func buildAndRun(t *testing.T, c table, system string) {
	t.Helper()
	const strict = "-pedantic -Wall -Wextra -Werror"
	at, top := filepath.Join(t.TempDir(), "build"), c.dir
	write := func(name, text string) {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	var commands [][]string

	switch system {
	case "make":
		commands = [][]string{{"make", "-B", "-C", c.dir, "CC=" + c.cc, "CFLAGS=" + strict, "UNITY=" + c.unity}}
	case "cmake":
		if c.style == ctests.Unity { // which a project brings along
			top = t.TempDir()
			write("CMakeLists.txt", fmt.Sprintf(
				"cmake_minimum_required(VERSION 3.12)\nproject(all C)\nenable_testing()\n"+
					"add_library(unity STATIC %[1]s/unity.c)\ntarget_include_directories(unity PUBLIC %[1]s)\n"+
					"add_subdirectory(%s tests)\n", c.unity, c.dir))
		}
		commands = [][]string{
			{"cmake", "-S", top, "-B", at, "-DCMAKE_C_COMPILER=" + c.cc, "-DCMAKE_C_FLAGS=" + strict},
			{"cmake", "--build", at}, {"ctest", "--test-dir", at, "--no-tests=error", "--output-on-failure"}}
	case "meson":
		if c.style == ctests.Unity {
			write("subprojects/unity/meson.build", "project('unity', 'c')\n"+ // as Unity's own
				"unity_dep = declare_dependency(include_directories: include_directories('.'), sources: 'unity.c')\n")
			for _, file := range []string{"unity.c", "unity.h", "unity_internals.h"} {
				if text, err := os.ReadFile(filepath.Join(c.unity, file)); err == nil {
					write("subprojects/unity/"+file, string(text))
				}
			}
		}
		commands = [][]string{{"meson", "setup", "-Dc_args=" + strict, at, top}, {"meson", "test", "-C", at}}
	}
	for _, argv := range commands {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = append(os.Environ(), "CC="+c.cc)
		msg, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", strings.Join(argv, " "), err, msg)
		}
	}
}
