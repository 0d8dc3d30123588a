package project

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestImplementation(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a.h", "#ifdef A_IMPLEMENTATION\nint f(void) { return 1; }\n#endif\n", []string{"-DA_IMPLEMENTATION"}},
		{"a.h", "  # if defined( AIMPLEMENTATION ) || X\n#if defined B_IMPL\n#ifdef B_IMPL // again\n",
			[]string{"-DAIMPLEMENTATION", "-DB_IMPL"}},
		{"a.h", "#ifndef A_IMPLEMENTATION\n#ifdef A_IMPLEMENTATIONS\n#ifdef IMPLY\n// #ifdef C_IMPL\n", nil},
		{"a.c", "#ifdef A_IMPLEMENTATION\n", nil},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		if got := Implementation(path); !slices.Equal(got, c.want) {
			t.Errorf("%s %q: %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
