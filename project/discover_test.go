package project

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFindDatabase(t *testing.T) {
	for _, at := range []string{".", "build", "cmake-build-debug", "out/Debug"} {
		dir := filepath.Join(t.TempDir(), "with [brackets]*")
		want := filepath.Join(dir, at, DatabaseName)
		if err := os.MkdirAll(filepath.Dir(want), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("nowhere/"+DatabaseName, filepath.Join(dir, DatabaseName)); err != nil {
			t.Fatal(err)
		}
		if got := FindDatabase(dir); got != "" {
			t.Errorf("%q in an empty folder", got)
		}
		if err := os.Remove(filepath.Join(dir, DatabaseName)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(want, []byte("[]"), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := FindDatabase(dir); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestAside(t *testing.T) {
	for path, want := range map[string]bool{
		"/p/src/a.c": false, "/p/a.c": false, "/p/tests/a.c": true, "/p/test.c": true, "/p/src/parse_test.c": true,
		"/p/test_a.c": true, "/p/unit-tests.c": true, "/p/list-test.c": true, "/p/test.h": true,
		"/p/contest.c": false, "/p/src/latest.c": false, "/p/third_party/zlib/inflate.c": true,
		"/p/examples/x/main.c": true,
	} {
		if got := Aside("/p", path); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	if Aside("/home/me/tests/project", "/home/me/tests/project/src/a.c") {
		t.Error("a folder above the project counts")
	}
}
