package drivers_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"klabel/drivers"
)

// TestNumberOfAnother: a number that a function hands on with another pointer, or compares with an index of
// that one, says nothing of a pointer that it hands on without it.
func TestNumberOfAnother(t *testing.T) {
	b := newBench(t)
	for _, c := range []struct{ name, code, want string }{
		{"handed on with another one", "static int find(const char *s, const char *path) { return s[0] == path[0]; }\n" +
			"static int copy(char *to, int n) { return n > 0 ? to[n - 1] : 0; }\n" +
			"int f(const char *s, const char *path, char *to, int n) { return find(s, path) && copy(to, n); }", "to"},
		{"compared with an index of another one", "static int find(const char *path) { return path[0]; }\n" +
			"int f(const char *path, char *to, int n) { int j; if (!find(path)) return 0;\n" +
			"    for (j = 0; j < n; j++) to[j] = 0; return j; }", "to"},
		{"handed on with both", "void *memcpy(void *, const void *, unsigned long);\n" +
			"void f(const char *from, char *to, int n) { memcpy(to, from, n); }", "from to"},
		{"looked at itself", "static int find(const char *path) { return path[0]; }\n" +
			"static int copy(char *to, int n) { return n > 0 ? to[n - 1] : 0; }\n" +
			"int f(const char *path, char *to, int n) { return path[1] ? find(path) : copy(to, n); }", "path to"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "n.c")
			if err := os.WriteFile(file, []byte(c.code), 0o666); err != nil {
				t.Fatal(err)
			}
			d, err := drivers.ForUnit(b.unit(t, file), drivers.Options{}, []drivers.Want{{Function: "f", Number: 1}})
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, w := range d.Warnings {
				if words := strings.Fields(w); slices.Contains(words, "taken") {
					got = append(got, words[1])
				}
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("%q have a number, want %q: %q", got, c.want, d.Warnings)
			}
		})
	}
}

// TestItemsToldElsewhere: what another function does with two fields tells of them where a function asks an
// accessor how many items there are; and where there is no array there are none.
func TestItemsToldElsewhere(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(t.TempDir(), "l.c")
	code := "struct list { long *items; unsigned count, kind; };\n" +
		"void add(struct list *l, long x) { l->items[l->count++] = x; }\n" +
		"static unsigned many(const struct list *l) { return l ? l->count + l->kind : 0; }\n" +
		"long f(const struct list *l, unsigned i) { return i < many(l) ? l->items[i] : 0; }\n"
	if err := os.WriteFile(file, []byte(code), 0o666); err != nil {
		t.Fatal(err)
	}
	d, err := drivers.ForUnit(b.unit(t, file), drivers.Options{}, []drivers.Want{{Function: "f", Number: 1}})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"klee_assume(l_item.count <= 4);",
		"klee_assume((l_item.count == 0) | (l_item.items != 0));"} {
		if !strings.Contains(d.Text(), want) || strings.Contains(d.Text(), "assume(l_item.kind") {
			t.Errorf("no %s, or something of kind, in\n%s", want, d.Text())
		}
	}
}
