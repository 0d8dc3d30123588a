package project

import (
	"os"
	"path/filepath"
	"reflect"
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

// TestPrograms: the only main of a folder goes with the files beside it, several stand each alone.
func TestPrograms(t *testing.T) {
	dir := t.TempDir()
	var files []File
	for _, f := range []struct{ path, text string }{
		{"one/list.c", "int size(void) { return 3; }"}, {"one/main.c", "int main(void) { return 0; }"},
		{"two/a.c", "int main(void) { return 1; }"}, {"two/b.c", "int main(void) { return 2; }"},
		{"two/c.c", "int c(void) { return 2; }"}, {"none/d.c", "int d(void) { return 2; }"},
	} {
		path := filepath.Join(dir, f.path)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(f.text), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, File{Path: path})
	}
	if got, want := Programs(files), [][]int{{1, 0}, {2}, {3}, {4}, {5}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
