package fuzz

import (
	"encoding/binary"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
)

// TestReads: arguments, input and a file of a program are objects as other engines have
// them, and text in them is what the program asks for.
func TestReads(t *testing.T) {
	t.Parallel()
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	args := []string{"--sym-args", "0", "2", "8", "--sym-files", "1", "60", "--sym-stdin-upto", "70"}
	bin := filepath.Join(dir, "fuzzed")
	image := Image{Sources: []Source{{File: "testdata/reads.c"}}, Main: true, Args: args,
		Words: []string{"put %19s %d", "end\n", "end", "put"}, Numbers: []uint64{1000, 20, 77, 'v'}, MaxID: 110,
		Patience: time.Nanosecond}
	if err := Build(t.Context(), found.clang, image, bin); err != nil {
		t.Fatal(err)
	}
	r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}}, engine.Options{
		OutputDir: filepath.Join(dir, "out"), Budget: 60 * time.Second, Seed: 5, ProgramArgs: args, Posix: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Stop(); r.Wait() })
	s := until(t, r, 2000, "covers 1", "covers 2", "covers 3", "covers 4", "covers 5")
	impossible(t, s)

	kt, err := ktest.ReadFile(s["covers 3"])
	if err != nil {
		t.Fatal(err)
	}
	objects := map[string][]byte{}
	for _, o := range kt.Objects {
		objects[o.Name] = o.Data
	}
	if n := objects["stdin_size"]; len(n) != 4 || int(binary.LittleEndian.Uint32(n)) != len(objects["stdin"]) ||
		len(objects["stdin"]) > 70 {
		t.Errorf("the input's length is %v of %d bytes", n, len(objects["stdin"]))
	}
	if !strings.Contains(string(objects["stdin"]), "put") || len(objects["A_data"]) > 60 ||
		len(objects["n_args"]) != 4 {
		t.Errorf("%q", objects)
	}
	if a, ok := objects["arg00"]; ok && len(a) != 9 {
		t.Errorf("an argument has %d bytes", len(a))
	}
}

// TestStarved: most inputs of a menu make it ask for ever. Runs that do are ended soon, or
// nothing but waiting for them were done.
func TestStarved(t *testing.T) {
	t.Parallel()
	if found.clang == nil {
		t.Skip("no libFuzzer")
	}
	dir := t.TempDir()
	args := []string{"--sym-stdin-upto", "70"}
	bin := filepath.Join(dir, "fuzzed")
	image := Image{Sources: []Source{{File: "testdata/menu.c"}}, Main: true, Args: args,
		Numbers: []uint64{1, 2, 3, 100, 7, 'q'}, MaxID: 3}
	if err := Build(t.Context(), found.clang, image, bin); err != nil {
		t.Fatal(err)
	}
	r, err := New(found.clang).Start(t.Context(), engine.Program{Files: []string{bin}}, engine.Options{
		OutputDir: filepath.Join(dir, "out"), Budget: 100 * time.Second, Seed: 5, ProgramArgs: args, Posix: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Stop(); r.Wait() })
	until(t, r, 20000, "covers 1", "covers 2", "covers 3")
}

func TestKeywordsFirst(t *testing.T) {
	words, n := keywordsFirst([]string{"usage: %s\n", "add", "a long message of the program", "--help"})
	if n != 2 || words[0] != "add" || words[1] != "--help" || len(words) != 4 {
		t.Errorf("%d of %q", n, words)
	}
}
