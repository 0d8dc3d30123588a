package ctests_test

import (
	"context"
	"encoding/binary"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/ctests"
	"klabel/drivers"
	"klabel/ktest"
)

const ending = `#include <stdlib.h>
static void check(int n)
{
    if (n < 0)
        exit(3);
    if (n == 0)
        exit(1);
    if (n > 8)
        exit(0);
}
int squares(int n)
{
    int i, sum = 0;
    check(n);
    for (i = 1; i <= n; i++)
        sum += i * i;
    return sum;
}
`

// squares are options for tests of the function, in a file of its own.
func squares(t *testing.T, b *bench) ctests.Options {
	t.Helper()
	src := filepath.Join(t.TempDir(), "ending.c")
	if err := os.WriteFile(src, []byte(ending), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := drivers.Generate(b.load(t, src), drivers.Options{Function: "squares"})
	if err != nil {
		t.Fatal(err)
	}
	return ctests.Options{Style: ctests.Plain, Oracle: ctests.Observed, Source: src, Include: src, Driver: d.Inputs}
}

// TestExits: a test in which the program calls exit passes in every framework and
// standard, as plain compilers build it, and fails where the program ends in another way.
func TestExits(t *testing.T) {
	b := newBench(t)
	o := squares(t, b)
	var cases []ctests.Case
	for i, n := range []uint32{0, 3, 9, math.MaxUint32} {
		cases = append(cases, ctests.Case{Number: i + 1, Test: &ktest.Test{Objects: []ktest.Object{
			{Name: "n", Data: binary.LittleEndian.AppendUint32(nil, n)}}}})
	}
	for _, style := range ctests.Styles {
		t.Run(string(style), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			o := o
			o.Style = style
			text := observed(t, b, dir, cases, o)
			for _, want := range []string{"Ends by exit(1).", "klabel_exited(1)", "klabel_exited(3)",
				"Ends by exit(0).", "14"} {
				if !strings.Contains(text, want) {
					t.Errorf("%q is missing in\n%s", want, text)
				}
			}
			runs := func(flags ...string) error {
				build(t, b, style, dir, flags...)
				out, err := exec.Command(filepath.Join(dir, "run_tests")).CombinedOutput()
				t.Logf("%s\n%s", flags, out)
				return err
			}
			if err := runs(); err != nil {
				t.Errorf("the tests fail: %v\n%s", err, text)
			}
			if style == ctests.Plain {
				if err := runs("-std=c89 -pedantic -Wextra"); err != nil {
					t.Errorf("the tests fail in C89: %v", err)
				}
			}
			others := []string{""}
			if style == ctests.Plain || style == ctests.CMocka { // which catches signals
				others = append(others, "exit(2)", "abort()", "*(volatile char *)0 = 1")
			}
			for _, other := range others {
				changed := filepath.Join(dir, "changed.c")
				wrong := strings.Replace(ending, "exit(1)", other, 1)
				if err := os.WriteFile(changed, []byte(wrong), 0o600); err != nil {
					t.Fatal(err)
				}
				if runs(`-DKLABEL_SOURCE='"`+changed+`"'`) == nil {
					t.Errorf("the tests pass on a program with %q for exit(1)", other)
				}
			}
		})
	}
}

// TestExitsUnseen: where there was no time to run a test as C, what its replay said of its end is checked.
func TestExitsUnseen(t *testing.T) {
	b := newBench(t)
	o := squares(t, b)
	var cases []ctests.Case
	for i, exit := range []int{1, 0} { // of squares(0), squares(1)
		cases = append(cases, ctests.Case{Number: i + 1, Exit: exit, Test: &ktest.Test{Objects: []ktest.Object{
			{Name: "n", Data: []byte{byte(i), 0, 0, 0}}}}})
	}
	dir := t.TempDir()
	if err := ctests.Write(dir, cases, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "test_squares.c"))
	if err != nil || strings.Count(string(text), "klabel_exited(") != 1 ||
		!strings.Contains(string(text), "klabel_exited(1)") {
		t.Errorf("one test of two ends by exit: %v\n%s", err, text)
	}
	without(t, b, dir)
}

// TestProgramExits: so do programs with a main function of their own, with every
// oracle. An assumption that does not hold is no exit of the program's.
func TestProgramExits(t *testing.T) {
	b := newBench(t)
	src := filepath.Join(t.TempDir(), "usage.c")
	if err := os.WriteFile(src, []byte(`#include <stdlib.h>
int klee_int(const char *name);
void klee_assume(unsigned long condition);
int main(void)
{
    int n = klee_int("n");
    klee_assume(n < 100);
    if (n == 0)
        exit(2);
    return 3;
}
`), 0o600); err != nil {
		t.Fatal(err)
	}
	var cases []ctests.Case
	for i, n := range []byte{0, 1, 200} {
		cases = append(cases, ctests.Case{Number: i + 1, Test: &ktest.Test{Objects: []ktest.Object{
			{Name: "n", Data: []byte{n, 0, 0, 0}}}}})
	}
	for _, oracle := range []string{ctests.Observed, ctests.None} {
		dir := t.TempDir()
		o := ctests.Options{Style: ctests.Plain, Oracle: oracle, Source: src, Include: src,
			Objects: drivers.Objects(b.load(t, src))}
		if text := observed(t, b, dir, cases, o); strings.Count(text, "klabel_exited(") != 1 {
			t.Errorf("one test of three ends by exit:\n%s", text)
		}
		dir = t.TempDir()
		observed(t, b, dir, cases[:2], o)
		without(t, b, dir)
	}
}

// observed writes tests that a recorder has run, and returns their text.
func observed(t *testing.T, b *bench, dir string, cases []ctests.Case, o ctests.Options) (text string) {
	t.Helper()
	observe, clean, err := ctests.Recorder(context.Background(), b.clang, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer clean()
	o.Observe = observe
	if err := ctests.Write(dir, cases, o); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "test_*.c"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		one, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text += string(one)
	}
	return text
}
