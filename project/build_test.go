package project

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCommandsOfMake(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "here.c"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ log, want string }{
		{"cc -I. -c -o a.o a.c", "/p/a.c: cc -I. -c -o a.o a.c"},
		{"gcc -o prog -DX=\\\"1\\\" a.c ../b.c -lm", `/p/a.c: gcc -o prog -DX="1" a.c ../b.c -lm
/b.c: gcc -o prog -DX="1" a.c ../b.c -lm`},
		{"cc -c \\\n  a.c", "/p/a.c: cc -c a.c"},
		{"make[1]: Entering directory '/p/sub'\ncc -c a.c\nmake[1]: Leaving directory '/p/sub'\ncc -c b.c",
			"/p/sub/a.c: cc -c a.c\n/p/b.c: cc -c b.c"},
		{"cd lib && x86_64-linux-gnu-gcc-12 -c a.c; cc -c b.c",
			"/p/lib/a.c: x86_64-linux-gnu-gcc-12 -c a.c\n/p/lib/b.c: cc -c b.c"},
		{"echo '  CC a.o'; ccache clang -c a.c || exit 1", "/p/a.c: clang -c a.c"},
		{"if V=1 gcc -MT a.o -MD -MF .deps/a.c -c a.c; then mv x y; fi", "/p/a.c: gcc -MT a.o -MD -MF .deps/a.c -c a.c"},
		{"/bin/bash ../libtool --tag=CC --mode=compile gcc -DPIC -c -o a.lo a.c", "/p/a.c: gcc -DPIC -c -o a.lo a.c"},
		{"gcc -c -o a.o `test -f 'gone.c' || echo '../src/'`gone.c", "/src/gone.c: gcc -c -o a.o ../src/gone.c"},
		{"gcc -c -o a.o `test -f 'here.c' || echo '../src/'`here.c", "/p/here.c: gcc -c -o a.o here.c"},
		{"gcc $(pkg-config --cflags zlib) -c a.c `sdl-config --libs`", "/p/a.c: gcc -c a.c"},
		{"echo gcc -c a.c", ""},
		{"gcc -MM a.c > .depend", ""},
		{"gcc -E a.c", ""},
		{"g++ -c a.cc\ngcc -o prog a.o b.o\nar rcs liba.a a.o", ""},
		{"gcc -c 'a.c", ""}, // no shell would take it
	} {
		var got []string
		for _, c := range commandsOf(strings.ReplaceAll(c.log, "/p/", dir+"/"), dir) {
			file := strings.Replace(c.File, dir, "/p", 1)
			file = strings.Replace(file, filepath.Dir(dir), "", 1)
			got = append(got, file+": "+strings.Join(c.Arguments, " "))
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.log, strings.Join(got, "\n"), c.want)
		}
	}
}

func TestFolderWithoutBuild(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	for _, f := range []string{"src/a.c", "src/in/b.c", "include/a.h", "tests/t.c", "tests/t.h", ".hidden/h.c",
		"out/klabel.db", "out/sub/x.c", "main.cc"} {
		path := filepath.Join(root, f)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := AskBuild(t.Context(), root, "")
	if err != nil || b.Way != "folder" || !slices.Equal(b.Headers, []string{"include"}) ||
		b.Said != "no build that klabel can ask: every C file here, with -Iinclude" {
		t.Fatalf("%+v, %v", b, err)
	}
	text, err := os.ReadFile(b.Database)
	if err != nil || strings.Count(string(text), `"file"`) != 2 || !strings.Contains(string(text), "src/in/b.c") {
		t.Errorf("%v:\n%s", err, text)
	}
	if _, err := AskBuild(t.Context(), t.TempDir(), ""); err != ErrNoBuild {
		t.Errorf("a folder without C: %v", err)
	}
	if b, err := AskBuild(t.Context(), filepath.Join(root, "include"), ""); err != nil ||
		b.Said != "no C files but tests and examples: every header here, with -I." {
		t.Errorf("a folder of headers: %+v, %v", b, err)
	}
	if _, err := AskBuild(t.Context(), root, "scons"); err == nil {
		t.Error("an unknown way is taken")
	}
	if _, err := AskBuild(t.Context(), root, "make"); err == nil {
		t.Error("make is asked without a Makefile")
	}
}

// What is asked writes nothing but klabel's own folder, and what it starts ends with
// it.
func TestAskedMakeIsConfined(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("SKIPPED: no make on this machine")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	for name, text := range map[string]string{
		"Makefile": "X := $(shell touch written 2>/dev/null)\nCFLAGS = -DN=2\nall: a.o ; +touch written\na.o: a.c\n",
		"a.c":      "int f(int x) { return x > N; }\n", "a.o": "old"} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	b, err := AskBuild(t.Context(), root, "")
	if err != nil || b.Way != "make" || b.Said != "Makefile (make -n)" {
		t.Fatalf("%+v, %v", b, err)
	}
	text, err := os.ReadFile(b.Database)
	if err != nil || !strings.Contains(string(text), `"-DN=2"`) {
		t.Errorf("%v:\n%s", err, text)
	}
	if !Missing(filepath.Join(root, "written")) {
		t.Error("asking make has changed the project")
	}
}
