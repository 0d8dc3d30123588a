package prune_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"klabel/campaign"
	"klabel/prune"
)

// TestPredicates: labels from 1 to 9 can be covered by somebody, those from 10 on contradict
// themselves, in functions of which nothing else is known.
func TestPredicates(t *testing.T) {
	x := tools(t)
	for name, text := range map[string]string{
		"floats behind pointers": `struct s { float low, high; double d[3]; };
			int f(struct s *s, const float *x, int i) { float y = 0; for (int k = 0; k < i; k++) y += x[k];
			cov_label(y < -1.0f && !(y < -0.5f), 10, "x"); cov_label(y < s->low && !(y < s->high), 1, "x");
			cov_label(s->d[i] > 1e10 && s->d[i] < 1e9, 11, "x"); cov_label(s->d[i] > 1e10 && s->d[i + 1] < 1e9, 2, "x");
			cov_label(x[0] != x[0], 3, "x"); cov_label(!(x[i] < 1) && !(x[i] >= 1) && x[i] == x[i], 12, "x");
			cov_label(*x > 2 && x[0] < 1, 4, "x"); return 0; }`,
		"what may change, or is no number": `struct b { unsigned n : 3; }; volatile int v; int g(void);
			int f(struct b *b, char *p, char *q) { cov_label(v == 1 && v == 2, 1, "x"); cov_label(b->n > 7, 20, "x");
			cov_label(g() == 1 && g() == 2, 2, "x"); cov_label(p < q || q < p, 3, "x");
			cov_label((unsigned char)*p > 300, 10, "x"); cov_label(*p > 300, 11, "x"); return 0; }`,
		"names of a function's own": `enum { K = 3 }; typedef unsigned char T; typedef short U;
			int f(int x, int y) { enum { K = 7 }; typedef int T;
			cov_label(x == K && x != 3, 1, "x"); cov_label((T)x > 300, 2, "x"); cov_label((U)x > 40000, 10, "x");
			for (;;) { typedef int *U; if (x == y) return (U)0 == 0; } }`,
		"enumerations": `enum m { A, B = 5, C }; struct s { enum m m; long long w; };
			int f(struct s *s) { cov_label(s->m == B && s->m != 5, 10, "x"); cov_label(s->m == 77, 1, "x");
			cov_label(s->w > 1LL << 40, 2, "x"); cov_label(s->w / 4 > 1LL << 62, 11, "x"); return s->m == A; }`,
		"classes of characters, in any locale": `const unsigned short **__ctype_b_loc(void);
			enum { SPACE = 8192, ALPHA = 1024 };
			int f(char *s, int i) { cov_label((*__ctype_b_loc())[(int)((unsigned char)*s)] & SPACE && !*s, 10, "x");
			cov_label((*__ctype_b_loc ())[(int)*s] & ALPHA && *s == '1', 11, "x");
			cov_label(((*__ctype_b_loc())[i + 1] & ALPHA) && i + 1 == 233, 1, "x");
			cov_label((*__ctype_b_loc())[i] & SPACE && i == ' ', 2, "x");
			cov_label((*__ctype_b_loc())[i] & SPACE && !((*__ctype_b_loc())[i] & SPACE), 12, "x");
			cov_label((*__ctype_b_loc())[s[i]] & ALPHA && !((*__ctype_b_loc())[s[i]] & 8), 3, "x"); return 0; }`,
		"searches of a literal": `char *strchr(const char *, int); int f(char *s, char *t, int c) {
			cov_label(s != t && strchr(" \t", c) && c == 'x', 10, "x"); cov_label(strchr(" \t", c) && !c, 1, "x");
			cov_label(strchr("ab", *s) == (void *)0 && *s == 'b', 11, "x"); cov_label(strchr("ab\0c", c) && c == 'c', 12, "x");
			cov_label(strchr("ab", c) > s && c == 'x', 2, "x"); return 0; }`,
		"weak searches": `__attribute__((weak)) char *strchr(const char *s, int c) { return c == 'x' ? (char *)s : 0; }
			int f(int c) { cov_label(strchr("ab", c) && c == 'x', 1, "x"); return 0; }`,
		"searches by a name that is free": `char *index(const char *, int);
			int f(int c) { cov_label(index("ab", c) && c == 'x', 1, "x"); return 0; }`,
		"searches that the program defines": `char *strchr(const char *s, int c) { return c == 'x' ? (char *)s : 0; }
			int f(int c) { cov_label(strchr("ab", c) && c == 'x', 1, "x"); return 0; }`,
		"classes that the program tells": `unsigned short t[384] = {1}, *p = t + 128; unsigned short **__ctype_b_loc(void) {
			return &p; } int f(char *s) { cov_label((*__ctype_b_loc())[(int)*s] & 8192 && !*s, 1, "x"); return 0; }`,
	} {
		t.Run(name, func(t *testing.T) {
			said, notes := proofs(t, x, text, prune.Options{Methods: []prune.Method{prune.Native}, Open: true,
				Explore: campaign.Explorer(x.Clang)})
			all := " " + strings.Join(said, ", ") + ","
			for _, n := range []string{"10", "11", "12"} {
				if strings.Contains(text, ", "+n+", \"x\")") != strings.Contains(all, " "+n+" infeasible,") {
					t.Errorf("label %s: %s %q", n, all, notes)
				}
			}
			for _, n := range []string{"1", "2", "3", "4"} {
				if strings.Contains(all, " "+n+" infeasible,") {
					t.Errorf("label %s: %s %q", n, all, notes)
				}
			}
		})
	}
}

