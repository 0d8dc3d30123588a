package native

import (
	"bytes"
	"context"
	"fmt"
	"os"
	osexec "os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"klabel/engine"
	"klabel/ktest"
)

func writeC(t testing.TB, text string) string {
	t.Helper()
	source := filepath.Join(t.TempDir(), "p.c")
	if err := os.WriteFile(source, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return compile(t, source)
}

// TestBadInput: an error or a limit that is reported, never a panic.
func TestBadInput(t *testing.T) {
	garbage := filepath.Join(t.TempDir(), "garbage.ll")
	if err := os.WriteFile(garbage, []byte("garbage\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		program string
		flags   []string
		code    int
		stderr  string
	}{
		"garbage":      {garbage, nil, 1, "is this LLVM IR?"},
		"missing file": {"/nowhere.ll", nil, 1, "no such file"},
		"no main":      {writeC(t, "int f(void) { return 1; }"), nil, 1, "no main function"},
		"recursion": {writeC(t, "int f(int n) { int a[9]; a[0] = n; return f(n + 1) + a[0]; } int main() { "+
			"return f(0); }"), nil, 0, "recursion deeper than 20000 calls"},
		"endless loop": {writeC(t, "int main() { volatile int x = 0; for (;;) x++; }"), []string{"--max-time=0.3"}, 0,
			"time limit"},
		"instructions": {writeC(t, "int main() { volatile int x = 0; for (;;) x++; }"),
			[]string{"--max-instructions=50000"}, 0, "instruction limit"},
		"large global": {writeC(t, "char g[1 << 30]; int main() { g[1 << 29] = 2; return g[5]; }"), nil,
			0, "completed paths = 1"},
		"unknown": {writeC(t, "int no_such(int); int main() { return no_such(1); }"), nil, 0,
			"call of the unknown function no_such"},
		"assembly":      {writeC(t, "int main() { asm(\"hlt\"); return 0; }"), nil, 0, "inline assembly"},
		"bad searcher":  {garbage, []string{"--search=best"}, 2, "unknown searcher"},
		"no output dir": {garbage, []string{"--output-dir="}, 2, "output-dir"},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			args := append([]string{"--output-dir", filepath.Join(t.TempDir(), "out"), "--clang", clang(t).Path,
				"--max-time=20"}, c.flags...)
			if code := Main(context.Background(), append(args, c.program), &stderr, &stderr); code != c.code {
				t.Errorf("exit code %d, want %d", code, c.code)
			}
			if !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("%q is not in %q", c.stderr, stderr.String())
			}
		})
	}
}

// TestMemoryLimit: paths are dropped, and what was found stays.
func TestMemoryLimit(t *testing.T) {
	program := writeC(t, `#include <klee/klee.h>
int main(void)
{
    unsigned x, n = 0;
    char page[20000];
    klee_make_symbolic(&x, sizeof x, "x");
    for (int i = 0; i < 14; i++)
        if (x >> i & 1)
            for (int k = 0; k < 20000; k += 1000) page[k] = i + n++;
    return n + page[3];
}`)
	_, rep := explore(t, []string{"--max-memory=60", "--search=bfs"}, program)
	if rep.Complete || rep.Tests == 0 || rep.Partial == 0 ||
		!strings.Contains(strings.Join(rep.Notes, " "), "dropped") {
		t.Errorf("%+v", rep)
	}
}

// TestMemoryPeak: the process itself stays within the limit, also where a path
// allocates faster than garbage is collected.
func TestMemoryPeak(t *testing.T) {
	if underRace {
		t.Skip("the race detector takes memory of its own")
	}
	const limit = 200
	program := writeC(t, `#include <stdlib.h>
#include <string.h>
int main(void) { for (;;) { char *p = malloc(1 << 20); if (p != NULL) memset(p, 1, 1 << 20); } }`)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := osexec.Command(self, Subcommand, "--output-dir", filepath.Join(t.TempDir(), "out"), "--clang", clang(t).Path,
		fmt.Sprintf("--max-memory=%d", limit), program)
	if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "memory limit") {
		t.Errorf("%v: %s", err, out)
	}
	if peak := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss; peak > limit<<10*21/20 {
		t.Errorf("the process held %d kB, the limit is %d MB", peak, limit)
	}
}

// TestCancel: a run that is told to stop ends at once and says so.
func TestCancel(t *testing.T) {
	program := writeC(t, "int main() { volatile int x = 0; for (;;) x++; }")
	dir := filepath.Join(t.TempDir(), "out")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var out bytes.Buffer
	start := time.Now()
	if code := Main(ctx, []string{"--output-dir", dir, "--clang", clang(t).Path, program}, &out, &out); code != 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	if took := time.Since(start); took > 2*time.Minute {
		t.Errorf("took %s", took)
	}
	rep, err := readReport(dir)
	if err != nil || !rep.Finished || rep.Complete {
		t.Errorf("%+v %v", rep, err)
	}
}

