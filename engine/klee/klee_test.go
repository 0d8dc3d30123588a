package klee

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"klabel/engine"
	"klabel/toolchain"
)

// compile builds bitcode for the machine's KLEE, or skips the test.
func compile(t *testing.T, source string) (*Engine, engine.Program) {
	t.Helper()
	tools, err := toolchain.Probe(t.Context(), toolchain.Want{})
	if err != nil {
		t.Fatal(err)
	}
	k, err := tools.RequireKLEE()
	if err != nil {
		t.Skipf("SKIPPED, KLEE is not tested: %v", err)
	}
	c, err := tools.ClangFor(k)
	if err != nil {
		t.Skipf("SKIPPED, KLEE is not tested: %v", err)
	}
	dir := t.TempDir()
	src, bc := filepath.Join(dir, "p.c"), filepath.Join(dir, "p.bc")
	if err := os.WriteFile(src, []byte(prelude+source), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := c.Bitcode(t.Context(), src, bc, nil); err != nil {
		t.Fatal(err)
	}
	return New(k), engine.Program{Files: []string{bc}}
}

const prelude = `
void klee_make_symbolic(void *, unsigned long, const char *);
int klee_int(const char *);
void klee_assume(unsigned long);
void klee_silent_exit(int) __attribute__((noreturn));
void __assert_fail(const char *, const char *, unsigned, const char *) __attribute__((noreturn));
#define LABEL(id, p) do { if ((klee_int("nondet_" #id) != 0) & !!(p)) __assert_fail("cov_label " #id, "p.c", __LINE__, "f"); } while (0)
`

const small = `
int main(void) {
  int x = klee_int("x");
  LABEL(1, x == 7);
  int r = x > 10 ? 1 : 2;
  LABEL(2, (x == 7) & (r == 1));
  LABEL(3, (x == 70) & (r == 1));
  klee_silent_exit(r);
}`

// endless has more paths than any budget.
const endless = `
int main(void) {
  unsigned char a[4096];
  klee_make_symbolic(a, sizeof a, "a");
  unsigned n = 0;
  for (unsigned i = 0; i < sizeof a; i++) if (a[i] > i % 200) n += a[i];
  klee_silent_exit(n);
}`

// hard holds a query that takes a solver very long: a product of two primes.
const hard = `
int main(void) {
  unsigned long long a, b;
  klee_make_symbolic(&a, sizeof a, "a");
  klee_make_symbolic(&b, sizeof b, "b");
  klee_assume((a > 1) & (b > 1) & (a < 4294967296ULL) & (b < 4294967296ULL) & (a <= b));
  LABEL(1, a * b == 4611685975477714963ULL);
  klee_silent_exit(0);
}`

func start(t *testing.T, e *Engine, p engine.Program, o engine.Options) engine.Run {
	t.Helper()
	if o.OutputDir == "" {
		o.OutputDir = filepath.Join(t.TempDir(), "out")
	}
	if o.Mode == "" {
		o.Mode = engine.Tight
	}
	r, err := e.Start(t.Context(), p, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { nothingLeft(t, r.(*run)) })
	return r
}

// nothingLeft checks that KLEE's group has no member.
func nothingLeft(t *testing.T, r *run) {
	t.Helper()
	if err := syscall.Kill(-r.process.Pid(), 0); err != syscall.ESRCH {
		t.Errorf("a process of KLEE is left: %v", err)
	}
}

func TestCompleteRun(t *testing.T) {
	e, p := compile(t, small)
	r := start(t, e, p, engine.Options{Budget: time.Minute})
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if !s.Complete || len(s.Notes) > 0 {
		t.Errorf("not complete: %v", s.Notes)
	}
	// Label 1, label 3, and the rest: both values of r are one path for clang.
	if s.Tests != 2 || s.Paths != 3 || s.Instructions < 30 || s.Queries == 0 || s.Seconds <= 0 {
		t.Errorf("statistics: %+v", s)
	}
	errs, _ := filepath.Glob(filepath.Join(r.Dir(), "*.assert.err"))
	var first []string
	for _, f := range errs {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(b), "\n")
		first = append(first, line)
	}
	slices.Sort(first)
	want := []string{"Error: ASSERTION FAIL: cov_label 1", "Error: ASSERTION FAIL: cov_label 3"}
	if !slices.Equal(first, want) {
		t.Errorf("errors %q, want %q", first, want)
	}
	if p := r.Progress(); p.Instructions == 0 || p.Paths != 3 {
		t.Errorf("progress at the end: %+v", p)
	}
}

