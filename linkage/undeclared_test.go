package linkage

import (
	"strings"
	"testing"
)

func TestUndeclared(t *testing.T) {
	load := loader(t)
	for text, want := range map[string]string{
		"char *f(int n) { return (char *) malloc(n); }":                                         "malloc",
		"int f(int n) { return helper(n); } int helper(int n) { return n; }":                    "helper",
		"int f(int n) { return lseek(n, 0, 0) + lseek(n, 0, 1) + sleep(1); }":                   "lseek sleep",
		"int helper(int n); int f(int n) { return helper(n); } int helper(int n) { return n; }": "",
		"#include <stdlib.h>\nvoid *f(int n) { return malloc(n); }":                             "",
		"int f(int n) { extern int g(int); return g(n); }":                                      "",
		"int f(int (*g)(int), int n) { return g(n) + (*g)(n); }":                                "",
		"int f(int n) { int (*g)(int) = f; return n ? g(n - 1) : __builtin_popcount(n);}":       "",
		"struct s { int (*g)(int); }; int f(struct s *s) { return s->g(1); }":                   "",
	} {
		u := load(text)
		if got := strings.Join(Undeclared(u), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
