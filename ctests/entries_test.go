package ctests_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/ctests"
	"klabel/drivers"
	"klabel/input"
	"klabel/ktest"
	"klabel/toolchain"
)

// A file of an old project: names that tests use themselves, a main function, a
// header of its own, and a function that another file defines.
const stack = `#include "limit.h"
#include <string.h>
#define CHECK(x) ((x) > 0)
#define NDEBUG 1
int failures, tests, top;
int items[LIMIT];
int weight(int item);
static int test_push_item_7(int item) { return CHECK(item) && top < LIMIT; }
int push(int item) { if (!test_push_item_7(item)) return -1; items[top++] = weight(item); return top; }
int count(const char *s) { return s ? (int)strlen(s) : -1; }
int main(int argc, char **argv) { (void)argv; tests = push(argc); return failures; }
`

// TestManyEntries writes the tests of several functions and of the program
// itself as one program, and has compilers and build systems build it as a
// project in the oldest C would.
func TestManyEntries(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	for name, text := range map[string]string{"stack.c": stack,
		"weight.c":        "int weight(int item);\nint weight(int item) { return item * 3; }\n",
		"inc dir/limit.h": "#define LIMIT 3\n"} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	flags := toolchain.Flags{"-std=c89", "-I", filepath.Join(dir, "inc dir")}
	u, err := csource.Load(t.Context(), filepath.Join(dir, "stack.c"), csource.Options{Clang: b.clang, Flags: flags})
	if err != nil {
		t.Fatal(err)
	}
	d, err := drivers.ForUnit(u, drivers.Options{Defined: map[string]bool{"weight": true}}, []drivers.Want{
		{Function: "push", Number: 1}, {Function: "push", Variant: drivers.State, Number: 2}, {Function: "count", Number: 3}})
	if err != nil || len(d.Entries) != 3 {
		t.Fatalf("%+v %v", d, err)
	}
	word := func(v byte) []byte { return []byte{v, 0, 0, 0} }
	minus := []byte{255, 255, 255, 255}
	state := zeros(d.Entries[1].Inputs)
	state.Objects[len(state.Objects)-1].Data = word(5)
	cases := []ctests.Case{
		{Number: 1, Driver: d.Entries[0].Inputs, Entry: "push", Test: &ktest.Test{Objects: []ktest.Object{{Name: "item", Data: word(7)}}}},
		{Number: 2, Driver: d.Entries[0].Inputs, Entry: "push", Test: &ktest.Test{Objects: []ktest.Object{{Name: "item", Data: minus}}}},
		{Number: 3, Driver: d.Entries[2].Inputs, Entry: "count", Test: &ktest.Test{Objects: []ktest.Object{{Name: "s", Data: []byte{0}}}}},
		{Number: 4, Driver: d.Entries[1].Inputs, Entry: "push+state", Test: state},
		{Number: 5, Test: &ktest.Test{Args: []string{"program"}}},
		{Number: 6, Driver: d.Entries[0].Inputs, Entry: "push", Test: &ktest.Test{Objects: []ktest.Object{{Name: "item", Data: word(9)}}}},
	}
	out := filepath.Join(dir, "t", "c")
	flags = toolchain.Flags{"-std=c89", "-I", "../../inc dir"}
	o := ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: u.Path, Include: "../../stack.c",
		Objects:    drivers.Objects(u),
		MainParams: drivers.MainParameters(u), Flags: flags, Sources: []string{"../../weight.c"}}
	observe, clean, err := ctests.Recorder(t.Context(), b.clang, flags.In(out), filepath.Join(dir, "weight.c"))
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	o.Observe = observe
	if err := ctests.Write(out, cases, o); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"test000001": "test_push_item_7_2", "test000002": "test_push_negative_item",
		"test000003": "test_count_null_s",
		"test000004": "test_push_state_item_5", "test000005": "test_main", "test000006": "test_push_item_9"}
	places := ctests.Places(out)
	for test, name := range want {
		if p := places[test]; p.Function != name {
			t.Errorf("%s is %s, want %s", test, p.Function, name)
		}
	}
	if p := places["test000002"]; filepath.Base(p.File) != "test_push.c" {
		t.Errorf("push is tested in %s", p.File)
	}
	text, err := os.ReadFile(filepath.Join(out, "test_push.c"))
	if err != nil || !strings.Contains(string(text), "CHECK(result == 1);") ||
		!strings.Contains(string(text), "CHECK(result == -1);") {
		t.Errorf("results are not checked:\n%s%v", text, err)
	}
	before := snapshot(t, out)
	if err := ctests.Write(out, cases, o); err != nil {
		t.Fatal(err)
	}
	if after := snapshot(t, out); before != after {
		t.Error("writing the tests once more changes them")
	}
	run := func(name string, args ...string) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = out
		if all, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%s %s: %v\n%s", name, strings.Join(args, " "), err, all)
		}
	}
	compilers := []string{b.clang.Path}
	if gcc, err := exec.LookPath("gcc"); err == nil {
		compilers = append(compilers, gcc)
	}
	for _, cc := range compilers {
		run("make", "-B", "CC="+cc, "CFLAGS=-Wall -Wextra -Werror")
		run("./run_tests", "test_push_item_7_2")
	}
	if _, err := exec.LookPath("cmake"); err == nil {
		run("cmake", "-S", ".", "-B", "build")
		run("cmake", "--build", "build")
		run("ctest", "--test-dir", "build", "--no-tests=error")
	}
	if _, err := exec.LookPath("meson"); err == nil {
		run("meson", "setup", "build-meson")
		run("meson", "test", "-C", "build-meson")
	}
}