func TestBudgetEndsTheRun(t *testing.T) {
	e, p := compile(t, endless)
	begin := time.Now()
	r := start(t, e, p, engine.Options{Budget: 3 * time.Second, Mode: engine.Fused, LiveView: "/dev/null",
		SolverBudget: time.Second})
	var seen engine.Progress
	for range 26 {
		time.Sleep(100 * time.Millisecond)
		if p := r.Progress(); p.Instructions > 0 {
			seen = p
		}
	}
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d < 2500*time.Millisecond || d > 8*time.Second {
		t.Errorf("took %s for a budget of 3 s", d)
	}
	if s.Complete {
		t.Error("an endless program was explored completely")
	}
	if s.Paths == 0 || s.Instructions == 0 {
		t.Errorf("statistics: %+v", s)
	}
	if early, _ := filepath.Glob(filepath.Join(r.Dir(), "*.early")); len(early) > 0 {
		t.Errorf("%d states were dumped", len(early))
	}
	if seen.Instructions == 0 {
		t.Error("no progress was seen while KLEE ran")
	}
}

// A query that has no end holds KLEE up: the run says so long before its budget
// is over, and keeps the test that was written before.
func TestHeldUp(t *testing.T) {
	e, p := compile(t, `void klee_make_symbolic(void *, unsigned long, const char *);
int main(void)
{
    unsigned long a, b;
    klee_make_symbolic(&a, sizeof a, "a");
    klee_make_symbolic(&b, sizeof b, "b");
    if (a == 3)
        return 1;
    for (volatile int i = 0; i < 3000000; i++) /* until statistics have begun */
        ;
    if (a > 1 && b > 1 && a < 1UL << 32 && b < 1UL << 32 && a * b == 13493650641110862431UL)
        return 2;
    return 0;
}`)
	if !e.klee.STP {
		t.Skip("this KLEE's solver is not STP: it needs no fork for a limit")
	}
	begin := time.Now()
	r := start(t, e, p, engine.Options{Mode: engine.Naive, Unbounded: true,
		Budget: 5 * time.Minute, SolverBudget: time.Second})
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begin); !s.HeldUp || s.Complete || took > 4*time.Minute {
		t.Errorf("after %s: %+v", took, s)
	}
	if s.Tests == 0 {
		t.Error("the test written before is lost")
	}
}

func TestStopInTheSearch(t *testing.T) {
	e, p := compile(t, endless)
	r := start(t, e, p, engine.Options{})
	awaitStart(t, r)
	begin := time.Now()
	r.Stop()
	r.Stop()
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if d := time.Since(begin); d > time.Minute {
		t.Errorf("Stop took %s", d)
	}
	if s.Complete || s.Instructions == 0 {
		t.Errorf("statistics: %+v", s)
	}
}

// TestStopInAQuery stops a KLEE that waits for its solver without a limit: the
// signal alone would not end it.
func TestStopInAQuery(t *testing.T) {
	e, p := compile(t, hard)
	r := start(t, e, p, engine.Options{})
	awaitStart(t, r)
	time.Sleep(1500 * time.Millisecond)
	select {
	case <-r.(*run).ended:
		t.Skip("the solver was quicker than expected")
	default:
	}
	begin := time.Now()
	r.Stop()
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	d := time.Since(begin)
	if d > time.Minute {
		t.Errorf("Stop took %s", d)
	}
	t.Logf("stopped %s after the signal, %+v", d, s)
	if s.Complete {
		t.Error("complete, though the query was taken away")
	}
}

