package csource

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/toolchain"
)

func TestReadCompileCommands(t *testing.T) {
	dir := write(t, map[string]string{"pre.h": "", "compile_commands.json": `[
 {"directory": ".", "file": "a.c", "command": "cc -c -O2 -Wall -Iinc -isystem /usr/x -DNAME=\\\"a b\\\" '-DQ=x y' -std=c99 -include pre.h -include other.h -o a.o -MF a.d a.c"},
 {"directory": "sub", "file": "../b.c", "arguments": ["clang", "-I", "../inc", "-U", "X", "-m32", "-c", "../b.c"]},
 {"directory": ".", "file": "c.cpp", "command": "c++ -c c.cpp"},
 {"directory": ".", "file": "c.h", "command": "cc -c c.h"},
 {"directory": ".", "file": "d.h", "arguments": ["cc", "-xc", "-DD_IMPLEMENTATION", "-c", "d.h"]},
 {"directory": ".", "file": "a.c", "command": "cc -DLAST -c a.c"}
]`})
	got, err := ReadCompileCommands(filepath.Join(dir, "compile_commands.json"))
	if err != nil {
		t.Fatal(err)
	}
	want := []CompileCommand{
		{File: filepath.Join(dir, "a.c"), Dir: dir, Flags: []string{"-DLAST"}},
		{File: filepath.Join(dir, "b.c"), Dir: filepath.Join(dir, "sub"), Flags: []string{"-I", filepath.Join(dir, "inc"), "-U", "X", "-m32"}},
		{File: filepath.Join(dir, "d.h"), Dir: dir, Flags: []string{"-DD_IMPLEMENTATION"}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	bad := write(t, map[string]string{"x.json": "[\n{\"file\": }\n]"})
	if _, err := ReadCompileCommands(filepath.Join(bad, "x.json")); err == nil ||
		!strings.Contains(err.Error(), "x.json:2") {
		t.Errorf("got %v", err)
	}
}

// TestFrom writes commands as in a folder: what lies below it has short names.
func TestFrom(t *testing.T) {
	c := CompileCommand{File: "/w/p/src/a.c", Dir: "/w/p/build", Flags: toolchain.Flags{"-I/w/p/src", "-I", "/w/p",
		"-isystem", "/w/other", "-I/w/ppp", "-DX=/w/p/x", "-include", "/w/p/src/c.h"}}
	got := c.From("/w/p")
	want := toolchain.Flags{"-Isrc", "-I", ".", "-isystem", "/w/other", "-I/w/ppp", "-DX=/w/p/x", "-include", "src/c.h"}
	if got.File != "src/a.c" || !slices.Equal(got.Flags, want) || c.Flags[0] != "-I/w/p/src" {
		t.Errorf("%+v", got)
	}
	if far := c.From("/w/else"); far.File != c.File || !slices.Equal(far.Flags, c.Flags) {
		t.Errorf("from elsewhere %+v", far)
	}
}
