package linkage

import (
	"os"
	"path/filepath"
	"testing"

	"klabel/csource"
	"klabel/toolchain"
)

func TestArgumentCount(t *testing.T) {
	load := loader(t)
	for text, want := range map[string]int{
		"int main(int argc, char **argv) { return argc; }":                                 2,
		"int main(int argc, char **argv) { return argc < 13; }":                            12,
		"int main(int argc, char **argv) { return argc != 4; }":                            3,
		"int main(int argc, char **argv) { return argc > 5; }":                             5,
		"#define P 3\nint main(int c, char **v) { return c < (P+1) ? 0 : v[P][0]; }":       3,
		"#define P 6\nint main(int c, char **v) { return c != P + 1 ? 0 : v[1][0]; }":      6,
		"int main(int argc, char **argv) { return argv[7] != 0; }":                         7,
		"int main(int argc, char **argv) { return argc > 100000; }":                        16,
		"main(argc, argv) int argc; char *argv[]; { if (argc < 13) return 1; return 0; }":  12,
		"int main(int argc, char **argv) { int xargc = 3; return xargc > 9 || argc > 1; }": 2,
	} {
		u := load(text)
		if got := argumentCount(u, u.Function("main")); got != want {
			t.Errorf("%s: %d arguments, want %d", text, got, want)
		}
	}
}

// loader reads texts as units.
func loader(t *testing.T) func(text string) *csource.Unit {
	t.Helper()
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("SKIPPED: no clang on this machine")
	}
	return func(text string) *csource.Unit {
		file := filepath.Join(t.TempDir(), "f.c")
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		u, err := csource.Load(t.Context(), file, csource.Options{Clang: tools.Clang, Flags: []string{"-w"}})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return u
	}
}
