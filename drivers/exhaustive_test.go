package drivers_test

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/drivers"
	"klabel/engine/native"
	"klabel/label"
)

// program writes a random unit with a function f. Its inputs are small enough
// to try them all: two bytes, a truth value and the bytes of the state.
func randomUnit(r *rand.Rand) string {
	atoms := []string{"a", "p.x", "b", "1", "3", "200"}
	parts := []struct{ name, text string }{
		{"", "static unsigned char level;\nvoid set_level(unsigned char to) { level = to; }\n"},
		{"level", ""},
		{"speed", "unsigned char speed;\n"},
		{"fixed", "static unsigned char fixed = 9;\n"},
		{"table[a & 3]", "static const unsigned char table[4] = {1, 20, 3, 250};\n"},
		{"*where", "static unsigned char *const where = &level;\n"},
		{"twice(a)", "static unsigned char twice(unsigned char x) { return (unsigned char)(2 * x); }\n"},
		{"relative(a)", "static unsigned char relative(unsigned char x) { return (unsigned char)(x - level); }\n"},
		{"ticks()", "static unsigned char ticks(void) { static unsigned char n; return n++; }\n"},
		{"(int)c", ""},
		{"by[a & 1](b)", "static unsigned char one(unsigned char x) { return x ^ 1; }\nstatic unsigned char (*const by[])(unsigned char) = {one, one};\n"},
	}
	var out strings.Builder
	out.WriteString("#ifndef cov_label\n#define cov_label(...) do { } while (0)\n#endif\n" +
		"struct p { unsigned char x; };\nenum c { RED, GREEN = 7 };\n")
	for i, p := range parts {
		if p.text != "" {
			out.WriteString(p.text)
		}
		// A third of what there is is read: many functions depend on little.
		if i > 0 && r.Intn(3) == 0 && (p.name != "ticks()" || r.Intn(4) == 0) {
			atoms = append(atoms, p.name, p.name)
		}
	}
	atom := func() string { return atoms[r.Intn(len(atoms))] }
	value := func() string {
		op := []string{"+", "-", "^", "&", "|", "*"}[r.Intn(6)]
		return "(unsigned char)(" + atom() + " " + op + " " + atom() + ")"
	}
	condition := func() string {
		op := []string{"==", "<", ">", "!="}[r.Intn(4)]
		c := value() + " " + op + " " + value()
		if r.Intn(2) == 0 {
			c += " && " + atom() + " == " + fmt.Sprint(r.Intn(260))
		}
		return c
	}
	out.WriteString("int f(unsigned char a, _Bool b, struct p p, enum c c)\n{\n    unsigned char n = 0;\n\n" +
		"    (void)c;\n")
	for id := 1; id <= 8; id++ {
		fmt.Fprintf(&out, "    cov_label(%s, %d, \"CC\");\n", condition(), id)
		if id%3 == 0 {
			fmt.Fprintf(&out, "    if (%s)\n        return n;\n    n = %s;\n", condition(), value())
		}
	}
	out.WriteString("    return n;\n}\n")
	return out.String()
}

// enumeration calls f with everything that it can be given, in many states.
const enumeration = `#include <stdio.h>
static int hits[9];
#define cov_label(e, id, tag) do { if (e) hits[id] = 1; } while (0)
#include "unit.c"
int main(void)
{
    static const unsigned char some[] = {0, 1, 7, 128, 200, 255};
    unsigned a, x, l, id, n = 1;

    for (l = 0; l < 256; l++)
        for (a = 0; a < 256; a++)
            for (x = 0; x < 256; x++) {
                struct p p = {x};

                n = n * 1664525u + 1013904223u;
                set_level(l);
                speed = some[(n >> 8) % 6];
                f(a, n >> 30 & 1, p, (n >> 16) % 3 * 7);
            }
    for (id = 1; id < 9; id++)
        if (hits[id])
            printf("%d ", id);
    return 0;
}
`

// TestExhaustive holds the claim of entries against enumeration: what an
// exhaustive one does not cover, nobody covers.
func TestExhaustive(t *testing.T) {
	b := newBench(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	seeds, claims := int64(12), 0
	if testing.Short() {
		seeds = 6
	}
	for seed := int64(1); seed <= seeds; seed++ {
		text := randomUnit(rand.New(rand.NewSource(seed)))
		u := b.text(t, "unit.c", text)
		d, err := drivers.ForUnit(u, drivers.Options{AnyEnum: true}, []drivers.Want{
			{Function: "f", Number: 1}, {Function: "f", Variant: drivers.State, Number: 2}})
		if err != nil {
			t.Fatal(err)
		}
		var feasible []label.ID
		for _, e := range d.Entries {
			if len(e.Narrowed) > 0 {
				continue
			}
			claims++
			if feasible == nil {
				feasible = enumerate(t, u.Path, b)
			}
			whole := append(d.Apply(u), fmt.Sprintf("int main(void)\n{\n    %s();\n    return 0;\n}\n", e.Symbol)...)
			driven, err := csource.Parse(context.Background(), u.Path, whole, b.options())
			if err != nil {
				t.Fatalf("%v\n%s", err, whole)
			}
			covered := map[label.ID]bool{}
			pool := b.replayer(t, driven)
			ids, _, _ := b.explored(t, driven, native.New(b.tools.Clang).WithBinary(exe), b.tools.Clang, pool, e.Inputs)
			for _, id := range ids {
				covered[id] = true
			}
			for _, id := range feasible {
				if !covered[id] {
					t.Errorf("seed %d: %s is said to be exhaustive and does not cover label %v:\n%s\n%s", seed, e.Name,
						id, text, d.Text())
				}
			}
		}
	}
	if claims < int(seeds)/2 {
		t.Errorf("only %d entries were exhaustive", claims)
	}
}

func enumerate(t *testing.T, unit string, b *bench) (out []label.ID) {
	t.Helper()
	dir := filepath.Dir(unit)
	main := filepath.Join(dir, "main.c")
	if err := os.WriteFile(main, []byte(enumeration), 0o600); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "main")
	if err := b.tools.Clang.Executable(context.Background(), []string{main}, bin, []string{"-O2", "-w"}); err != nil {
		t.Fatal(err)
	}
	said, err := exec.Command(bin).Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range strings.Fields(string(said)) {
		id, err := label.ParseID(w)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, id)
	}
	return out
}
