package runtime_c

import (
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// clang finds a compiler; toolchain would be an import the wrong way round.
func clang(t testing.TB) string {
	t.Helper()
	names := []string{"clang"}
	for _, v := range []string{"19", "18", "17", "16", "15", "14"} {
		names = append(names, "clang-"+v)
	}
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			return p
		}
	}
	t.Skip("no clang")
	return ""
}

func run(t testing.TB, env []string, name string, args ...string) string {
	t.Helper()
	c := exec.Command(name, args...)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func extract(t testing.TB) Paths {
	t.Helper()
	p, err := Extract(filepath.Join(t.TempDir(), "c"))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestExtract(t *testing.T) {
	p := extract(t)
	for _, f := range append([]string{
		p.Covered, p.Verifier, p.Exported,
		filepath.Join(p.Include, "klee/klee.h"),
		filepath.Join(p.Include, "harness_macros.h"),
		filepath.Join(p.Include, "klabel/labels.h"),
	}, p.Replay...) {
		if st, err := os.Stat(f); err != nil || st.Size() == 0 {
			t.Errorf("%s: %v", f, err)
		}
	}
	if len(p.Replay) < 5 {
		t.Errorf("replay runtime: %v", p.Replay)
	}
	// Once more: what is right is left alone, what is wrong is replaced.
	old := time.Now().Add(-time.Hour).Truncate(time.Second)
	if err := os.Chtimes(p.Covered, old, old); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p.Verifier, []byte("damaged"), 0o644); err != nil {
		t.Fatal(err)
	}
	again, err := Extract(p.Dir)
	if err != nil || !slices.Equal(again.Replay, p.Replay) {
		t.Fatalf("%+v, %v", again, err)
	}
	if st, _ := os.Stat(p.Covered); !st.ModTime().Equal(old) {
		t.Error("an unchanged file was written again")
	}
	if b, _ := os.ReadFile(p.Verifier); string(b) == "damaged" {
		t.Error("a damaged file was left")
	}
	if _, err := Extract(filepath.Join(p.Covered, "x")); err == nil {
		t.Error("no error below a file")
	}
}

// cFiles are all C files, those of the native engine's library too.
func cFiles(t *testing.T) (files []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == "testdata" {
			return filepath.SkipDir
		}
		if ext := path.Ext(name); err == nil && !d.IsDir() && (ext == ".c" || ext == ".h" || ext == ".cpp") {
			files = append(files, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil || len(files) < 20 {
		t.Fatalf("%d C files, %v", len(files), err)
	}
	return files
}

// alone reports whether a file is compiled as it is. The native engine's library
// and the parts of other texts (models for provers, runners of tests) are compiled
// by the tests of where they are used.
func alone(name string) bool {
	return !strings.HasPrefix(name, "libc/") && ships(name)
}

func TestCompilesWithoutWarnings(t *testing.T) {
	cc, p := clang(t), extract(t)
	for _, f := range cFiles(t) {
		if !alone(f) {
			continue
		}
		flags := []string{"-std=c11", "-D_GNU_SOURCE", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I" + p.Include}
		if path.Ext(f) == ".h" {
			flags = append(flags, "-Wno-unused-macros", "-x", "c")
		}
		run(t, nil, cc, append(flags, filepath.Join(p.Dir, f))...)
	}
}

func TestStyle(t *testing.T) {
	for _, f := range cFiles(t) {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text := string(b)
		if !strings.HasPrefix(text, "/* ") {
			t.Errorf("%s does not begin with why it exists", f)
		}
		if !strings.HasSuffix(text, "\n") || strings.HasSuffix(text, "\n\n") {
			t.Errorf("%s: end of file", f)
		}
		lines := strings.Split(text, "\n")
		if len(lines) > 500 {
			t.Errorf("%s has %d lines", f, len(lines))
		}
		for i, l := range lines {
			switch {
			case strings.Contains(l, "\t"):
				t.Errorf("%s:%d: tab", f, i+1)
			case strings.TrimRight(l, " ") != l:
				t.Errorf("%s:%d: white space at the end", f, i+1)
			case len(l) > 120:
				t.Errorf("%s:%d: %d columns", f, i+1, len(l))
			// marks between pieces aside
			case strings.Contains(l, "//") && !strings.Contains(l, "://") && !strings.Contains(l, "//!"):
				t.Errorf("%s:%d: comments are /* */", f, i+1)
			}
		}
	}
}

// Labels in the copy of a project that its own tests run in are written as for replays: what those refer to is defined
// there, too.
func TestCollectorDefinesWhatReplaysUse(t *testing.T) {
	collector := Piece("ctest/parts/collect.h")
	used := regexp.MustCompile(`(?m)^#define (klabel_\w+)\(`).FindAllStringSubmatch(Piece("instrument/reads.h"), -1)
	if len(used) < 2 {
		t.Fatal("no macros found")
	}
	for _, m := range used {
		if !strings.Contains(collector, "\n#define "+m[1]+"(") {
			t.Errorf("%s is not defined", m[1])
		}
	}
}
