package csource

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"klabel/toolchain"
)

var probe = sync.OnceValues(func() (*toolchain.Tools, error) {
	return toolchain.Probe(context.Background(), toolchain.Want{})
})

// clangOf finds clang or skips the test, saying so.
func clangOf(t testing.TB) *toolchain.Clang {
	t.Helper()
	tools, err := probe()
	if err != nil {
		t.Fatal(err)
	}
	if tools.Clang == nil {
		t.Skip("no clang on PATH")
	}
	return tools.Clang
}

// write puts files into a folder of the test's.
func write(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load reads one C text as f.c.
func load(t testing.TB, text string, more ...func(*Options)) (*Unit, error) {
	t.Helper()
	dir := write(t, map[string]string{"f.c": text})
	o := Options{Clang: clangOf(t)}
	for _, m := range more {
		m(&o)
	}
	return Load(context.Background(), filepath.Join(dir, "f.c"), o)
}

func mustLoad(t testing.TB, text string, more ...func(*Options)) *Unit {
	t.Helper()
	u, err := load(t, text, more...)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
