package csource

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// What Load says that it has read is what Sum says, for a file that clang refuses,
// too; and another text, of the file or of a header, is another sum.
func TestLoadSummed(t *testing.T) {
	seen := map[string]string{}
	for name, text := range map[string]string{
		"plain":      "#include \"h.h\"\nint f(void) { return N; }\n",
		"comment":    "#include \"h.h\"\nint f(void) { return N; } /* */\n",
		"its labels": "#define pc_label(...) do {} while (0)\nint f(int x) { pc_label(x, 1); return x; }\n",
		"refused":    "int f(void) { return 1 }\n",
		"no header":  "#include \"nothere.h\"\nint x;\n",
		"binary":     "int x;\x00\n",
	} {
		dir := write(t, map[string]string{"f.c": text, "h.h": "#define N 1\n"})
		path, o := filepath.Join(dir, "f.c"), Options{Clang: clangOf(t)}
		_, loaded, err := LoadSummed(context.Background(), path, o)
		sum, serr := Sum(context.Background(), path, o)
		if serr != nil || sum == "" || sum != loaded {
			t.Errorf("%s (%v): Load read %q, Sum says %q, %v", name, err, loaded, sum, serr)
		}
		if other := seen[sum]; other != "" {
			t.Errorf("%s and %s have one sum", name, other)
		}
		seen[sum] = name
		if name != "plain" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "h.h"), []byte("#define N 2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, now, err := LoadSummed(context.Background(), path, o); err != nil || now == loaded {
			t.Errorf("another header, the same sum: %v", err)
		}
	}
}
