package instrument

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/engine"
	"klabel/liveview"
)

// kleeOf finds KLEE or skips the test, saying so.
func kleeOf(t *testing.T) (klee, clang string) {
	t.Helper()
	clangOf(t)
	tools, err := probe()
	if err != nil {
		t.Fatal(err)
	}
	if tools.KLEE == nil {
		t.Skip("no KLEE: set KLABEL_KLEE or put klee on PATH")
	}
	c, err := tools.ClangFor(tools.KLEE)
	if err != nil {
		t.Skip(err)
	}
	return tools.KLEE.Path, c.Path
}

// TestKLEE runs what becomes of a program with the real KLEE. Labels that can
// be covered have the comment "covered"; their assertions must fail, at their
// line of the user's file, and no other's.
func TestKLEE(t *testing.T) {
	klee, clang := kleeOf(t)
	src := "testdata/klee.c"
	text, err := os.ReadFile(src)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{}
	call := regexp.MustCompile(`cov_label\(.*, (\d+), "T"\).*// covered`)
	for i, l := range strings.Split(string(text), "\n") {
		if m := call.FindStringSubmatch(l); m != nil {
			want[m[1]] = itoa(i + 1)
		}
	}
	u := load(t, src)
	for _, m := range []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused} {
		t.Run(string(m), func(t *testing.T) {
			dir := t.TempDir()
			out, err := Rewrite(u, Options{Mode: m})
			if err != nil {
				t.Fatal(err)
			}
			path := func(name string) string { return filepath.Join(dir, name) }
			writeFile(t, path("p.c"), out)
			writeFile(t, path("view"), liveview.File(make([]byte, 64)))
			command := func(name string, args ...string) {
				cmd := exec.Command(name, args...)
				cmd.Env = os.Environ()
				if name == klee {
					cmd.Env = append(cmd.Env, "LD_PRELOAD="+path("covered.so"), "KLABEL_VIEW="+path("view"))
				}
				if b, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%s %v: %v\n%s", name, args, err, b)
				}
			}
			command(clang, "-shared", "-fPIC", "-O1", "-I../runtime_c/include", "-I../runtime_c",
				"../runtime_c/view/covered.c", "-o", path("covered.so"))
			command(clang, "-c", "-emit-llvm", "-g", "-O0", "-Xclang", "-disable-O0-optnone", "-w", path("p.c"), "-o",
				path("p.bc"))
			command(klee, "--output-dir="+path("out"), "--max-time=60s", "--emit-all-errors", path("p.bc"))
			got := map[string]string{}
			errs, err := filepath.Glob(path("out/*.err"))
			if err != nil {
				t.Fatal(err)
			}
			head := regexp.MustCompile(`^Error: ASSERTION FAIL: cov_label (\d+)\nFile: testdata/klee.c\nLine: (\d+)\n`)
			var others []string
			for _, f := range errs {
				b, err := os.ReadFile(f)
				if err != nil {
					t.Fatal(err)
				}
				if m := head.FindSubmatch(b); m != nil && strings.HasSuffix(f, ".assert.err") {
					got[string(m[1])] = string(m[2])
				} else {
					first, _, _ := strings.Cut(string(b), "\n")
					others = append(others, first)
				}
			}
			sort.Strings(others)
			if len(others) > 0 {
				t.Errorf("other errors: %q", others)
			}
			tests, err := filepath.Glob(path("out/*.ktest"))
			if err != nil {
				t.Fatal(err)
			}
			if !m.AssertTests() {
				if len(got) > 0 || len(tests) == 0 {
					t.Errorf("%d tests, assertions %v", len(tests), got)
				}
				return
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("assertions that failed, by label and line (-want +got):\n%s", d)
			}
			if len(tests) != len(errs) {
				t.Errorf("%d tests for %d assertions: the end of main is not silent", len(tests), len(errs))
			}
		})
	}
}
