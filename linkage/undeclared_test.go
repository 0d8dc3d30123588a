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

func TestImplicitInt(t *testing.T) {
	load := loader(t)
	for text, want := range map[string]bool{
		"f(x) int x; { return x; }":                                true,
		"int f(x) { return x; }":                                   true,
		"int f(a, x) int a; { return x; }":                         true,
		"int f(a, x) int a, *x; { return *x; }":                    false,
		"static count; int f(void) { return count; }":              true,
		"int f(void) { register i = 3; const k = 4; return i*k; }": true,
		"int f(const n) { return n; }":                             true,
		"typedef long T; T f(T n) { return n; }":                   false,
		"struct s { int n : 3; }; int g(struct s *p) { for (unsigned i = 0; i < 3; i++) p->n++; return 1; }": false,
		"int (*h)(int, char); void f(void) { ; }":                                                            false,
	} {
		if got := ImplicitInt(load(text)); got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

func TestRedeclares(t *testing.T) {
	load := loader(t)
	for text, want := range map[string]string{
		"char *malloc(); void free(); int f(void) { free(malloc(1)); return 0; }": "free malloc",
		"#include <stdlib.h>\nchar *strcpy(); void *malloc(size_t); int f(void);": "strcpy",
		"void *malloc(unsigned n) { static char room[9]; return room + n; }":      "",
		"int f(int (*malloc)(int)) { extern char *realloc(); return malloc(1); }": "realloc",
		"int f(char *s) { double x, atof(), (*atoi)(); { char *malloc(); } x = 0; return atof(s) > x; }\n" +
			"int g(void) { extern double atol(); return 0; }": "atof atol malloc",
		"#include <stdlib.h>\nint f(char *s) { double atof(); return atof(s) > 1; }":   "",
		"extern int g(int); typedef int free; int f(void) { return g(sizeof(free)); }": "",
	} {
		if got := strings.Join(Redeclares(load(text)), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
