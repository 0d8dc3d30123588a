package ctests_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/ctests"
	"klabel/drivers"
	"klabel/ktest"
	"klabel/toolchain"
)

const pumpHeader = `struct pump { int level, on; };
int pump_step(struct pump *p, int wanted);
struct inner;
int inner_only(const struct inner *i);
`

const pump = `#include <stddef.h>
#ifdef __STDC__
#include "pump.h" /* its types */
#endif
#include "labels.h"
int valve_open(int id, double flow, const char *why);
void valve_close(unsigned long id);
struct inner { int a; };
static int clamp(int x) { return x > 100 ? 100 : x; }
int pump_step(struct pump *p, int wanted)
{
    cov_label(p != NULL, 1, "CC");
    if (wanted > clamp(p->level))
        return valve_open(3, 0.5, NULL);
    valve_close(4);
    valve_close(5);
    return 0;
}
int undeclared(int x) { return x > 7 ? x : -x; }
int inner_only(const struct inner *i) { return i != NULL && i->a == 77; }
`

// pumpTests are tests of all functions of the pump, and what observes them.
func pumpTests(t *testing.T, b *bench, dir string) (string, []ctests.Case) {
	t.Helper()
	src := filepath.Join(dir, "pump.c")
	for name, text := range map[string]string{"pump.c": pump, "pump.h": pumpHeader} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	u := b.load(t, src)
	var cases []ctests.Case
	add := func(function string, objects ...ktest.Object) {
		o := drivers.Options{Function: function}
		for _, s := range []string{"valve_open=mock", "valve_close=mock"} {
			stub, err := drivers.ParseStub(s)
			if err != nil {
				t.Fatal(err)
			}
			if function == "pump_step" {
				o.Stubs, o.NonNull = append(o.Stubs, stub), []string{"p"}
			}
		}
		d, err := drivers.Generate(u, o)
		if err != nil {
			t.Fatal(err)
		}
		// Which objects there are is the entry's, as far as these tests go.
		entry := ""
		if function == "inner_only" && len(objects) > 1 {
			entry = "inner_only+state"
		}
		cases = append(cases, ctests.Case{Number: len(cases) + 1, Driver: d.Inputs, Entry: entry,
			Test: &ktest.Test{Objects: objects}})
	}
	object := func(name string, data ...byte) ktest.Object { return ktest.Object{Name: name, Data: data} }
	add("clamp", object("x", 5, 0, 0, 0))
	p := object("*p", 1, 0, 0, 0, 0, 0, 0, 0)
	add("pump_step", p, object("wanted", 9, 0, 0, 0), object("valve_open()", 6, 0, 0, 0))
	add("pump_step", p, object("wanted", 0, 0, 0, 0))
	add("undeclared", object("x", 9, 0, 0, 0))
	add("inner_only", object("i", 1), object("*i", 77, 0, 0, 0))
	add("inner_only", object("i", 0))
	return src, cases
}

// observer records with the object of the source where it is to be linked.
func observer(t *testing.T, b *bench, src string, linked bool) func(string, []string) ([]byte, error) {
	t.Helper()
	flags, others := []string{"-idirafter", b.rt.Include}, []string(nil)
	if linked {
		flags = append(flags, "-iquote", filepath.Dir(src), ctests.Undeclared)
		others = append(others, object(t, b, src))
	}
	observe, clean, err := ctests.Recorder(context.Background(), b.clang, flags, others...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(clean)
	return observe
}

// object compiles a source, as the project of the user would have.
func object(t *testing.T, b *bench, src string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "object.o")
	if msg, err := exec.Command(b.clang.Path, "-c", "-o", out, "-I", filepath.Dir(src), "-idirafter", b.rt.Include,
		src).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
	return out
}

// TestLinkedMocks links tests with an object in every style: they pass with the
// right program, and fail with one that calls something else, or in another order.
func TestLinkedMocks(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	src, cases := pumpTests(t, b, dir)
	wrong := map[string]string{}
	for name, change := range map[string][2]string{
		"argument": {"valve_open(3, 0.5", "valve_open(3, 0.25"},
		"order":    {"valve_close(4);\n    valve_close(5);", "valve_close(5);\n    valve_close(4);"},
		"missing":  {"valve_close(5);", ""},
		"further":  {"valve_close(5);", "valve_close(5);\n    valve_close(5);"},
	} {
		text := strings.Replace(pump, change[0], change[1], 1)
		if text == pump {
			t.Fatal(name, "changes nothing")
		}
		file := filepath.Join(dir, name+".c")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		wrong[name] = object(t, b, file)
	}
	right := object(t, b, src)
	o := ctests.Options{Oracle: ctests.Observed, Source: src, Include: src, Linked: true,
		Observe: observer(t, b, src, true)}
	linked, included, err := ctests.Linkable(t.TempDir(), cases, o)
	if err != nil {
		t.Fatal(err)
	}
	functions := func(cases []ctests.Case) (out []string) {
		for _, c := range cases {
			out = append(out, c.Driver.Function)
		}
		return out
	}
	l, i := functions(linked), functions(included)
	if !slices.Equal(l, []string{"pump_step", "pump_step", "undeclared", "inner_only"}) ||
		!slices.Equal(i, []string{"clamp", "inner_only"}) {
		t.Errorf("linked %v, included %v", l, i)
	}
	for _, style := range ctests.Styles {
		t.Run(string(style), func(t *testing.T) {
			if testing.Short() && style != ctests.Plain {
				t.Skip("one style is enough")
			}
			out := t.TempDir()
			o := o
			o.Style = style
			if err := ctests.Write(out, linked, o); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(out, "test_pump_step.c"))
			for _, want := range []string{`"valve_open(id = 3, flow = 0.5, why NULL)"`, `"valve_close(id = 4)"`} {
				if !strings.Contains(string(text), want) {
					t.Errorf("%s is missing in\n%s%v", want, text, err)
				}
			}
			build(t, b, style, out) // with an object that make builds
			if msg, err := exec.Command(filepath.Join(out, "run_tests")).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, msg)
			}
			link(t, b, style, out, right)
			if msg, err := exec.Command(filepath.Join(out, "run_tests")).CombinedOutput(); err != nil {
				t.Errorf("with the project's object: %v\n%s", err, msg)
			}
			for name, o := range wrong {
				if testing.Short() || style != ctests.Plain && name != "order" {
					continue
				}
				link(t, b, style, out, o)
				if msg, err := exec.Command(filepath.Join(out, "run_tests")).CombinedOutput(); err == nil {
					t.Errorf("%s: the tests pass on a program that is wrong:\n%s", name, msg)
				}
			}
		})
	}
}

