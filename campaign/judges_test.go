package campaign

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"klabel/label"
	"klabel/runtime_c"
)

// The judge is another driver than klabel's: it sets what any caller could set and
// calls functions in any order, many times, and says which labels were met. A
// predicate that cannot be evaluated does not hold.
const judgeHead = `#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
static unsigned char met[100000];
static sigjmp_buf out_of_label;
#define cov_label(p, id, tag) do { if (!sigsetjmp(out_of_label, 0)) { if (p) met[id] = 1; } } while (0)
static void fault(int s) { (void)s; siglongjmp(out_of_label, 1); }
static unsigned long long seed;
static unsigned draw(void) { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; return seed >> 20; }
static const int some[] = { 0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12, 15, 76, 77, 78, -1, -5, -6, 199, 200, 255, 1233,
    1234, 1235, -1000, -1001, 120, 2147483647, -2147483647 - 1 };
static int whole(void)
{
    switch (draw() % 4) {
    case 0: return draw();
    case 1: return (int)(draw() % 64) - 16;
    }
    return some[draw() % (sizeof some / sizeof *some)];
}
static double real(void)
{
    static const double pool[] = { 0.0, -0.0, 0.5, -0.5, -1.5, 3.25, 100.0, 1234.5, 0.1, 1.1, 1.5, 2.25, 99.0, 1233.5,
        -2.5, 1e300, -1e300, 1e-300 };
    double v = pool[draw() % (sizeof pool / sizeof *pool)];
    switch (draw() % 6) {
    case 0: return nextafter(v, INFINITY);
    case 1: return nextafter(v, -INFINITY);
    case 2: return draw() % 4 ? whole() : draw() % 2 ? NAN : draw() % 2 ? INFINITY : -INFINITY;
    }
    return v;
}
static void *judge_malloc(__SIZE_TYPE__ n) { return draw() % 8 ? calloc(1, n) : 0; }
#define malloc judge_malloc
`

const judgeMain = `
int main(int argc, char **argv)
{
    unsigned long i, n = strtoul(argv[2], 0, 10);
    struct sigaction a;
    (void)argc;
    memset(&a, 0, sizeof a);
    a.sa_handler = fault;
    a.sa_flags = SA_NODEFER;
    sigaction(SIGSEGV, &a, 0);
    seed = 88172645463325252ull * (2 * strtoull(argv[1], 0, 10) + 1);
    for (i = 0; i < n; i++) judgeN();
    for (i = 0; i < sizeof met; i++) if (met[i]) printf("%lu\n", i);
    return 0;
}
`

// How often the judge calls the functions of a program, in so many processes: the
// first calls see the state as it starts.
const (
	judgeProcesses = 20
	judgeCalls     = 5000
)

// Every status is held against the judge: nothing that it meets is infeasible,
// what klabel covers its own replays show, and where the judge has tried all inputs
// nothing else is covered. The judge itself must meet four fifths of what klabel
// covers. KLABEL_JUDGES says how many programs.
func TestJudges(t *testing.T) {
	t.Parallel()
	judges(t, 10)
}

// TestNarrowJudges is the same with programs of 32 bits.
func TestNarrowJudges(t *testing.T) {
	t.Parallel()
	if why := testTools(t, "").Clang.Runs32(t.Context()); why != nil {
		t.Skipf("SKIPPED: %v", why)
	}
	judges(t, 5, "-m32")
}

func judges(t *testing.T, programs int, flags ...string) {
	many := false
	if s := os.Getenv("KLABEL_JUDGES"); s != "" {
		programs, _ = strconv.Atoi(s)
		many = true
	}
	if testing.Short() {
		programs = min(programs, 4)
	}
	const together = 10
	sum := map[label.Status]int{}
	for first := 0; first < programs; first += together {
		t.Run(fmt.Sprint(first), func(t *testing.T) {
			holdAgainst(t, first, min(together, programs-first), many, sum, flags)
		})
	}
	t.Logf("all: %v", sum)
	if sum[label.Covered] == 0 || many && sum[label.Infeasible] == 0 { // a slow machine proves less in time
		t.Errorf("this proves nothing: %v", sum)
	}
}

