package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"klabel/engine"
)

// Loops that nothing ends, and that do nothing, are errors in every mode; all others stay.
func TestEndlessLoops(t *testing.T) {
	clang, err := exec.LookPath("clang-14")
	if err != nil {
		clang, err = exec.LookPath("clang")
	}
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"all kinds", "for (;;) ; while (1) { } do ; while (2); for (x = 1;; ) {\n}", 4},
		{"no brace between if and else", "if (x) for (;;); else x = 2;", 1},
		{"what a macro makes", "#define CHECK(c) if (!(c)) { x = 0; for (;;) ; }\nCHECK(x > 3)", 1},
		{"a condition that may change", "while (x) ; do { } while (x > 3); for (; x;) ;", 0},
		{"a body", "for (;;) x++; while (1) { if (x) break; }", 0},
		{"something between rounds", "for (;; x++) ;", 0},
		{"never", "while (0) ; do ; while (0);", 0},
		{"a volatile condition", "volatile int v = 1; while (v) ;", 0},
		{"within an expression", "x = ( { int y = 2; for (;;) ; y; });", 1},
		{"a handler may end it", "extern unsigned alarm(unsigned); alarm(1); for (;;) ;", 0},
	} {
		modes := []engine.Mode{engine.Greybox, Replay, engine.Ignore, engine.Fused, engine.Fuzz}
		if testing.Short() {
			modes = modes[:2]
		}
		for _, m := range modes {
			file := filepath.Join(t.TempDir(), "f.c")
			if err := os.WriteFile(file, []byte("int f(int x)\n{\n"+c.body+"\nreturn x;\n}\n"), 0o666); err != nil {
				t.Fatal(err)
			}
			text, failure := Rewrite(load(t, file), Options{Mode: m})
			if failure != nil {
				t.Fatal(failure)
			}
			if n := strings.Count(string(text), EndlessSuffix); n != c.want {
				t.Errorf("%s, %s: %d loops end, want %d:\n%s", c.name, m, n, c.want, text)
			}
			if err != nil { // no clang
				continue
			}
			cmd := exec.Command(clang, "-xc", "-fsyntax-only", "-Werror", "-")
			cmd.Stdin = strings.NewReader(string(text))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s, %s: %s\n%s", c.name, m, out, text)
			}
		}
	}
}