// Told to stop while the program is being read: no error, nothing explored.
func TestCancelEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	dir := filepath.Join(t.TempDir(), "out")
	var out bytes.Buffer
	if code := Main(ctx, []string{"--output-dir", dir, "--clang", clang(t).Path, writeC(t, "int main() { return 0; }")},
		&out, &out); code != 0 {
		t.Errorf("exit code %d: %s", code, out.String())
	}
	rep, err := readReport(dir)
	if err != nil || !rep.Finished || rep.Complete || rep.Error != "" {
		t.Errorf("%+v %v", rep, err)
	}
}

// BenchmarkConcrete measures a million concrete instructions.
func BenchmarkConcrete(b *testing.B) {
	program := writeC(b, "int main() { unsigned h = 1; for (int i = 0; i < 83333; i++) h = h * 33 + i; return h & 1; }")
	for b.Loop() {
		_, rep := explore(b, nil, program)
		b.ReportMetric(float64(rep.Instructions), "instructions")
	}
}

// TestGivenUp: where the engine stops for a reason of its own, nothing is called
// an error of the program, no label infeasible, and a test is left for a native
// run, which may go on.
func TestGivenUp(t *testing.T) {
	const head = "int klee_int(const char *); int klabel_wants(int); void klabel_label(int, int);\n" +
		"char *unknown(int); " +
		"void klee_silent_exit(int); typedef float v4 __attribute__((vector_size(16)));\n"
	for name, c := range map[string]struct{ body, why string }{
		"recursion": {"int f(int n) { return n ? f(n - 1) + 1 : 0; } int g(int x) { return f(25000) + x; }",
			"recursion deeper"},
		"unknown": {"int g(int x) { return unknown(x) ? x : x; }", "unknown function"},
		"assembly": {"int g(int x) { asm volatile(\"cpuid\" : \"+a\"(x) : : \"ebx\", \"ecx\", \"edx\"); return x; }",
			"not supported"},
		"large stack": {"int g(int x) { char v[(x & 0) + (5l << 30)]; v[0] = x; return v[0]; }", "stack object"},
		"many paths":  {"int g(int x) { return x; }", ""},
	} {
		t.Run(name, func(t *testing.T) {
			program := writeC(t, head+c.body+`
int main(void) {
    int x = klee_int("x");
    if (klabel_wants(1)) klabel_label(1, x == 5);
    x = g(x);
    if (klabel_wants(2)) klabel_label(2, x == 7);
    return 0;
}`)
			dir, rep := explore(t, []string{"--greybox"}, program)
			early, _ := filepath.Glob(filepath.Join(dir, "*.early"))
			if c.why == "" {
				if !rep.Complete || len(early) != 0 || len(coveredLabels(t, dir)) != 2 {
					t.Errorf("%+v, early: %q", rep, early)
				}
				return
			}
			notes := strings.Join(rep.Notes, " ")
			if rep.Complete || rep.Partial != 1 || len(rep.Infeasible) > 0 || !strings.Contains(notes, c.why) {
				t.Errorf("%+v", rep)
			}
			if s := suffixes(t, dir); len(s) > 0 {
				t.Errorf("errors of the program: %q", s)
			}
			five := false // of the tests, one is for label 1
			for _, f := range early {
				k, err := ktest.ReadFile(strings.TrimSuffix(f, "early") + "ktest")
				if err != nil {
					t.Fatal(err)
				}
				five = five || len(k.Objects) == 1 && k.Objects[0].Data[0] == 5
			}
			if !five {
				t.Errorf("no test for label 1: %q", early)
			}
		})
	}
}

// TestResident: a process stays within its memory limit while states multiply.
func TestResident(t *testing.T) {
	const limit = 150
	if underRace {
		t.Skip("the race detector's own memory cannot be told from the engine's")
	}
	e := newEngine(t)
	r := start(t, e, engine.Program{Files: []string{compile(t, "testdata/memory.c")}},
		engine.Options{MaxMemoryMB: limit, Searchers: []string{"bfs"}, Budget: 4 * time.Second})
	stats, err := r.Wait()
	if err != nil || stats.Complete {
		t.Fatal(stats, err)
	}
	for s := range e.pool.all {
		b, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.process.Pid()))
		if err != nil {
			t.Fatal(err)
		}
		var kb int
		if _, rest, ok := strings.Cut(string(b), "VmHWM:"); ok {
			fmt.Sscan(rest, &kb)
		}
		if kb == 0 || kb > limit<<10*13/10 { // the test binary's own parts
			t.Errorf("%d MB resident, the limit is %d", kb>>10, limit)
		}
	}
}

