package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCause(t *testing.T) {
	for reason, want := range map[string]string{
		"reached only by failing tests: crashed: at f.c:3 (test000007)": "only failing tests reach it",
		"all 241 tests end in crashed: f.c:1503; not reached":           "all tests of its entries fail",
		"not within: 4 items behind p, floats":                          "not within: ... items ...",
		"not within: 8 items behind other, floats":                      "not within: ... items ...",
		"not reached; f has no entry: variable arguments":               "its function has no entry",
		"not reached":                          "not reached",
		"reached, its predicate not satisfied": "reached, not satisfied",
	} {
		if got := cause(reason); got != want {
			t.Errorf("%q is %q, want %q", reason, got, want)
		}
	}
}

func TestSources(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.c", "test_a.c", "src/b.c", "src/b.h", "lib/c.c", "example.c", "docs/d.c"} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	files, include := sources(dir)
	if got := strings.Join(files, " "); got != "a.c src/b.c lib/c.c" {
		t.Error(got)
	}
	if got := strings.Join(include, " "); got != ". src lib" {
		t.Error(got)
	}
	if described(dir) {
		t.Error("nothing describes it")
	}
}

func TestBehind(t *testing.T) {
	c := comparison{covered: map[string][]int{"native": {3, 5, 9}, "fuzz": {1, 2, 9}, "native+fuzz": {4, 7, 8}}}
	for engine, want := range map[string]int{"native": 2, "fuzz": 5, "native+fuzz": 0} {
		if got := c.behind(engine); got != want {
			t.Errorf("%s is behind by %d, want %d", engine, got, want)
		}
	}
}
