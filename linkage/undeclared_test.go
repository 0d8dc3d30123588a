package linkage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/csource"
	"klabel/toolchain"
)

func TestUndeclared(t *testing.T) {
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("SKIPPED: no clang on this machine")
	}
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
		file := filepath.Join(t.TempDir(), "f.c")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		u, err := csource.Load(t.Context(), file, csource.Options{Clang: tools.Clang, Flags: []string{"-w"}})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := strings.Join(Undeclared(u), " "); got != want {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
