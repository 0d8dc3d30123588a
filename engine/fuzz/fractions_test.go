package fuzz

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"klabel/engine"
)

// TestFractions: a sum of ordinary numbers is found, which hardly any bits of numbers are.
func TestFractions(t *testing.T) {
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	file, bin := filepath.Join(dir, "f.c"), filepath.Join(dir, "fuzzed")
	text := "#include <klee/klee.h>\nvoid klabel_fuzz_label(int id, unsigned distance);\n" +
		"void near(void) {\n    double a, b;\n" +
		"    klee_make_symbolic(&a, sizeof a, \"a\");\n    klee_make_symbolic(&b, sizeof b, \"b\");\n" +
		"    klabel_fuzz_label(1, a + b == 12 && a - b == 4 ? 0 : 64);\n}\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Build(t.Context(), found.clang, Image{Sources: []Source{{File: file}}, Symbols: []string{"near"},
		MaxID: 1, Fractions: true}, bin); err != nil {
		t.Fatal(err)
	}
	r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}, Entry: "near"},
		engine.Options{OutputDir: filepath.Join(dir, "out"), Budget: 40 * time.Second, Seed: 5})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Stop(); r.Wait() })
	until(t, r, 1, "covers 1")
}
