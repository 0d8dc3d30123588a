package prune_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"klabel/campaign"
	"klabel/csource"
	"klabel/label"
	"klabel/prune"
	"klabel/toolchain"
)

// proofs runs methods on a text and returns what they say of its labels, as
// "1 infeasible", "2=1" (duplicate) and "3<1" (subsumed), and their notes.
func proofs(t *testing.T, x *toolchain.Tools, text string, o prune.Options) (said, notes []string) {
	t.Helper()
	co := csource.Options{Clang: x.Clang, Flags: o.CSource.Flags}
	u, err := csource.Parse(t.Context(), "t.c", []byte(text), co)
	if err != nil {
		t.Fatal(err)
	}
	o.Units, o.CSource, o.Budget = []*csource.Unit{u}, co, 40*time.Second
	if o.Clang == nil {
		o.Clang = x.Clang
	}
	res, err := prune.Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range res.Findings {
		switch f.Status {
		case label.Infeasible:
			said = append(said, fmt.Sprintf("%d infeasible", f.ID))
		case label.Duplicate:
			said = append(said, fmt.Sprintf("%d=%d", f.ID, f.Of))
		case label.Subsumed:
			said = append(said, fmt.Sprintf("%d<%d", f.ID, f.Of))
		}
	}
	slices.Sort(said)
	return said, res.Notes
}

// In an open program a caller that is not seen may do what no caller in the
// unit does: labels from 1 to 9 can be covered, those from 10 on cannot.
var openPrograms = map[string]string{
	"static function": `static int f(int x) { cov_label(x == 5, 1, "x"); cov_label(x < 3 && x > 7, 10, "x"); return x; }
		int g(void) { return f(3); }`,
	"nobody calls it": `static int f(int x) { cov_label(x == 5, 1, "x"); cov_label(x != x, 10, "x"); return x; } int main(void) { return 0; }`,
	"inline":          `inline int f(int x) { cov_label(x == 5, 1, "x"); return x; } int g(void) { return f(3); }`,
	"static variable": `static int n; static int top(void) { cov_label(n == 7, 1, "x"); cov_label(n < 0, 2, "x"); return n; }
		int set(void) { n = 1; return top(); }`,
	"variable of a function": `int f(void) { static int n; cov_label(n == 7, 1, "x"); if (n < 3) n++; cov_label(n == 0 && n == 1, 10, "x"); return n; }`,
	"constants": `static const int k = 3; static int t[3] = { 1, 2, 3 }; static int never;
		int f(int i) { cov_label(k == 4, 10, "x"); cov_label(never, 11, "x"); cov_label(t[1] == 3, 12, "x"); cov_label(i == k, 1, "x"); return t[1]; }`,
	"volatile":     `volatile unsigned r; int f(void) { for (int i = 0; i < 3; i++) if (r & 1) { cov_label(i == 2, 1, "x"); return 1; } cov_label(r & 1, 2, "x"); return 0; }`,
	"address seen": `static int n; int *where(void) { return &n; } int f(void) { cov_label(n, 1, "x"); return n; }`,
	"by main":      `static int n; int f(int x) { cov_label(x != 1 && n == 0, 1, "x"); return x; } int main(void) { n = 2; return f(1); }`,
	"result":       `static int zero(void) { return 0; } int f(void) { int x = zero(); cov_label(x, 10, "x"); return x; }`,
	"aliases": `int g; int f(int *p, short *q, int x) { g = 1; *p = 2; cov_label(g == 2, 1, "x"); *q = 9; cov_label(g == 9 && x, 2, "x");
		cov_label(g == 1 && p == &g && (void *)q != (void *)p && (void *)q != (char *)p + 2, 10, "x"); return g; }`,
	"called back": `static int depth; void other(void); int f(int x) { depth = 0; other(); cov_label(depth, 1, "x"); return x; } int g(int x) { depth = x; return f(x); }`,
	"weak": `__attribute__((weak)) int hook(int x) { return x; } __attribute__((weak)) void isr(void) {} static int n;
		int f(int x) { cov_label(hook(x) == x + 1, 1, "x"); int y = hook(x); cov_label(y != x, 2, "x"); return y; }
		int g(void) { n = 3; isr(); cov_label(n == 4, 3, "x"); return n; } void h(int x) { n = x; }`,
	"stack": `static int s[4], top; int pop(void) { cov_label(top > 0, 1, "x"); cov_label(!(top > 0), 2, "x"); if (top > 0) return s[--top]; return -1; }
		int push(int x) { cov_label(top < 4, 3, "x"); cov_label(!(top < 4), 4, "x"); if (top < 4) { s[top++] = x; return 1; } return 0; }
		int main(void) { return pop(); }`,
}

