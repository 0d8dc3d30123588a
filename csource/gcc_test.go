package csource

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What gcc preprocesses holds words that clang refuses. It is read all the same,
// and what makes that possible is told.
func TestGccPreprocessed(t *testing.T) {
	clang := clangOf(t)
	head := `extern int fclose (void *);
extern void *fopen (const char *) __attribute__ ((__malloc__)) __attribute__ ((__malloc__ (fclose, 1))) ;
extern _Float32 ceilf32 (_Float32 __x); extern _Float64x ceilf64x (_Float64x __x);
extern _Float128 cabsf128 (_Float128 _Complex __z); extern _Complex _Float128 csinf128 (_Complex _Float128 __z);
`
	body := "int f(_Float128 q, double d) {\n  return (double)q > d && sizeof q == 16;\n}\n"
	path := filepath.Join(write(t, map[string]string{"f.i": head + body, "bad.i": head + "int g = ;\n"}), "f.i")
	u, err := Load(t.Context(), path, Options{Clang: clang})
	if err != nil {
		t.Fatal(err)
	}
	if len(u.Words) == 0 || u.Function("f") == nil {
		t.Errorf("words %q, functions %v", u.Words, u.Functions())
	}
	all := []string{"-fsyntax-only", "-w", "-x", "c"}
	if out, err := exec.CommandContext(t.Context(), clang.Path, append(append(all, u.Words...), path)...).
		CombinedOutput(); err != nil {
		t.Errorf("clang does not read the file with these words: %s", out)
	}
	if _, err = Load(t.Context(), filepath.Join(filepath.Dir(path), "bad.i"), Options{Clang: clang}); err == nil {
		t.Error("a mistake beside them is not seen")
	}
	own := write(t, map[string]string{"f.c": "typedef float _Float32;\n_Float32 x;\nint y = ;\n"})
	if _, err = Load(t.Context(), filepath.Join(own, "f.c"), Options{Clang: clang}); err == nil ||
		!strings.Contains(err.Error(), "f.c:3") {
		t.Errorf("a mistake where such a word is the program's own: %v", err)
	}
}