// A function whose tests no compiler takes is left out and said; the others stay.
func TestOneFunctionDoesNotCompile(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "two.c")
	if err := os.WriteFile(src, []byte("int f(int x) { return x; }\nint g(int y) { return y; }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := drivers.ForUnit(b.load(t, src), drivers.Options{},
		[]drivers.Want{{Function: "f", Number: 1}, {Function: "g", Number: 2}})
	if err != nil {
		t.Fatal(err)
	}
	broken := *d.Entries[0].Inputs
	broken.Function = "nobody"
	observe, clean, err := ctests.Recorder(t.Context(), b.clang,
		toolchain.Flags{toolchain.Undeclared})
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	cases := []ctests.Case{{Number: 1, Driver: &broken, Test: zeros(d.Entries[0].Inputs)},
		{Number: 2, Driver: d.Entries[1].Inputs, Test: zeros(d.Entries[1].Inputs)}}
	out := filepath.Join(dir, "c")
	err = ctests.Write(out, cases, ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: src,
		Include: "../two.c", Observe: observe})
	if err == nil || !strings.Contains(err.Error(), "the tests of nobody are left out") {
		t.Errorf("the error is %v", err)
	}
	if p := ctests.Places(out); len(p) != 1 || p["test000002"].Function != "test_g_zero_y" {
		t.Errorf("tests %v", p)
	}
	without(t, b, out)
}

// zeros is a test of a driver with zeros for everything.
func zeros(d *input.Driver) *ktest.Test {
	t := &ktest.Test{}
	for _, in := range d.Inputs {
		if in.Object != "" {
			t.Objects = append(t.Objects, ktest.Object{Name: in.Object, Data: make([]byte, in.Type.Size)})
		}
	}
	return t
}

func snapshot(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		if text, err := os.ReadFile(f); err == nil {
			all.WriteString(f + "\n" + string(text))
		}
	}
	return all.String()
}

// What recorders link is compiled once for the same flags, whoever asks.
func TestObjectsAreShared(t *testing.T) {
	dir := t.TempDir()
	other, runner := filepath.Join(dir, "other.c"), filepath.Join(dir, "runner.c")
	for path, text := range map[string]string{
		other:  "int other(void) { return VALUE; }\n",
		runner: "#include <stdio.h>\nint other(void);\nint main(void) { printf(\"%d\", other()); return 0; }\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	objects, remove, err := ctests.NewObjects(newBench(t).clang)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(remove)
	record := func(flag string) (string, error) {
		observe, clean, err := objects.Recorder(t.Context(), []string{flag}, nil, other)
		if err != nil {
			t.Fatal(err)
		}
		defer clean()
		out, err := observe(runner, []string{"it"})
		return string(out), err
	}
	if out, err := record("-DVALUE=3"); out != "3" || err != nil {
		t.Errorf("%q %v, want 3", out, err)
	}
	if err := os.Remove(other); err != nil {
		t.Fatal(err)
	}
	if out, err := record("-DVALUE=3"); out != "3" || err != nil {
		t.Errorf("%q %v for the second one, want 3", out, err)
	}
	if out, err := record("-DVALUE=4"); err == nil {
		t.Errorf("%q with other flags, of a file that is gone", out)
	}
}
