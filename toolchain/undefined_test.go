package toolchain

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Names that linkers look for in vain, in the words of GNU's and of lld.
func TestUndefined(t *testing.T) {
	const said = "/usr/bin/ld: /tmp/b.o: in function `twice':\n" +
		"b.c:4: undefined reference to `away'\n" +
		"/usr/bin/ld: b.c:5: undefined reference to `away'\n" +
		"/usr/bin/ld: run_tests: internal symbol `far' isn't defined\n" +
		"ld.lld: error: undefined symbol: modes\n" +
		"ld.lld: error: undefined hidden symbol: shade\n" +
		"/usr/bin/ld: final link failed: bad value\n"
	got := Undefined(said)
	if want := []string{"away", "far", "modes", "shade"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Undefined("all is well"); len(got) != 0 {
		t.Errorf("%q of nothing", got)
	}
}

// The quick linker is taken where nothing else is asked for, and what it refuses is said
// in the usual one's words.
func TestQuickLinker(t *testing.T) {
	c := realClang(t)
	if c.quickLinker(nil) == "" {
		t.Skip("SKIPPED: no lld beside this clang")
	}
	for _, flag := range []string{"-fuse-ld=bfd", "--target=x86_64-linux-gnu", "--sysroot=/", "-c", "-r"} {
		if got := c.quickLinker([]string{"-O2", flag}); got != "" {
			t.Errorf("%s: %s", flag, got)
		}
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	for text, want := range map[string]string{
		"int main(void) { return 0; }\n":                       "",
		"int away(void);\nint main(void) { return away(); }\n": "undefined reference to `away'",
		"int main(void) { return nothing; }\nint far(void);\n": "undeclared identifier 'nothing'",
	} {
		file := filepath.Join(dir, "f.c")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		err := c.Executable(t.Context(), []string{file}, out, []string{"-fsanitize=address"})
		var te *ToolError
		switch {
		case want == "" && err != nil, want != "" && (!errors.As(err, &te) || !strings.Contains(te.Stderr, want)):
			t.Errorf("%q: %v", text, err)
		}
	}
}
