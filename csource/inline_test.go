package csource

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Clang says which inline functions a file defines for others.
func TestInline(t *testing.T) {
	clang := clangOf(t)
	for _, flags := range [][]string{nil, {"-std=gnu89"}, {"-fgnu89-inline"}} {
		for _, text := range []string{
			"int f(int n) { return n; }",
			"inline int f(int n) { return n; }",
			"extern inline int f(int n) { return n; }",
			"int f(int); inline int f(int n) { return n; }",
			"inline int f(int n) { return n; } extern inline int f(int);",
			"inline int f(int n) { return n; } int f(int);",
			"inline int f(int n); inline int f(int n) { return n; }",
			"__inline __attribute__ ((__gnu_inline__)) int f(int n) { return n; }",
			"extern inline __attribute__ ((gnu_inline)) int f(int n) { return n; }",
		} {
			dir := write(t, map[string]string{"f.c": text})
			ll := filepath.Join(dir, "f.ll")
			err := clang.IR(t.Context(), filepath.Join(dir, "f.c"), ll, append([]string{"-w"}, flags...))
			if err != nil {
				t.Fatal(err)
			}
			ir, err := os.ReadFile(ll)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Contains(string(ir), "define ") && !strings.Contains(string(ir), "available_externally")
			u, err := load(t, text, func(o *Options) { o.Flags = flags })
			if err != nil {
				t.Fatal(err)
			}
			if got := !u.Function("f").Inline; got != want {
				t.Errorf("%v, %s: for other files: %v, clang says %v", flags, text, got, want)
			}
			if u.Outline(func(string) bool { return true }) {
				t.Errorf("%v, %s: defined once more", flags, text)
			}
			if u.Outline(func(string) bool { return false }) {
				err := clang.IR(t.Context(), filepath.Join(dir, "f.c"), ll, append([]string{"-w"}, u.Flags...))
				ir, rerr := os.ReadFile(ll)
				if err != nil || rerr != nil || !strings.Contains(string(ir), "define dso_local") {
					t.Errorf("%v, %s: not defined with %v: %v, %v", flags, text, u.Flags, err, rerr)
				}
			} else if u.Function("f").Inline && !strings.Contains(text, "extern") {
				t.Errorf("%v, %s: nobody defines it", flags, text)
			}
		}
	}
}