// TestStatisticsOfAKilledKLEE reads what a killed KLEE left in the write-ahead
// log of run.stats.
func TestStatisticsOfAKilledKLEE(t *testing.T) {
	e, p := compile(t, endless)
	r := start(t, e, p, engine.Options{})
	awaitStart(t, r)
	time.Sleep(2200 * time.Millisecond)
	r.(*run).process.Kill()
	s, err := r.Wait()
	if err == nil || !strings.Contains(err.Error(), "KLEE was killed") {
		t.Errorf("got %v", err)
	}
	if s.Complete || s.Instructions == 0 {
		t.Errorf("statistics: %+v", s)
	}
}

func TestContextEndsTheRun(t *testing.T) {
	e, p := compile(t, endless)
	ctx, cancel := context.WithCancel(t.Context())
	r, err := e.Start(ctx, p, engine.Options{Mode: engine.Tight, OutputDir: filepath.Join(t.TempDir(), "out")})
	if err != nil {
		t.Fatal(err)
	}
	awaitStart(t, r)
	cancel()
	if s, err := r.Wait(); err != nil || s.Complete {
		t.Errorf("got %+v, %v", s, err)
	}
	nothingLeft(t, r.(*run))
}

func awaitStart(t *testing.T, r engine.Run) {
	t.Helper()
	for range 400 {
		if _, err := os.Stat(filepath.Join(r.Dir(), "run.stats")); err == nil {
			time.Sleep(300 * time.Millisecond)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatal("KLEE did not begin")
}

func TestEveryLimitIsAccepted(t *testing.T) {
	e, p := compile(t, small)
	for _, mode := range []engine.Mode{engine.Ignore, engine.Naive, engine.Tight, engine.Optim, engine.Fused} {
		r := start(t, e, p, engine.Options{
			Mode: mode, LiveView: "/dev/null", Budget: 20 * time.Second, SolverBudget: 2 * time.Second,
			MaxMemoryMB: 1000, MaxInstr: 1 << 30,
			MaxDepth: 1000, MaxPaths: 1000, Searchers: []string{"dfs", "nurs:covnew"}, Seed: 42,
			ExtraArgs: []string{"--max-memory=900", "-max-depth=99"},
		})
		if s, err := r.Wait(); err != nil || !s.Complete {
			t.Errorf("%s: %+v, %v", mode, s, err)
		}
	}
}

func TestLimitsMakeIncomplete(t *testing.T) {
	e, p := compile(t, endless)
	for name, o := range map[string]engine.Options{
		"instructions": {MaxInstr: 2000},
		"paths":        {MaxPaths: 3},
		"depth":        {MaxDepth: 3, MaxPaths: 40},
	} {
		o.Budget = 4 * time.Second
		r := start(t, e, p, o)
		if s, err := r.Wait(); err != nil || s.Complete {
			t.Errorf("%s: %+v, %v", name, s, err)
		}
	}
}

// Paths that take a megabyte each fill the memory within a second, in which KLEE does not
// look at what it has.
func TestMemoryIsHeld(t *testing.T) {
	e, p := compile(t, `
static char g[1 << 20];
int main(void) {
  int n = 0;
  for (int i = 0; i < 100000; i++) if (klee_int("x") > 0) { n++; g[i] = 1; } else g[i] = 2;
  return n;
}`)
	const limit = 300
	r := start(t, e, p, engine.Options{Budget: time.Minute, MaxMemoryMB: limit, Unbounded: true})
	most := 0
	for ended := false; !ended; time.Sleep(5 * time.Millisecond) {
		most = max(most, r.(*run).process.Resident(limit))
		select {
		case <-r.(*run).ended:
			ended = true
		default:
		}
	}
	// The quarter is for a machine that has no processor for who watches.
	if s, err := r.Wait(); err != nil || s.Complete || !s.Full || most < limit/2 || most > limit*5/4 {
		t.Errorf("%+v, %v, at most %d MB", s, err, most)
	}
}

// What KLEE is told leaves room for what it does not count.
func TestWhatKLEEIsTold(t *testing.T) {
	for limit, want := range map[int]int{4000: 3532, 400: 112, 200: 20, 5: 1} {
		if got := told(limit); got != want {
			t.Errorf("of %d MB it is told %d, want %d", limit, got, want)
		}
	}
}

func TestExternalCallWithSymbolicArgument(t *testing.T) {
	e, p := compile(t, `int putchar_unlocked(int);
int main(void) { int x = klee_int("x"); putchar_unlocked(x); LABEL(1, x == 3); klee_silent_exit(0); }`)
	r := start(t, e, p, engine.Options{Budget: 20 * time.Second})
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if s.Complete || len(s.Notes) == 0 {
		t.Errorf("a lost path was not noticed: %+v", s)
	}
}

func TestPosix(t *testing.T) {
	e, p := compile(t, `int main(int argc, char **argv) { LABEL(1, argc == 2 && argv[1][0] == 'k'); klee_silent_exit(0); }`)
	if !e.klee.Posix || !e.klee.Uclibc {
		t.Skip("SKIPPED: this KLEE has no POSIX runtime or no uclibc")
	}
	r := start(t, e, p, engine.Options{Budget: 30 * time.Second, Posix: true,
		ProgramArgs: []string{"--sym-args", "0", "1", "2"}})
	s, err := r.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if s.Tests == 0 {
		t.Errorf("no test: %+v", s)
	}
}

func TestSeveralFiles(t *testing.T) {
	e, p := compile(t, `int twice(int); int main(void) { LABEL(1, twice(klee_int("x")) == 6); klee_silent_exit(0); }`)
	_, other := compile(t, `int twice(int x) { return 2 * x; }`)
	p.Files = append(p.Files, other.Files...)
	r := start(t, e, p, engine.Options{Budget: 20 * time.Second})
	if s, err := r.Wait(); err != nil || s.Tests != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestFailures(t *testing.T) {
	e, p := compile(t, small)
	dir := t.TempDir()
	notBitcode := filepath.Join(dir, "x.bc")
	if err := os.WriteFile(notBitcode, []byte("not bitcode at all"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, noMain := compile(t, "int f(void) { return 1; }")
	for name, c := range map[string]struct {
		program engine.Program
		options engine.Options
		want    string
	}{
		"not bitcode":    {engine.Program{Files: []string{notBitcode}}, engine.Options{}, "bitcode"},
		"no main":        {noMain, engine.Options{}, "main"},
		"unknown option": {p, engine.Options{ExtraArgs: []string{"--no-such-option"}}, "--klee-arg"},
	} {
		r := start(t, e, c.program, c.options)
		_, err := r.Wait()
		var f *Failure
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if strings.Count(err.Error(), "\n") > 1 || f.Log == "" {
			t.Errorf("%s: message %q, log %q", name, err, f.Log)
		}
	}
}

// What a program starts under KLEE ends with it, a daemon too.
func TestDaemonOfTheProgram(t *testing.T) {
	if m := toolchain.ConfinementMeans(); !m.Namespaces {
		t.Skipf("SKIPPED: no namespaces may be made here: %s", m.Why)
	}
	mark := fmt.Sprintf("97.%d", os.Getpid())
	e, p := compile(t, `int system(const char *);
int main(void) { system("(trap '' TERM; setsid sleep `+mark+`) >/dev/null 2>&1 & sleep 0.2"); klee_silent_exit(klee_int("x") > 3); }`)
	r := start(t, e, p, engine.Options{Budget: time.Minute})
	stats, err := r.Wait()
	if err != nil || !slices.ContainsFunc(stats.Notes, func(n string) bool { return strings.Contains(n, "system") }) {
		t.Fatalf("%+v, %v: it was not called", stats, err)
	}
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline") // the pattern is well-formed
	for _, f := range files {
		if b, err := os.ReadFile(f); err == nil && strings.Contains(string(b), mark) {
			t.Errorf("%s is left: %q", f, b)
		}
	}
}
