package drivers_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
	"klabel/drivers/driverstest"
	"klabel/input"
)

const mixed = `
#include <stdio.h>
#include <stdarg.h>
struct secret;
struct holder { struct secret *s; int n; };
int opens(struct secret *s) { return s != 0; }
int holds(const struct holder *h) { return h && h->s == 0 && h->n == 3; }
int computes(_Complex double z) { return 0; }
int classify(int first, int *second) { return first > *second; }
static int helper(int x) { return x; }
int calls_helper(unsigned x) { return helper(x); }
`

func (b *bench) text(t *testing.T, name, text string) *csource.Unit {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	u, err := csource.Load(context.Background(), file, b.options())
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// A campaign reads of system headers what the file uses. What reads standard input need not name it.
func TestInputThatTheFileDoesNotName(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "m.c", "#include <stdio.h>\nint f(void) { int x = 0; return scanf(\"%d\", &x) == 1 && x == 7; }\n")
	d, err := drivers.Generate(u, drivers.Options{Function: "f"})
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Inputs.Inputs) != 1 || d.Inputs.Inputs[0].Name != input.StandardInput {
		t.Errorf("the inputs are %+v", d.Inputs.Inputs)
	}
	if u.AST.Scope.Nodes["fopen"] != nil {
		t.Error("all of the header is read")
	}
}

func TestRefusals(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "m.c", mixed)
	for _, c := range []struct {
		options string
		name    string
		want    []string
		is      any
	}{
		{"", "opens", []string{"opens", "s has type struct secret", "declared but not defined"}, new(*drivers.TypeError)},
		{"", "computes", []string{"z has type"}, new(*drivers.TypeError)},
		{"", "clasify", []string{"no function", "is \"classify\" meant?"}, new(*drivers.UnknownFunctionError)},
		{"--range thrid:0..3", "classify", []string{"--range thrid:0..3", "no input"}, new(*drivers.RelationError)},
		{"--range secnd:0..3", "classify", []string{"second"}, new(*drivers.RelationError)},
		{"--range first:3..1", "classify", []string{"no input exists"}, new(*drivers.RelationError)},
		{"--range x:-5..-1", "calls_helper", []string{"unsigned", "no input exists"}, new(*drivers.RelationError)},
		{"--array second:0", "classify", []string{"at least one"}, new(*drivers.RelationError)},
		{"--string second --nonnull nobody", "classify", []string{"nobody"}, new(*drivers.RelationError)},
		{"--alias first,nobody", "classify", []string{"nobody"}, new(*drivers.RelationError)},
		{"--assume 'first < 3; abort()'", "classify", []string{"a C expression"}, new(*drivers.RelationError)},
		{"--stub helpr=symbolic", "calls_helper", []string{"helper"}, new(*drivers.RelationError)},
		{"--stub calls_helper=symbolic", "calls_helper", []string{"under test"}, new(*drivers.RelationError)},
		{"--global nothing", "classify", []string{"nothing"}, new(*drivers.UnknownFunctionError)},
	} {
		o, err := driverstest.Options(c.options)
		if err != nil {
			t.Fatal(err)
		}
		o.Function = c.name
		_, err = drivers.Generate(u, o)
		if err == nil {
			t.Errorf("%s %s: no error", c.name, c.options)
			continue
		}
		if !errors.As(err, c.is) {
			t.Errorf("%s %s: error is a %T", c.name, c.options, err)
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s %s: %q does not say %q", c.name, c.options, err, w)
			}
		}
	}
	for _, bad := range []string{"--array p", "--range x:3", "--range x", "--alias p", "--alias p,p", "--stub f",
		"--stub f=real", "--stub f=concrete:"} {
		if _, err := driverstest.Options(bad); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
}

func TestOpaqueFieldIsNull(t *testing.T) {
	b := newBench(t)
	d, err := drivers.Generate(b.text(t, "m.c", mixed), drivers.Options{Function: "holds"})
	if err != nil {
		t.Fatal(err)
	}
	if w := strings.Join(d.Warnings, "\n"); !strings.Contains(w, "h->s is always NULL") {
		t.Errorf("warnings: %s", w)
	}
}

func TestFunctionInTwoFiles(t *testing.T) {
	b := newBench(t)
	one := b.text(t, "one.c", "static int f(int x) { return x; }\n")
	two := b.text(t, "two.c", "static int f(int x) { return -x; }\n")
	units := []*csource.Unit{one, two}
	_, _, err := drivers.Find(units, "f")
	var d *drivers.DuplicateFunctionError
	if !errors.As(err, &d) || len(d.Places) != 2 || !strings.Contains(err.Error(), "two.c:1") {
		t.Errorf("error is %v", err)
	}
	u, _, err := drivers.Find(units, "two.c:f")
	if err != nil || u != two {
		t.Errorf("two.c:f: %v", err)
	}
}

// TestDriverKeepsTheUnit appends drivers to a program with a main function,
// calls of it, and a function that is replaced.
func TestDriverKeepsTheUnit(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "p.c", `
struct s { int main; };
static int twice(int x)
{
    return 2 * x;
}
int main(int argc, char **argv) { struct s s = {argc}; return argc > 100 ? main(argc - 1, argv) : s.main; }
int f(int x) { return twice(x); }
`)
	for _, o := range []drivers.Options{
		{Function: "f"},
		{Function: "f", Stubs: []drivers.Stub{{Function: "twice", Value: "INT_MAX"}}},
		{Function: "main", SymArgs: []int{2, 3}},
		{Function: "main"},
	} {
		d, err := drivers.Generate(u, o)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range [][]byte{d.Apply(u), d.ApplyProbe(u)} {
			v, err := csource.Parse(context.Background(), "p.c", text, b.options())
			if err != nil {
				t.Fatalf("%+v: %v\n%s", o, err, text)
			}
			if v.Function("main") == nil || v.Function("klabel_program_main") == nil {
				t.Errorf("%+v: a main function is missing", o)
			}
			if !strings.Contains(string(text), "s.main") {
				t.Error("a field called main was renamed")
			}
		}
	}
}

// A main function that looks at no arguments is given none, and nothing narrows it.
func TestArgumentsThatMainLooksAt(t *testing.T) {
	for _, c := range []struct {
		name, body string
		want       bool
	}{
		{"the texts", "return argv[1] != 0;", true},
		{"their number", "return argc > 2;", true},
		{"neither", "return state;", false},
	} {
		u := newBench(t).text(t, "p.c", "int state;\nint main(int argc, char **argv) { "+c.body+" }\n")
		d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{{Function: "main", Number: 1}})
		if err != nil {
			t.Fatal(err)
		}
		e := d.Entries[0]
		given := strings.Contains(d.Text(), `"argv[1]"`)
		told := slices.Contains(e.Narrowed, "at most 2 arguments of main")
		if given != c.want || told != c.want {
			t.Errorf("%s: arguments are given: %v; %q", c.name, given, e.Narrowed)
		}
	}
}
