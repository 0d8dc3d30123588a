package prune

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/csource"
	"klabel/toolchain"
)

// recorded puts a program into dir that notes each of its starts in a file and
// then does what the real one does.
func recorded(t *testing.T, dir, name, log string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s", name)
	}
	file := filepath.Join(dir, name)
	if err := os.WriteFile(file, []byte(fmt.Sprintf("#!/bin/sh\necho \"%s $*\" >> '%s'\nexec '%s' \"$@\"\n", name, log,
		path)), 0o777); err != nil {
		t.Fatal(err)
	}
	return file
}

// A function that is as it was costs nothing the next time, neither in Frama-C
// nor in why3, also when another one has changed.
func TestUnchangedFunctionStartsNoProver(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	framac := recorded(t, dir, "frama-c", log)
	recorded(t, dir, "why3", log)
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	program := func(body string) *csource.Unit {
		_, u, _ := parse(t, `extern int klee_range(int, int, const char *);
static int f(int x) { cov_label(x > 20, 1, "I"); cov_label(x > 3, 2, "C"); cov_label(3 < x, 3, "C"); return x; }
static int g(int y) { `+body+` cov_label(y > y + 1 && y < 9, 4, "I"); return y; }
int main(void) { return f(klee_range(0, 9, "x")) + g(klee_range(0, 9, "y")); }`)
		return u
	}
	first, changed := program(""), program("y = y & 7;")
	cache := t.TempDir()
	run := func(u *csource.Unit) (found, starts []string) {
		t.Helper()
		os.Remove(log)
		r, err := Run(t.Context(), Options{Units: []*csource.Unit{u},
			FramaC: &toolchain.Tool{Name: "frama-c", Path: framac}, Methods: []Method{Eva, WP, EvaWP}, CacheDir: cache,
			Budget: 2 * time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			found = append(found, fmt.Sprintf("%d %v of %d by %s: %s", f.ID, f.Status, f.Of, f.Method, f.Text))
		}
		b, _ := os.ReadFile(log)
		for l := range strings.Lines(string(b)) {
			starts = append(starts, strings.TrimSpace(l))
		}
		return found, starts
	}
	found, starts := run(first)
	if len(found) < 3 || !slices.ContainsFunc(starts, func(
		s string) bool {
		return strings.Contains(s, "-wp-fct f ")
	}) {
		t.Fatalf("found %q with %q", found, starts)
	}
	again, starts := run(first)
	if len(starts) > 0 || !slices.Equal(found, again) {
		t.Errorf("the second time: %q, found %q, the first time %q", starts, again, found)
	}
	_, starts = run(changed)
	if len(starts) == 0 {
		t.Error("nothing was asked of the changed program")
	}
	for _, s := range starts {
		if strings.Contains(s, "-wp-fct f ") {
			t.Errorf("f has not changed, and is proved again: %s", s)
		}
	}
}

// The same for functions that the engine explores alone.
func TestUnchangedFunctionIsNotExplored(t *testing.T) {
	cache := t.TempDir()
	explored := func(body string) (names []string) {
		t.Helper()
		_, u, x := parse(t, `static int h(int x) { return x + 1; }
static int f(int x) { cov_label(h(x) > x && h(x) < x, 1, "I"); return x; }
static int g(int y) { `+body+` cov_label(y > y + 1 && y < 9, 2, "I"); return y; }
int main(int argc, char **argv) { return f(argc) + g(argc); }`)
		_, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, CSource: csource.Options{Clang: x.Clang},
			Methods: []Method{Native}, CacheDir: cache,
			Explore: func(_ context.Context, u *csource.Unit, dir string) (Exploration, error) {
				names = append(names, filepath.Base(dir))
				return Exploration{Complete: true}, nil
			}})
		if err != nil {
			t.Fatal(err)
		}
		return names
	}
	for i, want := range []string{"[local1 local2 predicates0]", "[]"} {
		if got := explored(""); fmt.Sprint(got) != want {
			t.Errorf("time %d: %v, want %v", i+1, got, want)
		}
	}
	if got := explored("y = y & 7;"); fmt.Sprint(got) != "[local2 around0]" {
		t.Errorf("with g changed: %v", got)
	}
}