func TestOpenPrograms(t *testing.T) {
	x := tools(t)
	all := os.Getenv("KLABEL_PRUNE_ALL") != ""
	for name, text := range openPrograms {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, m := range prune.AllMethods {
				if m == prune.EvaWP && !all && name != "aliases" && name != "stack" {
					continue // it takes as long as all the others
				}
				if (m == prune.Eva || m == prune.WP || m == prune.EvaWP) &&
					(x.FramaC == nil || testing.Short() && name != "aliases") {
					continue
				}
				said, notes := proofs(t, x, text, prune.Options{Open: true, FramaC: x.FramaC,
					Explore: campaign.Explorer(x.Clang), Methods: []prune.Method{m}})
				for _, s := range said {
					if len(s) == len("1 infeasible") {
						t.Errorf("%s says: %s", m, s)
					}
				}
				want := 0
				if m == prune.Compiler {
					want = strings.Count(text, ", 10,") + strings.Count(text, ", 11,") + strings.Count(text, ", 12,")
				}
				if len(said) < want && name != "aliases" {
					t.Errorf("%s proves %v, %d labels are infeasible; %v", m, said, want, notes)
				}
			}
		})
	}
}

// What a program promises the compiler, and a replay does not check, proves
// nothing; nor does what depends on how far a compiler looks. Label 1 can be
// covered.
func TestPromisesProveNothing(t *testing.T) {
	x := tools(t)
	for name, text := range map[string]string{
		"assume":          `int f(int x) { __builtin_assume(x > 3); cov_label(x < 3, 1, "x"); return x; }`,
		"assume_aligned":  `int f(char *p) { p = __builtin_assume_aligned(p, 64); cov_label(((unsigned long)p & 63) != 0, 1, "x"); return 0; }`,
		"constant_p":      `static int g(int x) { cov_label(__builtin_constant_p(x), 1, "x"); cov_label(!__builtin_constant_p(x), 2, "x"); return x; } int f(int x) { return g(x); }`,
		"constant_p 1":    `static int g(int x) { cov_label(!__builtin_constant_p(x), 1, "x"); return x; } int f(void) { return g(3); }`,
		"object_size":     `static int g(char *p) { cov_label(__builtin_object_size(p, 0) != 10, 1, "x"); return *p; } int f(void) { char b[10]; b[0] = 0; return g(b); }`,
		"pure":            `int n; int look(void) __attribute__((pure)); int f(void) { n = 0; look(); int a = look(); n++; a -= look(); cov_label(a || n != 1, 1, "x"); return a; }`,
		"const":           `int look(int) __attribute__((const)); int f(void) { int a = look(1), b = look(1); cov_label(a != b, 1, "x"); return a; }`,
		"malloc":          `int n; int *get(void) __attribute__((malloc)); int f(void) { n = 1; int *p = get(); *p = 2; cov_label(n == 2, 1, "x"); return n; }`,
		"returns_nonnull": `int *get(void) __attribute__((returns_nonnull)); int f(void) { int *p = get(); cov_label(!p, 1, "x"); return 0; }`,
		"nonnull":         `int f(int *p) __attribute__((nonnull)); int f(int *p) { cov_label(!p, 1, "x"); return 0; }`,
		"aligned type":    `struct s { int a; } __attribute__((aligned(64))); int f(struct s *p) { p->a = 1; cov_label(((unsigned long)p & 63) != 0, 1, "x"); return 0; }`,
		"errno": `extern int *__errno_location(void) __attribute__((nothrow, const)); double sqrt(double); int printf(const char *, ...);
			int f(double d) { *__errno_location() = 0; d = sqrt(d); cov_label(*__errno_location() != 0, 1, "x"); return d > 2; }
			int g(void) { *__errno_location() = 0; printf("x"); cov_label(*__errno_location() != 0, 2, "x"); return 0; }`,
		"its own strlen": `int n; unsigned long strlen(const char *s) { return n++; } int f(void) { n = 0; strlen("a"); cov_label(n != 0, 1, "x"); return n; }`,
		"fast math":      `int f(double d) { cov_label(d != d, 1, "x"); return 0; }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, _ := proofs(t, x, text, prune.Options{Open: true, Methods: []prune.Method{prune.Compiler},
				CSource: csource.Options{Flags: []string{"-ffast-math"}}, MaxPairs: -1})
			if len(said) != 0 {
				t.Errorf("it says %v", said)
			}
		})
	}
}

// A function that runs where the scope of a variable ends may end the run: what
// stands behind is not reached together with what stands before.
func TestCleanupLeavesABlock(t *testing.T) {
	x := tools(t)
	said, _ := proofs(t, x, `void exit(int); static void bye(int *p) { if (*p) exit(0); }
		int f(int x) { cov_label(1, 1, "x"); { int v __attribute__((cleanup(bye))) = x; v++; } cov_label(1, 2, "x"); return x; }
		int g(int x) { cov_label(1, 3, "x"); if (x) { int v __attribute__((__cleanup__(bye))) = x; v++; } cov_label(1, 4, "x"); return x; }
		int h(int x) { cov_label(1, 5, "x"); { int v = x; v++; } cov_label(1, 6, "x"); return x; }`, prune.Options{Open: true, Methods: []prune.Method{prune.Compiler}})
	if len(said) != 1 || said[0] != "6=5" {
		t.Errorf("it says %v, and 6=5 alone is so", said)
	}
}

// A compiler that says nothing, or not all, proves nothing, and nothing of the
// kind is kept for later.
func TestSilenceIsNoProof(t *testing.T) {
	x := tools(t)
	const text = `int f(int x) { cov_label(x == 5, 1, "x"); cov_label(x != x, 2, "x"); return x; }`
	const find = `out=; for a; do [ "$last" = -o ] && out=$a; last=$a; done; `
	for name, script := range map[string]string{
		"empty":        find + `: > "$out"`,
		"no file":      `exit 0`,
		"empty at -O2": find + `case " $* " in *" -O2 "*) : > "$out";; *) exec "$REAL" "$@";; esac`,
		"cut short":    find + `case " $* " in *" -O2 "*) "$REAL" "$@" && sed '/^define.*@f(/,$d' "$out" > "$out.x" && mv "$out.x" "$out";; *) exec "$REAL" "$@";; esac`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			fake := *x.Clang
			fake.Path = filepath.Join(dir, "clang")
			script = "#!/bin/sh\nREAL='" + x.Clang.Path + "'\n" + script + "\n"
			if err := os.WriteFile(fake.Path, []byte(script), 0o777); err != nil {
				t.Fatal(err)
			}
			o := prune.Options{Open: true, Clang: &fake, Methods: []prune.Method{prune.Compiler},
				CacheDir: filepath.Join(dir, "cache")}
			if said, notes := proofs(t, x, text, o); len(said) != 0 || len(notes) == 0 {
				t.Errorf("it says %v, %v", said, notes)
			}
			o.Clang = x.Clang
			if said, _ := proofs(t, x, text, o); len(said) != 1 || said[0] != "2 infeasible" {
				t.Errorf("with the real compiler it says %v", said)
			}
		})
	}
}

// A program may be started with any number of arguments of any length, whatever it is explored with.
func TestArgumentsOfMain(t *testing.T) {
	x := tools(t)
	for name, text := range map[string]string{
		"counted": `static int f(int n) { cov_label(n > 9, 1, "x"); cov_label(n > 9 && n < 3, 10, "x"); return n; }
			int main(argc, argv) int argc; char **argv; { if (argc > 3) return f(argc); return 0; }`,
		"read": `int main(int argc, char **argv) { int n = 0; if (argc > 1) while (argv[1][n]) n++;
			cov_label(n > 200, 1, "x"); cov_label(n == 3, 2, "x"); return n; }`,
		"not looked at": `static int f(int n) { cov_label(n > 3, 10, "x"); cov_label(n == 3, 1, "x"); return n; }
			int main(int argc, char **argv) { return f(3); }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			said, notes := proofs(t, x, text, prune.Options{FramaC: x.FramaC})
			if slices.Contains(said, "1 infeasible") || slices.Contains(said, "2 infeasible") {
				t.Errorf("said %q", said)
			}
			if strings.Contains(text, "10,") && !slices.Contains(said, "10 infeasible") {
				t.Errorf("label 10 stays open: %q, %q", said, notes)
			}
		})
	}
}
