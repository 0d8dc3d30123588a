package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestDefinesMain(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(void) { return 0; }":                             true,
		"main()\n{\n}":                                             true,
		"int\nmain (int argc, char *argv[])\n{ return 0; }":        true,
		"main(argc, argv)\n int argc; char **argv; { return 0; }":  true,
		"int main(void);\nint f(void) { return main(); }":          false,
		"// int main(void) {\nint f(void) { return 0; }":           false,
		"/* int main(void) { } */ const char *s = \"main() {\";":   false,
		"int domain(void) { return 0; } int main_loop(void) { ; }": false,
	} {
		path := filepath.Join(t.TempDir(), "x.c")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := DefinesMain(path); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if ArePrograms([]string{path, "nothing.c"}) {
			t.Error("one main is a program's")
		}
	}
}
