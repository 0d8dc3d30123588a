package prune

import (
	"testing"

	"klabel/csource"
	"klabel/label"
)

// TestAlwaysInline: what only holds in each call by itself is seen where the source wants its function to stand there;
// of an inline function that clang writes no code for nothing is claimed.
func TestAlwaysInline(t *testing.T) {
	_, _, x := parse(t, "int x;")
	for text, want := range map[string]bool{
		// Alone neither argument is known.
		`static inline __attribute__((always_inline)) int f(int a, int b, int x) {
			if (a) { x += b; cov_label(b, 1, "C"); }
			return x; }
		int g(int x) { return f(1, 0, x) + f(0, 1, x); }`: true,
		`static inline __attribute__((__always_inline__)) int f(int a, int b, int x) {
			if (a) { x += b; cov_label(b, 1, "C"); }
			return x; }
		int g(int x) { return f(1, 0, x) + f(1, 1, x); }`: false,
		`inline int f(int a) { if (a > 2) { cov_label(a < 9, 1, "C"); cov_label(a < 8, 2, "C"); } return a; }
		int g(int x) { return f(x); }`: false,
	} {
		u, err := csource.Parse(t.Context(), "u.c", []byte(text), csource.Options{Clang: x.Clang})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(t.Context(), Options{Units: []*csource.Unit{u}, Clang: x.Clang, Methods: []Method{Compiler}})
		if err != nil {
			t.Fatal(err)
		}
		got := len(r.Findings) > 0 && r.Findings[0].Status == label.Infeasible
		if got != want || !want && len(r.Findings) > 0 {
			t.Errorf("%s: %+v", text, r.Findings)
		}
	}
}
