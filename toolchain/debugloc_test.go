package toolchain

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCallsHaveLines(t *testing.T) {
	c := realClang(t)
	dir := t.TempDir()
	src := filepath.Join(dir, "s.c")
	if err := os.WriteFile(src, []byte("struct s { int a, b, c; };\nint f(struct s x) { return x.b; }\n"+
		"int g(void) { struct s y = {1, 2, 3}; return f(y); }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ll := filepath.Join(dir, "s.ll")
	if err := c.IR(context.Background(), src, ll, nil); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(ll)
	if err != nil {
		t.Fatal(err)
	}
	fixed, _ := withLines(text)
	for _, l := range strings.Split(string(fixed), "\n") {
		if strings.Contains(l, "call ") && strings.HasPrefix(l, " ") && !strings.Contains(l, "!dbg") {
			t.Errorf("a call without a line is left: %s", l)
		}
	}
	if again, changed := withLines(fixed); changed || string(again) != string(fixed) {
		t.Error("a second pass changes the text again")
	}
	bc := filepath.Join(dir, "s.bc")
	if err := c.Bitcode(context.Background(), src, bc, nil); err != nil {
		t.Fatal(err)
	}
	back := filepath.Join(dir, "back.ll")
	if err := c.IR(context.Background(), bc, back, nil); err != nil {
		t.Fatal(err)
	}
	text, err = os.ReadFile(back)
	if err != nil || !strings.Contains(string(text), "line: 0") {
		t.Errorf("the bitcode has no line 0 for the copy of the structure: %v", err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*.lines.ll")); len(left) > 0 {
		t.Errorf("files are left: %v", left)
	}
}
