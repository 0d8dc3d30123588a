package project

import (
	"os"
	"path/filepath"
	"testing"

	"klabel/toolchain"
)

func TestDefinesMain(t *testing.T) {
	for text, want := range map[string]bool{
		"int main(void) { return 0; }":                                      true,
		"main()\n{\n}":                                                      true,
		"int\nmain (int argc, char *argv[])\n{ return 0; }":                 true,
		"main(argc, argv)\n int argc; char **argv; { return 0; }":           true,
		"int main(void);\nint f(void) { return main(); }":                   false,
		"// int main(void) {\nint f(void) { return 0; }":                    false,
		"/* int main(void) { } */ const char *s = \"main() {\";":            false,
		"int domain(void) { return 0; } int main_loop(void) { ; }":          false,
		"int f(void);\n#ifdef TEST\nint main(void) { }\n#endif":             false,
		"# if defined(TEST)\nint main(void) { }\n#endif":                    false,
		"#if 0\n#ifdef SELF\n#endif\nint main(void) { }\n#endif":            false,
		"#ifdef SELF\nint main(void) { }\n#endif":                           true,
		"#if defined OTHER\nint main(void) { }\n#endif":                     true,
		"#define TEST\n#ifdef TEST\nint main(void) { }\n#endif":             true,
		"#ifdef TEST\n#else\nint main(void) { }\n#endif":                    true,
		"#ifdef TEST\n#include <a.h>\nint main(void) { }\n#endif":           false,
		"#ifndef TEST\nint main(void) { }\n#endif":                          true,
		"#if TEST > 1\nint main(void) { }\n#endif":                          true,
		"#ifdef unix\nint main(void) { }\n#endif":                           true,
		"#ifdef __unix__\nint main(void) { }\n#endif":                       true,
		"#ifdef TEST\n#include <a.h>\n#endif\nint main(void) { return 0; }": true,
	} {
		path := filepath.Join(t.TempDir(), "x.c")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := DefinesMain(path, toolchain.Flags{"-DSELF", "-D", "OTHER=1"}); got != want {
			t.Errorf("%q: %v", text, got)
		}
		if ArePrograms([]File{{Path: path}, {Path: "nothing.c"}}) {
			t.Error("one main is a program's")
		}
	}
}
