package campaign

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/runtime_c"
)

// What a change of the program changes of the entries: those that reach it, and no
// others.
func TestSumsOfEntries(t *testing.T) {
	t.Parallel()
	clang, err := testTools(t, "").RequireClang()
	if err != nil {
		t.Skip(err)
	}
	rt, done, err := runtime_c.Shared()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	const before = `#include "h.h"
static int table(int x) { return x + 1; }
int (*const way)(int) = table;
int limit = 5;
static int leaf(int x) { if (x > 3) return 1; return 0; }
int mid(int x) { if (x) return leaf(x); return LIMIT; }
int through(int x) { if (x == 9) return 2; return way(x); }
int global(int x) { if (x > limit) return 1; return 0; }
int alone(int x) { if (x == 77) return 1; return 0; }
`
	dir := t.TempDir()
	path := filepath.Join(dir, "f.c")
	sums := func(text, header string) map[string]string {
		t.Helper()
		for name, s := range map[string]string{"f.c": text, "h.h": header} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(s), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		j := &Job{Sources: []Source{{Path: path}}, AllFunctions: true, Criteria: []string{"CC"}}
		p, err := load(t.Context(), clang, rt, j, start{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return p.sumsOf(p.image, "", j)
	}
	const header = "#define LIMIT 4\n"
	first := sums(before, header)
	for _, c := range []struct{ from, to, header, changed string }{
		{"", "", header, ""},
		{"int alone", "\n\n/* far */ int alone", header, ""},
		{"x > 3", "x > 4", header, "leaf mid"},
		{"x > 3", "x > 3 && x < 90", header, "leaf mid"}, // which moves the numbers of all labels behind
		{"x == 77", "x == 78", header, "alone"},
		{"return x + 1", "return x + 2", header, "table through"},
		{"limit = 5", "limit = 6", header, "alone global leaf mid table through"},
		{"", "", "#define LIMIT 5\n", "mid"},
		{"", "", header + "struct s { int a; };\n", "alone global leaf mid table through"},
		{"int alone", "int further(int x) { return x ? 1 : 2; }\nint alone", header, ""},
	} {
		now := sums(strings.Replace(before, c.from, c.to, 1), c.header)
		var changed []string
		for name, sum := range first {
			differs := now[name] != sum
			if name, _, _ = strings.Cut(name, "+"); differs && !slices.Contains(changed, name) {
				changed = append(changed, name)
			}
		}
		slices.Sort(changed)
		if got := strings.Join(changed, " "); got != c.changed {
			t.Errorf("%q for %q, header %q: changed are %q, want %q", c.to, c.from, c.header, got, c.changed)
		}
	}
}