// TestKLEEOptions: a command line of KLEE's is understood, or refused by name.
func TestKLEEOptions(t *testing.T) {
	program := writeC(t, `#include <klee/klee.h>
int main(void) {
    int x = klee_range(0, 9, "x"), n = 0;
    for (int i = 0; i < 3; i++) if (x > i) n++;
    return x == 5 ? 1 / (x - 5) : n;
}`)
	for _, c := range []struct {
		args  []string
		code  int
		wants string // in what is said
		tests int    // -1: not looked at
	}{
		{[]string{"--libc=uclibc", "--posix-runtime", "--max-time=1min", "--optimize=false", "--use-cex-cache=true", "-solver-backend=stp"}, 0, "completed paths = 5", 5},
		{[]string{"--only-output-states-covering-new", "--search=dfs"}, 0, "completed paths = 5", -1},
		{[]string{"--exit-on-error", "--search=dfs"}, 0, "an error was found", -1},
		{[]string{"--entry-point=main", "--external-calls=none", "--rng-initial-seed=7", "--watchdog"}, 0, "completed paths = 5", 5},
		{[]string{"--seed-file=x.ktest"}, 2, "-seed-file", -1},
		{[]string{"--optimize"}, 2, "flag optimize", -1},
		{[]string{"--write-kqueries"}, 2, "flag write-kqueries", -1},
		{[]string{"--no-such-option"}, 2, "-no-such-option", -1},
		{[]string{"--max-time=soon"}, 2, "-max-time", -1},
	} {
		var out bytes.Buffer
		dir := filepath.Join(t.TempDir(), "out")
		args := append(append([]string{"--clang", clang(t).Path, "--output-dir", dir}, c.args...), program)
		if code := Main(t.Context(), args, &out, &out); code != c.code || !strings.Contains(out.String(), c.wants) {
			t.Errorf("%q: exit code %d, %q", c.args, code, out.String())
		}
		tests, _ := filepath.Glob(filepath.Join(dir, "*.ktest"))
		if c.tests >= 0 && len(tests) != c.tests {
			t.Errorf("%q: %d tests", c.args, len(tests))
		}
		if strings.HasPrefix(c.args[0], "--only-output") && (len(tests) == 0 || len(tests) >= 5) {
			t.Errorf("%q: %d tests", c.args, len(tests))
		}
	}
	// Without a directory the output is where KLEE's would be.
	for _, want := range []string{"klee-out-0", "klee-out-1"} {
		var out bytes.Buffer
		if code := Main(t.Context(), []string{"--clang", clang(t).Path, program}, &out, &out); code != 0 {
			t.Fatal(out.String())
		}
		if to, err := os.Readlink(filepath.Join(filepath.Dir(program), "klee-last")); err != nil || to != want {
			t.Errorf("klee-last is %s, want %s: %v", to, want, err)
		}
	}
}

// TestMemoryOfEarlierSlices: a slice is not charged with what the slice before it
// held.
func TestMemoryOfEarlierSlices(t *testing.T) {
	ll := writeC(t, `#include <klee/klee.h>
static char page[1 << 20];
void large(void)
{
    unsigned x = klee_int("x");
    for (int i = 0; i < 5; i++)
        for (unsigned k = 0; k < sizeof page; k += 1000) page[k] = (x >> i & 1) + k;
}
int main(void) { return klee_int("y") > 3; }`)
	e := newEngine(t)
	for _, entry := range []string{"large", "", "large", ""} {
		r := start(t, e, engine.Program{Files: []string{ll}, Entry: entry}, engine.Options{MaxMemoryMB: 80})
		stats, err := r.Wait()
		if err != nil || entry == "" && !stats.Complete {
			t.Errorf("entry %q: %+v %v", entry, stats, err)
		}
	}
}

// TestUnknownCall: a path goes on behind a function that the engine has no code for.
// What else the function may do is nobody's knowledge, so that nothing is infeasible.
func TestUnknownCall(t *testing.T) {
	program := writeC(t, `
int klee_int(const char *); int klabel_wants(int); void klabel_label(int, int); int advise(int); int given;
int main(void) {
    int x = klee_int("x"), got;
    if (klabel_wants(1)) klabel_label(1, x == 5);
    got = advise(x);
    if (klabel_wants(2)) klabel_label(2, x == 7);
    if (klabel_wants(3)) klabel_label(3, got != 0);
    if (klabel_wants(4)) klabel_label(4, given != 0);
    return 0;
}`)
	dir, rep := explore(t, []string{"--greybox"}, program)
	if labels := coveredLabels(t, dir); len(labels) != 2 || labels["1"] == "" || labels["2"] == "" {
		t.Errorf("tests for %v", labels)
	}
	notes := strings.Join(rep.Notes, " ")
	if rep.Complete || len(rep.Infeasible) > 0 || !strings.Contains(notes, "unknown function advise") {
		t.Errorf("%+v", rep)
	}
}
