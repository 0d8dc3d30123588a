package csource

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUpwards names one header by several ways: a file has one name, but where a link makes ".."
// lead elsewhere, and where nobody can tell.
func TestUpwards(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return dir + "/" + name }
	for _, d := range []string{"src/aux", "other/deep"} {
		if err := os.MkdirAll(at(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []string{"src/a.h", "src/aux/b.h", "other/a.h"} {
		if err := os.WriteFile(at(f), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(at("other/deep"), filepath.Join(dir, "src", "link")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"src/a.h":                     "src/a.h",
		"src/aux/../a.h":              "src/a.h",
		"src/aux/../aux/./../aux/b.h": "src/aux/b.h",
		"src/link/../a.h":             "src/link/../a.h", // other/a.h
		"src/aux/../gone.h":           "src/aux/../gone.h",
	} {
		if got := plainName(at(name)); got != at(want) {
			t.Errorf("%s is %s, not %s", name, got, want)
		}
	}
	if got := plainName("../a.h"); got != "../a.h" {
		t.Errorf("../a.h is %s", got)
	}
}
