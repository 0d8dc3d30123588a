package examples

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"klabel/label"
)

// clang finds a compiler for the native replay of written tests.
func clang(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19",
		"cc"} {
		if p, err := exec.LookPath(name); err == nil {
			return p
		}
	}
	t.Skip("no C compiler on PATH")
	return ""
}

var labelCall = regexp.MustCompile(`cov_label\(.*, (\d+), "`)

// TestExpectations replays the written tests of each example natively: they
// must cover what is listed as coverable, and nothing else.
func TestExpectations(t *testing.T) {
	programs, err := All(".")
	if err != nil {
		t.Fatal(err)
	}
	cc := clang(t)
	for _, p := range programs {
		t.Run(p.Name+"."+p.Criterion, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(p.File)
			if err != nil {
				t.Fatal(err)
			}
			var inSource []label.ID
			for i, m := range labelCall.FindAllStringSubmatch(string(text), -1) {
				n, _ := strconv.Atoi(m[1])
				if n != i+1 {
					t.Errorf("label %d stands where %d is due", n, i+1)
				}
				inSource = append(inSource, label.ID(n))
			}
			listed := append(append([]label.ID{}, p.Coverable...), p.Infeasible...)
			sort.Slice(listed, func(i, j int) bool { return listed[i] < listed[j] })
			if d := cmp.Diff(inSource, listed); d != "" {
				t.Errorf("labels in the source and in the expectation differ:\n%s", d)
			}
			bin := compile(t, cc, p.File)
			hit := map[label.ID]bool{}
			for _, inputs := range p.Tests {
				for _, id := range run(t, bin, inputs) {
					hit[id] = true
				}
			}
			var got []label.ID
			for id := range hit {
				got = append(got, id)
			}
			sort.Slice(got, func(i, j int) bool { return got[i] < got[j] })
			if d := cmp.Diff(p.Coverable, got); d != "" {
				t.Errorf("coverable labels and labels covered by the written tests differ:\n%s", d)
			}
		})
	}
}

func compile(t *testing.T, cc, file string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "replay")
	object := bin + ".o"
	for _, args := range [][]string{
		{"-Wall", "-Wextra", "-Werror", "-I", "testdata/include", "-include", "testdata/witness.h", "-c", file, "-o", object},
		{"testdata/witness.c", object, "-o", bin},
	} {
		if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
			t.Fatalf("%s %s: %v\n%s", cc, strings.Join(args, " "), err, out)
		}
	}
	return bin
}

func run(t *testing.T, bin string, inputs []string) []label.ID {
	t.Helper()
	var stderr bytes.Buffer
	cmd := exec.Command(bin, inputs...)
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("test %v: %v: %s", inputs, err, stderr.Bytes())
	}
	var hits []label.ID
	for _, w := range strings.Fields(string(out)) {
		id, err := label.ParseID(w)
		if err != nil {
			t.Fatal(err)
		}
		hits = append(hits, id)
	}
	return hits
}

// TestPlainSources compiles each function and its driver alone.
func TestPlainSources(t *testing.T) {
	cc := clang(t)
	drivers, err := filepath.Glob("*/driver.c")
	if err != nil || len(drivers) < 9 {
		t.Fatalf("found %d drivers: %v", len(drivers), err)
	}
	for _, d := range drivers {
		name := filepath.Dir(d)
		for _, args := range [][]string{
			{"-Wall", "-Wextra", "-Werror", "-fsyntax-only", filepath.Join(name, name+".c")},
			{"-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-I", "testdata/include", "-include", "testdata/witness.h", d},
		} {
			if out, err := exec.Command(cc, args...).CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", d, err, out)
			}
		}
	}
}

func TestBadExpectation(t *testing.T) {
	for _, text := range []string{"coverable x\n", "coverable 7-3\n", "covered 1\n"} {
		dir := filepath.Join(t.TempDir(), "p")
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		file := filepath.Join(dir, "p.CC.expect")
		if err := os.WriteFile(file, []byte("# ok\n"+text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := All(filepath.Dir(dir)); err == nil || !strings.Contains(err.Error(), file+":2:") {
			t.Errorf("%q: error is %v, want one that names line 2", text, err)
		}
	}
}
