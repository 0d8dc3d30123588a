package ctests_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"klabel/ctests"
	"klabel/input"
	"klabel/ktest"
)

// TestUnformatted: tests that a project's style cannot be given to are written all the same.
func TestUnformatted(t *testing.T) {
	dir := t.TempDir()
	src := filepath.Join(dir, "f.c")
	if err := os.WriteFile(src, []byte("void f(int x) {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	in := &input.Input{Name: "x", Object: "x", Type: &input.Type{Kind: input.Int, Size: 4, Signed: true, Decl: "int @"}}
	d := &input.Driver{Function: "f", Inputs: []*input.Input{in}}
	asked := 0
	o := ctests.Options{Style: ctests.Plain, Source: src, Include: "../f.c", Format: func(files []string) error {
		asked += len(files)
		return errors.New("unknown style")
	}}
	cases := []ctests.Case{{Number: 1, Driver: d, Test: &ktest.Test{Objects: []ktest.Object{{Name: "x",
		Data: []byte{7, 0, 0, 0}}}}}}
	if err := ctests.Write(dir, cases, o); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "test_f.c"))
	if err != nil || asked == 0 || !strings.Contains(string(text), "7") {
		t.Errorf("%v, %d files to format:\n%s", err, asked, text)
	}
}
