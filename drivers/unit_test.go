package drivers_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine"
	"klabel/instrument"
)

// TestManyEntries puts the entries of all functions of a corpus file, in all
// variants, into one unit, each with its own options, and compiles it in a mode
// of each kind.
func TestManyEntries(t *testing.T) {
	b := newBench(t)
	wants := map[string][]drivers.Want{}
	for _, s := range corpus(t) {
		if len(s.options.Stubs) > 0 {
			continue // stubs are the unit's
		}
		for _, v := range drivers.Variants {
			wants[s.file] = append(wants[s.file], drivers.Want{Function: s.name, Variant: v,
				Number: len(wants[s.file]) + 1, Options: &s.options})
		}
	}
	for file, ws := range wants {
		u := b.unit(t, file)
		d, err := drivers.ForUnit(u, drivers.Options{StubOutputs: true}, ws)
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range d.LeftOut {
			if !l.Nothing || l.Variant == drivers.Arguments {
				t.Errorf("%s: left out: %+v", file, l)
			}
		}
		driven, err := csource.Parse(context.Background(), file, d.Apply(u), b.options())
		if err != nil {
			t.Fatalf("%v\n%s", err, d.Text())
		}
		for _, mode := range []engine.Mode{engine.Tight, engine.Ignore, instrument.Replay} {
			text, err := instrument.Rewrite(driven, instrument.Options{Mode: mode, MaxID: 100})
			if err != nil {
				t.Fatal(err)
			}
			c := filepath.Join(t.TempDir(), "unit.c")
			if err := os.WriteFile(c, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := b.tools.Clang.IR(context.Background(), c, c+".ll", []string{"-w"}); err != nil {
				t.Fatalf("%s, %s: %v", file, mode, err)
			}
			ir, err := os.ReadFile(c + ".ll")
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range d.Entries {
				if !strings.Contains(string(ir), "define dso_local void @"+e.Symbol+"()") {
					t.Errorf("%s, %s: no entry %s", file, mode, e.Name)
				}
			}
		}
	}
}

// TestUnitWithoutWants defines what a unit lacks, once, so that units that lack
// the same can be linked.
func TestUnitWithoutWants(t *testing.T) {
	b := newBench(t)
	const text = `
extern int level;
extern char *const table[3];
extern char *const open[];
extern const char *words[];
extern const struct pair { int a, b; } *pairs[2][3];
int ask(int);
int NAME(int x) { return ask(x) + level + (table[0] == open[0]) + (words[1] == open[1]) + pairs[1][x]->a; }
`
	var ins []string
	dir := t.TempDir()
	for _, name := range []string{"one", "two"} {
		u := b.text(t, name+".c", strings.ReplaceAll(text, "NAME", name))
		d, err := drivers.ForUnit(u, drivers.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(d.Text(), "int ask(int"); n != 1 {
			t.Errorf("ask is defined %d times:\n%s", n, d.Text())
		}
		c := filepath.Join(dir, name+".c")
		if err := os.WriteFile(c, d.Apply(u), 0o600); err != nil {
			t.Fatal(err)
		}
		ins = append(ins, c)
	}
	main := filepath.Join(dir, "main.c")
	if err := os.WriteFile(main, []byte("int one(int), two(int);\nint main(void) { return one(1) - two(2); }\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if err := b.tools.Clang.Executable(context.Background(), append(ins, main), filepath.Join(dir, "program"),
		nil); err != nil {
		t.Error(err)
	}
}

// TestLeftOut keeps the entries that can be written, and says why others are
// not there.
func TestLeftOut(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "m.c", mixed)
	var wants []drivers.Want
	for i, f := range []string{"opens", "holds", "nobody", "classify", "calls_helper"} {
		wants = append(wants, drivers.Want{Function: f, Number: 10 + i})
	}
	d, err := drivers.ForUnit(u, drivers.Options{}, wants)
	if err != nil {
		t.Fatal(err)
	}
	var unknown *drivers.UnknownFunctionError
	if len(d.LeftOut) != 2 || !strings.Contains(d.LeftOut[0].Reason+d.LeftOut[1].Reason, "s has type struct secret") {
		t.Errorf("left out: %+v", d.LeftOut)
	} else if !errors.As(d.LeftOut[0].Err, &unknown) && !errors.As(d.LeftOut[1].Err, &unknown) {
		t.Error("an unknown function is no error of its own")
	}
	if len(d.Entries) != 3 || d.Entries[1].Symbol != "klabel_entry_13" {
		t.Fatalf("entries: %+v", d.Entries)
	}
	broken := strings.Replace(string(d.Apply(u)), "klabel_entry_13(void)\n{",
		"klabel_entry_13(void)\n{ int x = nowhere;", 1)
	_, err = csource.Parse(context.Background(), "m.c", []byte(broken), b.options())
	if err == nil {
		t.Fatal("the broken entry compiles")
	}
	if got := drivers.Blame(err.Error()); fmt.Sprint(got) != "[13]" {
		t.Errorf("blamed: %v, for %v", got, err)
	}
	d.Drop(13, "it does not compile")
	text := d.Apply(u)
	if strings.Contains(string(text), "klabel_entry_13") || d.LeftOut[len(d.LeftOut)-1].Number != 13 {
		t.Errorf("entry 13 is still there: %+v\n%s", d.LeftOut, text)
	}
	if _, err := csource.Parse(context.Background(), "m.c", text, b.options()); err != nil {
		t.Error(err)
	}
}

// A parameter may be called like a type, a function or another parameter.
func TestNamesOfParameters(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "n.c", `
typedef struct list { int head; struct list *next; } list;
int same(list *list) { return list && list->next && list->next->head == 3; }
int f(int f, int klabel_entry_1, list *p_item, list *p) { return f + klabel_entry_1 + p_item->head + p->head; }
`)
	d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{{Function: "same", Number: 1},
		{Function: "f", Number: 2}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := csource.Parse(context.Background(), "n.c", d.Apply(u), b.options()); err != nil {
		t.Errorf("%v\n%s", err, d.Text())
	}
}