// link links the tests of a folder with an object that is there.
func link(t *testing.T, b *bench, style ctests.Style, dir, object string) {
	t.Helper()
	unity, err := filepath.Abs("testdata/unity")
	if err != nil {
		t.Fatal(err)
	}
	if msg, err := exec.Command("make", "-B", "-C", dir, "run_tests", "CC="+b.clang.Path, "UNITY="+unity,
		"OBJECTS="+object).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, msg)
	}
}

// TestBuildSystems builds and runs with CMake and Meson: both kinds, a program for
// all functions and one for each.
func TestBuildSystems(t *testing.T) {
	b := newBench(t)
	if testing.Short() {
		t.Skip("slow")
	}
	dir := t.TempDir()
	src, cases := pumpTests(t, b, dir)
	object := object(t, b, src)
	command := func(t *testing.T, argv ...string) {
		t.Helper()
		if _, err := exec.LookPath(argv[0]); err != nil {
			t.Skip(argv[0] + " is not installed")
		}
		if msg, err := exec.Command(argv[0], argv[1:]...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", argv, err, msg)
		}
	}
	for _, kind := range []string{"included", "linked", "function"} {
		out := filepath.Join(dir, kind)
		o := ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: src, Include: "../pump.c",
			Observe: observer(t, b, src, kind == "linked"), EachFunction: kind == "function"}
		some := cases
		if o.Linked = kind == "linked"; o.Linked {
			some = cases[1:3]
		}
		if err := ctests.Write(out, some, o); err != nil {
			t.Fatal(err)
		}
		t.Run("cmake/"+kind, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "build")
			command(t, "cmake", "-S", out, "-B", at, "-DOBJECTS="+map[bool]string{true: object}[o.Linked])
			command(t, "cmake", "--build", at)
			command(t, "ctest", "--test-dir", at, "--no-tests=error")
		})
		t.Run("meson/"+kind, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "build")
			if kind == "function" {
				out = filepath.Join(out, "pump_step")
			}
			argv := []string{"meson", "setup", at, out}
			if o.Linked {
				argv = append(argv, "-Dobjects="+object)
			}
			command(t, argv...)
			command(t, "meson", "test", "-C", at)
		})
	}
}

// TestWrittenAgain writes the same tests twice, formatted where a formatter is: no
// file is touched the second time, and names stay when another test is gone.
func TestWrittenAgain(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	src, cases := pumpTests(t, b, dir)
	u := b.load(t, src)
	d, err := drivers.Generate(u, drivers.Options{Function: "undeclared"})
	if err != nil {
		t.Fatal(err)
	}
	for i, x := range []byte{3, 4, 5} {
		cases = append(cases, ctests.Case{Number: 11 + i, Driver: d.Inputs,
			Test: &ktest.Test{Objects: []ktest.Object{{Name: "x", Data: []byte{x, 0, 0, 0}}}}})
	}
	o := ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: src, Include: "../pump.c",
		Observe: observer(t, b, src, false)}
	formatted := false
	if err := os.WriteFile(filepath.Join(dir, ".clang-format"), []byte("BasedOnStyle: GNU\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if f := toolchain.FindFormatter(context.Background(), dir); f != nil {
		formatted = true
		o.Format = func(files []string) error { return f.Format(context.Background(), files) }
	}
	out := filepath.Join(dir, "tests")
	files := func() map[string]string {
		if err := ctests.Write(out, cases, o); err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		err := filepath.WalkDir(out, func(path string, e os.DirEntry, err error) error {
			if err != nil || e.IsDir() {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			st, err := os.Stat(path)
			if err == nil {
				found[path] = st.ModTime().String() + "\n" + string(text)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	first, second := files(), files()
	if len(first) < 7 || len(first) != len(second) {
		t.Errorf("%d files, then %d", len(first), len(second))
	}
	for path, text := range first {
		if second[path] != text {
			t.Errorf("%s was\n%s\nand is\n%s", path, text, second[path])
		}
	}
	text := first[filepath.Join(out, "test_undeclared.c")]
	if formatted && !strings.Contains(text, "static void\ntest_undeclared (void)\n{\n  int x = 9;") {
		t.Errorf("not formatted:\n%s", text)
	}
	if runner := first[filepath.Join(out, ctests.RunnerFile)]; !strings.Contains(runner, "&& ./run_tests\n") {
		t.Errorf("the command was wrapped:\n%.400s", runner)
	}
	before := ctests.Places(out)
	cases = slices.DeleteFunc(cases, func(c ctests.Case) bool { return c.Number == 11 })
	files()
	after := ctests.Places(out)
	if before["test000012"].Function == "" || after["test000012"] != before["test000012"] ||
		after["test000013"] != before["test000013"] || after["test000011"].Function != "" {
		t.Errorf("names were %v and are %v", before, after)
	}
	without(t, b, out)
}