// TestManyLabelsInACondition: what a loop's counter holds is seen behind the labels of WM in its condition.
func TestManyLabelsInACondition(t *testing.T) {
	x := tools(t)
	said, notes := proofs(t, x, `int get(void); void put(int);
		int main(void) { int i, n; n = get();
		for (i = 0; (({ cov_label(i < 10, 1, "x"); cov_label(!(i < 10), 2, "x"); cov_label((i < 10) != (i <= 10), 3, "x");
			cov_label((i < 10) != (i == 10), 4, "x"); cov_label((i < 10) != (i != 10), 10, "x");
			cov_label((i < 10) != (-i < 10), 5, "x"); cov_label((i < 10) != (i - 1 < 10), 6, "x");
			cov_label(i < 0, 11, "x"); }), i < 10); i++) put(n);
		return i; }`, prune.Options{Methods: []prune.Method{prune.Compiler}, MaxPairs: -1})
	if got := strings.Join(said, ", "); got != "10 infeasible, 11 infeasible" {
		t.Errorf("%s %q", got, notes)
	}
}

// TestVectorsOfADecision: with calls among the conditions, what an earlier one says of n is known at each of the
// vectors, and not at the first of them alone.
func TestVectorsOfADecision(t *testing.T) {
	x := tools(t)
	text, want := `int get(void); int f(int n) { int a = 0, b = 0, c = 0, d = 0, e = 0, g = 0;
		int r = ((a = n == 1) || (b = n == 2)) || ((c = n == 3) && (d = get() > 0)) || ((e = n == 4) && (g = get() > 0));
		`, []string{}
	id := 0
	for bits := range 64 { // each vector is a label; those in which two conditions say what n is cannot be
		var lits []string
		for i, v := range []string{"a", "b", "c", "d", "e", "g"} {
			lits = append(lits, map[bool]string{true: v, false: "!" + v}[bits>>i&1 != 0])
		}
		id++
		text += fmt.Sprintf("cov_label(%s, %d, \"x\"); ", strings.Join(lits, " && "), id)
		a, b, c, d, e, g := bits&1, bits>>1&1, bits>>2&1, bits>>3&1, bits>>4&1, bits>>5&1
		if a+b+c+e > 1 || d > c || g > e {
			want = append(want, fmt.Sprintf("%d infeasible", id))
		}
	}
	said, notes := proofs(t, x, text+"return r; }", prune.Options{Methods: []prune.Method{prune.Compiler}, Open: true,
		MaxPairs: -1})
	slices.Sort(want)
	if slices.Sort(said); !slices.Equal(said, want) {
		t.Errorf("%q, want %q %q", said, want, notes)
	}
}

// TestPredicatesBesideAnEngine: where somebody else explores the program, remainders and three conditions that
// contradict each other are looked at all the same.
func TestPredicatesBesideAnEngine(t *testing.T) {
	x := tools(t)
	said, notes := proofs(t, x, `int get(void);
		int f(int n) { int y = get(), a = get(), b = get(); for (int i = 0; i < n; i++) y += get();
		cov_label(y % 4 && y % 100 == 0, 10, "x"); cov_label(y % 4 == 0 && y % 100, 1, "x");
		cov_label(a == b && a == 0 && b != 0, 11, "x"); cov_label(a != b && a == 0 && b != 0, 2, "x");
		cov_label(a % b == 5 && b == 5, 12, "x"); cov_label(a / b == 2 && b < 0 && a < 0, 3, "x");
		return y; }`,
		prune.Options{Methods: []prune.Method{prune.Native}, Open: true, Explored: true,
			Explore: campaign.Explorer(x.Clang)})
	if got := strings.Join(said, ", "); got != "10 infeasible, 11 infeasible, 12 infeasible" {
		t.Errorf("%s %q", got, notes)
	}
}
