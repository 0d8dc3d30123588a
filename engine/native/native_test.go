package native

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"klabel/ktest"
	"klabel/toolchain"
)

var findClang = sync.OnceValues(func() (*toolchain.Clang, error) {
	tools, err := toolchain.Probe(context.Background(), toolchain.Want{})
	if err != nil {
		return nil, err
	}
	return tools.RequireClang()
})

func clang(t testing.TB) *toolchain.Clang {
	t.Helper()
	c, err := findClang()
	if err != nil {
		t.Skipf("no clang: %v", err)
	}
	return c
}

const include = "../../runtime_c/include"

// compile turns C into IR as a campaign does.
func compile(t testing.TB, source string, flags ...string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), strings.TrimSuffix(filepath.Base(source), ".c")+".ll")
	if err := clang(t).IR(context.Background(), source, out, append([]string{"-I" + include}, flags...)); err != nil {
		t.Fatal(err)
	}
	return out
}

// explore runs the engine and returns its output directory and statistics.
func explore(t testing.TB, flags []string, program ...string) (string, *report) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var stderr bytes.Buffer
	args := append([]string{"--output-dir", dir, "--clang", clang(t).Path, "--max-time=240"}, flags...)
	if code := Main(context.Background(), append(args, program...), &stderr, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	rep, err := readReport(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range rep.Notes {
		if strings.Contains(n, "internal error") {
			t.Errorf("%s\n%s", n, stderr.String())
		}
	}
	return dir, rep
}

// suffixes lists the kinds of the error files, sorted, each once.
func suffixes(t testing.TB, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "test*.*.err"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range files {
		_, s, _ := strings.Cut(filepath.Base(f), ".")
		out = append(out, s)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func firstLine(t testing.TB, file string) string {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}

// coveredLabels lists the labels that tests were written for.
func coveredLabels(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	files, _ := filepath.Glob(filepath.Join(dir, "test*.assert.err"))
	for _, f := range files {
		if id, ok := strings.CutPrefix(firstLine(t, f), "Error: ASSERTION FAIL: cov_label "); ok {
			id, _, _ = strings.Cut(id, ",") // those that wait for the test too follow
			out[id] = strings.TrimSuffix(f, "assert.err") + "ktest"
		}
	}
	return out
}

// TestPrograms runs the programs in testdata against the expectation in their
// first line. Tests are replayed natively: one without an error must end
// normally, one for a label must reach it, one with a memory error must be
// caught by AddressSanitizer.
func TestPrograms(t *testing.T) {
	files, err := filepath.Glob("testdata/programs/*.c")
	if err != nil || len(files) < 8 {
		t.Fatal("no programs", err)
	}
	for _, f := range files {
		t.Run(strings.TrimSuffix(filepath.Base(f), ".c"), func(t *testing.T) {
			t.Parallel()
			line := strings.TrimSuffix(firstLine(t, f), "*/")
			_, want, ok := strings.Cut(line, "expect:")
			if !ok {
				t.Fatal("no expectation")
			}
			checkProgram(t, f, strings.Fields(want))
		})
	}
}

func checkProgram(t *testing.T, file string, want []string) {
	var flags, args []string
	for _, w := range want {
		k, v, _ := strings.Cut(w, "=")
		switch {
		case k == "greybox":
			flags = append(flags, "--greybox")
		case strings.HasPrefix(k, "max-"):
			flags = append(flags, "--"+w)
		case k == "args":
			args = strings.Split(v, ",")
		}
	}
	dir, rep := explore(t, flags, append([]string{compile(t, file)}, args...)...)
	labels := coveredLabels(t, dir)
	for _, w := range want {
		k, v, _ := strings.Cut(w, "=")
		got := v
		switch k {
		case "completed":
			got = fmt.Sprint(rep.Completed)
		case "tests":
			got = fmt.Sprint(rep.Tests)
		case "complete", "incomplete":
			if rep.Complete != (k == "complete") {
				t.Errorf("complete: %v %q", rep.Complete, rep.Notes)
			}
		case "errors":
			got = strings.Join(suffixes(t, dir), ",")
			list := strings.FieldsFunc(v, func(r rune) bool { return r == ',' })
			slices.Sort(list)
			if len(labels) > 0 {
				list = append(list, "assert.err")
				slices.Sort(list)
			}
			v = strings.Join(list, ",")
		case "infeasible":
			got = strings.Trim(strings.ReplaceAll(fmt.Sprint(rep.Infeasible), " ", ","), "[]")
		case "labels":
			// Tests may cover several labels each: all of them must be hit by replays.
			hit := map[string]bool{}
			for id, test := range labels {
				out := replay(t, file, test, args, false)
				hits := regexp.MustCompile(`hit (\d+)`).FindAllStringSubmatch(out, -1)
				own := false
				for _, h := range hits {
					hit[h[1]] = true
					own = own || h[1] == id
				}
				if !own || !strings.Contains(out, "normal end") {
					t.Errorf("the test for label %s does not cover it: %s", id, out)
				}
			}
			for _, id := range strings.Split(v, ",") {
				if !hit[id] {
					t.Errorf("label %s is not covered (covered: %v)", id, hit)
				}
				delete(hit, id)
			}
			if len(hit) > 0 {
				t.Errorf("labels covered beyond expectation: %v", hit)
			}
		}
		if got != v {
			t.Errorf("%s = %s, want %s", k, got, v)
		}
	}
	replayAll(t, file, dir, args)
}

// replayAll replays the tests that end well or with a memory error.
func replayAll(t *testing.T, file, dir string, args []string) {
	tests, _ := filepath.Glob(filepath.Join(dir, "*.ktest"))
	for _, test := range tests {
		errs, _ := filepath.Glob(strings.TrimSuffix(test, "ktest") + "*.err")
		if _, err := os.Stat(strings.TrimSuffix(test, "ktest") + "early"); err == nil {
			continue // how it ends natively is not known
		}
		switch {
		case len(errs) == 0:
			if out := replay(t, file, test, args, false); !strings.Contains(out, "normal end") {
				t.Errorf("%s: %s", filepath.Base(test), out)
			}
		case strings.HasSuffix(errs[0], ".ptr.err"), strings.HasSuffix(errs[0], ".free.err"):
			if out := replay(t, file, test, args, true); !strings.Contains(out, "AddressSanitizer") &&
				!strings.Contains(out, "runtime error") {
				t.Errorf("%s: the sanitizer finds nothing: %s", filepath.Base(test), out)
			}
		}
	}
}

var binaries sync.Map // file + sanitize -> func() string

// replay runs a test natively with the small runtime in testdata.
func replay(t testing.TB, file, test string, args []string, sanitize bool) string {
	t.Helper()
	key := fmt.Sprint(file, sanitize)
	build, _ := binaries.LoadOrStore(key, sync.OnceValue(func() string {
		out := filepath.Join(replayDir, fmt.Sprintf("%s-%v", strings.TrimSuffix(filepath.Base(file), ".c"), sanitize))
		flags := []string{"-w", "-g", "-O0", "-I" + include, "-ffp-contract=off"}
		if sanitize {
			flags = append(flags, "-fsanitize=address,bounds")
		}
		cmd := exec.Command(clang(t).Path, append(flags, file, "testdata/replay.c", "-o", out, "-lm")...)
		if msg, err := cmd.CombinedOutput(); err != nil {
			return "error: " + string(msg)
		}
		return out
	}))
	bin := build.(func() string)()
	if strings.HasPrefix(bin, "error: ") {
		t.Fatal(bin)
	}
	k, err := ktest.ReadFile(test)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	cmd := exec.CommandContext(ctx, bin, args...)
	var in bytes.Buffer
	for _, o := range k.Objects {
		fmt.Fprintf(&in, "%s %d\n", o.Name, len(o.Data))
		in.Write(o.Data)
	}
	inputs := filepath.Join(t.TempDir(), "inputs")
	if err := os.WriteFile(inputs, in.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "REPLAY_INPUTS="+inputs,
		"ASAN_OPTIONS=detect_leaks=0:detect_stack_use_after_return=1:"+
			"max_allocation_size_mb=4096:allocator_may_return_null=1")
	out, _ := cmd.CombinedOutput()
	return string(out)
}

var replayDir string

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == Subcommand { // this binary is the engine's process, too
		os.Exit(Main(context.Background(), os.Args[2:], os.Stdout, os.Stderr))
	}
	var err error
	if replayDir, err = os.MkdirTemp("", "native-replay-"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(replayDir)
	os.Exit(code)
}

// TestClangs: what the language offers means the same in the IR of every clang
// that is installed, optimised or not.
func TestClangs(t *testing.T) {
	found := 0
	for _, v := range []string{"14", "15", "16", "17", "18", "19", "20"} {
		path, err := exec.LookPath("clang-" + v)
		if err != nil {
			continue
		}
		found++
		for _, level := range []string{"-O0", "-O2"} {
			t.Run(v+level, func(t *testing.T) {
				t.Parallel()
				ll := filepath.Join(t.TempDir(), "language.ll")
				cmd := exec.Command(path, "-w", "-g", "-S", "-emit-llvm", level, "testdata/programs/language.c", "-o",
					ll)
				if msg, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, msg)
				}
				dir, rep := explore(t, nil, ll)
				if s := suffixes(t, dir); rep.Completed != 1 || !rep.Complete || len(s) > 0 {
					t.Errorf("%+v, errors: %q", rep, s)
				}
			})
		}
	}
	if found == 0 {
		t.Skip("no clang with a version in its name")
	}
}
