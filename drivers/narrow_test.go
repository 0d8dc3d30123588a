package drivers_test

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/drivers"
	"klabel/drivers/driverstest"
)

// expected matches a function with what its comment says.
var expected = regexp.MustCompile(`/\*((?:[^*]|\*[^/])*)\*/\n(?:int|void) (\w+)\(`)

// TestNarrowed compares what entries say that they leave out with the comments
// of a file.
func TestNarrowed(t *testing.T) {
	b := newBench(t)
	const file = "testdata/narrow/narrow.c"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	u := b.unit(t, file)
	want, got := map[string]string{}, map[string]string{}
	var wants []drivers.Want
	for _, m := range expected.FindAllStringSubmatch(string(text), -1) {
		for _, line := range strings.Split(strings.TrimSpace(m[1]), "\n") {
			line = strings.TrimSpace(line)
			w := drivers.Want{Function: m[2], Number: len(wants) + 1}
			for _, v := range drivers.Variants[1:] {
				if rest, ok := strings.CutPrefix(line, v.String()+": "); ok {
					w.Variant, line = v, rest
				}
			}
			wants = append(wants, w)
			want[w.Function+w.Variant.String()] = strings.TrimPrefix(line, "not within: ")
		}
	}
	if len(wants) < 30 {
		t.Fatalf("only %d expectations", len(wants))
	}
	d, err := drivers.ForUnit(u, drivers.Options{}, wants)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range d.LeftOut {
		t.Errorf("left out: %+v", l)
	}
	for _, e := range d.Entries {
		for _, m := range e.Memory {
			e.Narrowed = append(e.Narrowed, m+" never fails")
		}
		said := strings.Join(e.Narrowed, "; ")
		if len(e.Narrowed) == 0 {
			said = "exhaustive"
		}
		got[e.Name] = said
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// The user's own assumptions narrow the claim and not the proof.
func TestAssumed(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "a.c", "void klee_assume(unsigned long);\n"+
		"int f(int x, unsigned char y) { klee_assume(y); return x > 5 && y; }\n")
	o, err := driverstest.Options("--range x:0..9 --assume 'x < y'")
	if err != nil {
		t.Fatal(err)
	}
	d, err := drivers.ForUnit(u, o, []drivers.Want{{Function: "f", Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"--range x:0..9", "--assume 'x < y'", "klee_assume in the source"}
	if e := d.Entries[0]; len(e.Narrowed) > 0 || cmp.Diff(want, e.Assumed) != "" {
		t.Errorf("narrowed %q, assumed %q", e.Narrowed, e.Assumed)
	}
}

// TestStateThatCannotBeBuilt leaves such variables as they are.
func TestStateThatCannotBeBuilt(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "s.c", `
struct secret;
static struct secret *hidden;
static int level;
void set(struct secret *s, int n) { hidden = s; level = n; }
int both(void) { return hidden != 0 && level == 3; }
int one(void) { return hidden != 0; }
int none(int x) { return x; }
`)
	var wants []drivers.Want
	for i, f := range []string{"both", "one", "none"} {
		wants = append(wants, drivers.Want{Function: f, Variant: drivers.State, Number: i + 1})
	}
	d, err := drivers.ForUnit(u, drivers.Options{}, wants)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Entries) != 1 || d.Entries[0].Name != "both+state" ||
		strings.Join(d.Entries[0].Narrowed, "; ") != "globals as they start: hidden" {
		t.Errorf("entries: %+v", d.Entries)
	}
	if len(d.LeftOut) != 2 || !d.LeftOut[0].Nothing || !d.LeftOut[1].Nothing {
		t.Errorf("left out: %+v", d.LeftOut)
	}
}

// TestStateForgets: what labels remember of the run is no state of the program's. It
// is not set as an input, and what a driver sets the program has not set.
func TestStateForgets(t *testing.T) {
	b := newBench(t)
	u := b.text(t, "s.c", `
static int klb_set_level_1, klb_set_levels_2; static unsigned klb_sequence_3;
static int level;
void set(int n) { level = n; klb_set_level_1 = 5; klb_set_levels_2 = 4; klb_sequence_3 |= 1u; }
int get(void) { return level == 3 && klb_set_level_1 == 5 && klb_set_levels_2 == 4 && klb_sequence_3; }
`)
	want := drivers.Want{Function: "get", Variant: drivers.State, Number: 1}
	d, err := drivers.ForUnit(u, drivers.Options{}, []drivers.Want{want})
	if err != nil || len(d.Entries) != 1 {
		t.Fatal(err, d)
	}
	text := string(d.Apply(u))
	text = text[strings.Index(text, "klabel_globals"):]
	if strings.Count(text, "klb_set_level_1 = 0;") != 1 || strings.Contains(text, "klb_set_levels_2") ||
		strings.Contains(text, "klb_sequence_3") {
		t.Errorf("the driver:\n%s", text)
	}
	var names []string
	for _, in := range d.Entries[0].Inputs.Inputs {
		names = append(names, in.Name)
	}
	if strings.Join(names, " ") != "level" {
		t.Errorf("inputs: %v", names)
	}
	if got := strings.Join(d.Entries[0].Narrowed, "; "); got != "what calls before this one did, as labels remember "+
		"it: klb_sequence_3" {
		t.Errorf("left out: %s", got)
	}
	if got := strings.Join(d.Entries[0].Remembers, " "); got != "klb_set_level_1 klb_set_levels_2" {
		t.Errorf("remembered: %s", got)
	}
}

// Letters are those of the C locale in a program that leaves it alone; a function's caller may set another one.
func TestLocale(t *testing.T) {
	const text = `#include <ctype.h>
#include <locale.h>
static int up(int c) { return isalpha(c) ? toupper(c) : c; }
int f(int c) { return up(c) == 'A'; }
int main(void) { SET return up('a') != 'A'; }
`
	for set, want := range map[string][]string{
		"":                         {"f: true", "main: false"},
		`setlocale(LC_CTYPE, "");`: {"f: true", "main: true"},
	} {
		u := newBench(t).text(t, "a.c", strings.Replace(text, "SET", set, 1))
		wants := []drivers.Want{{Function: "f", Number: 1}, {Function: "main", Number: 2}}
		d, err := drivers.ForUnit(u, drivers.Options{}, wants)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, e := range d.Entries {
			narrow := slices.ContainsFunc(e.Narrowed, func(s string) bool { return strings.Contains(s, "toupper") })
			got = append(got, fmt.Sprintf("%s: %v", e.Function, narrow))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", set, got, want)
		}
	}
}
