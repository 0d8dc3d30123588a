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
	"klabel/label"
)

const triangle = `enum kind { NONE, SCALENE, ISOSCELES, EQUILATERAL };
struct size { int a, b, c; };
static int calls;
double half(double x) { return x / 2; }
enum kind kind(const struct size *s, int *calls_so_far)
{
    *calls_so_far = ++calls;
    if (s == 0 || s->a <= 0) return NONE;
    if (s->a == s->b && s->b == s->c) return EQUILATERAL;
    return s->a == s->b ? ISOSCELES : SCALENE;
}
`

// probes are C or C++ that compiles where a framework is installed.
var probes = map[ctests.Style]string{
	ctests.CMocka: "#include <stdarg.h>\n#include <stddef.h>\n#include <setjmp.h>\n#include <stdint.h>\n" +
		"#include <cmocka.h>\n",
	ctests.Check:      "#include <check.h>\n",
	ctests.GoogleTest: "#include <gtest/gtest.h>\n",
	ctests.CppUTest:   "#include <CppUTest/TestHarness.h>\n",
}

// build builds the tests of a folder with the makefile that is there. It skips
// where the framework is not installed.
func build(t *testing.T, b *bench, style ctests.Style, dir string, flags ...string) {
	t.Helper()
	cc, cxx, suffix := b.clang.Path, "c++", ".c"
	if style == ctests.GoogleTest || style == ctests.CppUTest {
		suffix = ".cpp"
	}
	if probe, ok := probes[style]; ok {
		file := filepath.Join(t.TempDir(), "probe"+suffix)
		if err := os.WriteFile(file, []byte(probe), 0o600); err != nil {
			t.Fatal(err)
		}
		compiler := cc
		if suffix == ".cpp" {
			compiler = cxx
		}
		if exec.Command(compiler, "-fsyntax-only", file).Run() != nil {
			t.Skip("the framework is not installed")
		}
	}
	unity, err := filepath.Abs("testdata/unity")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("make", "-B", "-C", dir, "run_tests", "CC="+cc, "CXX="+cxx, "UNITY="+unity,
		"CFLAGS=-Wall -Werror -Wno-unused-function "+strings.Join(flags, " "))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

func TestStyles(t *testing.T) {
	b := newBench(t)
	src := filepath.Join(t.TempDir(), "triangle.c")
	if err := os.WriteFile(src, []byte(triangle), 0o600); err != nil {
		t.Fatal(err)
	}
	u := b.load(t, src)
	d, err := drivers.Generate(u, drivers.Options{Function: "kind", NonNull: []string{"calls_so_far"}})
	if err != nil {
		t.Fatal(err)
	}
	size := func(a, b, c byte) *ktest.Test {
		return &ktest.Test{Objects: []ktest.Object{{Name: "s", Data: []byte{1}},
			{Name: "*s", Data: []byte{a, 0, 0, 0, b, 0, 0, 0, c, 0, 0, 0}}, {Name: "*calls_so_far", Data: []byte{9, 0, 0, 0}}}}
	}
	cases := []ctests.Case{
		{Number: 1, Test: size(3, 3, 3), Labels: []label.Label{{ID: 4, Tags: []string{"CC"}},
			{ID: 6, Tags: []string{"WM ROR"}}}},
		{Number: 2, Test: size(3, 4, 5)},
		{Number: 7, Test: &ktest.Test{Objects: []ktest.Object{{Name: "s", Data: []byte{0}}}}},
	}
	for _, style := range ctests.Styles {
		t.Run(string(style), func(t *testing.T) {
			observe, clean, err := ctests.Recorder(context.Background(), b.clang, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer clean()
			dir := t.TempDir()
			o := ctests.Options{Style: style, Oracle: ctests.Observed, Source: src, Include: src, Driver: d.Inputs,
				Observe: observe}
			if err := ctests.Write(dir, cases, o); err != nil {
				t.Fatal(err)
			}
			first, err := os.ReadFile(filepath.Join(dir, "test_kind.c"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{"test000001. Covers CC 4; WM 6.", "EQUILATERAL", "test_kind_2",
				"test_kind_null_s", ".a = 3, .b = 3, .c = 3", "calls_so_far"} {
				if !strings.Contains(string(first), want) {
					t.Errorf("%q is missing in\n%s", want, first)
				}
			}
			bin := filepath.Join(dir, "run_tests")
			build(t, b, style, dir)
			if out, err := exec.Command(bin).CombinedOutput(); err != nil {
				t.Errorf("the tests fail: %v\n%s\n%s", err, out, first)
			}
			// A changed program must be noticed.
			changed := strings.Replace(triangle, "return EQUILATERAL", "return SCALENE", 1)
			other := filepath.Join(dir, "changed.c")
			if err := os.WriteFile(other, []byte(changed), 0o600); err != nil {
				t.Fatal(err)
			}
			build(t, b, style, dir, `-DKLABEL_SOURCE='"`+other+`"'`)
			if out, err := exec.Command(bin).CombinedOutput(); err == nil {
				t.Errorf("the tests pass on a program that is wrong:\n%s", out)
			}
		})
	}
}

func TestOracles(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "f.c")
	if err := os.WriteFile(src, []byte("int f(int x) { return x * 2; }\nint even(int r) { return r % 2 == 0; }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	u := b.load(t, src)
	d, err := drivers.Generate(u, drivers.Options{Function: "f", Oracle: "even"})
	if err != nil {
		t.Fatal(err)
	}
	for oracle, want := range map[string]string{"none": "(void)f(x);", "even": "CHECK(even(result));"} {
		out := filepath.Join(dir, oracle)
		o := ctests.Options{Style: ctests.Plain, Oracle: oracle, Source: src, Include: "../f.c", Driver: d.Inputs}
		if err := ctests.Write(out, []ctests.Case{{Number: 1, Test: &ktest.Test{}}}, o); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(out, "test_f.c"))
		if err != nil || !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s%v", want, text, err)
		}
		without(t, b, out)
	}
}

// TestMeasure takes tests as users write them: some with a main function of
// their own, with or without the source in them, and parts.
func TestMeasure(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	write := func(name, text string) string {
		p := filepath.Join(dir, name)
		if err := os.WriteFile(p, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return p
	}
	src := write("f.c", "int f(int x) { return x > 0; }\n")
	a := write("a.c", "#include \"f.c\"\nint main(void) { return f(1) != 1; }\n")
	c := write("c.c", "int f(int);\nint helper(void);\nint main(void) { return f(helper()); }\n")
	part := write("part.c", "int helper(void) { return -1; }\n")
	inc := write("inc.c", "#include \"part.c\"\nint f(int);\nint main(void) { return f(helper()); }\n")
	other := write("g.c", "int g(int x) { return x > 0; }\n")
	both := write("both.c", "#include \"g.c\"\n#include \"f.c\"\nint __wrap_h(void) { return 1; }\n"+
		"int main(void) { return f(1) != g(1); }\n")
	files := []string{part, inc, c, a, both}
	ps, err := ctests.Programs(context.Background(), b.clang, files, []string{other, src}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]ctests.Program{}
	for _, p := range ps {
		got[filepath.Base(p.Main)] = p
	}
	if len(ps) != 4 || !slices.Equal(got["a.c"].Includes, []int{1}) || len(got["c.c"].Includes) != 0 ||
		!slices.Equal(got["both.c"].Includes, []int{0, 1}) || len(got["c.c"].Files) != 2 ||
		len(got["c.c"].Units) != 2 ||
		len(got["inc.c"].Files) != 1 || len(got["inc.c"].Units) != 1 {
		t.Errorf("programs %+v", ps)
	}
	if w := got["both.c"].Wraps(); !slices.Equal(w, []string{"-Wl,--wrap=h"}) || len(got["c.c"].Wraps()) != 0 {
		t.Errorf("wraps %q", w)
	}
	if _, err := ctests.Programs(context.Background(), b.clang, []string{part}, []string{src}, nil); err == nil {
		t.Error("test files without a main function are accepted")
	}
	program := []label.Label{{ID: 10, Position: label.Position{File: "x/f.c", Line: 3}, Predicate: "a"},
		{ID: 11, Position: label.Position{File: "x/f.c", Line: 3}, Predicate: "b"}}
	tests := []label.Label{{ID: 1, Position: label.Position{File: "f.c", Line: 3}, Predicate: "b"},
		{ID: 2, Position: label.Position{File: "t.c", Line: 3}, Predicate: "b"}}
	if m := ctests.Match(program, tests); len(m) != 1 || m[1] != 11 {
		t.Errorf("match %v", m)
	}
}