func holdAgainst(t *testing.T, first, n int, many bool, sum map[label.Status]int,
	flags []string) {
	tools := testTools(t, "")
	dir := t.TempDir()
	j := Job{OutputDir: filepath.Join(dir, "out"), AllFunctions: true, Criteria: []string{"MCC"}, Engine: "native",
		Flags:  flags,
		Only:   []string{"f*", "e*", "m*", "help*"},
		Budget: 2 * time.Duration(n) * time.Second, TestStyle: NoCTests}
	if many {
		j.Budget *= 6
	}
	var all []*judged
	for k := first; k < first+n; k++ {
		g := newJudged(k)
		path := filepath.Join(dir, fmt.Sprintf("p%d.c", k))
		if err := os.WriteFile(path, []byte(g.program()), 0o666); err != nil {
			t.Fatal(err)
		}
		j.Sources = append(j.Sources, Source{Path: path})
		all = append(all, g)
	}
	if _, err := Run(t.Context(), j, tools, &notebook{}); err != nil {
		t.Fatal(err)
	}
	verified, err := Verify(t.Context(), j.OutputDir, 2*time.Second, &notebook{})
	if err != nil || len(verified.Open)+len(verified.Problems) > 0 {
		t.Errorf("its own replay does not show %v: %v %v", verified.Open, verified.Problems, err)
	}
	r, err := Result(j.OutputDir)
	if err != nil {
		t.Fatal(err)
	}
	met := meets(t, j, all)
	counts, missed, shown := map[label.Status]int{}, 0, 0
	for _, row := range r.Rows {
		counts[row.Status]++
		hit := met[row.ID]
		if hit && row.Status == label.Unknown {
			missed++
		}
		if hit && row.Status == label.Covered {
			shown++
		}
		if hit && row.Status == label.Infeasible {
			t.Errorf("label %d, %q at %v in %s, is called infeasible (%s: %s), and a run meets it", row.ID,
				row.Predicate, row.Position, row.Function, row.Method, row.Reason)
		}
		if !hit && row.Status == label.Covered && strings.HasPrefix(row.Function, "e") {
			t.Errorf("label %d, %q at %v in %s, is called covered, and no input meets it", row.ID,
				row.Predicate, row.Position, row.Function)
		}
	}
	for st, n := range counts {
		sum[st] += n
	}
	t.Logf("%d programs: %v, the judge meets %d of the covered, %d of the unknown", n, counts, shown, missed)
	if 5*shown < 4*counts[label.Covered] { // it would not see what is wrongly called infeasible either
		t.Errorf("the judge meets %d of %d covered labels: it is too weak to judge", shown, counts[label.Covered])
	}
}

// meets lets the judge call the functions of programs, and returns what it met.
func meets(t *testing.T, j Job, all []*judged) map[label.ID]bool {
	t.Helper()
	clang, err := testTools(t, "").RequireClang()
	if err != nil {
		t.Skip(err)
	}
	rt, done, err := runtime_c.Shared()
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := j.check(); err != nil {
		t.Fatal(err)
	}
	p, err := load(t.Context(), clang, rt, &j, start{}, map[string]string{})
	if err != nil {
		t.Fatal(err)
	}
	var text, every strings.Builder
	text.WriteString(judgeHead + judgeMemory)
	for i, g := range all {
		text.Write(p.units[i].Text)
		text.WriteString(g.calls())
		fmt.Fprintf(&every, "judge%d(); ", g.k)
	}
	text.WriteString(strings.Replace(judgeMain, "judgeN();", "{ "+every.String()+"}", 1))
	dir := t.TempDir()
	c, exe := filepath.Join(dir, "judge.c"), filepath.Join(dir, "judge")
	if err := os.WriteFile(c, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := clang.Executable(t.Context(), []string{c}, exe, append([]string{"-O0", "-fwrapv", "-w", "-lm"},
		j.Flags...)); err != nil {
		t.Fatal(err)
	}
	met := map[label.ID]bool{}
	for seed := range judgeProcesses {
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		out, err := exec.CommandContext(ctx, exe, strconv.Itoa(seed), strconv.Itoa(judgeCalls)).Output()
		stop()
		if err != nil {
			t.Fatalf("the judge fails: %v", err)
		}
		for _, s := range strings.Fields(string(out)) {
			id, _ := strconv.Atoi(s)
			met[label.ID(id)] = true
		}
	}
	return met
}
